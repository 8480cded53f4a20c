"""What comes over a socket: slow, malformed, oversized, pipelined. All of it is answered cleanly or let go, in time."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from groundwire.server.settings import Limits

Listening = Callable[..., SimpleNamespace]
QUICK = Limits(receipt_seconds=0.5, idle_seconds=1.0, header_bytes=4096)
KEY = "a-key-for-tests-0123456789"


@contextmanager
def connected(server: SimpleNamespace) -> Iterator[socket.socket]:
    with socket.create_connection((server.host, server.port), timeout=10) as connection:
        yield connection


def everything(connection: socket.socket) -> bytes:
    """Read until the server ends; a reset in place of an end is an error."""
    told = b""
    while piece := connection.recv(65536):
        told += piece
    return told


def read_until(connection: socket.socket, end: bytes) -> None:
    told = b""
    while not told.endswith(end):
        piece = connection.recv(65536)
        assert piece, told
        told += piece


def said(server: SimpleNamespace, *pieces: bytes, delay: float = 0.0) -> tuple[int, dict[str, str], bytes]:
    """Send the pieces; return status, headers and body of the one answer, after which the connection has ended."""
    with connected(server) as connection:
        for piece in pieces:
            try:
                connection.sendall(piece)
            except (BrokenPipeError, ConnectionResetError):
                break
            time.sleep(delay)
        return parsed(everything(connection))


def parsed(told: bytes) -> tuple[int, dict[str, str], bytes]:
    head, _, body = told.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(first.split()[1]), headers, body


def post(path: str, body: bytes = b"", *headers: str, close: bool = True) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}", *headers]
    if close:
        lines.append("Connection: close")
    return "\r\n".join([*lines, "", ""]).encode() + body


@pytest.mark.contract("receipt")
@pytest.mark.parametrize(
    "pieces",
    [
        [b"P"],
        [b"POST /test/length HTTP/1.1\r\n"],
        [b"POST /test/length HTTP/1.1\r\nHost: localhost\r\n", *[b"X-A: b\r\n"] * 8],
        [b"\r\n"] * 8,
        [b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n", *[b"x"] * 8],
        [b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", *[b"1\r\nx\r\n"] * 8],
        [b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n"],
    ],
)
def test_a_request_that_drips_or_hangs_is_given_up_in_time(listening: Listening, pieces: list[bytes]) -> None:
    server = listening(limits=QUICK)
    began = time.monotonic()
    status, headers, body = said(server, *pieces, delay=0.1)
    assert status == 408
    assert time.monotonic() - began < 2.5
    assert headers["connection"] == "close"
    assert json.loads(body)["error"]["code"] == "receipt_timeout"


def test_a_connection_that_asks_nothing_is_let_go_without_a_word(listening: Listening) -> None:
    with connected(listening(limits=QUICK)) as connection:
        assert everything(connection) == b""


def test_a_connection_that_is_kept_and_then_drips_is_given_up(listening: Listening) -> None:
    with connected(listening(limits=QUICK)) as connection:
        connection.sendall(post("/test/length", b"123", close=False))
        read_until(connection, b'{"length":3}')
        connection.sendall(b"POST /te")
        assert parsed(everything(connection))[0] == 408


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"BREW /livez HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n folded: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHo st: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\x00b\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"CONNECT example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET http://evil.example/livez HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET /livez HTTP/1.1\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1, 1\r\n\r\nx",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + b"9" * 40 + b"\r\n\r\n",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0x1\r\n\r\nx",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f" * 40 + b"\r\n",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: " + b"a" * 70_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 9_000 + b"\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"X" * 70_000,
    ],
    ids=lambda sent: sent[:60].decode("latin-1").replace("\r\n", "|") if isinstance(sent, bytes) else "",
)
def test_what_is_malformed_is_a_clean_4xx(listening: Listening, sent: bytes) -> None:
    status, headers, body = said(listening(limits=Limits(receipt_seconds=2, idle_seconds=2)), sent)
    assert 400 <= status < 500
    assert headers["connection"] == "close"
    assert set(json.loads(body)["error"]) == {"type", "code", "message", "param", "request_id"}
    assert b"evil" not in body


@pytest.mark.parametrize("target", ["/" + "a" * 4_100, "/livez?" + "a=b&" * 1_025], ids=["path", "query"])
def test_a_target_counts_as_headers_do_also_when_it_comes_at_once(listening: Listening, target: str) -> None:
    server = listening(limits=QUICK)
    assert said(server, f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())[0] == 431


@pytest.mark.contract("key")
@pytest.mark.parametrize(
    "path", ["/./livez", "/livez/../readyz", "//livez", "/livez%2e", "/%2e/livez", "/livez\\", "http://x/livez"]
)
def test_no_spelling_of_a_path_opens_a_door(listening: Listening, path: str) -> None:
    server = listening(keys=(KEY,))
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    assert said(server, request)[0] in (400, 401)


@pytest.mark.contract("body")
def test_a_body_is_counted_whatever_it_says_and_the_answer_is_not_lost_with_what_is_unread(
    listening: Listening,
) -> None:
    server = listening()
    chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    head = b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert said(server, head, *[chunk] * 40)[0] == 413
    big = b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\n\r\n"
    assert said(server, big, b"x" * 5_000_000)[0] == 413


def test_a_body_that_would_be_refused_is_not_asked_for(listening: Listening) -> None:
    head = b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\nExpect: 100-continue\r\n\r\n"
    assert said(listening(), head)[0] == 413
    with connected(listening()) as connection:
        connection.sendall(head.replace(b"9999999", b"3"))
        assert connection.recv(1000).startswith(b"HTTP/1.1 100")
        connection.sendall(b"abc")
        read_until(connection, b'{"length":3}')


def test_requests_one_behind_another_are_answered_in_order(listening: Listening) -> None:
    with connected(listening(limits=QUICK)) as connection:
        # The second waits longer than a request may take to arrive: that it had to wait is not its fault.
        connection.sendall(post("/test/sleep/0.8", close=False) + post("/test/length", b"x" * 5))
        told = everything(connection)
    assert told.index(b"slept") < told.index(b'{"length":5}')
    assert told.count(b"HTTP/1.1 200") == 2


def test_nonsense_behind_a_request_does_not_cost_its_answer(listening: Listening) -> None:
    status, headers, body = said(listening(), post("/test/sleep/0.2", close=False) + b"\x00\x01 nonsense\r\n\r\n")
    assert (status, json.loads(body)) == (200, {"slept": "0.2"})
    assert headers["connection"] == "close"


@pytest.mark.parametrize(
    "nonsense",
    [
        b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 5_000 + b"\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 5_000,
        b"GET http://evil.example/livez HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
@pytest.mark.parametrize("behind", ["/test/sleep/0.3", "/test/drip/4"])
def test_what_is_refused_is_never_answered_inside_or_before_what_came_first(
    listening: Listening, behind: str, nonsense: bytes
) -> None:
    with connected(listening(limits=QUICK)) as connection:
        connection.sendall(post(behind, close=False))
        time.sleep(0.1)
        connection.sendall(nonsense)
        told = everything(connection)
    assert told.startswith(b"HTTP/1.1 200")
    first = told.partition(b"HTTP/1.1 4")[0]
    assert first.endswith(b'{"slept":"0.3"}' if "sleep" in behind else b"0\r\n\r\n")


def test_what_stands_behind_a_body_is_bounded(listening: Listening) -> None:
    server = listening(limits=Limits(header_bytes=4096))
    head = b"POST /test/length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    for endless in (b"a: b\r\n" * 5_000, b"a: " + b"b" * 20_000, b"1;" + b"a" * 20_000):
        begin = b"" if endless.startswith(b"1") else b"0\r\n"
        status, _, body = said(server, head, begin, endless, delay=0.05)
        assert (status, json.loads(body)["error"]["code"]) == (431, "headers_too_large")
    bytewise = b"1\r\nx\r\n" * 20_000 + b"0\r\nHost: evil.example\r\n\r\n"
    with connected(server) as connection:
        connection.sendall(head + bytewise)
        read_until(connection, b'{"length":20000}')
        many = post("/test/length", b"1", close=False)
        connection.sendall(many * 200 + many[:-1])  # more headers at once than a request has
        time.sleep(0.05)
        connection.sendall(b"1" + post("/livez", close=True).replace(b"POST", b"GET"))
        assert everything(connection).count(b'{"length":1}') == 201


@pytest.mark.parametrize("chunked", [False, True])
def test_a_request_that_asks_for_another_protocol_keeps_its_body(listening: Listening, chunked: bool) -> None:
    upgrade = ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA")
    request = post("/test/length", b"x" * 5, *upgrade, close=False)
    if chunked:
        request = request.replace(b"Content-Length: 5", b"Transfer-Encoding: chunked")
        request = request.replace(b"xxxxx", b"2\r\nxx\r\n3\r\nxxx\r\n0\r\n\r\n")
    with connected(listening()) as connection:
        for cut in range(len(request) - 30, len(request)):
            connection.sendall(request[:cut])
            time.sleep(0.01)
            connection.sendall(request[cut:] + b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            told = b""
            while not told.endswith(b'{"status":"alive"}'):
                told += connection.recv(65536)
            assert b'{"length":5}' in told


def test_a_client_that_leaves_gives_up_its_work_also_when_it_asked_more_behind_it(listening: Listening) -> None:
    server = listening()
    with connected(server) as connection:
        connection.sendall(post("/test/sleep/20", close=False) * 3)
        wait_for(lambda: server.served.standing.in_flight == 1)
    wait_for(lambda: server.served.standing.in_flight == 0)


def test_a_client_that_leaves_gives_up_its_work(listening: Listening) -> None:
    server = listening()
    with connected(server) as connection:
        connection.sendall(post("/test/sleep/20"))
        wait_for(lambda: server.served.standing.in_flight == 1)
    wait_for(lambda: server.served.standing.in_flight == 0)
    wait_for(lambda: b'status="499"' in server.served.metrics.text())


def test_a_client_that_resets_does_too(listening: Listening) -> None:
    server = listening()
    for _ in range(20):
        with connected(server) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(post("/test/stubborn"))
    wait_for(lambda: server.served.standing.in_flight == 0)
    wait_for(lambda: not server.server.server_state.connections)


def test_a_client_that_reads_nothing_is_let_go(listening: Listening) -> None:
    server = listening(limits=QUICK)
    with connected(server) as connection:
        connection.sendall(post("/test/flood"))
        wait_for(lambda: server.served.standing.in_flight == 1)
        wait_for(lambda: server.served.standing.in_flight == 0)
        wait_for(lambda: not server.server.server_state.connections)


@pytest.mark.parametrize("upgrade", ["websocket", "h2c", "x"])
def test_an_upgrade_is_not_taken_and_the_request_is_answered(listening: Listening, upgrade: str) -> None:
    lines = f"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: {upgrade}\r\n\r\n"
    assert said(listening(), lines.encode())[0] in (200, 400)


def test_there_are_only_so_many_connections(listening: Listening) -> None:
    server = listening(limits=Limits(connections=2))
    with connected(server), connected(server):
        wait_for(lambda: len(server.server.server_state.connections) == 2)
        with connected(server) as third:
            status, headers, _ = parsed(everything(third))
    assert status == 503
    assert headers["retry-after"].isdigit()


def test_clients_that_hold_connections_do_not_keep_others_out(listening: Listening) -> None:
    server = listening(limits=QUICK)
    slow = [socket.create_connection((server.host, server.port)) for _ in range(200)]
    for connection in slow:
        connection.sendall(b"POST /test/length HTTP/1.1\r\nHost: loc")
    assert said(server, post("/test/length", b"1"))[0] == 200
    wait_for(lambda: len(server.server.server_state.connections) == 0, seconds=5)
    for connection in slow:
        connection.close()


def test_many_at_once_are_all_answered(listening: Listening) -> None:
    server = listening()
    statuses: list[int] = []
    threads = [
        threading.Thread(target=lambda: statuses.append(said(server, post("/test/length", b"x" * 1000))[0]))
        for _ in range(50)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert statuses == [200] * 50


def wait_for(holds: Callable[[], bool], *, seconds: float = 5.0) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)
