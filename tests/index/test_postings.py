"""Inverted lists: terms are found, codes give their pairs back in one byte and in two, bounds bound."""

import random
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from groundwire.index import LocalIndex
from groundwire.index.postings import EMPTY, LONG, STEPS

Ranked = list[tuple[str, float]]


def corpus(kind: str) -> dict[str, str]:
    """Texts with few pairs of (frequency, length), with more than a byte can say, and with very many."""
    rng = random.Random(4)
    most = {"few": 8, "rare": 40, "many": 3000}[kind]
    count = 150 if kind == "many" else 600
    return {
        f"p{i}": " ".join(f"w{int(rng.paretovariate(0.7)) % 300}" for _ in range(rng.randint(most // 2, most)))
        for i in range(count)
    }


@pytest.mark.parametrize(("kind", "width"), [("few", "|u1"), ("rare", "|u1"), ("many", "<u2")])
def test_every_posting_has_its_frequency_and_length(
    made: Callable[..., LocalIndex], exhaustive: Callable[..., Ranked], kind: str, width: str
) -> None:
    texts = corpus(kind)
    index = made(texts)
    [segment] = index.segments
    lists, pairs = segment.postings, segment.postings.pairs()
    assert lists.codes(0, 1)[0].dtype == np.dtype(width)
    assert (len(pairs.count) > lists.escape) == (kind == "rare")
    held = {key: Counter(text.split()) for key, text in texts.items()}
    assert len(lists) == len(set().union(*held.values()))
    for term in ("w1", "w2", "w7", sorted(set().union(*held.values()))[-1]):
        start, stop = lists.span(lists.find(term))
        found = lists.pair_numbers(start, stop)
        got = {
            segment.store.id(number): (frequency, length)
            for number, frequency, length in zip(
                lists.numbers.part(start, stop).tolist(),
                pairs.frequency[found].tolist(),
                pairs.length[found].tolist(),
                strict=True,
            )
        }
        assert got == {key: (c[term], c.total()) for key, c in held.items() if c[term]}
        at = np.arange(0, stop - start, 3)
        assert lists.pairs_at(start, at).tolist() == found[at].tolist()
    query = "w1 w2 w3 w50 w120 w299"
    assert index.bm25().rank([query], 10)[0] == exhaustive(texts, query)[:10]


@pytest.mark.parametrize("kind", ["few", "rare", "many"])
def test_bounds_are_those_of_the_list(made: Callable[..., LocalIndex], kind: str) -> None:
    [segment] = made(corpus(kind)).segments
    lists, pairs = segment.postings, segment.postings.pairs()
    longs, peaks, least = lists.bounds()
    sizes = np.diff(lists.offsets.whole().astype(np.int64))
    assert longs.tolist() == np.flatnonzero(sizes >= LONG).tolist()
    for term, peak, row in zip(longs.tolist(), peaks.tolist(), least.tolist(), strict=True):
        found = lists.pair_numbers(*lists.span(term))
        frequency, length = pairs.frequency[found], pairs.length[found]
        assert peak == frequency.max()
        for low, high, shortest in zip(STEPS, [*STEPS[1:], 1 << 31], row, strict=True):
            inside = length[(frequency >= low) & (frequency < high)]
            assert shortest == (min(int(inside.min()), EMPTY - 1) if len(inside) else EMPTY)


def test_terms_are_found_and_others_are_not(made: Callable[..., LocalIndex]) -> None:
    words = sorted({f"w{i * i}" for i in range(200)} | {"é", "漢", "a"})
    [segment] = made({"p": " ".join(words)}).segments
    lists = segment.postings
    assert [term.decode() for term in lists.terms(0, len(lists))] == sorted(words, key=str.encode)
    assert [lists.find(word) for word in sorted(words, key=str.encode)] == list(range(len(words)))
    assert [lists.find(word) for word in ("", "w", "w2", "zzz", "\uffff")] == [-1] * 5
