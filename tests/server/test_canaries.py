"""R21, reduced: a secret that goes in anywhere comes out nowhere, whatever goes wrong on its way."""

import io
import logging
from collections.abc import Iterator
from itertools import islice
from types import SimpleNamespace

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from groundwire.errors import UsageError
from groundwire.server import logs
from groundwire.server.app import build
from groundwire.server.engine import Engine
from groundwire.server.settings import Settings
from groundwire.server.telemetry import Tracing

from .canaries import KEY, UPSTREAM_KEY, WORD, Crashing, Try, bystander, chats, crashes, echoes, heard, sung, tries
from .conftest import running_server
from .doors import routes_of
from .quick import quickly, upstream
from .wire import Line, Reply

EVERY = 13


@pytest.fixture(scope="module")
def singing(engine: Engine) -> Iterator[SimpleNamespace]:
    """A server that may crash, its log, its spans and its routes; stderr is pytest's to catch."""
    root = logging.getLogger()
    before, log = (root.handlers[:], root.level), io.StringIO()
    logs.set_up("info", log)
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    settings = Settings(port=0, keys=(KEY,), upstream="http://upstream.example/v1", indexes=engine.settings.indexes)
    crashing = Crashing(engine)
    served = build(settings, crashing, tracing=Tracing(provider.get_tracer("test")))  # type: ignore[arg-type]
    served.app.state.upstream = upstream(echoes(), UPSTREAM_KEY)
    server = running_server(served, settings)
    with quickly(engine):
        yield SimpleNamespace(
            server=server, engine=crashing, log=log, spans=spans, routes=routes_of(served.app), served=served
        )
        server.stop()
    root.handlers[:], root.level = before


def listen(singing: SimpleNamespace, attempts: Iterator[Try]) -> tuple[int, list[str]]:
    """Make the attempts; return how many, and what was heard."""
    told, n = [], 0
    with (
        Line(singing.server.host, singing.server.port) as line,
        Line(singing.server.host, singing.server.port) as other,
    ):
        for n, attempt in enumerate(attempts, 1):
            told.append(heard(attempt, line.ask(attempt.sent, head=attempt.head)))
            if n % 10 == 0 and singing.engine.crash is None:
                told.append(bystander(other))
        singing.engine.crash = None
        told.append(bystander(other))
    return n, [one for one in told if one]


@pytest.mark.contract("silence")
@pytest.mark.contract("envelope")
def test_no_error_sings(singing: SimpleNamespace, capfd: pytest.CaptureFixture[str]) -> None:
    n, told = listen(singing, islice(tries(singing.routes), 3, None, EVERY))
    assert told == []
    m, told = listen(singing, islice(crashes(singing.routes, singing.engine), 1, None, EVERY))
    assert told == []
    replies = len(echoes())
    k, told = listen(singing, chats(replies))
    assert told == []
    assert n + m + k > 100
    out, err = capfd.readouterr()
    spans = "".join(span.to_json() for span in singing.spans.get_finished_spans())
    for name, text in {"log": singing.log.getvalue(), "spans": spans, "stdout": out, "stderr": err}.items():
        assert not sung(text.encode()), name
    assert singing.log.getvalue().count('"event": "request"') > n
    assert "http.response.status_code" in spans


def test_who_sings_is_heard() -> None:
    attempt = Try("a", b"")
    body = f'{{"error": {{"message": "no {WORD}"}}}}'.encode()
    raw = b"HTTP/1.1 422 x\r\n\r\n" + body
    assert heard(attempt, Reply(422, {}, body, raw)) is not None
    assert heard(attempt, Reply(200, {}, body, raw)) is None
    stream = {"content-type": "text/event-stream"}
    assert heard(attempt, Reply(200, stream, b"event: claim\ndata: " + body + b"\n\n", raw)) is None
    assert heard(attempt, Reply(200, stream, b"event: error\ndata: " + body + b"\n\n", raw)) is not None
    assert heard(Try("b", b"", owns=True), Reply(400, {}, body, raw + UPSTREAM_KEY.encode())) is not None
    assert sung(KEY.encode())


@pytest.mark.parametrize("key", [WORD[:15], f"{WORD} with a blank", f"{WORD}-with-\u00e9"])
def test_a_key_that_cannot_be_one_is_not_said(key: str) -> None:
    with pytest.raises(UsageError) as raised:
        Settings(keys=(key,))
    assert not sung(f"{raised.value} {raised.value.hint}".encode())
    assert not sung(repr(Settings(keys=(KEY,))).encode())
