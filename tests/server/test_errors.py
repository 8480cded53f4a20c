"""Every error has one shape, the status that says what kind it is, and none of what was sent."""

import pytest

from groundwire.errors import (
    Busy,
    Cancelled,
    CorruptIndex,
    CorruptModel,
    Expired,
    GroundwireError,
    InputError,
    MissingExtra,
    MissingIndex,
    MissingModel,
    NetworkError,
    NotOpen,
    UnknownName,
    UsageError,
)
from groundwire.server.errors import OURS, ApiError, Shape, envelope, explained, internal, shape_of

SECRET = "/srv/secret-place"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InputError("a field is wrong"), 422),
        (UsageError("a field is wrong"), 422),
        (UnknownName("index", SECRET, ["a"]), 422),
        (Busy("full", 3), 429),
        (Expired("late"), 504),
        (Cancelled("gone"), 503),
        (MissingIndex(SECRET), 503),
        (CorruptIndex(SECRET, "cut"), 503),
        (CorruptModel(SECRET), 503),
        (MissingModel(SECRET), 503),
        (MissingExtra(SECRET), 503),
        (NetworkError(SECRET), 503),
        (GroundwireError(SECRET), 500),
        (RuntimeError(SECRET), 500),
        (KeyError(SECRET), 500),
        (ExceptionGroup("many", [ExceptionGroup("more", [Busy("full", 3)])]), 429),
        (ApiError(418, "t", "c", "m"), 418),
    ],
)
@pytest.mark.contract("envelope")
def test_every_error_has_its_status_and_says_nothing_of_the_machine(error: Exception, status: int) -> None:
    told = explained(error)
    assert told.status == status
    assert SECRET not in str(envelope(told, "id"))
    assert set(envelope(told, "id")["error"]) == {"type", "code", "message", "param", "request_id"}


@pytest.mark.parametrize("error", [Busy("full", 3), Cancelled("gone"), MissingIndex(SECRET), NetworkError(SECRET)])
def test_what_may_work_later_says_when(error: GroundwireError) -> None:
    seconds = explained(error).headers["retry-after"]
    assert seconds.isdigit()
    assert int(seconds) >= 1


def test_a_full_queue_says_what_the_engine_says() -> None:
    assert explained(Busy("full", 7)).headers == {"retry-after": "7"}


def test_a_bug_says_nothing_of_itself() -> None:
    assert explained(ValueError(SECRET)).message == internal().message


def test_the_longest_prefix_says_the_shape() -> None:
    outer, inner = Shape(body=lambda e, r: {"outer": 1}), Shape(body=lambda e, r: {"inner": 1})
    shapes = {"/a": outer, "/a/b": inner}
    assert [shape_of(path, shapes) for path in ("/a/x", "/a/b/c", "/b")] == [outer, inner, OURS]


def test_what_is_not_open_yet_says_so_as_the_gate_does() -> None:
    error = explained(NotOpen("the server is still loading its models"))
    assert (error.status, error.code) == (503, "not_ready")
    assert error.message == "the server is still loading its models"
    assert "retry-after" in error.headers
