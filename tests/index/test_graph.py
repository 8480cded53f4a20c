"""Graphs over vectors: they miss little, every score is the exact one, and they are kept as durably as all else."""

from collections.abc import Callable

import numpy as np
import pytest

from groundwire.errors import CorruptIndex, MissingExtra, UsageError
from groundwire.index import LocalIndex, graph
from groundwire.stacks import build
from groundwire.testing import WordVectors, WordWeights
from groundwire.types import Passage

Maker = Callable[..., LocalIndex]
WORDS = [f"w{n}" for n in range(300)]


def texts(count: int) -> dict[str, str]:
    rng = np.random.default_rng(7)
    return {f"p{n}": " ".join(rng.choice(WORDS, 8)) for n in range(count)}


def graphed(made: Maker, count: int, **options: object) -> tuple[LocalIndex, WordVectors]:
    pytest.importorskip("usearch")
    encoder, index = WordVectors(size=32), made(texts(count))
    assert index.embed(encoder, graph=True, **options).graphed == count
    return index, encoder


@pytest.mark.parametrize("storage", ["float32", "int8", "int8+float32"])
def test_nearly_all_of_the_best_are_found_and_their_scores_are_exact(made: Maker, storage: str) -> None:
    index, encoder = graphed(made, 3000, storage=storage)
    queries = [" ".join(WORDS[n : n + 5]) for n in range(0, 250, 5)]
    near = index.dense(encoder).rank(queries, 10)
    exact = [dict(ranked) for ranked in index.dense(encoder, exact=True).rank(queries, 10)]
    everything = [dict(ranked) for ranked in index.dense(encoder, exact=True).rank(queries, 3000)]
    found = [len(exact[n].keys() & dict(ranked).keys()) for n, ranked in enumerate(near)]
    assert np.mean(found) / 10 >= 0.99
    assert all(score == everything[n][key] for n, ranked in enumerate(near) for key, score in ranked)


def test_what_the_graph_does_not_know_is_found_all_the_same(made: Maker) -> None:
    index, encoder = graphed(made, 400)
    index.add([Passage(id="new", text="w1 w2 w3 " * 5)])
    index.embed(encoder)
    assert index.dense(encoder).rank(["w1 w2 w3"], 1)[0][0][0] == "new"
    index.remove(["new", *(f"p{n}" for n in range(390))])
    left = index.dense(encoder).rank(["w1 w2 w3"], 20)[0]
    assert left == index.dense(encoder, exact=True).rank(["w1 w2 w3"], 20)[0]
    assert len(left) == 10


def test_a_merge_drops_it_and_another_call_makes_it_again(made: Maker) -> None:
    index, encoder = graphed(made, 50)
    index.add([Passage(id="new", text="w1 w2 w3")])
    index.embed(encoder)
    index.compact()
    assert not list(index.folder.glob("*.graph"))
    assert index.embed(encoder).graphed == 0
    assert index.embed(encoder, graph=True).to_dict() | {"encoded": 0, "graphed": 51} == index.embed(encoder).to_dict()


def test_only_large_ones_get_one_unasked(made: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("usearch")
    monkeypatch.setattr(graph, "BEYOND", 20)
    small, large = made(texts(20), folder="small"), made(texts(21), folder="large")
    assert [index.embed(WordVectors()).graphed for index in (small, large)] == [0, 21]
    assert made(texts(21), folder="none").embed(WordVectors(), graph=False).graphed == 0
    monkeypatch.setattr(graph, "installed", lambda: False)
    assert made(texts(21), folder="without").embed(WordVectors()).graphed == 0
    with pytest.raises(MissingExtra, match=r"groundwire\[usearch\]"):
        small.embed(WordVectors(), graph=True)


def test_it_outlives_the_process_and_the_same_vectors_make_the_same(made: Maker) -> None:
    index, encoder = graphed(made, 300)
    other = made(texts(300), folder="other")
    other.embed(encoder, graph=True)
    assert index.contents() == other.contents()
    with LocalIndex.open(index.folder) as again:
        assert again.check() == []
        assert again.dense(encoder).rank(["w1 w2"], 5) == index.dense(encoder).rank(["w1 w2"], 5)


def test_a_damaged_one_is_never_read(made: Maker) -> None:
    index, encoder = graphed(made, 300)
    (path,) = index.folder.glob("*.graph")
    data = bytearray(path.read_bytes())
    for place in range(9, len(data), len(data) // 40):
        data[place] ^= 4
        path.write_bytes(data)
        assert index.check() == [f"{path} is not the file that index.json lists"]
        with pytest.raises(CorruptIndex, match=path.name):
            LocalIndex.open(index.folder).dense(encoder).rank(["w1"], 5)
        data[place] ^= 4


def test_weights_of_terms_have_none_and_a_stack_can_ask_for_all(made: Maker) -> None:
    index, encoder = graphed(made, 30)
    with pytest.raises(UsageError, match="makes no vectors"):
        index.embed(WordWeights(), graph=True)

    class Named(LocalIndex):
        def dense(self, model=None, *, exact=False):
            return super().dense(encoder, exact=exact)

    opened = Named.open(index.folder)
    for spec in ("dense", "dense(exact=yes)", "dense(model=word-vectors,exact=yes)"):
        assert build(spec, opened).name == spec
        assert build(spec, opened).retrieve(["w1"], 3)
