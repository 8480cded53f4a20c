"""Bytes that some client has once sent, or might: conversations of every family, the same for the same seed."""

import json
import random
from collections.abc import Callable, Iterator

from .wire import Conversation, request

LONG = 15.0
"""Seconds in which a request has to have arrived, unless the server was told otherwise."""
CASE = b'{"answer": "In 1889.", "contexts": ["It was finished in 1889."]}'
POSTS = ("/v1/check", "/v1/search", "/v1/verify", "/v1/check/stream", "/predict", "/rerank", "/v1/lettucedetect/spans")
_WEBSOCKET = (("sec-websocket-version", "13"), ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="))
_ASKED = (
    request("GET", "/livez"), request("HEAD", "/livez"), request("GET", "/nothing"), request("OPTIONS", "/v1/check"),
    request("POST", "/v1/check", body=CASE), request("POST", "/v1/check", body=b"{"),
)  # fmt: skip
_CHUNKED = request("POST", "/v1/check", ("transfer-encoding", "chunked"))
_BETWEEN = (
    b"\x00\x01\x02\r\n\r\n", b"nonsense\r\n\r\n", b"GET / HTTP/7.7\r\n\r\n", b"\xff" * 50 + b"\r\n\r\n",
    request("GET", "http://evil.example/livez"), request("GET", "/livez", ("x", "a" * 40_000)), request("GET", "/a" * 30_000),
    _CHUNKED + b"zz\r\n", _CHUNKED + b"1\r\nxyz\r\n",
    b"GET /livez HTTP/1.1\r\nHost localhost\r\n\r\n", request("CONNECT", "evil.example:443"),
)  # fmt: skip
"""What is no request, or is refused before it is one."""
Make = Callable[[random.Random], Conversation]


def conversations(n: int, *, seed: int = 0, long: float = LONG) -> Iterator[Conversation]:
    """Yield `n` conversations, of every family in turn; slow ones are scaled to a server that waits for `long` seconds."""
    families = tuple(_FAMILIES)
    for at in range(n):
        rng = random.Random(f"{seed} {at}")
        yield _slow(rng, long) if at % 20 == 19 else families[at % len(families)](rng)


def _whole(kind: str, sent: bytes, *, least: int = 1, most: int = 1, head: bool = False) -> Conversation:
    return Conversation(kind=kind, pieces=((0.0, sent),), least=least, most=most, heads=(head,))


def _request_line(rng: random.Random) -> Conversation:
    method = rng.choice(
        ["GET", "POST", "get", "G\x00T", "", "GET GET", "B" * 300, "ＧＥＴ", "G/ET", "GET\t", "PRI", "BREW", "\x7f"]
    )
    target = rng.choice(
        [
            "/livez",
            "",
            "*",
            "livez",
            "/" + "a" * 2000,
            "/\x01",
            "/%",
            "/%zz",
            "/%00",
            "//",
            "/a b",
            "/é",
            "http://x",
            "/?" + "&" * 500,
            "/#",
        ]
    )
    version = rng.choice(
        [
            "HTTP/1.1",
            "HTTP/1.0",
            "HTTP/0.9",
            "HTTP/2",
            "HTTP/2.0",
            "HTTP/1.10",
            "HTTP/11",
            "http/1.1",
            "HTTP /1.1",
            "HTTP/1.1 x",
            "",
            "HTTPS/1.1",
            "ICY",
            "HTTP/-1.1",
        ]
    )
    gap = rng.choice([" ", "  ", "\t", "\x0b", "\xa0", ""])
    end = rng.choice(["\r\n", "\n", "\r\r\n", "\n\r\n"])
    line = gap.join([method, target, version])
    sent = f"{line}{end}Host: localhost{end}Connection: close{end}{end}".encode("utf-8", "replace")
    return Conversation(kind="request line", pieces=((0.0, sent),), half=True, most=2, heads=(False, False))


def _header(rng: random.Random) -> Conversation:
    names = [
        "x",
        "",
        " x",
        "x ",
        "x:y",
        "x\x00",
        "x\ty",
        "é",
        "host",
        "content-type",
        "x" * 5000,
        "(x)",
        '"x"',
        "x-api-key",
        "authorization",
        "cookie",
        "connection",
        "te",
    ]
    values = [
        "a",
        "",
        " ",
        "\x00",
        "a\x00b",
        "a\rb",
        "a\x01b",
        "é\xff",
        "a" * 9000,
        "\x7f",
        "\t\t",
        "a\n b",
        "a\r\n\tb",
        "keep-alive, close",
        "%0d%0a",
        "=?utf-8?q?=00?=",
        "\ud7ff",
    ]
    colons = [":", ": ", " : ", ":\t", "", "="]
    lines = [rng.choice(names) + rng.choice(colons) + rng.choice(values) for _ in range(rng.randrange(1, 5))]
    end = rng.choice(["\r\n"] * 5 + ["\n", "\r"])
    sent = f"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{end.join(lines)}\r\n\r\n".encode(
        "utf-8", "replace"
    )
    return Conversation(kind="header", pieces=((0.0, sent),), half=True, most=2)


def _length(rng: random.Random) -> Conversation:
    lengths = [
        "+5",
        "5,5",
        "0x5",
        "5 ",
        "-1",
        "",
        " 5",
        "٥",
        "1e1",
        "5.0",
        "9" * 40,
        "5\t",
        "05",
        "5;",
        "0",
        "00000000000000000005",
        "18446744073709551621",
        "4294967301",
        "null",
        "5 5",
    ]
    first = rng.choice(lengths)
    more = rng.choice(
        [
            "",
            "",
            f"Content-Length: {rng.choice(lengths)}\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Transfer-Encoding: identity\r\n",
            "Content-Length: 5\r\n",
        ]
    )
    method = rng.choice(["POST /v1/check", "GET /livez", "PUT /livez"])
    sent = f"{method} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {first}\r\n{more}\r\nabcde".encode()
    smuggled = rng.choice([b"", b"", b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"])
    return Conversation(kind="length", pieces=((0.0, sent + smuggled),), half=True, most=2)


def _chunked(rng: random.Random) -> Conversation:
    size = f"{len(CASE):x}"
    sizes = [
        size,
        size.upper(),
        f"0x{size}",
        f"-{size}",
        f"+{size}",
        f" {size}",
        f"{size} ",
        f"{size};x=y",
        f"{size};{'x' * 500_000}",
        f"{size};\x00",
        f"{size}\n",
        "",
        "g",
        "f" * 17,
        "f" * 40,
        f"000000{size}",
        f"{size},{size}",
        "٥",
    ]
    coding = rng.choice(
        ["chunked"] * 4
        + [
            "Chunked",
            "chunked, chunked",
            "xchunked",
            "chunked\x0b",
            "gzip, chunked",
            "chunked, gzip",
            "identity",
            "",
            "\x00chunked",
            "chunked;q=1",
            "cow",
        ]
    )
    tail = rng.choice(
        [
            b"0\r\n\r\n",
            b"0\r\n\r\n",
            b"0\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"0\r\nTrailer: x\r\n\r\n",
            b"0\r\n: x\r\n\r\n",
            b"0\r\nContent-Length: 9\r\n\r\n",
            b"00\r\n\r\n",
            b"0\n\n",
            b"0\r\n" + b"x: y\r\n" * 100_000 + b"\r\n",
            b"-0\r\n\r\n",
            b"",
        ]
    )
    break_ = rng.choice([b"\r\n"] * 6 + [b"\n", b"", b"\r", b"xx"])
    version = rng.choice(["1.1", "1.1", "1.1", "1.0"])
    head = f"POST /v1/check HTTP/{version}\r\nHost: localhost\r\nTransfer-Encoding: {coding}\r\n\r\n".encode()
    sent = head + rng.choice(sizes).encode() + b"\r\n" + CASE + break_ + tail
    return Conversation(kind="chunks", pieces=((0.0, sent),), half=True, most=2)


def _pipelined(rng: random.Random) -> Conversation:
    """Send requests one behind another, or something between them: what was before it is answered, nothing after it is."""
    n = rng.randrange(2, 12)
    chosen = [rng.choice(_ASKED) for _ in range(n)]
    heads = [one.startswith(b"HEAD") for one in chosen]
    if rng.random() < 0.5:
        return Conversation(kind="pipelined", pieces=((0.0, b"".join(chosen)),), least=n, most=n, heads=tuple(heads))
    at = rng.randrange(1, n)
    sent = b"".join([*chosen[:at], rng.choice(_BETWEEN), *chosen[at:]])
    heads = [*heads[:at], False]
    return Conversation(kind="pipelined nonsense", pieces=((0.0, sent),), least=at, most=at + 1, heads=tuple(heads))


def _half(rng: random.Random) -> Conversation:
    whole = rng.choice(
        [request("POST", "/v1/check", body=CASE), request("GET", "/livez"), request("GET", "/v1/indexes")]
    )
    cut = rng.choice([len(whole), rng.randrange(len(whole)), 0])
    return Conversation(kind="half-closed", pieces=((0.0, whole[:cut]), (0.01 * rng.random(), b"")), half=True)


def _other(rng: random.Random) -> Conversation:
    sent = rng.choice([
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x12\x04\x00\x00\x00\x00\x00" + bytes(18), b"GET /livez\r\n",
        b"GET /livez\r\n\r\n", b"GET /\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + rng.randbytes(500),
        b"\x80\x2e\x01\x03\x01" + rng.randbytes(40), b"\x05\x01\x00", b"\x04\x01\x00\x50" + rng.randbytes(9),
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\r\n\r\n\x00\r\nQUIT\n\x21\x11",
        b"EHLO x\r\n", b"USER root\r\n", b"OPTIONS * RTSP/1.0\r\n\r\n", b"REGISTER sip:x SIP/2.0\r\n\r\n",
        b"*1\r\n$4\r\nPING\r\n", b"\x00" * rng.randrange(1, 5000), b"\r\n" * rng.randrange(1, 3000),
        b"\n" * 100, rng.randbytes(rng.randrange(1, 3000)), bytes(range(256)),
        request("GET", "/livez", ("upgrade", "h2c"), ("connection", "Upgrade, HTTP2-Settings"), ("http2-settings", "AAMAAABk")),
        request("GET", "/livez", ("upgrade", "websocket"), ("connection", "Upgrade"), *_WEBSOCKET) + b"\x81\x85abcdhello",
        b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n" + rng.randbytes(50),
    ])  # fmt: skip
    return Conversation(kind="another protocol", pieces=((0.0, sent),), half=True, most=2)


def _huge(rng: random.Random) -> Conversation:
    n = rng.choice([1_000, 30_000, 33_000, 70_000, 300_000])
    sent = rng.choice([
        b"GET /" + b"a" * n + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /livez?" + b"a=b&" * (n // 4) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * n + b"\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * (n // 6) + b"\r\n",
        b"GET /livez HTTP/1.1\r\nHost: localhost\r\n" + b"x" * n + b": a\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: " + b"a." * (n // 2) + b"\r\n\r\n", b"X" * n + b" / HTTP/1.1\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: localhost\r\nCookie: " + b"a=b; " * (n // 5) + b"\r\n\r\n",
        request("POST", "/v1/check", body=b"x" * 4 * n),
        request("POST", "/v1/check", ("transfer-encoding", "chunked")) + b"1\r\nx\r\n" * (n // 6) + b"0\r\n\r\n",
        request("POST", "/v1/check", body=b'{"a":' * (n // 5)), request("POST", "/predict", body=b"[" * n),
    ])  # fmt: skip
    return _whole("huge", sent)


def _body(rng: random.Random) -> Conversation:
    text = json.dumps(
        {
            "question": "When?",
            "answer": "In 1889.",
            "contexts": ["In 1889."],
            "query": "q",
            "texts": ["t"],
            "inputs": ["a", "b"],
            "index": "tiny",
        }
    ).encode()
    body = rng.choice([
        text.decode().encode("utf-16"), text.decode().encode("utf-32"), b"\xef\xbb\xbf" + text, text + b"\x00",
        text[: rng.randrange(len(text))], text * 2, text.replace(b"1889", b"\xff\xfe"),
        text.replace(b"1889", b"\\ud800"), text.replace(b"1889", b"\x00"), text.replace(b'"In 1889."', b"NaN"),
        text.replace(b'"In 1889."', b"1e999"), text.replace(b'"In 1889."', b"9" * 5000),
        text.replace(b'"answer"', b'"contexts"'), b"null", b"[]", b'""', b"0", b"", b"true", b"{}", b'{"": ""}',
        b"a=b&c=d", b"--x\r\nContent-Disposition: form-data; name=x\r\n\r\n1\r\n--x--\r\n",
        b"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><x>&e;</x>",
        b'{"answer": ' + b'{"a": ' * 500 + b"1" + b"}" * 500 + b"}", rng.randbytes(300),
        bytes(b ^ (1 << rng.randrange(8)) if rng.random() < 0.02 else b for b in text),
    ])  # fmt: skip
    kind = rng.choice(
        ["application/json"] * 5
        + [
            "",
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "multipart/form-data",
            "application/json; charset=utf-16",
            "x" * 300,
            "application/xml",
        ]
    )
    return _whole("body", request("POST", rng.choice(POSTS), ("content-type", kind), body=body))


def _mutated(rng: random.Random) -> Conversation:
    sent = bytearray(
        rng.choice(
            [
                request("POST", "/v1/check", ("content-type", "application/json"), ("connection", "close"), body=CASE),
                request("GET", "/livez", ("accept", "*/*"), ("connection", "close")),
                request("GET", "/v1/indexes/tiny/passages?offset=0&limit=1", ("connection", "close")),
            ]
        )
    )
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(sent))
        match rng.randrange(5):
            case 0:
                sent[at] = rng.randrange(256)
            case 1:
                sent[at:at] = rng.randbytes(rng.randrange(1, 4))
            case 2:
                del sent[at : at + rng.randrange(1, 9)]
            case 3:
                end = at + rng.randrange(1, 60)
                sent[at:at] = sent[at:end]
            case 4:
                sent[at] ^= 1 << rng.randrange(8)
        if not sent:
            break
    return Conversation(kind="mutated", pieces=((0.0, bytes(sent)),), half=True, most=3)


def _pieces(rng: random.Random) -> Conversation:
    whole = request("POST", "/v1/check", ("content-type", "application/json"), body=CASE)
    cuts = sorted(rng.sample(range(1, len(whole)), rng.randrange(1, 12)))
    parts = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    return Conversation(kind="in pieces", pieces=tuple((0.005 * rng.random(), part) for part in parts), least=1)


def _expecting(rng: random.Random) -> Conversation:
    value = rng.choice(["100-continue", "100-Continue", "200-ok", "", "100-continue, x", "\x00"])
    length = rng.choice([len(CASE), 5_000_000])
    head = f"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\nExpect: {value}\r\n\r\n".encode()
    return Conversation(kind="expecting", pieces=((0.0, head), (0.05, CASE)), least=1)


def _abrupt(rng: random.Random) -> Conversation:
    whole = request("POST", rng.choice(POSTS), body=CASE)
    return Conversation(
        kind="reset", pieces=((0.0, whole[: rng.randrange(1, len(whole) + 1)]), (0.02 * rng.random(), b"")), abrupt=True
    )


def _slow(rng: random.Random, long: float) -> Conversation:
    """Drip, or stop in the middle: the server has to end it, in time."""
    whole = request("POST", "/v1/check", ("x-a", "b"), body=CASE)
    cut = rng.randrange(1, len(whole) - 1)
    if rng.random() < 0.5:
        return Conversation(kind="stops", pieces=((0.0, whole[:cut]),), least=1)
    step = long / 12
    drops = tuple((step, whole[n : n + 1]) for n in range(cut, min(len(whole) - 1, cut + 16)))
    return Conversation(kind="drips", pieces=((0.0, whole[:cut]), *drops), least=1)


_FAMILIES: tuple[Make, ...] = (
    _request_line, _header, _length, _chunked, _pipelined, _half, _other, _huge, _body, _mutated, _pieces, _expecting,
    _abrupt,
)  # fmt: skip
