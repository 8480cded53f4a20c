"""The environment: the only reader of `os.environ`.

| variable | meaning | default |
|---|---|---|
| GROUNDWIRE_HOME | folder of pulled models | `groundwire` in the platform's cache folder |
| GROUNDWIRE_OFFLINE | 1, true, yes or on: never open a socket | off |
| HF_HUB_OFFLINE | 0: a peer's package (`groundwire.evals.peers`) may fetch its own weights | 1 once a peer is opened |
| GROUNDWIRE_DATA | folder where data sets are looked for by name | none |
| HF_TOKEN | token for gated repositories, passed on to the hub's client and nowhere else | none |
| GROUNDWIRE_LLM_BASE_URL, else OPENAI_BASE_URL | the endpoint of language models | none: nothing is ever asked by default |
| GROUNDWIRE_LLM_API_KEY | the key of whichever endpoint is asked | none |
| OPENAI_API_KEY | the key of OPENAI_BASE_URL and of api.openai.com, sent to no other endpoint | none |
| GROUNDWIRE_MILVUS_TOKEN | `user:password` or API key of the Milvus server that an index is on | none |
| GROUNDWIRE_SERVER_KEYS | API keys of `groundwire serve`, with commas between them | none |

Read at each call, so that a test or a door may change them. Left out: any other setting; those are arguments.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from groundwire.errors import UsageError

_ON = frozenset({"1", "true", "yes", "on"})
_OFF = frozenset({"", "0", "false", "no", "off"})
_OPENAI = "https://api.openai.com/v1"


def home() -> Path:
    """Return the folder that holds what Groundwire keeps between runs; it need not exist yet."""
    chosen = os.environ.get("GROUNDWIRE_HOME", "")
    return Path(chosen).expanduser().absolute() if chosen else _cache_folder() / "groundwire"


def models_folder() -> Path:
    """Return the folder of pulled models; it need not exist yet."""
    return home() / "models"


def data_folder() -> Path | None:
    """Return the folder where data sets are looked for by name, or None when there is none."""
    chosen = os.environ.get("GROUNDWIRE_DATA", "")
    return Path(chosen).expanduser().absolute() if chosen else None


def offline() -> bool:
    """Return whether sockets are forbidden. Raises UsageError for a value that is neither yes nor no."""
    value = os.environ.get("GROUNDWIRE_OFFLINE", "").strip().lower()
    if value not in _ON | _OFF:
        raise UsageError(f"GROUNDWIRE_OFFLINE is {value!r}", "use 1 or 0")
    return value in _ON


def hub_token() -> str | None:
    """Return the hub token, or None when there is none."""
    return os.environ.get("HF_TOKEN") or None


def llm_base_url() -> str | None:
    """Return the base URL of the endpoint of language models, or None when there is none."""
    return os.environ.get("GROUNDWIRE_LLM_BASE_URL") or os.environ.get("OPENAI_BASE_URL") or None


def llm_key(base_url: str) -> str | None:
    """Return the key to send to this endpoint, or None. A key that belongs to another endpoint is never returned."""
    own = os.environ.get("GROUNDWIRE_LLM_API_KEY", "").strip()
    if own:
        return own
    home = {(os.environ.get("OPENAI_BASE_URL") or _OPENAI).rstrip("/"), _OPENAI}
    return os.environ.get("OPENAI_API_KEY", "").strip() or None if base_url.rstrip("/") in home else None


def milvus_token() -> str | None:
    """Return the token to send to the Milvus server that was named, or None when there is none."""
    return os.environ.get("GROUNDWIRE_MILVUS_TOKEN", "").strip() or None


def server_keys() -> tuple[str, ...]:
    """Return the API keys that a server asks for, none when there are none."""
    keys = (key.strip() for key in os.environ.get("GROUNDWIRE_SERVER_KEYS", "").split(","))
    return tuple(key for key in keys if key)


def keep_hub_offline() -> None:
    """Forbid other people's packages in this process to fetch weights from the hub, unless the user has said otherwise."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")


@contextmanager
def kept() -> Iterator[None]:
    """Put the variables back as they were: some packages, when imported, fill them from a file .env that they look for."""
    before = dict(os.environ)
    try:
        yield
    finally:
        if dict(os.environ) != before:
            os.environ.clear()
            os.environ.update(before)


def _cache_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    # XDG Base Directory Specification: a relative path there is invalid and must be ignored.
    xdg = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return xdg if xdg.is_absolute() else Path.home() / ".cache"
