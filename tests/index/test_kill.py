"""kill -9: at each rename, fsync and unlink of a run, and at random moments. A reduced set; `make reliability` has more.

A child adds, replaces, removes and compacts, and says aloud what is done. Whatever it said must be so in the index that is
opened after it; whatever it did not say may be there or not, but whole.
"""

import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.index import LocalIndex, check
from groundwire.types import Passage

Doomed = Callable[..., subprocess.Popen[str]]
CHILD = """
index = LocalIndex.open(folder)
print("open", flush=True)
for i in range(40):
    index.add([Passage(id=f"{i}-{j}", text=f"common w{i} w{j}") for j in range(5)])
    print("added", i, flush=True)
    if i % 3 == 2:
        index.remove([f"{i - 1}-0", f"{i - 1}-1"])
        print("removed", i - 1, flush=True)
    if i % 10 == 9:
        index.compact()
print("end", flush=True)
"""


def survivors(folder: Path, told: str) -> None:
    """Check that the index opens soon and holds what was told; the kill may have cut the last line short."""
    said = told[: told.rfind("\n") + 1].splitlines()
    started = time.perf_counter()
    index = LocalIndex.open(folder)
    assert time.perf_counter() - started < 5
    added = [int(line.split()[1]) for line in said if line.startswith("added")]
    removed = [int(line.split()[1]) for line in said if line.startswith("removed")]
    present = {passage.id for passage in index.passages()}
    for i in added:
        own = {f"{i}-{j}" for j in range(5)}
        gone = {f"{i}-0", f"{i}-1"}
        assert own - present <= gone, f"of batch {i} is lost: {own - present}"
        assert present & own in (own, own - gone), f"batch {i} is half removed"
        assert i not in removed or not present & gone, f"the removal from batch {i} is undone"
    last = max(added, default=-1) + 1
    assert {key for key in present if int(key.split("-")[0]) > last} == set()
    assert sum(key.startswith(f"{last}-") for key in present) in (0, 5)
    assert check(folder) == []
    assert {key for key, _ in index.bm25().rank(["common"], 1000)[0]} == present
    index.add([Passage(id="after", text="common")])
    left = {path.name for path in folder.iterdir()} - {"index.json", "index.lock"}
    assert left == set(index.snapshot().manifest.files)


CALLS = [("replace", 1), ("replace", 2), ("replace", 3), ("replace", 50), ("fsync", 5), ("unlink", 2)]


@pytest.mark.parametrize(("name", "nth"), CALLS)
def test_killed_at_a_call(tmp_path: Path, doomed: Doomed, name: str, nth: int) -> None:
    child = doomed(CHILD, tmp_path / "index", name, nth)
    said, _ = child.communicate(timeout=120)
    assert child.returncode == -signal.SIGKILL
    survivors(tmp_path / "index", said)


@pytest.mark.parametrize("seed", range(6))
def test_killed_at_any_moment(tmp_path: Path, doomed: Doomed, seed: int) -> None:
    child = doomed(CHILD, tmp_path / "index")
    assert child.stdout is not None
    said = child.stdout.readline()
    time.sleep(random.Random(seed).uniform(0, 0.4))
    child.kill()
    with child:  # not communicate(), which does not see what readline() has read ahead
        said += child.stdout.read()
    survivors(tmp_path / "index", said)
