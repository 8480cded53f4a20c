"""A key comes in any header that clients send one in, and is compared without telling how much of it was right."""

import hmac
from base64 import b64encode
from typing import Any

import pytest

from groundwire.server.errors import ApiError
from groundwire.server.guard import keys as module
from groundwire.server.guard.keys import ANYONE, Keys

FIRST, SECOND = "first-key-0123456789", "second-key-0123456789"


def scope(*headers: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [(n.lower().encode(), v.encode("latin-1")) for n, v in headers]}


def basic(user: str, password: str) -> tuple[str, str]:
    return "Authorization", "Basic " + b64encode(f"{user}:{password}".encode()).decode()


@pytest.mark.parametrize(
    "header",
    [
        ("Authorization", f"Bearer {SECOND}"),
        ("Authorization", f"bearer   {SECOND}"),
        ("X-Api-Key", SECOND),
        ("Api-Key", SECOND),
        ("Ocp-Apim-Subscription-Key", SECOND),
        ("X-Goog-Api-Key", SECOND),
        basic("", SECOND),
        basic("anyone", SECOND),
    ],
)
def test_a_key_opens_in_any_of_its_headers(header: tuple[str, str]) -> None:
    holder = Keys((FIRST, SECOND)).holder(scope(header))
    assert holder.startswith("key-")
    assert SECOND not in holder
    assert holder != Keys((FIRST,)).holder(scope(("x-api-key", FIRST)))


@pytest.mark.parametrize(
    "header",
    [
        ("Authorization", SECOND),
        ("Authorization", f"Token {SECOND}"),
        ("Authorization", f"Bearer{SECOND}"),
        ("Authorization", "Bearer "),
        ("Authorization", "Basic !!!"),
        ("Authorization", "Basic " + "A" * 9999),
        basic(SECOND, ""),
        ("Cookie", f"x-api-key={SECOND}"),
        ("X-Api-Key", SECOND[:-1]),
        ("X-Api-Key", SECOND + "x"),
        ("X-Api-Key", SECOND.upper()),
        ("X-Api-Key", ""),
        ("X-Api-Key", "\xff"),
    ],
)
def test_anything_else_does_not(header: tuple[str, str]) -> None:
    with pytest.raises(ApiError) as error:
        Keys((FIRST, SECOND)).holder(scope(header))
    assert error.value.status == 401
    assert error.value.headers["www-authenticate"].startswith("Basic")


def test_no_key_and_a_wrong_one_are_told_apart() -> None:
    said = []
    for headers in ((), (("x-api-key", "x"),)):
        with pytest.raises(ApiError) as error:
            Keys((FIRST,)).holder(scope(*headers))
        said.append(error.value.message)
    assert said == ["an API key is needed", "this API key is not known"]


def test_without_keys_anyone_may() -> None:
    assert Keys(()).holder(scope()) == ANYONE


@pytest.mark.contract("key")
def test_every_key_is_compared_whole_and_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[int, int]] = []

    def compare(a: bytes, b: bytes) -> bool:
        compared.append((len(a), len(b)))
        return hmac.compare_digest(a, b)

    monkeypatch.setattr(module, "compare_digest", compare)
    keys = Keys((FIRST, SECOND, "third-key-0123456789"))
    keys.holder(scope(("x-api-key", FIRST)))
    with pytest.raises(ApiError):
        keys.holder(scope(("x-api-key", "x")))
    assert compared == [(32, 32)] * 6  # digests, all of them, also after the one that is right


def test_the_keys_themselves_are_not_kept() -> None:
    keys = Keys((FIRST,))
    assert FIRST.encode() not in b"".join(keys._digests)
