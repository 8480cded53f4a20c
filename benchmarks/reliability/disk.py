"""R8: a full disk, a disk that fails, a folder that cannot be written, and too few descriptors.

Each trial is one change of an index that is there (through the library, with the errors that strace makes; through the
command line, with a real full disk, a real read-only folder and a real limit). It may succeed or fail. When it fails the
error names a path, hints, and has exit code 2 or 3; whatever it does, the index is then the old one or the new one, whole,
and readable at once without a repair.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import forked
import workload
from rows import Row

from groundwire.cli.main import main
from groundwire.errors import GroundwireError
from groundwire.index import LocalIndex, check

TARGET = "a clear error naming the path; exit code 2 or 3; the old index still readable"
ERRORS = {
    "write": ("ENOSPC", "EIO"),
    "fsync": ("EIO", "ENOSPC"),
    "rename": ("EIO", "ENOSPC"),
    "openat": ("EMFILE", "EIO"),
    "read": ("EIO",),
}
OLD, MORE = 60, 600
"""Passages that are there, and that are added."""
NOBODY = 65534
FREE_KIB = 4
"""The step in which the free space of the full disk grows."""

PATH = re.compile(r"/\S+\.(?:json|lock|postings|passages|deleted|vectors|impacts|onnx)\b|/index\b|/copy\b")

Change = Callable[[Path], None]


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    old = work / "old"
    with LocalIndex.create(old, analyzer="simple") as index:
        index.add(workload.passage(0, n) for n in range(OLD))
    corpus = work / "corpus.jsonl"
    lines = (f'{{"id": "1-{n}", "text": "{workload.passage(1, n).text}"}}\n' for n in range(MORE))
    corpus.write_text("".join(lines), encoding="utf-8")
    yield _failing_calls(work, old, size["stride"])
    yield _full(work, old, corpus, size["stride"])
    yield _read_only(work, old, corpus)
    yield _descriptors(work, old, corpus)


def contents(folder: Path) -> dict[str, str]:
    with LocalIndex.open(folder) as index:
        return {passage.id: passage.text for passage in index.passages()}


CHANGES: dict[str, Change] = {
    "add": lambda folder: _add(folder),
    "remove": lambda folder: _remove(folder),
    "replace": lambda folder: _replace(folder),
    "embed": lambda folder: _embed(folder),
    "reading": lambda folder: _read(folder),
}


def _add(folder: Path) -> None:
    with LocalIndex.open(folder) as index:
        index.add(workload.passage(1, n) for n in range(MORE))


def _remove(folder: Path) -> None:
    with LocalIndex.open(folder) as index:
        index.remove([f"0-{n}" for n in range(7)])


def _replace(folder: Path) -> None:
    with LocalIndex.open(folder) as index:
        index.add([workload.passage(0, n, 1) for n in range(20)], existing="replace")


def _embed(folder: Path) -> None:
    with LocalIndex.open(folder) as index:
        index.embed(workload.Vectors())


def _read(folder: Path) -> None:
    with LocalIndex.open(folder) as index:
        index.bm25().rank(["common"], 10)
        list(index.passages())


def state_problem(folder: Path, old: dict[str, str], new: dict[str, str], succeeded: bool) -> str | None:
    """Return what is wrong with the index after a change that failed or not."""
    try:
        found = contents(folder)
        problems = check(folder)
    except GroundwireError as error:
        return f"it does not open: {error.message}"
    if problems:
        return problems[0]
    if succeeded and found != new:
        return "the change said that it was done, and it was not"
    return None if found in (old, new) else "it is neither as before nor as after"


def _failing_calls(work: Path, old: Path, stride: int) -> Row:
    how = f"strace, error=…; {forked.method()}" if forked.STRACE else forked.method()
    every = "each" if stride == 1 else f"one in {stride}"
    changes = "an addition, a removal, a replacement, an encoding and a search"
    what = f"{every} write, fsync, rename, open and read of {changes} fails ({how})"
    row, before = Row(id="R8", part="failing calls", what=what, target=TARGET), contents(old)
    for name, change in CHANGES.items():
        copy = work / "copy"
        after = _after(old, copy, change)
        counts = forked.count(_trial(_copied(old, copy), change), work / "calls.txt")
        for call, errors in ERRORS.items():
            for error in errors:
                for nth in range(1, counts.get(call, 0) + 1, stride):
                    at = forked.At(call=call, nth=nth, error=error)
                    ended = forked.run(_trial(_copied(old, copy), change), at)
                    _judge(row, f"{name}, {error} at {call} {nth}", ended, copy, before, after)
        shutil.rmtree(copy)
    return row


def _copied(old: Path, copy: Path) -> Path:
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(old, copy)
    return copy


def _after(old: Path, copy: Path, change: Change) -> dict[str, str]:
    change(_copied(old, copy))
    return contents(copy)


def _trial(folder: Path, change: Change) -> forked.Work:
    def child(say: forked.Say) -> None:
        try:
            change(folder)
        except GroundwireError as error:
            say(f"{error.exit_code} {error}")
        else:
            say("0")

    return child


def _judge(row: Row, trial: str, ended: forked.Ended, folder: Path, before: object, after: object) -> None:
    """Count a trial whose child said its exit code and its error."""
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    said = " ".join(ended.said)
    code, _, message = said.partition(" ")
    problem = None
    if ended.status or not code.isdigit():
        problem = f"the child ended with {ended.status}{', hung' if ended.hung else ''}: {said}"
    elif code not in ("0", "2", "3"):
        problem = f"exit code {code}: {message}"
    elif code != "0" and (not PATH.search(message) or "hint: " not in message):
        problem = f"the error names no path, or has no hint: {message}"
    else:
        problem = state_problem(folder, before, after, code == "0")
    row.add("succeeded all the same" if code == "0" else "a clear error" if problem is None else "wrong")
    row.count(problem and f"{trial}: {problem}")


def command(arguments: list[str], prepare: Callable[[], None] = lambda: None) -> forked.Work:
    """Return a child that calls the command line and says its exit code and the last line of its errors."""

    def child(say: forked.Say) -> None:
        said = io.StringIO()
        prepare()
        try:
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
                main(arguments)
        except SystemExit as left:
            lines = said.getvalue().strip().splitlines() or [""]
            verdict = left.code == 1 and not lines[-1].startswith("error")  # "not grounded" is an answer
            say(f"{0 if verdict else left.code or 0} {lines[-1]}")

    return child


def _adding(folder: Path, corpus: Path) -> list[str]:
    return ["index", "add", str(corpus), "--to", str(folder), "--words", "0"]


def _added(old: Path, copy: Path, corpus: Path) -> dict[str, str]:
    """Return what the command leaves when nothing is in its way; it also loads every module that it needs."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):  # noqa: SIM117
        with contextlib.suppress(SystemExit):
            main(_adding(_copied(old, copy), corpus))
    return contents(copy)


def _full(work: Path, old: Path, corpus: Path, stride: int) -> Row:
    row = Row(id="R8", part="full disk", what="", target=TARGET)
    before, after = contents(old), _added(old, work / "copy", corpus)
    needed = sum(path.stat().st_size for path in (work / "copy").iterdir()) // 1024
    steps = range(0, needed + 64, FREE_KIB * stride)
    mount = work / "mount"
    mount.mkdir()
    if _mounted(mount, sum(path.stat().st_size for path in old.iterdir()) // 1024 + needed + 256):
        row.what = f"`index add` on a file system (tmpfs) with {steps.start} to {steps[-1]} KiB left"
        try:
            for free in steps:
                _copied(old, mount / "index")
                _fill(mount, free)
                ended = forked.run(command(_adding(mount / "index", corpus)))
                (mount / "filler").unlink(missing_ok=True)
                _judge(row, f"{free} KiB left", ended, mount / "index", before, after)
        finally:
            subprocess.run(["umount", str(mount)], check=True)
        return row
    row.what = "`index add` where no file may be longer than a limit (RLIMIT_FSIZE; mounting is not allowed here)"
    for limit in steps:
        copy = _copied(old, work / "copy")
        ended = forked.run(command(_adding(copy, corpus), lambda kib=limit: _limit(resource.RLIMIT_FSIZE, kib * 1024)))
        _judge(row, f"files of {limit} KiB", ended, copy, before, after)
    return row


def _mounted(folder: Path, kib: int) -> bool:
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    return done.returncode == 0


def _fill(mount: Path, free_kib: int) -> None:
    """Leave so much space, in a file that takes the rest."""
    left = os.statvfs(mount)
    filled = left.f_bavail * left.f_frsize - free_kib * 1024
    if filled > 0:
        (mount / "filler").write_bytes(bytes(filled))


def _limit(kind: int, value: int) -> None:
    if kind == resource.RLIMIT_FSIZE:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(kind, (value, resource.getrlimit(kind)[1]))


def _read_only(work: Path, old: Path, corpus: Path) -> Row:
    what = "adding to, removing from, compacting, reading and searching an index in a folder that cannot be written"
    row, before = Row(id="R8", part="read-only folder", what=what, target=TARGET), contents(old)
    copy = _copied(old, work / "copy")
    with LocalIndex.open(copy) as index:
        index.add([workload.passage(0, OLD)])
        before = contents(copy)
    folder = str(copy)
    reads = (["index", "info", folder], ["index", "check", folder], ["search", "common", "--index", folder])
    writes = (_adding(copy, corpus), ["index", "remove", folder, "0-1"], ["index", "compact", folder])
    _walkable(work)
    for kind, prepare in (("permissions", _as_nobody), ("mount", lambda: None)):
        with _locked(copy, kind) as possible:
            for arguments in (*reads, *writes) if possible else ():
                ended = forked.run(command(list(arguments), prepare))
                named = f"{kind}, {' '.join(arguments[:2])}"
                allowed = arguments in reads
                code = " ".join(ended.said).partition(" ")[0]
                _judge(row, named, ended, copy, before, before)
                if (code == "0") is not allowed and not (arguments[1] == "compact" and code == "0"):
                    row.failures += 1
                    row.examples.append(f"{named}: exit code {code}")
            row.add(f"{kind}{'' if possible else ', not possible here'}", int(possible) * len((*reads, *writes)))
    return row


def _as_nobody() -> None:
    """Permissions hold for everybody but root."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def _walkable(work: Path) -> None:
    for path in (work, *work.rglob("*")):
        path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))


@contextlib.contextmanager
def _locked(folder: Path, kind: str) -> Iterator[bool]:
    """Make a folder read-only, by its permissions or by its mount."""
    if kind == "permissions":
        folder.chmod(0o555)
        for path in folder.iterdir():
            path.chmod(0o444)
        yield True
        folder.chmod(0o755)
        return
    bind = ["mount", "--bind", str(folder), str(folder)]
    if subprocess.run(bind, capture_output=True, check=False).returncode:
        yield False
        return
    try:
        remount = ["mount", "-o", "remount,ro,bind", str(folder)]
        yield subprocess.run(remount, capture_output=True, check=False).returncode == 0
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def _descriptors(work: Path, old: Path, corpus: Path) -> Row:
    what = "`index add`, `index info`, `search` and `verify` with 0, 1, 2, … descriptors left (RLIMIT_NOFILE)"
    row, before = Row(id="R8", part="descriptor limit", what=what, target=TARGET), contents(old)
    copy = work / "copy"
    after = _added(old, copy, corpus)
    for name, arguments in (
        ("add", _adding(copy, corpus)),
        ("info", ["index", "info", str(copy)]),
        ("search", ["search", "common", "--index", str(copy)]),
        ("verify", ["verify", "common?", "version0", "--recipe", "verify(stack=bm25)", "--index", str(copy)]),
    ):
        for spare in range(40):
            _copied(old, copy)
            ended = forked.run(command(arguments, lambda left=spare: _leave(left)))
            _judge(row, f"{name}, {spare} left", ended, copy, before, after if name == "add" else before)
            if ended.said and ended.said[-1].startswith("0"):
                row.add(f"least that {name} needs", spare)
                break
        else:
            row.count(f"{name} fails with 39 descriptors left")
    return row


def _leave(spare: int) -> None:
    """Set the limit so that this process can open so many files more."""
    used = max(int(name) for name in os.listdir("/proc/self/fd")) + 1
    open_now = {int(name) for name in os.listdir("/proc/self/fd")}
    for gap in set(range(used)) - open_now:
        with contextlib.suppress(OSError):
            os.dup2(2, gap)
    _limit(resource.RLIMIT_NOFILE, used + spare)
