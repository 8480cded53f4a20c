"""What a server is told: where it listens, who may ask, what it serves and how much of it.

Checked once, here, so that a server that starts is one that may run. Left out: where the values come from
(`groundwire.cli.serve`, `groundwire._env`), and the key of the upstream, which `groundwire._env.llm_key` alone knows.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from urllib.parse import urlsplit

from groundwire.errors import UsageError

MIB = 1 << 20
SHORTEST_KEY = 16
LOG_LEVELS = ("debug", "info", "warning", "error")
_INDEX_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much of everything; bytes as they stream, characters as code points, seconds of wall time.

    `items` are cases in a request, `text_chars` the length of any one text. A request has to have arrived, headers and
    body, within `receipt_seconds`, and is answered within `verdict_seconds` of that, with a verdict or with 504; of that time
    its work has `work_seconds`, and the rest is for saying that it was given up. `drain_seconds` is how long what is
    in flight may still take after SIGTERM. `queue_tokens` bounds what waits for the models, in tokens they would read, and
    `queue_seconds` how long that may take them: with less, more is refused and what is taken is answered sooner. Of both a
    client has its share, and seven eighths while it is alone.
    `connections` is what is open at a time. Raises UsageError unless all are positive and finite.
    """

    body_bytes: int = MIB
    items: int = 32
    text_chars: int = 200_000
    header_bytes: int = 32 << 10
    receipt_seconds: float = 15.0
    verdict_seconds: float = 30.0
    drain_seconds: float = 20.0
    idle_seconds: float = 75.0
    queue_tokens: int = 1 << 18
    queue_seconds: float = 10.0
    connections: int = 2_048

    @property
    def work_seconds(self) -> float:
        """How long work on a request may take: all but a thirtieth of the time in which it is answered."""
        return self.verdict_seconds - self.last_words

    @property
    def last_words(self) -> float:
        """How long a route has after its work's time is up, in seconds, before the guard answers in its place."""
        return self.verdict_seconds / 30

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if not (math.isfinite(value) and value > 0):
                raise UsageError(f"the limit {limit.name} must be a positive number, got {value}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that a server is told. Raises UsageError for what cannot be served, or not safely.

    `keys`: one of them must come with every request when there are any; without any, only a loopback address is served.
    `allowed_hosts`: names that may stand in `Host` besides the address itself; `*` is any, and needs a key. `indexes`:
    folders, or addresses on Milvus, by the name under which a request asks for them. `upstream`: the base URL that
    `/v1/chat/completions` is passed on to. `llm`: the language model that writes and judges, behind the endpoint that the
    environment names. `threshold` in [0, 1] and `model` replace the recipe's own. `port` 0 is any that is free.
    """

    host: str = "127.0.0.1"
    port: int = 8100
    keys: tuple[str, ...] = field(default=(), repr=False)
    allowed_hosts: tuple[str, ...] = ()
    indexes: Mapping[str, str] = field(default_factory=dict)
    upstream: str | None = None
    recipe: str = "default"
    model: str | None = None
    threshold: float | None = None
    llm: str | None = None
    limits: Limits = field(default_factory=Limits)
    log_level: str = "info"
    otel: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise UsageError(f"{self.port} is no port", "0 to 65535; 0 is any that is free")
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise UsageError(f"a threshold lies in [0, 1], got {self.threshold}")
        if self.log_level not in LOG_LEVELS:
            raise UsageError(f"unknown log level {self.log_level!r}", f"known: {', '.join(LOG_LEVELS)}")
        _check_keys(self.keys)
        if not self.keys and not is_loopback(self.host):
            raise UsageError(
                f"without an API key only this machine is served, not {self.host}",
                "set GROUNDWIRE_SERVER_KEYS, or name a --key-file",
            )
        if not self.keys and "*" in self.allowed_hosts:
            raise UsageError("without an API key not every host name can be allowed", "name the hosts, or set a key")
        for name in self.indexes:
            if not _INDEX_NAME.fullmatch(name):
                raise UsageError(f"an index cannot be called {name!r}", "letters, digits, dots, dashes; at most 64")
        if self.upstream is not None:
            _check_url(self.upstream)


def is_loopback(host: str) -> bool:
    """Say whether nothing outside this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _check_keys(keys: tuple[str, ...]) -> None:
    for number, key in enumerate(keys, 1):
        # The key itself is never said: this line may end in a log.
        if len(key) < SHORTEST_KEY:
            raise UsageError(f"API key {number} is shorter than {SHORTEST_KEY} characters", "openssl rand -hex 24")
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise UsageError(f"API key {number} holds a character that no header can carry", "openssl rand -hex 24")


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        raise UsageError("the upstream is no http or https URL", "--upstream https://HOST/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError("the upstream's URL holds more than an address", "its key is GROUNDWIRE_LLM_API_KEY")
