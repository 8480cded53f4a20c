"""BM25 is Lucene's, to the bit, over segments, deletions and merges; pruning changes nothing."""

import itertools
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.errors import InputError, UnknownName
from groundwire.index import LocalIndex
from groundwire.index import bm25 as bm25_module
from groundwire.protocols import Retriever
from groundwire.types import Passage

MICRO = {
    "doc1": "here is some text here is some more text. city.",
    "doc2": "more texts",
    "doc3": "here is a test",
}


@pytest.mark.parametrize("lengths", ["accurate", "lucene"])
def test_the_five_scores_of_the_micro_corpus(made: Callable[..., LocalIndex], lengths: str) -> None:
    retriever = made(MICRO, analyzer="english").bm25(k1=0.9, b=0.4, lengths=lengths)
    ranked = retriever.rank(["test", "more", "text"], 10)
    expected = [
        [("doc3", 0.57020)],
        [("doc2", 0.27330), ("doc1", 0.20800)],
        [("doc1", 0.28830), ("doc2", 0.27330)],
    ]
    assert [[key for key, _ in one] for one in ranked] == [[key for key, _ in one] for one in expected]
    for one, other in zip(ranked, expected, strict=True):
        assert [score for _, score in one] == pytest.approx([score for _, score in other], abs=6e-5)


WORDS = [f"w{i}" for i in range(30)]
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join), min_size=1, max_size=60)


@settings(max_examples=60, deadline=None)
@given(
    texts=texts,
    query=st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=40).map(" ".join),
    cuts=st.lists(st.integers(0, 60), max_size=3),
    dead=st.sets(st.integers(0, 59), max_size=20),
    k=st.sampled_from([1, 3, 10, 1000]),
    settings_=st.sampled_from(
        [(0.9, 0.4, "accurate"), (0.82, 0.68, "lucene"), (1.2, 1.0, "accurate"), (2.0, 0.0, "lucene")]
    ),
    compact=st.booleans(),
)
def test_any_corpus_is_ranked_as_by_the_formula(
    exhaustive: Callable[..., list[tuple[str, float]]],
    texts: list[str],
    query: str,
    cuts: list[int],
    dead: set[int],
    k: int,
    settings_: tuple[float, float, str],
    compact: bool,
) -> None:
    k1, b, lengths = settings_
    passages = [Passage(id=f"p{i}", text=text) for i, text in enumerate(texts)]
    edges = [0, *sorted(cuts), len(passages)]
    gone = {f"p{i}" for i in dead if i < len(passages)}
    with tempfile.TemporaryDirectory() as folder:
        index = LocalIndex.create(Path(folder) / "index", analyzer="simple")
        for first, last in itertools.pairwise(edges):
            index.add(passages[first:last])
        assert index.remove(gone) == len(gone)
        if compact:
            index.compact()
        ranked = index.bm25(k1=k1, b=b, lengths=lengths).rank([query], k)[0]
    left = {p.id: p.text for p in passages if p.id not in gone}
    byte = (lambda n: int(bm25_module.rounded(np.array(n)))) if lengths == "lucene" else int
    assert ranked == exhaustive(left, query, k1=k1, b=b, byte=byte)[:k]


@pytest.fixture(scope="module")
def zipf() -> dict[str, str]:
    """4 000 texts of words as frequent as words are, so that lists are long enough to be left out."""
    rng = np.random.default_rng(3)
    drawn = np.minimum(rng.zipf(1.25, size=(4000, 40)), 6000)
    lengths = rng.integers(5, 40, 4000)
    return {f"d{i}": " ".join(f"t{w}" for w in drawn[i, : lengths[i]]) for i in range(4000)}


@pytest.mark.parametrize("look", [2048, 16])
def test_pruning_changes_no_score_and_no_rank(
    zipf: dict[str, str], made: Callable[..., LocalIndex], monkeypatch: pytest.MonkeyPatch, look: int
) -> None:
    from groundwire.index import evaluate

    index = made(zipf)
    index.remove(f"d{i}" for i in range(0, 4000, 17))
    rng = np.random.default_rng(5)
    queries = [" ".join(f"t{w}" for w in np.minimum(rng.zipf(1.2, n), 6000)) for n in [3, 6, 25, 40] * 12]
    monkeypatch.setattr(evaluate, "_LOOK", 1 << 60)
    monkeypatch.setattr(evaluate, "SLACK", 0.0)
    whole = {k: index.bm25().rank(queries, k) for k in (1, 10, 100)}
    monkeypatch.undo()
    monkeypatch.setattr(evaluate, "_LOOK", look)
    looked = []
    probe = evaluate.Evaluation._probe
    monkeypatch.setattr(evaluate.Evaluation, "_probe", lambda *given: (looked.append(1), probe(*given)))
    for k, expected in whole.items():
        assert index.bm25().rank(queries, k) == expected
    assert len(looked) > 100


def test_a_long_corpus_is_ranked_as_by_the_formula(
    zipf: dict[str, str], made: Callable[..., LocalIndex], exhaustive: Callable[..., list[tuple[str, float]]]
) -> None:
    rng = random.Random(7)
    queries = [" ".join(f"t{int(rng.paretovariate(0.4)) % 6000}" for _ in range(n)) for n in (2, 8, 30)]
    retriever = made(zipf).bm25(k1=0.82, b=0.68)
    for query in queries:
        assert retriever.rank([query], 10)[0] == exhaustive(zipf, query, k1=0.82, b=0.68)[:10]


def test_ties_go_by_the_id_as_a_string(made: Callable[..., LocalIndex]) -> None:
    index = made({str(i): "same words" for i in range(120)})
    index.add(Passage(id=key, text="same words") for key in ("1000", "Z", "", "é")[0:2])
    ranked = index.bm25().rank(["same"], 5)[0]
    assert [key for key, _ in ranked] == ["0", "1", "10", "100", "1000"]


def test_a_repeated_term_counts_as_often_as_it_stands(made: Callable[..., LocalIndex]) -> None:
    index = made({"a": "cat dog", "b": "dog"})
    [[(_, once)], [(_, twice)]] = index.bm25().rank(["cat", "cat cat"], 1)
    assert twice == pytest.approx(2 * once)


def test_passages_without_a_term_are_in_no_statistic(
    made: Callable[..., LocalIndex], exhaustive: Callable[..., list[tuple[str, float]]]
) -> None:
    texts = {"a": "cat", "b": "cat dog", "c": "...", "d": ""}
    index = made(texts)
    assert index.bm25().rank(["cat dog"], 9)[0] == exhaustive(texts, "cat dog")
    assert index.info().passages == 4


def test_title_and_text_are_one_field(made: Callable[..., LocalIndex]) -> None:
    both = made([Passage(id="a", title="harbour", text="city"), Passage(id="b", text="city")])
    joined = made({"a": "harbour city", "b": "city"}, folder="joined")
    assert both.bm25().rank(["harbour city"], 2) == joined.bm25().rank(["harbour city"], 2)


@pytest.mark.parametrize("query", ["", "   ", "the of and", "\x00", "unheard"])
def test_a_query_without_a_known_term_has_no_hits(made: Callable[..., LocalIndex], query: str) -> None:
    assert made(MICRO, analyzer="english").bm25().retrieve([query], 10) == [[]]


def test_a_query_of_five_thousand_terms(
    zipf: dict[str, str], made: Callable[..., LocalIndex], exhaustive: Callable[..., list[tuple[str, float]]]
) -> None:
    texts = dict(list(zipf.items())[:300])
    query = " ".join(f"t{i % 5500}" for i in range(5000))
    assert made(texts).bm25().rank([query], 10)[0] == exhaustive(texts, query)[:10]


def test_an_empty_index_has_no_hits(made: Callable[..., LocalIndex]) -> None:
    assert made().bm25().retrieve(["anything"], 10) == [[]]


def test_a_retriever_sees_what_comes_and_goes(made: Callable[..., LocalIndex]) -> None:
    index = made({"a": "cat"})
    retriever = index.bm25()
    assert [hit.passage.id for hit in retriever.retrieve(["cat"], 5)[0]] == ["a"]
    index.add([Passage(id="b", text="cat")])
    assert [hit.passage.id for hit in retriever.retrieve(["cat"], 5)[0]] == ["a", "b"]
    index.remove(["a"])
    [hit] = retriever.retrieve(["cat"], 5)[0]
    assert (hit.passage, hit.by) == (Passage(id="b", text="cat"), "bm25")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({}, "bm25"),
        ({"k1": 0.9, "b": 0.4}, "bm25"),
        ({"k1": 0.82, "b": 0.68}, "bm25(k1=0.82,b=0.68)"),
        ({"lengths": "lucene"}, "bm25(lengths=lucene)"),
    ],
)
def test_the_name_prints_back(made: Callable[..., LocalIndex], given: dict[str, float], name: str) -> None:
    retriever = made().bm25(**given)
    assert isinstance(retriever, Retriever)
    assert retriever.name == name


@pytest.mark.parametrize("given", [{"k1": 0.0}, {"k1": float("nan")}, {"b": 1.5}, {"b": -0.1}, {"k1": float("inf")}])
def test_impossible_settings_are_refused(made: Callable[..., LocalIndex], given: dict[str, float]) -> None:
    with pytest.raises(InputError):
        made().bm25(**given)


def test_unknown_lengths_and_no_hits_are_refused(made: Callable[..., LocalIndex]) -> None:
    index = made()
    with pytest.raises(UnknownName):
        index.bm25(lengths="exact")
    with pytest.raises(InputError):
        index.bm25().retrieve(["a"], 0)


def test_the_grid_of_one_byte() -> None:
    shown = [*range(41), *range(42, 57, 2), *range(60, 89, 4), *range(96, 153, 8), 168]
    lengths = np.arange(169)
    below = np.array(shown)[np.searchsorted(shown, lengths, side="right") - 1]
    assert bm25_module.rounded(lengths).tolist() == below.tolist()
    assert bm25_module.rounded(np.array([100, 300, 1000], np.uint16)).tolist() == [96, 280, 984]


@pytest.mark.parametrize(
    ("name", "terms", "tokens", "mean", "at30"),
    [("cacm", 6110, 113_867, 0.3224, 0.1917), ("vaswani", 7963, 306_495, 0.2856, 0.2384)],
)
def test_real_collections_give_the_published_figures(
    collection: Callable, made: Callable[..., LocalIndex], name: str, terms: int, tokens: int, mean: float, at30: float
) -> None:
    passages, queries, judged = collection(name)
    index = made(passages, analyzer="english")
    info = index.info()
    assert (info.passages, info.terms, info.tokens) == (len(passages), terms, tokens)
    asked = [query for query in queries if any(judged.get(query, {}).values())]
    ranked = index.bm25(lengths="lucene").rank([queries[query] for query in asked], 1000)
    precise, thirty = [], []
    for query, hits in zip(asked, ranked, strict=True):
        right = [judged[query].get(key, 0) > 0 for key, _ in hits]
        places = np.flatnonzero(right)
        total = sum(grade > 0 for grade in judged[query].values())
        precise.append(((np.arange(len(places)) + 1) / (places + 1)).sum() / total)
        thirty.append(sum(right[:30]) / 30)
    assert round(float(np.mean(precise)), 4) == pytest.approx(mean, abs=1e-4)
    assert round(float(np.mean(thirty)), 4) == pytest.approx(at30, abs=1e-4)
