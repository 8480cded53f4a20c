"""Learned term weights: sums of products, exactly, whatever the lists are and however they are pruned."""

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.errors import InputError
from groundwire.index import LocalIndex, embedding, evaluate
from groundwire.protocols import Retriever
from groundwire.testing import WordWeights
from groundwire.types import Passage

Maker = Callable[..., LocalIndex]
Terms = dict[str, int]


class Given:
    """The weights of texts, as they are given."""

    name, identity = "given", "1"

    def __init__(self, weights: dict[str, Terms]) -> None:
        self.weights = weights

    def impacts(self, texts: Sequence[str], *, query: bool) -> list[Terms]:
        return [self.weights[text] for text in texts]

    def cut(self, texts: Sequence[str], *, query: bool) -> list[bool]:
        return [False] * len(texts)


def exhaustive(texts: dict[str, Terms], query: Terms, k: int) -> list[tuple[str, float]]:
    scores = {key: sum(n * terms[term] for term, n in query.items() if term in terms) for key, terms in texts.items()}
    found = ((key, score) for key, score in scores.items() if score)
    return sorted(found, key=lambda entry: (-entry[1], entry[0]))[:k]


WEIGHTS = st.dictionaries(st.sampled_from([f"t{i}" for i in range(12)] + ["é", "##s"]), st.integers(1, 400), max_size=8)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(WEIGHTS, min_size=1, max_size=25), queries=st.lists(WEIGHTS, max_size=4), k=st.integers(1, 30))
def test_any_weights_are_ranked_as_by_comparing_all(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Terms], queries: list[Terms], k: int
) -> None:
    texts = {f"p{i}": row for i, row in enumerate(rows)}
    asked = {f"q{i}": row for i, row in enumerate(queries)}
    index = LocalIndex.create(tmp_path_factory.mktemp("random") / "index", analyzer="simple")
    for some in (list(texts)[::2], list(texts)[1::2]):
        index.add(Passage(id=key, text=key) for key in some)
        index.embed(Given(texts))
    ranked = index.sparse(Given(asked)).rank(list(asked), k)
    assert ranked == [exhaustive(texts, query, k) for query in asked.values()]


@pytest.fixture(scope="module")
def corpus() -> dict[str, Terms]:
    """Weights over Zipf's vocabulary, as long as those of a real encoder."""
    rng = random.Random(5)
    return {
        f"p{i}": {
            f"t{int(rng.paretovariate(0.5)) % 3000}": 1 + int(rng.paretovariate(1.2) * 20) % 500 for _ in range(60)
        }
        for i in range(4000)
    }


def test_a_long_corpus_is_pruned_without_loss(
    corpus: dict[str, Terms], made: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "MOST", 1500)
    index = made(Passage(id=key, text=key) for key in corpus)
    index.embed(Given(corpus))
    index.remove([f"p{i}" for i in range(0, 4000, 7)])
    left = {key: terms for key, terms in corpus.items() if int(key[1:]) % 7}
    looked: list[int] = []
    probe = evaluate.Evaluation._probe
    monkeypatch.setattr(evaluate.Evaluation, "_probe", lambda *given: [looked.append(1), probe(*given)][1])
    rng = random.Random(6)
    asked = {
        f"q{i}": {f"t{int(rng.paretovariate(0.4)) % 3000}": 1 + rng.randrange(300) for _ in range(25)}
        for i in range(12)
    }
    for k in (1, 10, 200):
        ranked = index.sparse(Given(asked)).rank(list(asked), k)
        assert ranked == [exhaustive(left, query, k) for query in asked.values()]
    assert len(looked) > 20
    index.compact()
    assert index.sparse(Given(asked)).rank(list(asked), 200) == ranked


def test_texts_and_queries_without_a_term(made: Maker) -> None:
    index = made({"a": "cat dog", "b": "", "c": "dog"})
    index.embed(WordWeights())
    retriever = index.sparse(WordWeights())
    assert isinstance(retriever, Retriever)
    blank, unknown, found = retriever.retrieve(["", "zzz", "cat"], 5)
    assert (blank, unknown, [hit.passage.id for hit in found]) == ([], [], ["a"])
    assert found[0].by == "sparse(model=word-weights)"
    with pytest.raises(InputError):
        retriever.retrieve(["cat"], 0)


def test_an_index_of_nothing_but_empty_rows(made: Maker) -> None:
    index = made({"a": "", "b": " "})
    index.embed(WordWeights())
    index.add([Passage(id="c", text="")])
    index.embed(WordWeights())
    index.compact()
    assert index.sparse(WordWeights()).rank(["cat"], 5) == [[]]
