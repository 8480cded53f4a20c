"""Only names of ours in Host, and no page of another site."""

from typing import Any

import pytest

from groundwire.server.errors import ApiError
from groundwire.server.guard.hosts import Hosts, check_origin, host_name
from groundwire.server.settings import Settings

KEY = "a-key-for-tests-0123456789"


def scope(*headers: tuple[str, str], method: str = "POST") -> dict[str, Any]:
    return {"method": method, "headers": [(n.lower().encode(), v.encode("latin-1")) for n, v in headers]}


def host_taken(settings: Settings, *values: str) -> bool:
    try:
        Hosts(settings).check(scope(*(("Host", value) for value in values)))
    except ApiError:
        return False
    return True


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8100", "127.0.0.1", "127.0.0.1:1", "[::1]:8100"])
def test_a_server_of_this_machine_answers_to_its_own_names(host: str) -> None:
    assert host_taken(Settings(), host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8100", "localhost.evil.example", "127.0.0.1.nip.io", "10.0.0.1", "", " ", "localhost ",
        "localhost:", "localhost:abc", "localhost:123456", "user@localhost", "localhost/x", "localhost\\x", "[::1", "::1",
        "local\xe9host", "a" * 300, "localhost?x", "localhost#x", "127.0.0.1,localhost",
    ],
)  # fmt: skip
def test_a_poisoned_host_is_turned_away(host: str) -> None:
    assert not host_taken(Settings(), host)


def test_host_comes_exactly_once() -> None:
    assert not host_taken(Settings())
    assert not host_taken(Settings(), "localhost", "localhost")


def test_a_server_open_to_others_takes_numbers_and_the_names_it_is_told() -> None:
    settings = Settings(host="0.0.0.0", keys=(KEY,), allowed_hosts=("Check.Example.org",))
    assert all(host_taken(settings, h) for h in ["10.2.3.4:80", "[fe80::1]", "check.example.org:443", "localhost"])
    assert not host_taken(settings, "evil.example")
    assert host_taken(Settings(keys=(KEY,), allowed_hosts=("*",)), "anything.example")


@pytest.mark.parametrize(
    "headers",
    [
        [("Origin", "https://evil.example")],
        [("Origin", "null")],
        [("Origin", "http://localhost:9999")],
        [("Origin", "http://localhost:8100.evil.example")],
        [("Origin", "file://")],
        [("Origin", "http://[")],
        [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site")],
        [("Origin", "http://localhost:8100"), ("Origin", "https://evil.example")],
    ],
)
def test_another_sites_page_may_not_ask_for_work(headers: list[tuple[str, str]]) -> None:
    with pytest.raises(ApiError) as error:
        check_origin(scope(("Host", "localhost:8100"), *headers))
    assert error.value.status == 403
    check_origin(scope(("Host", "localhost:8100"), *headers, method="GET"))


def test_our_own_page_and_programs_may() -> None:
    check_origin(
        scope(("Host", "localhost:8100"), ("Origin", "http://localhost:8100"), ("Sec-Fetch-Site", "same-origin"))
    )
    check_origin(scope(("Host", "localhost:8100"), ("Sec-Fetch-Site", "none")))
    check_origin(scope(("Host", "localhost:8100")))


def test_a_host_is_read_without_its_port() -> None:
    assert host_name(b"[FE80::1]:80") == "fe80::1"
    assert host_name(b"Example.ORG:80") == "example.org"
