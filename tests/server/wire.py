"""HTTP as bytes: what is sent is what a test wrote, and what comes back is read strictly.

`exchange` is for one conversation of any kind, `Line` for many sound ones on a kept connection.
"""

import asyncio
import json
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

MAX_REPLY = 64 << 20
ENVELOPE = {"type", "code", "message", "param", "request_id"}


class Garbled(Exception):
    """What came back is no HTTP."""


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes
    raw: bytes = b""

    @property
    def closes(self) -> bool:
        return self.headers.get("connection", "").lower() == "close"

    def json(self) -> Any:
        return json.loads(self.body)


def replies(
    told: bytes, *, ended: bool, heads: Sequence[bool] = (), most: int | None = None
) -> tuple[list[Reply], bytes]:
    """Cut what came into replies, `most` at most, and what is left of it. `heads` says which of them answer a HEAD.

    Raises Garbled for what is no reply, and when the other side `ended` in the middle of one.
    """
    found: list[Reply] = []
    while told and len(found) != most:
        head, gap, rest = told.partition(b"\r\n\r\n")
        if not gap:
            if ended or not b"HTTP/1.1 ".startswith(told[:9]):
                raise Garbled(f"no reply: {told[:80]!r}")
            break
        status, headers = _head(head)
        bare = 100 <= status < 200 or status in (204, 304) or (len(found) < len(heads) and heads[len(found)])
        size = 0 if bare else _size(headers, rest, ended=ended)
        if size is None:
            if ended:
                raise Garbled(f"a reply of {status} breaks off after {len(rest)} bytes")
            break
        if status >= 200:
            body = rest[:size]
            body = _joined(body) if "transfer-encoding" in headers and not bare else body
            found.append(Reply(status, headers, body, told[: len(head) + 4 + size]))
        told = rest[size:]
    return found, told


def _head(head: bytes) -> tuple[int, dict[str, str]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    parts = first.split(" ", 2)
    if parts[0] != "HTTP/1.1" or len(parts) < 3 or not (parts[1].isdigit() and len(parts[1]) == 3):
        raise Garbled(f"no status line: {first[:80]!r}")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip() or "\n" in line or "\r" in line or "\x00" in line:
            raise Garbled(f"no header: {line[:80]!r}")
        if name.lower() in headers and name.lower() in ("content-length", "connection", "x-request-id"):
            raise Garbled(f"a header stands twice: {name}")
        headers[name.lower()] = value.strip()
    return int(parts[1]), headers


def _size(headers: dict[str, str], rest: bytes, *, ended: bool) -> int | None:
    """Return how many bytes of `rest` are the body, chunks and all; None while it is not whole."""
    if headers.get("transfer-encoding", "").lower() == "chunked":
        at = 0
        while (line := rest.find(b"\r\n", at)) >= 0:
            size = int(rest[at:line].split(b";")[0], 16)
            at = line + 2 + size + 2
            if at > len(rest):
                return None
            if size == 0:
                return at
        return None
    if "content-length" in headers:
        length = int(headers["content-length"])
        return length if len(rest) >= length else None
    return len(rest) if ended else None


def _joined(chunks: bytes) -> bytes:
    pieces, at = [], 0
    while True:
        line = chunks.index(b"\r\n", at)
        size = int(chunks[at:line].split(b";")[0], 16)
        if size == 0:
            return b"".join(pieces)
        pieces.append(chunks[line + 2 : line + 2 + size])
        at = line + 2 + size + 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What is sent: pieces with a pause in seconds before each. `half` closes our side then, `abrupt` resets.

    `least` and `most` are how many replies there have to be and may be, `heads` says which of them answer a HEAD.
    """

    kind: str
    pieces: tuple[tuple[float, bytes], ...]
    half: bool = False
    abrupt: bool = False
    least: int = 0
    most: int = 1
    heads: tuple[bool, ...] = ()

    @property
    def sent(self) -> bytes:
        return b"".join(piece for _, piece in self.pieces)


@dataclass(slots=True)
class Outcome:
    """`hung`: no end and no reply in time; `reset`: the other side reset the connection."""

    told: list[Reply] = field(default_factory=list)
    hung: bool = False
    reset: bool = False
    garbled: str = ""
    seconds: float = 0.0


async def exchange(host: str, port: int, talk: Conversation, *, patience: float, still: float = 0.2) -> Outcome:
    """Have one conversation. It is over when the other side ends, or has answered and is `still` for so many seconds."""
    found = Outcome()
    loop = asyncio.get_running_loop()
    began = loop.time()
    reader, writer = await asyncio.open_connection(host, port, limit=1 << 20)
    collected = bytearray()
    sending = asyncio.create_task(_send(writer, talk))
    try:
        ended = False
        while not ended:
            done = sending.done() and len(_sound(bytes(collected), talk)) >= max(1, talk.least)
            waits = still if done else patience - (loop.time() - began)
            try:
                piece = await asyncio.wait_for(reader.read(1 << 16), max(0.01, waits))
            except TimeoutError:
                found.hung = not done
                break
            ended = not piece
            collected += piece
            if talk.abrupt and sending.done():
                break
        if not talk.abrupt:
            found.told, rest = replies(bytes(collected), ended=ended, heads=talk.heads)
            found.garbled = f"more after the replies: {rest[:60]!r}" if rest else ""
    except ConnectionError:
        found.reset = True
        found.told = _sound(bytes(collected), talk)
    except Garbled as error:
        found.garbled = str(error)
    finally:
        sending.cancel()
        writer.transport.abort()
        await asyncio.gather(sending, return_exceptions=True)
    found.seconds = loop.time() - began
    return found


def _sound(told: bytes, talk: Conversation) -> list[Reply]:
    try:
        return replies(told, ended=False, heads=talk.heads)[0]
    except Garbled:
        return []


async def _send(writer: asyncio.StreamWriter, talk: Conversation) -> None:
    try:
        for pause, piece in talk.pieces:
            await asyncio.sleep(pause)
            writer.write(piece)
            await writer.drain()
        if talk.half:
            writer.write_eof()
        if talk.abrupt:
            found: socket.socket = writer.get_extra_info("socket")
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
    except OSError:
        pass  # the other side has answered and closed: what it said is still read


class Line:
    """A kept connection: one request at a time, opened again when the other side closes it."""

    def __init__(self, host: str, port: int, timeout: float = 60.0) -> None:
        self._address, self._timeout = (host, port), timeout
        self._socket: socket.socket | None = None

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def ask(self, request: bytes, *, head: bool = False) -> Reply:
        """Send one request and return its reply. Raises Garbled, TimeoutError, OSError."""
        fresh = self._socket is None
        try:
            return self._ask(request, head)
        except (ConnectionError, EOFError):
            self._close()
            if fresh:
                raise
            return self._ask(request, head)

    def _ask(self, request: bytes, head: bool) -> Reply:
        if self._socket is None:
            self._socket = socket.create_connection(self._address, timeout=self._timeout)
        told = b""
        with suppress(BrokenPipeError, ConnectionResetError):  # what is refused early is closed early
            self._socket.sendall(request)
        while True:
            piece = self._socket.recv(1 << 16)
            told += piece
            if not told and not piece:
                raise EOFError("the server closed the connection without a word")
            found, _ = replies(told, ended=not piece, heads=(head,), most=1)
            if found:
                if found[0].closes or not piece:
                    self._close()
                return found[0]
            if not piece:
                raise EOFError("the server closed the connection without a word")

    def _close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def request(
    method: str, target: str, *headers: tuple[str, str], body: bytes | None = None, host: str = "localhost"
) -> bytes:
    """Return a request as bytes; `host` empty leaves the header out."""
    lines = [f"{method} {target} HTTP/1.1", *([f"Host: {host}"] if host else [])]
    lines += [f"{name}: {value}" for name, value in headers]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")
