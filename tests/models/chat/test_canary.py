"""R21, reduced: a canary for a key, through every way to fail, seen nowhere."""

import logging
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.cache import Cache
from groundwire.errors import GroundwireError
from groundwire.models.chat import Chat, Policy
from groundwire.models.chat.probe import probe
from groundwire.testing import Fault, FaultServer

CANARY = "sk-canary-0123456789abcdef"
STATUSES = (302, 400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503)
POLICY = Policy(attempt=0.2, call=3, first_wait=0.001, retries=1, failures=1000)


@pytest.fixture(params=["GROUNDWIRE_LLM_API_KEY", "OPENAI_API_KEY"])
def key(request: pytest.FixtureRequest, server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(request.param, CANARY)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    server.key, server.echo_key = CANARY, True
    return CANARY


def seen_of(action: Callable[[], object]) -> str:
    """Return all that a caller sees of an action: what it returns, or its error with every error behind it."""
    try:
        return repr(action())
    except GroundwireError as error:
        return "".join((str(error), repr(error), *traceback.format_exception(error)))


@pytest.mark.parametrize("wrong", [*Fault, *STATUSES], ids=lambda wrong: getattr(wrong, "name", str(wrong)))
@pytest.mark.usefixtures("key")
def test_no_failure_shows_the_key(
    wrong: Fault | int, server: FaultServer, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    server.faults = lambda number, prompt: wrong
    with Cache(tmp_path / "replies") as cache, Chat("m", cache=cache, policy=POLICY, limit=100_000) as chat:
        seen = seen_of(lambda: chat.complete(["q"])) + repr(chat) + repr(chat.usage) + seen_of(lambda: chat._endpoint)
    assert server.exchanges, "the key was accepted"
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert CANARY not in seen
    assert CANARY not in caplog.text
    assert CANARY not in "".join(str(vars(record)) for record in caplog.records)
    assert CANARY.encode() not in kept


def test_a_refused_key_shows_neither(
    server: FaultServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("GROUNDWIRE_LLM_API_KEY", CANARY)
    server.key, server.echo_key = "another-key-of-the-server", True
    with Chat("m", base_url=server.url) as chat:
        seen = seen_of(lambda: chat.complete(["q"]))
    seen += seen_of(lambda: probe("m", base_url=server.url))
    assert "refuses the key" in seen
    assert "[key]" in seen, "the server repeats the key, and it is taken out"
    assert CANARY not in seen + caplog.text
