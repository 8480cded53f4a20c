"""The compiled loops give what numpy's give, to the last bit: scores, order, ties, whatever is deleted or cut."""

import itertools
import random
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.index import LocalIndex, engine, kernels
from groundwire.index.engine import Engine
from groundwire.index.evaluate import Clause
from groundwire.types import Passage

needs_numba = pytest.mark.skipif(not kernels.installed(), reason="numba is not here")
WORDS = [f"w{i}" for i in range(30)]
Ranked = list[tuple[str, float]]


def by_both(ask: Callable[[], Any]) -> tuple[Any, Any]:
    """Ask with numpy's loops and with the compiled ones."""
    found = []
    for name in kernels.NAMES:
        kernels.use(name)
        found.append(ask())
    return found[0], found[1]


@needs_numba
@settings(max_examples=80, deadline=None)
@given(
    texts=st.lists(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join), min_size=1, max_size=60),
    query=st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=40).map(" ".join),
    cuts=st.lists(st.integers(0, 60), max_size=3),
    dead=st.sets(st.integers(0, 59), max_size=20),
    k=st.sampled_from([1, 3, 10, 1000]),
    k1=st.sampled_from([1e-6, 0.9, 0.82, 2.0, 1e9, 1e30]),
    b=st.sampled_from([0.0, 0.4, 0.68, 1.0]),
    lengths=st.sampled_from(["accurate", "lucene"]),
)
def test_any_corpus_is_ranked_as_by_numpy_and_by_the_formula(
    exhaustive: Callable[..., Ranked],
    texts: list[str],
    query: str,
    cuts: list[int],
    dead: set[int],
    k: int,
    k1: float,
    b: float,
    lengths: str,
) -> None:
    passages = [Passage(id=f"p{i}", text=text) for i, text in enumerate(texts)]
    edges = [0, *sorted(cuts), len(passages)]
    gone = {f"p{i}" for i in dead if i < len(passages)}
    with tempfile.TemporaryDirectory() as folder, LocalIndex.create(Path(folder) / "i", analyzer="simple") as index:
        for first, last in itertools.pairwise(edges):
            index.add(passages[first:last])
        index.remove(gone)
        plain, compiled = by_both(lambda: index.bm25(k1=k1, b=b, lengths=lengths).rank([query], k)[0])
    assert compiled == plain
    if lengths == "accurate" and k1 < 1e6:
        left = {p.id: p.text for p in passages if p.id not in gone}
        assert compiled == exhaustive(left, query, k1=k1, b=b)[:k]


@pytest.fixture(scope="module")
def long_corpus(tmp_path_factory: pytest.TempPathFactory) -> LocalIndex:
    """13 000 texts of words as frequent as words are: four windows, in two segments, some deleted."""
    rng = np.random.default_rng(3)
    drawn = np.minimum(rng.zipf(1.3, size=(13_000, 24)), 3000)
    lengths = rng.integers(2, 24, 13_000)
    index = LocalIndex.create(tmp_path_factory.mktemp("long") / "index", analyzer="none")
    passages = [
        Passage(id=f"d{i}", text=" ".join(map(str, row[:n].tolist())))
        for i, (row, n) in enumerate(zip(drawn, lengths.tolist(), strict=True))
    ]
    index.add(passages[:9500])
    index.add(passages[9500:])
    index.remove(f"d{i}" for i in range(0, 13_000, 11))
    assert len(index.segments) == 2
    return index


def some_queries(seed: int, count: int) -> list[str]:
    rng = np.random.default_rng(seed)
    sizes = rng.choice([1, 3, 8, 25, 90], count)
    return [" ".join(map(str, np.minimum(rng.zipf(1.2, n), 3100).tolist())) for n in sizes.tolist()]


@needs_numba
@pytest.mark.parametrize("k", [1, 10, 300, 50_000])
def test_windows_and_pruning_change_nothing(long_corpus: LocalIndex, k: int) -> None:
    queries = some_queries(5, 40)
    plain, compiled = by_both(lambda: long_corpus.bm25(k1=0.82, b=0.68).rank(queries, k))
    assert compiled == plain


@needs_numba
def test_rows_are_kept_up_to_a_limit(long_corpus: LocalIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = some_queries(6, 30)
    kernels.use("numpy")
    plain = long_corpus.bm25().rank(queries, 10)
    kernels.use("compiled")
    for most in (1, 1 << 10, 128 << 20):
        monkeypatch.setattr(engine, "_KEPT_BYTES", most)
        retriever = long_corpus.bm25()
        assert [retriever.rank(queries, 10) for _ in range(2)] == [plain, plain]


@needs_numba
def test_many_threads_share_a_retriever(long_corpus: LocalIndex) -> None:
    queries = some_queries(7, 25)
    kernels.use("numpy")
    plain = long_corpus.bm25().rank(queries, 10)
    kernels.use("compiled")
    retriever, wrong = long_corpus.bm25(), []

    def ask(seed: int) -> None:
        order = random.Random(seed).sample(range(len(queries)), len(queries))
        wrong.extend(i for i in order if retriever.rank([queries[i]], 10)[0] != plain[i])

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@needs_numba
def test_codes_of_two_bytes(made: Callable[..., LocalIndex]) -> None:
    rng = random.Random(4)
    texts = {
        f"p{i}": " ".join(rng.choices(WORDS, [1 / n for n in range(1, 31)], k=rng.randrange(1, 900)))
        for i in range(400)
    }
    index = made(texts)
    assert index.segments[0].postings.unchecked()[1].dtype == np.uint16
    queries = [" ".join(rng.choices(WORDS, k=n)) for n in (1, 2, 5, 20) * 3]
    plain, compiled = by_both(lambda: index.bm25().rank(queries, 10))
    assert compiled == plain


@needs_numba
@pytest.mark.parametrize("k", [1, 10, 20_000])
def test_weights_that_are_multiplied(long_corpus: LocalIndex, k: int) -> None:
    segment = long_corpus.segments[0]
    lists = segment.postings
    impacts = (1 + lists.pairs().frequency % 7).astype(np.float32)
    rng = random.Random(k)
    for _ in range(12):
        places = rng.sample(range(len(lists)), 20)
        clauses = [Clause(*lists.span(place), np.float32(rng.randrange(1, 300)), 0.0) for place in places]
        clauses = sorted(
            (clause._replace(bound=float(clause.weight) * 7) for clause in clauses), key=lambda c: (-c.bound, c.start)
        )
        plain, compiled = by_both(
            lambda clauses=clauses: best(Engine(lists, impacts, segment.alive, multiplied=True).top(clauses, k), k)
        )
        assert compiled == plain


def best(found: tuple[Any, Any], k: int) -> list[tuple[float, int]]:
    """Return the best k and what ties with the last of them."""
    ranked = sorted((-total, number) for number, total in zip(found[0].tolist(), found[1].tolist(), strict=True))
    return [entry for entry in ranked if entry[0] <= ranked[:k][-1][0]]


@needs_numba
def test_more_ties_than_there_is_room_for(made: Callable[..., LocalIndex]) -> None:
    index = made({f"{i:05d}": "same words" for i in range(6000)})
    plain, compiled = by_both(lambda: index.bm25().rank(["same words", "same"], 5))
    assert compiled == plain
    assert [key for key, _ in compiled[0]] == [f"{i:05d}" for i in range(5)]


@needs_numba
def test_a_floor_leaves_out_what_is_under_it(long_corpus: LocalIndex) -> None:
    segment = long_corpus.segments[0]
    values = np.full(len(segment.postings.pairs().frequency), 2, np.float32)
    clause = Clause(*segment.postings.span(3), np.float32(4), 4.0)
    kernels.use("compiled")
    searcher = Engine(segment.postings, values, segment.alive)
    assert len(searcher.top([clause], 10, 2.1)[0]) == 0
    assert len(searcher.top([clause], 10, 2.0)[0]) > 0
    assert len(searcher.top([], 10)[0]) == 0
