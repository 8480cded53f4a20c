"""A server that would not be safe does not start, and says why."""

import math
from typing import Any

import pytest

from groundwire.errors import UsageError
from groundwire.server.settings import Limits, Settings, is_loopback

KEY = "a-key-for-tests-0123456789"


@pytest.mark.contract("bind")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "example.org", ""])
def test_another_address_than_this_machines_needs_a_key(host: str) -> None:
    with pytest.raises(UsageError, match="without an API key only this machine is served"):
        Settings(host=host)
    assert Settings(host=host, keys=(KEY,)).host == host


@pytest.mark.contract("bind")
def test_it_is_bound_to_this_machine_unless_told_otherwise() -> None:
    assert Settings().host == "127.0.0.1"
    assert all(map(is_loopback, ["127.0.0.1", "127.9.9.9", "::1", "localhost"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "localhost.example.org", "127.0.0.1.nip.io", ""]))


@pytest.mark.parametrize(
    "wrong",
    [
        {"port": -1},
        {"port": 65536},
        {"threshold": 1.5},
        {"threshold": math.nan},
        {"log_level": "verbose"},
        {"keys": ("short",)},
        {"keys": ("sixteen characters and blanks",)},
        {"keys": ("ключ-из-шестнадцати-букв",)},
        {"keys": ("a-key-for-tests-01234\n56789",)},
        {"allowed_hosts": ("*",)},
        {"indexes": {"../up": "x"}},
        {"indexes": {"": "x"}},
        {"upstream": "ftp://example.org"},
        {"upstream": "https://"},
        {"upstream": "https://user:pass@example.org/v1"},
        {"upstream": "https://example.org/v1?key=1"},
        {"upstream": "http://[::1"},
    ],
)
def test_what_cannot_be_served_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Settings(**wrong)


def test_a_key_is_never_said() -> None:
    assert KEY not in repr(Settings(keys=(KEY,)))
    with pytest.raises(UsageError) as error:
        Settings(keys=(f"{KEY} {KEY}",))
    assert KEY not in str(error.value)


@pytest.mark.contract("body")
@pytest.mark.contract("items")
@pytest.mark.contract("text")
@pytest.mark.contract("receipt")
@pytest.mark.contract("verdict")
@pytest.mark.contract("drain")
def test_the_limits_are_those_of_the_contract() -> None:
    limits = Limits()
    assert (limits.body_bytes, limits.items, limits.text_chars) == (1_048_576, 32, 200_000)
    assert (limits.receipt_seconds, limits.verdict_seconds, limits.drain_seconds) == (15, 30, 20)
    assert (limits.work_seconds, limits.last_words) == (29, 1)


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_a_limit_is_a_positive_number(value: float) -> None:
    with pytest.raises(UsageError, match="verdict_seconds"):
        Limits(verdict_seconds=value)
