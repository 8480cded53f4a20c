"""What the tests of the index share: a plain exhaustive scorer, indexes made quickly, and real collections."""

import gzip
import json
import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from groundwire.analysis import analyzer
from groundwire.index import LocalIndex, kernels
from groundwire.types import Passage

Ranked = list[tuple[str, float]]

DEADLY = """
import os, signal, sys
from groundwire.index import LocalIndex
from groundwire.types import Passage

folder, name, nth = sys.argv[1], sys.argv[2], int(sys.argv[3])
calls = 0
def deadly(real):
    def call(*given, **more):
        global calls
        calls += 1
        if calls == nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given, **more)
    return call
os.fsync = lambda handle: None
if name != "none":
    setattr(os, name, deadly(getattr(os, name)))
"""
"""How a child begins that dies at the nth call of a function of `os`; "none" is none of them. Nothing waits for a disk."""


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here cuts the power, so nothing has to wait for the disk."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture(autouse=True)
def _numpy_loops() -> Iterator[None]:
    """Every test begins with numpy's loops, also where numba is there; what is compiled stays compiled."""
    chosen = kernels._Loops()
    chosen.ready, chosen.automatic = kernels._loops.ready, False
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "_loops", chosen)
        yield


def exhaustive_scores(
    texts: Mapping[str, str], query: str, *, k1: float, b: float, name: str, byte: Callable[[int], int]
) -> Ranked:
    """Rank all texts, by the formula and nothing else. `byte` is what a length becomes."""
    f32 = np.float32
    chain = analyzer(name)
    held = {key: Counter(chain.terms(text)) for key, text in texts.items()}
    held = {key: terms for key, terms in held.items() if terms}
    average = f32(sum(map(Counter.total, held.values())) / max(len(held), 1))
    scores: dict[str, float] = {}
    asked = Counter(chain.terms(query))
    having = {term: sum(term in terms for terms in held.values()) for term in asked}
    idf = {term: f32(math.log(1 + (len(held) - n + 0.5) / (n + 0.5))) for term, n in having.items()}
    weights = {term: f32(count) * idf[term] for term, count in asked.items()}
    for term in sorted(weights, key=lambda t: (-weights[t], t)):
        for key, terms in held.items():
            if term in terms:
                length = f32(byte(terms.total()))
                inverse = f32(1) / (f32(k1) * ((f32(1) - f32(b)) + f32(b) * length / average))
                score = weights[term] - weights[term] / (f32(1) + f32(terms[term]) * inverse)
                scores[key] = scores.get(key, 0.0) + float(score)
    return sorted(((key, float(f32(score))) for key, score in scores.items()), key=lambda entry: (-entry[1], entry[0]))


@pytest.fixture(scope="session")
def exhaustive() -> Callable[..., Ranked]:
    """The scorer that every ranking is held against; lengths are exact unless `byte` says otherwise."""

    def rank(
        texts: Mapping[str, str],
        query: str,
        *,
        k1: float = 0.9,
        b: float = 0.4,
        name: str = "simple",
        byte: Callable[[int], int] = int,
    ) -> Ranked:
        return exhaustive_scores(texts, query, k1=k1, b=b, name=name, byte=byte)

    return rank


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., LocalIndex]:
    """Make an index of {id: text} or of passages, in a new folder."""

    def make(
        given: Mapping[str, str] | Iterable[Passage] = (), *, analyzer: str = "simple", folder: str = "index"
    ) -> LocalIndex:
        if isinstance(given, Mapping):
            given = [Passage(id=key, text=text) for key, text in given.items()]
        index = LocalIndex.create(tmp_path / folder, analyzer=analyzer)
        index.add(given)
        return index

    return make


@pytest.fixture(scope="session")
def collection(shared_data: Path) -> Callable[[str], tuple[list[Passage], dict[str, str], dict[str, dict[str, int]]]]:
    """Read (passages, queries, judgements) of a collection in BEIR's layout; skip where it is absent."""

    def read(name: str) -> tuple[list[Passage], dict[str, str], dict[str, dict[str, int]]]:
        folder = shared_data / "ir" / name
        if not folder.is_dir():
            pytest.skip(f"{name} is not here")
        with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = map(json.loads, lines)
            passages = [Passage(id=row["_id"], text=row["text"], title=row.get("title") or None) for row in rows]
        queries = (json.loads(line) for line in (folder / "queries.jsonl").read_text("utf-8").splitlines())
        judged: dict[str, dict[str, int]] = {}
        for line in next((folder / "qrels").iterdir()).read_text("utf-8").splitlines()[1:]:
            query, passage, grade = line.split("\t")
            judged.setdefault(query, {})[passage] = int(grade)
        return passages, {row["_id"]: row["text"] for row in queries}, judged

    return read


@pytest.fixture(scope="session")
def doomed() -> Callable[..., subprocess.Popen[str]]:
    """Start a child over a new index, which runs a script and is killed at the nth call of a function, or by the test."""

    def start(script: str, folder: Path, name: str = "none", nth: int = 0) -> subprocess.Popen[str]:
        LocalIndex.create(folder, analyzer="simple").close()
        command = [sys.executable, "-c", DEADLY + script, str(folder), name, str(nth)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    return start
