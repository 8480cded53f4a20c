"""A piece of work in a forked child that can be killed, or be made to fail at any of its system calls.

Forked, because a trial then costs milliseconds and not the start of an interpreter; the parent has no threads. Where strace
is installed it is attached to the child and acts on the calls themselves, those of C code too. Where it is not, `os.fsync`,
`os.replace` and `os.unlink` are wrapped in the child; then no call of `write` can be chosen.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STRACE = shutil.which("strace")
CALLS = {"rename": "replace", "fsync": "fsync", "unlink": "unlink", "write": "write", "openat": "open", "read": "read"}
"""Kinds of calls, and their names in `os`."""
PLATFORM = "(at2?)?"
"""What the name of a call may have at its end; strace is given a pattern."""
PATCHABLE = ("rename", "fsync", "unlink")
LONGEST = 60.0
"""Seconds after which a child counts as hanging."""

Say = Callable[[str], None]
Work = Callable[[Say], None]


def _named(call: str) -> str:
    return f"/^{call}{PLATFORM}$"


def method() -> str:
    """Say what chooses the calls."""
    if STRACE is None:
        return "os calls wrapped in Python (strace is not installed)"
    return subprocess.run([STRACE, "-V"], capture_output=True, text=True, check=True).stdout.split("\n")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """The n-th call of a kind, from 1: there the child is killed, or the call fails with `error` (a name of errno)."""

    call: str
    nth: int
    error: str | None = None

    def strace(self) -> list[str]:
        what = f"error={self.error}" if self.error else "signal=SIGKILL"
        return ["-e", f"trace={_named(self.call)}", "-e", f"inject={_named(self.call)}:{what}:when={self.nth}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a child ended: its exit status (negative: the signal), what it said, and whether it hung."""

    status: int
    said: list[str]
    hung: bool = False
    seconds: float = 0.0


def run(work: Work, at: At | None = None, *, kill_after: float | None = None) -> Ended:
    """Do the work in a child; `say` reaches us even when the child is killed at once after it."""
    said_from, said_to = os.pipe()
    go_from, go_to = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(said_from)
        os.close(go_to)
        _in_child(work, said_to, go_from, None if STRACE else at)
    os.close(said_to)
    os.close(go_from)
    tracer = _attach(child, at.strace()) if at and STRACE else None
    started = time.perf_counter()
    os.write(go_to, b"g")
    os.close(go_to)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    ended = _wait(child, said_from, started)
    if tracer:
        tracer.communicate()
    return ended


def _in_child(work: Work, said_to: int, go_from: int, patched: At | None) -> None:
    code = 1
    try:
        os.readv(go_from, [bytearray(1)])  # not by read(2): the n-th call is to be one of the work's own
        os.close(go_from)
        if patched:
            _patch(patched)
        work(lambda text: os.writev(said_to, [text.encode() + b"\n"]) and None)
        code = 0
    except BaseException as error:
        os.writev(said_to, [f"uncaught {type(error).__name__}: {error}\n".encode()])
    finally:
        os._exit(code)


def _patch(at: At) -> None:
    name, calls = CALLS[at.call], Counter[str]()
    real = getattr(os, name)

    def call(*given: Any, **more: Any) -> Any:
        calls[name] += 1
        if calls[name] == at.nth and at.error:
            number = getattr(errno, at.error)
            raise OSError(number, os.strerror(number))
        if calls[name] == at.nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given, **more)

    setattr(os, name, call)


def _attach(child: int, options: list[str], output: Path | str = os.devnull) -> subprocess.Popen[str]:
    command = [STRACE or "strace", "-f", "-p", str(child), "-o", str(output), *options]
    tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert tracer.stderr is not None
    line = tracer.stderr.readline()
    if "attached" not in line:
        raise RuntimeError(f"strace cannot trace a child: {line.strip()}")
    return tracer


def _wait(child: int, said_from: int, started: float) -> Ended:
    hung, status = False, 0
    os.set_blocking(said_from, False)
    said = bytearray()
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        said += _read(said_from)
        if done:
            break
        if time.perf_counter() - started > LONGEST:
            hung = True
            os.kill(child, signal.SIGKILL)
        time.sleep(0.001)
    os.close(said_from)
    code, seconds = os.waitstatus_to_exitcode(status), time.perf_counter() - started
    return Ended(status=code, said=said.decode().splitlines(), hung=hung, seconds=seconds)


def _read(handle: int) -> bytes:
    pieces = []
    while True:
        try:
            piece = os.read(handle, 1 << 16)
        except BlockingIOError:
            break
        if not piece:
            break
        pieces.append(piece)
    return b"".join(pieces)


def count(work: Work, scratch: Path) -> dict[str, int]:
    """Do the work once, undisturbed, and return how many calls of each kind it makes (of those that can be chosen)."""
    return _traced(work, scratch) if STRACE else _counted(work)


def _traced(work: Work, scratch: Path) -> dict[str, int]:
    said_from, said_to = os.pipe()
    go_from, go_to = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(go_to)
        _in_child(work, said_to, go_from, None)
    os.close(said_to)
    os.close(go_from)
    tracer = _attach(child, ["-e", "trace=" + ",".join(map(_named, CALLS))], scratch)
    os.write(go_to, b"g")
    os.close(go_to)
    ended = _wait(child, said_from, time.perf_counter())
    tracer.communicate()
    if ended.status:
        raise RuntimeError(f"the undisturbed work fails: {ended.said[-1:]}")
    names = re.findall(r"^(?:\d+ +)?([a-z0-9]+)\(", scratch.read_text(errors="replace"), re.MULTILINE)
    return {call: sum(re.fullmatch(call + PLATFORM, name) is not None for name in names) for call in CALLS}


def _counted(work: Work) -> dict[str, int]:
    def counting(say: Say) -> None:
        calls = Counter[str]()
        for kind in PATCHABLE:
            real = getattr(os, CALLS[kind])

            def call(*given: Any, _kind: str = kind, _real: Callable[..., Any] = real, **more: Any) -> Any:
                calls[_kind] += 1
                return _real(*given, **more)

            setattr(os, CALLS[kind], call)
        work(lambda text: None)
        for kind in PATCHABLE:
            say(f"{kind} {calls[kind]}")

    ended = run(counting)
    if ended.status:
        raise RuntimeError(f"the undisturbed work fails: {ended.said[-1:]}")
    return {kind: int(number) for kind, number in map(str.split, ended.said)}
