"""The environment: the only reader of `os.environ`.

| variable | meaning | default |
|---|---|---|
| GROUNDWIRE_HOME | folder of pulled models | `groundwire` in the platform's cache folder |
| GROUNDWIRE_OFFLINE | 1, true, yes or on: never open a socket | off |
| HF_TOKEN | token for gated repositories, passed on to the hub's client and nowhere else | none |

Read at each call, so that a test or a door may change them. Left out: any other setting; those are arguments.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from groundwire.errors import UsageError

_ON = frozenset({"1", "true", "yes", "on"})
_OFF = frozenset({"", "0", "false", "no", "off"})


def home() -> Path:
    """Return the folder that holds what Groundwire keeps between runs; it need not exist yet."""
    chosen = os.environ.get("GROUNDWIRE_HOME", "")
    return Path(chosen).expanduser().absolute() if chosen else _cache_folder() / "groundwire"


def models_folder() -> Path:
    """Return the folder of pulled models; it need not exist yet."""
    return home() / "models"


def offline() -> bool:
    """Return whether sockets are forbidden. Raises UsageError for a value that is neither yes nor no."""
    value = os.environ.get("GROUNDWIRE_OFFLINE", "").strip().lower()
    if value not in _ON | _OFF:
        raise UsageError(f"GROUNDWIRE_OFFLINE is {value!r}", "use 1 or 0")
    return value in _ON


def hub_token() -> str | None:
    """Return the hub token, or None when there is none."""
    return os.environ.get("HF_TOKEN") or None


def _cache_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    # XDG Base Directory Specification: a relative path there is invalid and must be ignored.
    xdg = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return xdg if xdg.is_absolute() else Path.home() / ".cache"
