"""Searching a collection: BM25 as the local index has it, vectors, and several at once."""

import random
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groundwire.errors import InputError, Unavailable, UnknownName, UsageError
from groundwire.index import LocalIndex, MilvusIndex, open_index
from groundwire.stacks import build
from groundwire.types import Hit, Passage

WORDS = [f"{a}{b}" for a in "bcdfgklmnprst" for b in ("aring", "obble", "uts", "ickly", "e3", "o-o", "i.e", "ö")]
TEXTS = {
    "1": "red fox sleeps",
    "2": "red dog runs after a red ball",
    "3": "blue sky",
    "4": "blue fox",
    "5": "nothing of it",
}


def corpus(size: int) -> list[Passage]:
    """Texts of words with the frequencies that words have."""
    draw = random.Random(7)
    weights = [1 / (n + 1) for n in range(len(WORDS))]
    lengths = [draw.randint(1, 60) for _ in range(size)]
    texts = [" ".join(draw.choices(WORDS, weights, k=length)) for length in lengths]
    return [Passage(id=str(n), text=text, title=f"Title {n % 7}") for n, text in enumerate(texts)]


@pytest.mark.parametrize(("analyzer", "k1", "b"), [("english", 0.9, 0.4), ("none", 0.82, 0.68), ("simple", 1.2, 1.0)])
def test_bm25_ranks_as_the_local_index(spec: str, tmp_path: Path, analyzer: str, k1: float, b: float) -> None:
    passages = corpus(300)
    draw = random.Random(8)
    queries = [" ".join(draw.choices(WORDS, k=n % 12 + 1)) for n in range(40)]
    with (
        LocalIndex.create(tmp_path / "local", analyzer=analyzer) as local,
        MilvusIndex.create(spec, analyzer=analyzer, k1=k1, b=b) as milvus,
    ):
        local.add(passages)
        milvus.add(passages)
        ours, theirs = local.bm25(k1=k1, b=b), milvus.bm25()
        assert theirs.name == ours.name
        for one, other in zip(ours.retrieve(queries, 300), theirs.retrieve(queries, 300), strict=True):
            assert len(one) == len(other)
            assert scores(one) == pytest.approx(scores(other), rel=1e-5)
            assert [hit.passage.id for hit in apart(one)] == [hit.passage.id for hit in apart(other)]


def scores(hits: Sequence[Hit]) -> list[float]:
    return [hit.score for hit in hits]


def apart(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits whose scores are told from their neighbours' in single precision, whoever adds them up."""
    gaps = [abs(a - b) > 1e-5 * a for a, b in zip(scores(hits), scores(hits)[1:], strict=False)]
    return [hit for hit, above, below in zip(hits, [True, *gaps], [*gaps, True], strict=True) if above and below]


def test_where_the_two_differ(spec: str, tmp_path: Path) -> None:
    """A passage without a term counts in Milvus' statistics, and one that was removed goes on to count."""
    passages = [Passage(id="1", text="fox"), Passage(id="2", text="fox dog"), Passage(id="3", text="the of")]
    with LocalIndex.create(tmp_path / "local") as local, MilvusIndex.create(spec) as milvus:
        local.add(passages)
        milvus.add(passages)
        one, other = (index.bm25().retrieve(["fox"], 5)[0] for index in (local, milvus))
        assert [hit.passage.id for hit in one] == [hit.passage.id for hit in other]
        assert scores(one)[0] < scores(other)[0]
        before = scores(milvus.bm25().retrieve(["dog"], 5)[0])
        milvus.remove(["1", "3"])
        assert scores(milvus.bm25().retrieve(["dog"], 5)[0]) == before


def test_k1_and_b_are_those_of_the_collection(spec: str) -> None:
    with MilvusIndex.create(spec, k1=0.82, b=0.68) as index:
        assert index.bm25().name == "bm25(k1=0.82,b=0.68)"
        assert build(index.bm25().name, index).name == index.bm25().name
        for options in ({"k1": 0.9}, {"b": 0.4}, {"lengths": "lucene"}):
            with pytest.raises(UsageError):
                index.bm25(**options)
        with pytest.raises(UsageError, match=r"k1=0.82 and b=0.68") as refused:
            index.bm25(k1=0.9, b=0.4)
        assert "query time" in refused.value.hint


def test_passages_that_were_added_later_are_ranked_too(spec: str) -> None:
    with MilvusIndex.create(spec) as index:
        retriever = index.bm25()
        for id_, text in TEXTS.items():
            index.add([Passage(id=id_, text=text)])
            assert retriever.retrieve([text], 1)[0][0].passage.id == id_


@pytest.fixture
def full(spec: str, word_weights: Any, word_vectors: Any) -> Any:
    """An index that holds all three kinds of fields."""
    with closing(MilvusIndex.create(spec, sparse=word_weights(), dense=word_vectors())) as index:
        index.add(Passage(id=id_, text=text) for id_, text in TEXTS.items())
        yield index


def test_sparse_vectors_are_ranked_by_their_product(full: MilvusIndex) -> None:
    (hits,) = full.sparse().retrieve(["red ball"], 10)
    assert [hit.passage.id for hit in hits] == ["2", "1"]
    assert scores(hits) == pytest.approx([7.058, 3.014])
    assert full.sparse().retrieve(["", "zebra"], 10) == [[], []]


@pytest.mark.parametrize("metric", ["ip", "cosine"])
def test_dense_vectors_are_ranked_by_product_or_cosine(spec: str, word_vectors: Any, metric: str) -> None:
    model = word_vectors()
    passages, (query,) = model.encode(list(TEXTS.values()), query=False), model.encode(["red fox"], query=True)
    expected = passages @ query
    if metric == "cosine":
        expected = expected / np.linalg.norm(passages, axis=1) / np.linalg.norm(query)
    with MilvusIndex.create(spec, dense=model, metric=metric) as index:
        index.add(Passage(id=id_, text=text) for id_, text in TEXTS.items())
        (hits,) = index.dense().retrieve(["red fox"], 10)
    order = np.argsort(-expected)
    assert [hit.passage.id for hit in hits] == [list(TEXTS)[place] for place in order]
    assert scores(hits) == pytest.approx(expected[order].tolist(), rel=1e-5)


def test_a_passage_without_a_weight_is_kept(spec: str, word_weights: Any) -> None:
    with MilvusIndex.create(spec, sparse=word_weights()) as index:
        index.add([Passage(id="1", text=""), Passage(id="2", text="word")])
        assert index.passage("1").text == ""
        assert [hit.passage.id for hit in index.sparse().retrieve(["word"], 5)[0]] == ["2"]


@pytest.mark.parametrize("parts", [("bm25", "dense"), ("bm25", "sparse", "dense"), ("sparse", "dense")])
def test_hybrid_search_is_the_fusion_of_its_parts(full: MilvusIndex, parts: tuple[str, ...]) -> None:
    queries = ["red fox", "blue sky and a dog", "", "zebra"]
    hybrid = full.hybrid(parts)
    stack = build(hybrid.name, full)
    assert stack.name == hybrid.name == f"rrf({','.join(parts)})"
    for one, other in zip(hybrid.retrieve(queries, 10), stack.retrieve(queries, 10), strict=True):
        assert {hit.passage.id: hit.score for hit in one} == pytest.approx(
            {hit.passage.id: hit.score for hit in other}, rel=1e-5
        )
    assert full.hybrid(parts, constant=10).name == f"rrf({','.join(parts)},k=10)"
    assert hybrid.retrieve(["the of", ""], 3)[1] == []


def test_what_hybrid_search_cannot_do_is_refused(full: MilvusIndex) -> None:
    with pytest.raises(UnknownName):
        full.hybrid(("bm25", "magic"))
    for parts in (("bm25",), ("bm25", "bm25")):
        with pytest.raises(UsageError):
            full.hybrid(parts)
    with pytest.raises(UsageError):
        full.hybrid(depth=0)
    with pytest.raises(InputError):
        full.hybrid().retrieve(["a"], 0)


def test_vectors_are_searched_by_the_model_that_made_them(
    spec: str, word_vectors: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from groundwire import models

    MilvusIndex.create(spec, dense=word_vectors()).close()
    with closing(MilvusIndex.open(spec, dense=word_vectors(identity="2"))) as index:
        with pytest.raises(Unavailable, match="another version of vectors"):
            index.add([Passage(id="1", text="a")])
        with pytest.raises(Unavailable, match="not of other"):
            index.dense("other")
        with pytest.raises(Unavailable, match="no sparse vectors"):
            index.sparse()
        assert index.info().to_dict()["dense"] == "vectors"
    with (
        closing(MilvusIndex.open(spec, dense=word_vectors(name="other"))) as index,
        pytest.raises(Unavailable, match="holds vectors of vectors, not of other"),
    ):
        index.dense().retrieve(["a"], 1)
    opened: list[str] = []
    monkeypatch.setattr(models, "load_encoder", lambda name: opened.append(name) or word_vectors())
    with closing(open_index(spec)) as index:
        assert opened == []
        index.add([Passage(id="1", text="a b")])
        assert build("dense", index).retrieve(["a"], 1)[0][0].passage.id == "1"
    assert opened == ["vectors"]


def test_an_unknown_metric_is_refused(spec: str, word_vectors: Any) -> None:
    with pytest.raises(InputError, match="ip or cosine"):
        MilvusIndex.create(spec, dense=word_vectors(), metric="l2")
