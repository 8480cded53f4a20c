import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.cache import Cache
from groundwire.errors import InputError, Unavailable, UsageError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "replies.sqlite"


@pytest.fixture
def cache(path: Path) -> Iterator[Cache]:
    with Cache(path) as opened:
        yield opened


def test_what_is_put_is_got_also_by_the_next_run(path: Path) -> None:
    with Cache(path) as cache:
        assert cache.get("a") is None
        cache.put("a", b"\0\xff")
        cache.put("b", b"")
    with Cache(path) as cache:
        assert (cache.get("a"), cache.get("b"), len(cache)) == (b"\0\xff", b"", 2)


def test_the_first_value_stays(cache: Cache) -> None:
    cache.put("a", b"1")
    cache.put("a", b"2")
    assert cache.get("a") == b"1"


def test_what_is_dropped_can_be_put_again(cache: Cache) -> None:
    cache.put("a", b"1")
    cache.drop("a")
    cache.drop("never there")
    assert cache.get("a") is None
    cache.put("a", b"2")
    assert cache.get("a") == b"2"


def test_the_settings_are_those_of_the_contract(cache: Cache) -> None:
    with cache._used() as connection:
        settings = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "busy_timeout", "trusted_schema")
        }
    assert settings == {"journal_mode": "wal", "busy_timeout": 30_000, "trusted_schema": 0}


def test_a_damaged_row_is_a_miss_and_can_be_put_again(cache: Cache) -> None:
    cache.put("a", b"Yes")
    cache.put("b", b"No")
    other = sqlite3.connect(cache.path)
    with other:
        other.execute("UPDATE kept SET value = (SELECT value FROM kept WHERE key = 'b') WHERE key = 'a'")
    other.close()
    assert cache.get("a") is None
    cache.put("a", b"Yes")
    assert (cache.get("a"), cache.get("b")) == (b"Yes", b"No")


def test_flipped_bits_never_give_a_wrong_value(path: Path) -> None:
    values = {f"key {n}": os.urandom(600) for n in range(60)}
    with Cache(path) as cache:
        for key, value in values.items():
            cache.put(key, value)
    whole = path.read_bytes()
    rng = random.Random(3)
    refused = missed = 0
    for _ in range(80):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        try:
            with Cache(path) as cache:
                got = {key: cache.get(key) for key in values}
        except (InputError, UsageError, Unavailable):
            refused += 1
            continue
        assert all(got[key] in (None, value) for key, value in values.items())
        missed += any(value is None for value in got.values())
    assert refused
    assert missed


def test_a_killed_run_is_checked_before_it_is_read(path: Path) -> None:
    code = f"""
import os, signal
from groundwire.cache import Cache
cache = Cache({str(path)!r})
for n in range(200):
    cache.put(str(n), b"x" * 500)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == -signal.SIGKILL
    log = path.with_name(path.name + "-wal")
    assert log.stat().st_size > 0
    statements: list[str] = []
    real = sqlite3.connect

    def traced(*args, **kwargs):
        connection = real(*args, **kwargs)
        connection.set_trace_callback(statements.append)
        return connection

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sqlite3, "connect", traced)
        with Cache(path) as cache:
            assert len(cache) == 200
        checked = list(statements)
        statements.clear()
        Cache(path).close()
    assert any("integrity_check" in statement for statement in checked)
    assert not any("integrity_check" in statement for statement in statements)


def test_a_killed_run_with_a_broken_tree_is_refused(path: Path) -> None:
    with Cache(path) as cache:
        for n in range(400):
            cache.put(f"{n:04}", b"x" * 300)
    damaged = bytearray(path.read_bytes())
    for page in range(4096, len(damaged), 4096 * 3):
        damaged[page : page + 8] = b"\xff" * 8
    path.write_bytes(damaged)
    path.with_name(path.name + "-wal").write_bytes(b"\0" * 32)
    with pytest.raises(Unavailable, match="damaged"):
        Cache(path)


@pytest.mark.parametrize("content", [b"my shopping list", b"x" * 5000])
def test_a_foreign_file_is_refused_and_left_alone(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match="no cache of Groundwire"):
        Cache(path)
    assert path.read_bytes() == content


def test_a_foreign_database_is_refused_and_left_alone(path: Path) -> None:
    other = sqlite3.connect(path)
    with other:
        other.execute("CREATE TABLE photos (name)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(InputError, match="no cache of Groundwire"):
        Cache(path)
    assert path.read_bytes() == before


def test_a_newer_version_is_refused(path: Path) -> None:
    Cache(path).close()
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(UsageError, match="newer version"):
        Cache(path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="no/replies"):
        Cache(tmp_path / "no" / "replies")


def test_a_closed_cache_says_so(path: Path) -> None:
    cache = Cache(path)
    cache.close()
    cache.close()
    with pytest.raises(Unavailable, match="closed"):
        cache.get("a")


WORKER = """
import random, sys, threading
from groundwire.cache import Cache
path, seed, calls, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
cache, wrong = Cache(path), []

def work(seed):
    rng = random.Random(seed)
    try:
        for _ in range(calls):
            n = rng.randrange(300)
            value = b"%d " % n * (1 + n % 50)
            if rng.random() < 0.3:
                cache.put(f"k{n}", value)
            elif cache.get(f"k{n}") not in (None, value):
                wrong.append(n)
    except Exception as error:
        wrong.append(repr(error))

workers = [threading.Thread(target=work, args=(seed * 100 + n,)) for n in range(threads)]
[worker.start() for worker in workers]
[worker.join() for worker in workers]
cache.close()
sys.exit(str(wrong[:3]) if wrong else 0)
"""


def shared(path: Path, *, processes: int, calls: int, limit: float = 60) -> tuple[list[str], dict[int, bytes | None]]:
    """Let processes of 16 threads each use one file; return what went wrong in them, and what is in the file at the end."""
    command = [sys.executable, "-c", WORKER, str(path)]
    running = [
        subprocess.Popen([*command, str(seed), str(calls), "16"], stderr=subprocess.PIPE, text=True)
        for seed in range(processes)
    ]
    said = [(process.communicate(timeout=limit)[1], process.returncode) for process in running]
    with Cache(path) as cache:
        got = {n: cache.get(f"k{n}") for n in range(300)}
    return [text or f"exit code {code}" for text, code in said if text or code], got


def test_sixteen_threads_in_several_processes_share_one_file(path: Path) -> None:
    """R15, reduced: processes that make the file at the same moment, 16 threads each, and no differing byte."""
    wrong, got = shared(path, processes=4, calls=60)
    assert wrong == []
    assert all(value in (None, b"%d " % n * (1 + n % 50)) for n, value in got.items())
    assert sum(value is not None for value in got.values()) > 250


def test_a_forked_process_opens_its_own(cache: Cache) -> None:
    if not hasattr(os, "fork") or threading.active_count() > 1:
        pytest.skip("no safe fork here")
    cache.put("a", b"1")
    child = os.fork()
    if child == 0:
        try:
            cache.put("b", b"2")
            os._exit(0 if cache.get("a") == b"1" else 1)
        finally:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert cache.get("b") == b"2"


def test_many_are_put_and_got_at_once(path: Path) -> None:
    with Cache(path) as cache:
        cache.put("5", b"first")
        cache.put_many((str(n), b"%d" % n) for n in range(1200))
        found = cache.get_many([str(n) for n in range(0, 1300, 2)])
        assert found == {str(n): b"%d" % n for n in range(0, 1200, 2)}
        assert cache.get("5") == b"first"
        assert cache.get_many([]) == {}
