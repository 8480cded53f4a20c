"""A server three ways: the real engine behind a client, a child process, and a guard over an engine that is told what to do."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import APIRouter, Request
from starlette.responses import StreamingResponse
from starlette.testclient import TestClient

from groundwire.errors import CorruptIndex, InputError
from groundwire.index import LocalIndex
from groundwire.server.app import Served, build
from groundwire.server.engine import Engine
from groundwire.server.run import Server
from groundwire.server.settings import Settings
from groundwire.types import Passage

KEY = "a-key-for-tests-0123456789"
BASE = "http://localhost"
PASSAGES = (
    Passage(id="tower", text="The Eiffel Tower in Paris was finished in 1889. It is 330 metres high."),
    Passage(id="bridge", text="The Golden Gate Bridge in San Francisco opened in 1937."),
    Passage(id="river", text="The Danube rises in the Black Forest and flows into the Black Sea."),
)


class FakeEngine:
    """What the shell asks of an engine, told what to say; `canary` is set when its models may answer."""

    def __init__(self) -> None:
        self.ready = True
        self.wait: int | None = None
        self.asked = 0
        self.closed = False

    def full(self, client: str = "") -> int | None:
        return self.wait

    def state(self) -> dict[str, Any]:
        return {
            "queue_tokens": 7,
            "queue_limit": 100,
            "jobs": 1,
            "rate_tokens_s": 50.0,
            "batches": 2,
            "items": 6,
            "tokens": 64,
        }

    async def start(self) -> None:
        self.ready = True

    async def drain(self, seconds: float) -> bool:
        return True

    async def close(self) -> None:
        self.closed = True


def routes(engine: FakeEngine) -> APIRouter:
    """Routes that do what a test wants to see the guard deal with."""
    router = APIRouter()

    @router.post("/test/length")
    async def length(request: Request) -> dict[str, int]:
        engine.asked += 1
        return {"length": len(await request.body())}

    @router.post("/test/client")
    async def client(request: Request) -> dict[str, Any]:
        return {"client": request.state.ticket.client, "remaining": request.state.ticket.remaining()}

    @router.post("/test/json")
    async def json_body(body: dict[str, Any]) -> dict[str, int]:
        return {"keys": len(body)}

    @router.post("/test/sleep/{seconds}")
    async def sleep(request: Request, seconds: float) -> dict[str, str]:
        engine.asked += 1
        done = asyncio.Event()
        loop = asyncio.get_running_loop()
        with request.state.ticket.watched(lambda: loop.call_soon_threadsafe(done.set)):
            try:
                await asyncio.wait_for(done.wait(), seconds)
            except TimeoutError:
                return {"slept": str(seconds)}
        request.state.ticket.check()
        return {}

    @router.post("/test/stubborn")
    async def stubborn(request: Request) -> dict[str, str]:
        await asyncio.sleep(30)
        return {}

    @router.post("/test/drip/{pieces}")
    async def drip(pieces: int) -> StreamingResponse:
        async def stream() -> Any:
            for _ in range(pieces):
                yield b"drop\n"
                await asyncio.sleep(0.1)

        return StreamingResponse(stream())

    @router.post("/test/flood")
    async def flood() -> StreamingResponse:
        async def stream() -> Any:
            while True:
                yield b"x" * 65_536

        return StreamingResponse(stream())

    @router.post("/test/error/{kind}")
    async def error(request: Request, kind: str) -> None:
        text = (await request.body()).decode()
        raise {
            "input": InputError("a field is not what it should be"),
            "index": CorruptIndex("/somewhere/secret/postings", "block 3"),
            "bug": RuntimeError(text),
            "group": ExceptionGroup("two", [InputError("a field is wrong"), RuntimeError(text)]),
        }[kind]

    return router


@pytest.fixture
def fake() -> FakeEngine:
    """An engine that computes nothing."""
    return FakeEngine()


@pytest.fixture
def shell(fake: FakeEngine) -> Callable[..., Served]:
    """Build an application over the fake engine, with routes of this file; takes the fields of Settings."""

    def made(**settings: Any) -> Served:
        served = build(Settings(**settings), fake)  # type: ignore[arg-type]
        served.app.include_router(routes(fake))
        return served

    return made


@pytest.fixture
def browse(shell: Callable[..., Served]) -> Iterator[Callable[..., TestClient]]:
    """Open a client on an application over the fake engine; takes the fields of Settings."""
    opened: list[TestClient] = []

    def made(**settings: Any) -> TestClient:
        client = TestClient(shell(**settings), base_url=BASE, raise_server_exceptions=False)
        opened.append(client.__enter__())
        return client

    yield made
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def listening(shell: Callable[..., Served], fake: FakeEngine) -> Iterator[Callable[..., SimpleNamespace]]:
    """Serve the fake engine on a socket, in a thread: host, port, server, ended(); takes the fields of Settings."""
    running: list[SimpleNamespace] = []

    def made(**given: Any) -> SimpleNamespace:
        running.append(running_server(shell(**{"port": 0, **given}), Settings(**{"port": 0, **given})))
        return running[-1]

    yield made
    for one in running:
        one.stop()


def running_server(served: Served, settings: Settings) -> SimpleNamespace:
    from groundwire.server.listening import bound

    announced = threading.Event()
    server = Server(served, settings, lambda _: announced.set())
    listener = bound(settings.host, settings.port)
    port = listener.getsockname()[1]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    assert announced.wait(10)

    def terminate() -> None:
        server.handle_exit(signal.SIGTERM, None)

    def stop() -> None:
        terminate()
        server.force_exit = True
        thread.join(10)
        listener.close()
        assert not thread.is_alive()

    return SimpleNamespace(
        host="127.0.0.1", port=port, server=server, served=served, thread=thread, terminate=terminate, stop=stop
    )


def indexed(folder: Path, passages: Sequence[Passage]) -> Path:
    """Make an index of these passages; return its folder."""
    with LocalIndex.create(folder) as index:
        index.add(passages)
    return folder


@pytest.fixture(scope="session")
def tiny_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an index of three passages."""
    return indexed(tmp_path_factory.mktemp("served") / "tiny", PASSAGES)


@pytest.fixture(scope="session")
def engine(tiny_index: Path) -> Iterator[Engine]:
    """The real engine over the built-in model and the index `tiny`, started."""
    engine = Engine(Settings(indexes={"tiny": str(tiny_index)}))
    asyncio.run(engine.start())
    yield engine
    asyncio.run(engine.drain(5))
    asyncio.run(engine.close())


@pytest.fixture(scope="session")
def client(engine: Engine, tiny_index: Path) -> Iterator[TestClient]:
    """A client of the application over the real engine; no key is asked."""
    app = build(Settings(indexes={"tiny": str(tiny_index)}), engine)
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        yield client


@contextmanager
def child(*args: str, env: dict[str, str] | None = None) -> Iterator[SimpleNamespace]:
    """Run `groundwire serve` on a free port: process, address, lines (of stderr so far)."""
    command = [sys.executable, "-m", "groundwire", "serve", "--port", "0", *args]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})})
    lines: list[str] = []

    def read() -> None:
        for line in process.stderr or ():
            lines.append(line)  # noqa: PERF402 - each one as it comes

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    address = ""
    until = time.monotonic() + 60
    while not address and time.monotonic() < until and process.poll() is None:
        time.sleep(0.02)
        told = next((line for line in list(lines) if line.startswith("groundwire listens on ")), "")
        address = told.removeprefix("groundwire listens on ").strip()
    try:
        assert address, f"the server did not start: {lines}"
        yield SimpleNamespace(process=process, address=address, lines=lines, reader=reader)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        reader.join(5)
        if process.stderr:
            process.stderr.close()


@pytest.fixture(scope="session")
def served(tiny_index: Path) -> Iterator[str]:
    """The address of a real `groundwire serve`, a child process over the built-in model and the index `tiny`, ready."""
    import httpx

    with child("--index", f"tiny={tiny_index}") as running:
        until = time.monotonic() + 60
        while httpx.get(f"{running.address}/readyz").status_code != 200:
            assert time.monotonic() < until
            time.sleep(0.05)
        yield running.address
