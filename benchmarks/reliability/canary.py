"""R21: a secret in every place, on every way that ends in an error; who sings is heard."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import openapi
import suite
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from rows import Row
from serving import child

from groundwire.server import logs
from groundwire.server.app import build
from groundwire.server.engine import Engine
from groundwire.server.settings import Settings
from groundwire.server.telemetry import Tracing

TARGET = "0 sightings: in errors, in what others are told, in log, metrics, spans, stdout and stderr"


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    folder = work / _folder()
    folder.mkdir()
    index = openapi.index(folder)
    yield _in_process(index, size["every"])
    yield _process(index, size["every"])


def _folder() -> str:
    """Return the name of a folder that holds the word, so that a path that is told is heard."""
    return str(suite.part("server/canaries.py").WORD.replace("/", "-"))


def _in_process(index: Path, every: int) -> Row:
    canaries, quick, doors = (suite.part(f"server/{name}.py") for name in ("canaries", "quick", "doors"))
    row = Row(id="R21", part="crashes", target=TARGET, what="")
    settings = Settings(port=0, keys=(canaries.KEY,), upstream=openapi.UPSTREAM, indexes={"tiny": str(index)})
    engine = Engine(settings)
    asyncio.run(engine.start())
    crashing, spans, log = canaries.Crashing(engine), InMemorySpanExporter(), io.StringIO()
    logs.set_up("info", log)
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    served = build(settings, crashing, tracing=Tracing(provider.get_tracer("canary")))
    served.app.state.upstream = quick.upstream(canaries.echoes(), canaries.UPSTREAM_KEY)
    routes = doors.routes_of(served.app)
    with _outputs() as outputs, quick.quickly(engine):
        server = suite.part("server/conftest.py").running_server(served, settings)
        quiet = lambda: crashing.crash is None  # noqa: E731
        _listen(row, server, _some(canaries.crashes(routes, crashing), every), "crashes of the engine", quiet)
        _listen(row, server, canaries.chats(2 * len(canaries.echoes())), "an upstream that repeats its key", quiet)
        server.stop()
    asyncio.run(engine.close())
    told = {
        "log": log.getvalue(),
        "spans": "".join(s.to_json() for s in spans.get_finished_spans()),
        "stderr, stdout": outputs(),
    }
    for name, text in told.items():
        row.count(f"in {name}" if canaries.sung(text.encode()) else None)
    row.what = (
        f"{row.n} errors: an engine that raises {len(canaries.CRASHES)} kinds of exceptions with the "
        "secret in them at each route, an upstream that repeats its key"
    )
    return row


def _process(index: Path, every: int) -> Row:
    canaries, doors, wire = (suite.part(f"server/{name}.py") for name in ("canaries", "doors", "wire"))
    row = Row(id="R21", part="requests", target=TARGET, what="")
    settings = Settings(upstream=openapi.UPSTREAM, indexes={"tiny": str(index)})
    routes = doors.routes_of(build(settings, Engine(settings)).app)
    options = ("--index", f"tiny={index}", "--upstream", "http://127.0.0.1:9/v1")
    os.environ["GROUNDWIRE_LLM_API_KEY"] = canaries.UPSTREAM_KEY
    with child.groundwire(*options, keys=(canaries.KEY,)) as server:
        _listen(row, server, _some(canaries.tries(routes), every), "requests that are wrong", lambda: True)
        # What stands in the command line is the operator's own; a key is never there.
        arguments = Path(f"/proc/{server.process.pid}/cmdline").read_bytes()
        row.count("a key in the command line" if canaries.KEY.encode() in arguments else None)
        with wire.Line(server.host, server.port) as line:
            line.ask(wire.request("GET", "/livez"))
        server.terminate()
        server.ended()
        log = server.log.read_bytes() if server.log else b""
        row.count(f"in stderr: {log[:200]!r}" if canaries.sung(log) else None)
    row.what = (
        f"{row.n} requests to `groundwire serve` that are wrong: JSON broken at many places, wrong "
        "fields, too long, in headers, paths and queries"
    )
    return row


def _listen(row: Row, server: Any, attempts: Iterable[Any], name: str, quiet: Callable[[], bool]) -> None:
    canaries, wire = suite.part("server/canaries.py"), suite.part("server/wire.py")
    with wire.Line(server.host, server.port) as line, wire.Line(server.host, server.port) as other:
        for n, attempt in enumerate(attempts):
            reply = line.ask(attempt.sent, head=attempt.head)
            row.count(canaries.heard(attempt, reply))
            row.add(f"{name}, answered {reply.status}")
            if n % 20 == 0 and quiet():
                row.count(canaries.bystander(other))
        row.count(canaries.bystander(other))


def _some(attempts: Iterable[Any], every: int) -> Iterator[Any]:
    return (attempt for n, attempt in enumerate(attempts) if n % every == 0)


@contextmanager
def _outputs() -> Iterator[Callable[[], str]]:
    """Catch what anything, native code too, writes to stdout and stderr; give what says what that was."""
    with tempfile.TemporaryFile() as file:
        kept, said = [os.dup(1), os.dup(2)], [""]
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield lambda: said[0]
        finally:
            for number, copy in zip((1, 2), kept, strict=True):
                os.dup2(copy, number)
                os.close(copy)
            file.seek(0)
            said[0] = file.read().decode("utf-8", "replace")
            logging.getLogger().handlers.clear()
