import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.errors import InputError, Unavailable, UsageError
from groundwire.ledger import RANKS, Entry, Ledger, key_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.ledger"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    with Ledger(path) as opened:
        yield opened


def test_the_key_is_the_sha256_of_the_canonical_json() -> None:
    # sha256sum of the bytes {"item":"caf\u00e9","n":1}
    digest = "fd9e9263bd1626e75f97dafccb23517d3b74662f267d0b92e72ddf7ba63e927b"
    assert key_of({"n": 1, "item": "café"}) == digest
    assert key_of({"item": "a"}) != key_of({"item": "a", "n": 1})
    assert len(key_of({"item": "\ud800"})) == 64


def test_what_is_written_is_done_also_for_the_next_run(path: Path) -> None:
    with Ledger(path) as ledger:
        assert ledger.done("a") is None
        assert ledger.write("a", "ok", {"text": "é\n\ud800", "n": [1, None]})
    with Ledger(path) as ledger:
        assert ledger.done("a") == {"text": "é\n\ud800", "n": [1, None]}
        assert len(ledger) == 1


def test_a_line_is_on_the_disk_when_write_returns(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.append(ledger.path.stat().st_size))
    ledger.write("a", "ok", {})
    assert flushed == [ledger.path.stat().st_size]
    assert ledger.path.read_bytes().endswith(b"\n")


@pytest.mark.parametrize("status", [status for status in RANKS if status != "error"])
def test_every_status_but_an_error_is_final(status: str, ledger: Ledger) -> None:
    ledger.write("a", status, {"n": 1})
    assert ledger.done("a") == {"n": 1}
    assert ledger.counts()[status] == 1


def test_an_error_is_not_done_and_keeps_its_kind(ledger: Ledger) -> None:
    ledger.write("a", "error", {"reason": "late"}, kind="timeout")
    assert ledger.done("a") is None
    entry = ledger.entry("a")
    assert entry is not None
    assert (entry.status, entry.kind, entry.record) == ("error", "timeout", {"reason": "late"})


def test_a_success_wins_over_a_failure_whichever_came_first(path: Path) -> None:
    with Ledger(path) as ledger:
        assert ledger.write("a", "error", {}, kind="timeout")
        assert ledger.write("a", "ok", {"n": 1})
        assert not ledger.write("a", "error", {}, kind="timeout")
        assert not ledger.write("a", "ok", {"n": 2})
        assert ledger.done("a") == {"n": 1}
    assert len(path.read_bytes().splitlines()) == 2
    with Ledger(path) as ledger:
        assert ledger.done("a") == {"n": 1}


def test_a_success_written_behind_a_failure_by_another_release_wins(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.write("a", "ok", {"n": 1})
        ledger.write("b", "error", {}, kind="x")
    lines = path.read_bytes().splitlines(keepends=True)
    with Ledger(path.with_name("other")) as other:
        other.write("a", "error", {}, kind="x")
    path.write_bytes(lines[0] + other.path.read_bytes() + lines[1])
    with Ledger(path) as ledger:
        assert ledger.done("a") == {"n": 1}


def test_a_record_keeps_the_order_of_its_keys(path: Path) -> None:
    record = {"id": "1", "answer": "a", "claims": [{"text": "t", "label": "l"}]}
    with Ledger(path) as ledger:
        ledger.write("a", "ok", record)
        assert json.dumps(ledger.done("a")) == json.dumps(record)
    with Ledger(path) as ledger:
        assert json.dumps(ledger.done("a")) == json.dumps(record)


def test_entries_come_once_each_in_their_order(ledger: Ledger) -> None:
    for key in "bac":
        ledger.write(key, "error", {"key": key}, kind="x")
    ledger.write("a", "ok", {"key": "a"})
    assert [(entry.key, entry.status) for entry in ledger.entries()] == [("b", "error"), ("a", "ok"), ("c", "error")]


def test_a_torn_end_is_dropped_at_every_length(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.write("a", "ok", {"n": 1})
        ledger.write("b", "ok", {"n": 2})
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(first, len(whole)):
        path.write_bytes(whole[:length])
        with Ledger(path) as ledger:
            assert (ledger.done("a"), ledger.done("b")) == ({"n": 1}, None)
            assert path.stat().st_size == first
            ledger.write("b", "ok", {"n": 2})
        assert path.read_bytes() == whole


def test_a_tail_of_zeros_is_dropped(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.write("a", "ok", {"n": 1})
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0" * 5000)
    with Ledger(path) as ledger:
        assert ledger.done("a") == {"n": 1}
    assert path.read_bytes() == whole


def test_every_flipped_bit_is_found(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.write("a", "ok", {"n": 1})
        ledger.write("b", "error", {"n": 2}, kind="timeout")
    whole = path.read_bytes()
    for position in range(0, len(whole) * 8, 9):  # each byte once, each of its bits in turn
        damaged = bytearray(whole)
        damaged[position // 8] ^= 1 << position % 8
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="line "):
            Ledger(path)
        assert path.read_bytes() == damaged


@pytest.mark.parametrize(
    "content",
    [b"my shopping list", b"my shopping list\n", b"{}\n", b'{"key":"a"}\n', b'["key"]\n', b"[" * 9999 + b"\n"],
)
def test_a_foreign_file_is_refused_and_left_alone(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match="line 1"):
        Ledger(path)
    assert path.read_bytes() == content


def test_only_one_process_writes(ledger: Ledger) -> None:
    code = f"from groundwire.ledger import Ledger; Ledger({str(ledger.path)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "another run is writing" in done.stderr
    with pytest.raises(UsageError, match="another run is writing"):
        Ledger(ledger.path)


def test_the_lock_goes_with_a_killed_process(path: Path) -> None:
    code = f"""
from groundwire.ledger import Ledger
ledger = Ledger({str(path)!r})
n = 0
while True:
    ledger.write(str(n), "ok", {{"n": n}})
    print(n, flush=True)
    n += 1
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout as said:
        for _ in range(20):
            said.readline()
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        last = max((int(line) for line in said.read().split("\n") if line), default=19)
    with Ledger(path) as ledger:
        assert all(ledger.done(str(n)) == {"n": n} for n in range(last + 1))


def test_a_full_disk_leaves_the_ledger_as_it_was(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger.write("a", "ok", {"n": 1})
    before = ledger.path.read_bytes()
    real = os.write

    def half(descriptor: int, data: bytes) -> int:
        if len(data) < 20:
            raise OSError(28, "No space left on device")
        return real(descriptor, data[: len(data) // 2])

    with monkeypatch.context() as full:
        full.setattr(os, "write", half)
        with pytest.raises(Unavailable, match="No space left on device") as raised:
            ledger.write("b", "ok", {"text": "long" * 50})
    assert str(ledger.path) in str(raised.value)
    assert ledger.path.read_bytes() == before
    assert ledger.done("b") is None
    assert ledger.write("b", "ok", {"n": 2})
    assert ledger.done("b") == {"n": 2}


def test_bad_calls_are_errors(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no status 'done'"):
        ledger.write("a", "done", {})
    with pytest.raises(UsageError):
        ledger.write("a", "ok", {}, kind="timeout")
    with pytest.raises(Unavailable, match="cannot open"):
        Ledger(tmp_path / "no" / "folder")
    ledger.close()
    ledger.close()
    with pytest.raises(Unavailable, match="closed"):
        ledger.write("a", "ok", {})


def test_threads_share_it(path: Path) -> None:
    with Ledger(path) as ledger:

        def work(start: int) -> None:
            for n in range(start, start + 20):
                ledger.write(str(n), "ok", {"n": n})
                assert ledger.done(str(n)) == {"n": n}

        threads = [threading.Thread(target=work, args=(start,)) for start in range(0, 80, 10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {entry.record["n"] for entry in ledger.entries()} == set(range(90))
    lines = path.read_text().splitlines()
    assert len({json.loads(line)["key"] for line in lines}) == len(lines) == 90


def test_a_batch_is_written_at_once_and_better_lines_stay(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.write("b", "ok", {"n": 0})
        ledger.write("c", "error", {}, kind="x")
        made = [Entry(key=key, status="ok", record={"n": n}) for n, key in enumerate("abcda", 1)]
        assert ledger.write_all(made) == 3
        assert {entry.key: entry.record["n"] for entry in ledger.entries()} == {"b": 0, "c": 3, "a": 1, "d": 4}
        assert ledger.write_all([]) == 0
        with pytest.raises(UsageError):
            ledger.write_all([Entry(key="e", status="ok", record={}), Entry(key="f", status="done", record={})])
        assert ledger.entry("e") is None
    with Ledger(path) as ledger:
        assert {entry.key: entry.record["n"] for entry in ledger.entries()} == {"b": 0, "c": 3, "a": 1, "d": 4}
