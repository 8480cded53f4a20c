"""The end of a server: what was asked is answered, what is new is told to go elsewhere, and the process ends with 0."""

import json
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.server import protocol, run
from groundwire.server.settings import Limits

Listening = Callable[..., SimpleNamespace]


def request(path: str, body: bytes = b"", *, close: bool = False) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, *(["Connection: close"] if close else []), "", ""]).encode() + body


def connect(server: SimpleNamespace) -> socket.socket:
    return socket.create_connection((server.host, server.port), timeout=10)


def answer(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Read one answer by its length. Raises ConnectionError when there is none, or only a part."""
    told = b""
    while b"\r\n\r\n" not in told:
        told += more(connection)
    head, _, body = told.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers["content-length"]):
        body += more(connection)
    return int(first.split()[1]), headers, body


def more(connection: socket.socket) -> bytes:
    piece = connection.recv(65536)
    if not piece:
        raise ConnectionError("cut")
    return piece


def wait_for(holds: Callable[[], bool], seconds: float = 5.0) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.contract("drain")
def test_what_is_in_flight_is_finished(listening: Listening) -> None:
    server = listening()
    with connect(server) as working, connect(server) as sending:
        working.sendall(request("/test/sleep/1.5"))
        whole = request("/test/length", b"x" * 100)
        sending.sendall(whole[:-50])
        wait_for(lambda: server.served.standing.in_flight == 1 and server.served.gate.receiving >= 50)
        server.terminate()
        time.sleep(0.2)
        sending.sendall(whole[-50:])
        for connection, told in ((working, {"slept": "1.5"}), (sending, {"length": 100})):
            status, headers, body = answer(connection)
            assert (status, json.loads(body)) == (200, told)
            assert headers["connection"] == "close"
        server.thread.join(5)
        assert not server.thread.is_alive()


@pytest.mark.contract("drain")
@pytest.mark.contract("unready")
def test_for_a_moment_what_is_new_is_told_to_go_elsewhere(listening: Listening) -> None:
    server = listening()
    with connect(server) as kept, connect(server) as busy:
        kept.sendall(request("/test/length", b"1"))
        assert answer(kept)[0] == 200
        wait_for(lambda: server.served.standing.in_flight == 0)
        busy.sendall(request("/test/sleep/0.5"))
        wait_for(lambda: server.served.standing.in_flight == 1)
        server.terminate()
        time.sleep(0.3)
        with connect(server) as new:
            for connection in (kept, new):
                connection.sendall(request("/test/length", b"1"))
                status, headers, body = answer(connection)
                assert status == 503
                assert headers["connection"] == "close"
                assert headers["retry-after"].isdigit()
                assert json.loads(body)["error"]["code"] == "draining"
        assert answer(busy)[0] == 200


@pytest.mark.contract("drain")
def test_what_is_not_done_in_time_is_told_so_and_not_cut(listening: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    server = listening(limits=Limits(drain_seconds=2))
    with connect(server) as working:
        working.sendall(request("/test/sleep/20"))
        wait_for(lambda: server.served.standing.in_flight == 1)
        began = time.monotonic()
        server.terminate()
        status, headers, _ = answer(working)
        assert status == 503
        assert headers["retry-after"].isdigit()
    server.thread.join(5)
    assert not server.thread.is_alive()
    assert time.monotonic() - began < 3.5


def test_a_stream_is_not_cut_either(listening: Listening) -> None:
    server = listening()
    with connect(server) as reading:
        reading.sendall(request("/test/drip/20"))
        told = more(reading)
        server.terminate()
        try:
            while True:
                told += more(reading)
        except ConnectionError:
            pass
    assert told.count(b"drop\n") == 20
    assert told.endswith(b"0\r\n\r\n")


def test_half_a_request_is_waited_for_only_as_long_as_it_may_take(listening: Listening) -> None:
    server = listening(limits=Limits(receipt_seconds=1))
    with connect(server) as half:
        half.sendall(b"POST /test/length HTTP/1.1\r\nHost: loc")
        time.sleep(0.1)
        server.terminate()
        assert answer(half)[0] in (408, 503)
    server.thread.join(5)
    assert not server.thread.is_alive()


@pytest.mark.contract("drain")
@pytest.mark.parametrize("kept", [True, False])
def test_under_load_no_request_is_cut(listening: Listening, monkeypatch: pytest.MonkeyPatch, kept: bool) -> None:
    """Clients that never pause, on kept connections or on new ones: each request that was taken is answered."""
    monkeypatch.setattr(run, "FAREWELL_SECONDS", 0.3)
    server = listening()
    cut: list[str] = []
    told: list[int] = []

    def ask() -> None:
        connection: socket.socket | None = None
        while True:
            try:
                connection = connection or connect(server)
            except OSError:
                return  # refused, or never let in: nothing was taken
            try:
                connection.sendall(request("/test/length", b"x" * 100, close=not kept))
                status, headers, _ = answer(connection)
            except OSError as error:
                cut.append(repr(error))
                return
            told.append(status)
            if headers.get("connection") == "close":
                connection.close()
                connection = None
                if status == 503 and kept:
                    return  # a client that was told to go elsewhere goes

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    wait_for(lambda: len(told) > 50)
    server.terminate()
    for thread in threads:
        thread.join(10)
    assert cut == []
    assert set(told) == {200, 503}
    server.thread.join(5)
    assert not server.thread.is_alive()


@pytest.mark.contract("drain")
def test_whoever_was_let_in_last_has_a_moment_to_ask(listening: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "FAREWELL_SECONDS", 0)
    monkeypatch.setattr(protocol, "FIRST_WORDS_SECONDS", 0.9)
    last = threading.Event()
    monkeypatch.setattr(run, "refuse_new", lambda listener: last.set())
    server = listening()
    server.terminate()
    assert last.wait(5)
    with connect(server) as connection:
        time.sleep(0.2)  # nothing is accepted any more
        connection.sendall(request("/test/length", b"x"))
        assert answer(connection)[0] == 503
    server.thread.join(5)
    assert not server.thread.is_alive()


def test_it_says_where_it_listens_only_once_it_serves(listening: Listening, fake: Any) -> None:
    fake.ready = False
    loaded = threading.Timer(0.5, setattr, (fake, "ready", True))
    loaded.start()
    listening()  # returns when it was said
    assert fake.ready
    loaded.join()


def test_models_that_cannot_be_loaded_end_the_server_without_a_word_of_listening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from groundwire.errors import MissingModel
    from groundwire.server import engine
    from groundwire.server.settings import Settings

    class Broken:
        ready = False

        def __init__(self, settings: Settings) -> None: ...

        def full(self, client: str = "") -> None:
            return None

        def state(self) -> dict[str, int]:
            return {}

        async def start(self) -> None:
            switching.append(sys.getswitchinterval())
            raise MissingModel("a-model")

        async def drain(self, seconds: float) -> bool:
            return True

        async def close(self) -> None: ...

    monkeypatch.setattr(engine, "Engine", Broken)
    usual, switching = sys.getswitchinterval(), list[float]()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    said: list[str] = []
    with pytest.raises(MissingModel):
        run.serve(Settings(port=0), said.append)
    assert said == []
    assert {number: signal.getsignal(number) for number in before} == before
    assert switching == [pytest.approx(run.SWITCH_SECONDS)]
    assert sys.getswitchinterval() == usual


@pytest.mark.skipif(sys.platform != "linux", reason="the filter is Linux's")
def test_whom_the_kernel_let_in_is_still_accepted_and_nobody_else() -> None:
    from groundwire.server.listening import bound, refuse_new

    listener = bound("127.0.0.1", 0)
    listener.listen(8)
    place = listener.getsockname()
    with socket.create_connection(place, timeout=5) as inside:
        refuse_new(listener)
        with pytest.raises(TimeoutError):
            socket.create_connection(place, timeout=0.3)
        inside.sendall(b"who is")
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.recv(9) == b"who is"
            accepted.sendall(b"here")
            assert inside.recv(9) == b"here"
    listener.close()
