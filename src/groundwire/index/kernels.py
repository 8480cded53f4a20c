"""Which loops evaluate queries: numpy's, or compiled ones where numba is installed (the extra `fast`). Answers are the same.

To import numba takes half a second and to compile, once on a machine, ten, so a command that asks one question never does
it: a process that has spent as much time in numpy's loops goes on with them while a thread makes the compiled ones ready.

Left out: the loops (`evaluate`, `compiled`).
"""

from __future__ import annotations

import importlib
import importlib.util
import threading
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType

from groundwire._optional import require
from groundwire.errors import Unavailable, UnknownName

NAMES = ("numpy", "compiled")
AFTER = 1.0
"""So many seconds of evaluation are left to numpy: about what it costs to have the others."""


class _Loops:
    """What this process has decided."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.ready: ModuleType | None = None
        self.problem = ""
        self.seconds = 0.0
        self.automatic = True
        self.started = False

    def load(self) -> None:
        try:
            loops = importlib.import_module("groundwire.index.compiled")
            loops.warm()
        except Exception as error:  # whatever numba stumbles over, numpy gives the same answers
            self.problem = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        else:
            self.ready = loops

    def spent(self, seconds: float) -> None:
        with self.lock:
            self.seconds += seconds
            if self.seconds < AFTER or self.started:
                return
            self.started = True
        if installed():
            # The interpreter waits for it at its end: to tear a compiler down while it works is no clean end.
            threading.Thread(target=self.load, name="groundwire-loops").start()


_loops = _Loops()


def loops() -> ModuleType | None:
    """Return the compiled loops when they are ready, else None."""
    return _loops.ready if _loops.automatic else None


def spent(seconds: float) -> None:
    """Note how long an evaluation by numpy took. What was spent in all decides when the others are made ready."""
    if _loops.automatic and not _loops.started:
        _loops.spent(seconds)


def use(name: str | None) -> None:
    """Choose for this process: "numpy"; "compiled", which are ready when this returns; None leaves the choice to it.

    Raises UnknownName, MissingExtra where numba is not installed, and Unavailable where it does not work.
    """
    if name not in (None, *NAMES):
        raise UnknownName("kind of loops", str(name), NAMES)
    if name == "compiled" and _loops.ready is None:
        require("numba", "fast")
        with _loops.lock:
            _loops.started = True
        _loops.load()
        if _loops.ready is None:
            raise Unavailable("the compiled loops cannot be used", _loops.problem)
    _loops.automatic = name != "numpy"


def installed() -> bool:
    """Return whether numba is there; nothing is imported."""
    return importlib.util.find_spec("numba") is not None


def described() -> str:
    """Return what a process that asks many queries uses, in words: "numpy", or "compiled (numba 0.60.0)"."""
    if _loops.problem:
        return f"numpy (numba is of no use here: {_loops.problem})"
    if not installed() or not _loops.automatic:
        return NAMES[0]
    try:
        return f"{NAMES[1]} (numba {version('numba')})"
    except PackageNotFoundError:
        return NAMES[1]
