"""Headers are read strictly, and every answer carries what keeps a browser safe."""

from typing import Any

import pytest

from groundwire.server.errors import ApiError
from groundwire.server.guard.headers import answering, declared_length, request_id


def scope(*headers: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [(n.lower().encode(), v.encode("latin-1")) for n, v in headers]}


def test_a_sane_request_id_is_kept() -> None:
    assert request_id(scope(("x-request-id", "job-7.a_b"))) == "job-7.a_b"


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, "-x", "a\nb", "é", "<script>"])
def test_any_other_is_replaced(given: str) -> None:
    ids = {request_id(scope(("x-request-id", given))) for _ in range(3)}
    assert len(ids) == 3
    assert given not in ids


def test_two_ids_are_none() -> None:
    assert request_id(scope(("x-request-id", "one"), ("x-request-id", "two"))) not in ("one", "two")


@pytest.mark.parametrize("length", ["-1", "+5", "0x10", "5,5", "1e3", " ", "", "٣", "9" * 30])
def test_a_length_that_is_no_number_is_malformed(length: str) -> None:
    headers = [(b"content-length", length.encode())]
    with pytest.raises(ApiError) as error:
        declared_length({"headers": headers})
    assert error.value.status == 400


@pytest.mark.parametrize(
    "headers", [[("content-length", "5")] * 2, [("content-length", "5"), ("transfer-encoding", "chunked")]]
)
def test_a_length_that_is_said_twice_is_malformed(headers: list[tuple[str, str]]) -> None:
    with pytest.raises(ApiError) as error:
        declared_length(scope(*headers))
    assert error.value.status == 400


@pytest.mark.parametrize("coding", ["gzip", "br", "identity, gzip", "x"])
def test_a_compressed_body_is_not_taken(coding: str) -> None:
    with pytest.raises(ApiError) as error:
        declared_length(scope(("content-encoding", coding)))
    assert error.value.status == 415


def test_a_plain_length_is_read() -> None:
    assert declared_length(scope(("content-length", "12"), ("content-encoding", "identity"))) == 12
    assert declared_length(scope()) is None


def test_every_answer_is_safe_in_a_browser_and_a_route_has_the_last_word() -> None:
    headers = dict(answering([(b"Referrer-Policy", b"origin")], "an-id", closing=False))
    assert headers[b"content-security-policy"].startswith(b"default-src 'self'")
    assert b"frame-ancestors 'none'" in headers[b"content-security-policy"]
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"cross-origin-resource-policy"] == b"same-origin"
    assert headers[b"referrer-policy"] == b"origin"
    assert headers[b"x-request-id"] == b"an-id"
    assert b"connection" not in headers
    assert (b"connection", b"close") in answering([], "an-id", closing=True)
