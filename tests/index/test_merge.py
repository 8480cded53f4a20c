"""Merging: which segments, and that what comes out is what one segment of all would be."""

import random
from collections.abc import Callable

import pytest

from groundwire.index import LocalIndex, merge
from groundwire.types import Passage


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([], []),
        ([5], []),
        ([5, 5], [0, 1]),
        ([100, 5], []),
        ([100, 30, 20], [0, 1, 2]),
        ([100, 5, 4, 1], [1, 2, 3]),
        ([1, 100, 1], [0, 2]),
        ([0, 7], []),
    ],
)
def test_small_segments_are_merged_and_large_ones_left(sizes: list[int], expected: list[int]) -> None:
    assert merge.chosen(sizes) == expected


def test_sizes_stay_apart_and_work_stays_small() -> None:
    sizes: list[int] = []
    written = 0
    for _ in range(2000):
        sizes.append(1)
        while chosen := merge.chosen(sizes):
            total = sum(sizes[i] for i in chosen)
            sizes = [*(s for i, s in enumerate(sizes) if i not in chosen), total]
            written += total
    assert len(sizes) <= 11
    assert written < 2000 * 12


@pytest.mark.parametrize("slab", [1, 50, 1 << 22])
def test_merged_is_what_one_segment_would_be(
    made: Callable[..., LocalIndex], monkeypatch: pytest.MonkeyPatch, slab: int
) -> None:
    monkeypatch.setattr(merge, "_SLAB", slab)
    monkeypatch.setattr("groundwire.index.store.BLOCK", 200)
    rng = random.Random(6)
    given = [
        Passage(id=f"p{i}", text=" ".join(f"w{int(rng.paretovariate(0.6)) % 99}" for _ in range(rng.randint(0, 30))))
        for i in range(120)
    ]
    dead = {f"p{i}" for i in range(0, 120, 7)} | {f"p{i}" for i in range(40, 60)}
    index = made()
    monkeypatch.setattr(merge, "chosen", lambda sizes: [])
    for first in range(0, 120, 20):
        index.add(given[first : first + 20])
    index.remove(dead)
    monkeypatch.undo()
    monkeypatch.setattr(merge, "_SLAB", slab)
    assert index.info().segments == 5  # the sixth holds nothing that is left
    before = index.info()
    index.compact()
    whole = made([p for p in given if p.id not in dead], folder="whole")
    [one], [two] = index.segments, whole.segments
    assert list(index.passages()) == list(whole.passages())
    assert one.live_terms() == two.live_terms()
    assert one.postings.lengths.whole().tolist() == two.postings.lengths.whole().tolist()
    assert one.postings.numbers.whole().tolist() == two.postings.numbers.whole().tolist()
    pairs = [
        [(p.frequency[n], p.length[n]) for n in s.postings.pair_numbers(0, s.postings.total).tolist()]
        for s in (one, two)
        for p in [s.postings.pairs()]
    ]
    assert pairs[0] == pairs[1]
    after = index.info()
    assert (after.passages, after.tokens, after.terms, after.documents) == (
        before.passages,
        before.tokens,
        before.terms,
        before.documents,
    )
    queries = ["w1 w2 w3", "w5 w7 w11 w40"]
    assert index.bm25().rank(queries, 20) == whole.bm25().rank(queries, 20)
