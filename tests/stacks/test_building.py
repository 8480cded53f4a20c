"""Stacks over an index that stands in for one: it knows BM25's parameters and finds by words in common."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from groundwire import models
from groundwire.errors import MissingModel, Unavailable, UnknownName, UsageError
from groundwire.stacks import build, names
from groundwire.testing import OverlapModel
from groundwire.types import Hit, Passage

TEXTS = {"1": "a red fox", "2": "a red dog runs", "3": "the blue sky", "4": "red red red"}


@dataclass(frozen=True)
class Words:
    name: str

    def retrieve(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        found = []
        for query in queries:
            scores = {i: len(set(query.split()) & set(text.split())) for i, text in TEXTS.items()}
            order = sorted((i for i in scores if scores[i]), key=lambda i: (-scores[i], i))[:k]
            found.append([Hit(passage=Passage(id=i, text=TEXTS[i]), score=scores[i], by=self.name) for i in order])
        return found


class Lexical:
    def bm25(self, *, k1: float = 0.9, b: float = 0.4, lengths: str = "accurate") -> Words:
        given = [f"k1={k1}"] * (k1 != 0.9) + [f"b={b}"] * (b != 0.4) + [f"lengths={lengths}"] * (lengths != "accurate")
        return Words("bm25" + f"({','.join(given)})" * bool(given))


class Vectors(Lexical):
    def __init__(self) -> None:
        self.asked: list[tuple[str, str | None]] = []

    def dense(self, model: str | None, *, exact: bool = False) -> Words:
        self.asked.append(("dense", model))
        return Words(str(model))

    def sparse(self, model: str | None) -> Words:
        self.asked.append(("sparse", model))
        return Words(str(model))


class Prefers:
    name = "prefers"

    def prefer(self, query: str, texts: Sequence[str]) -> list[float]:
        return [float(-len(text)) for text in texts]


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Load no weights; return which were asked for."""
    asked: list[str] = []
    monkeypatch.setattr(models, "load_scorer", lambda name: asked.append(name) or OverlapModel())
    monkeypatch.setattr(models, "load_duo", lambda name: asked.append(name) or Prefers())
    return asked


@pytest.mark.parametrize(
    "spec",
    [
        "bm25",
        "bm25(k1=0.82,b=0.68)",
        "bm25(lengths=lucene)",
        "bm25:1000",
        "bm25+mini",
        "bm25:1000+mini:100",
        "bm25+mini(title=no):20",
        "bm25+mini:cosine",
        "bm25+mini(first=0.5):50",
        "bm25+mini(first=0,title=no)",
        "bm25+monot5(first=0.25)+mini",
        "(bm25|dense)+mini",
        "(bm25|dense):20+mini:cosine",
        "dense(exact=yes)",
        "minilm(exact=yes)",
        "(bm25+mini):5",
        "(bm25+mini):50+monot5",
        "rrf(bm25,dense)",
        "rrf(bm25(k1=0.82,b=0.68),dense:100,k=10)+mini",
        "weighted(bm25,ance,alpha=0.5,normalise=yes)",
        "rrf(dense(model=encoder:ORG/NAME):100,sparse(model=distilsplade-max))",
        "(splade|ance)+monot5-10k+duot5:50",
        "(splade|ance)+monot5-10k+duot5",
        "bm25+duot5:10",
        "bm25+duot5(title=no):10",
        "(bm25|rrf(sparse,minilm)|(ance|uae):10):20",
        "neural",
        "neural:10+mini",
        "bm25+cross-encoder:ORG/NAME:50",
    ],
)
def test_a_stack_prints_as_what_builds_it(spec: str, loaded: list[str]) -> None:
    assert build(spec, Vectors()).name == spec
    assert build("  " + spec.replace("+", " + ").replace("|", " | "), Vectors()).name == spec


def test_what_is_the_default_is_left_out_and_builds_the_same(loaded: list[str]) -> None:
    assert build("bm25(k1=0.9,b=0.4)", Lexical()).name == "bm25"
    assert build("rrf(bm25,bm25,k=60)", Lexical()).name == "rrf(bm25,bm25)"
    assert build("((bm25)+mini)", Lexical()).name == "bm25+mini"
    assert build("bm25+mini(first=0.3)", Lexical()).name == "bm25+mini"
    assert build("bm25+monot5(first=0)", Lexical()).name == "bm25+monot5"
    assert build("dense(exact=no)", Vectors()).name == "dense"


def test_a_stack_finds(loaded: list[str]) -> None:
    (hits,) = build("bm25+mini:2", Lexical()).retrieve(["red dog"], 3)
    assert [(hit.passage.id, hit.by) for hit in hits] == [("2", "mini"), ("1", "mini"), ("4", "bm25")]


def test_mini_joins_the_score_below_and_its_cosine_alone_does_not(loaded: list[str]) -> None:
    (joined,) = build("bm25+mini", Lexical()).retrieve(["red fox"], 3)
    (alone,) = build("bm25+mini:cosine", Lexical()).retrieve(["red fox"], 3)
    # "red dog runs" and "red red red" have one word of the query each: 2 before 1, 1 and 1, for both stages.
    assert [hit.score for hit in alone] == [2.0, 1.0, 1.0]
    assert sum(hit.score for hit in joined) == pytest.approx(0)
    assert loaded == ["mini:cosine", "mini:cosine"]
    pooled = build("(bm25|bm25(k1=1.2))+mini", Lexical())
    assert [hit.score for hit in pooled.retrieve(["red fox"], 3)[0]] == [2.0, 1.0, 1.0]


def test_neural_is_what_the_paper_says(loaded: list[str]) -> None:
    index = Vectors()
    found = build("neural", index).explain("red fox", 2)
    assert [ranking.by for ranking in found.rankings] == [
        "splade",
        "ance",
        "(splade|ance)",
        "(splade|ance)+monot5-10k",
        "neural",
    ]
    assert index.asked == [("sparse", "splade-cocondenser-ensembledistil"), ("dense", "ance-msmarco-passage")]
    assert loaded == ["monot5-base-msmarco-10k", "duot5-base-msmarco"]
    assert "neural" in names()


@pytest.mark.parametrize(
    ("spec", "error", "why"),
    [
        ("bm52", UnknownName, "unknown retriever 'bm52' .hint: did you mean bm25"),
        ("mini", UnknownName, "unknown retriever 'mini'"),
        ("bm25(k3=1)", UnknownName, "unknown parameter of bm25 'k3'"),
        ("neural(k=1)", UnknownName, "unknown parameter of neural 'k'"),
        ("ance(model=minilm)", UnknownName, "unknown parameter of ance 'model'"),
        ("bm25(lengths=long)", UnknownName, "unknown lengths 'long'"),
        ("rrf(bm25,bm25,alpha=1)", UnknownName, "unknown parameter of rrf 'alpha'"),
        ("bm25(k1=much)", UsageError, "k1 is a number, got 'much'"),
        ("rrf(bm25,bm25,k=-1)", UsageError, "k is a whole number, got '-1'"),
        ("weighted(bm25,bm25,normalise=1)", UsageError, "normalise is yes or no"),
        ("weighted(bm25,bm25,bm25)", UsageError, "weighted fuses two parts"),
        ("rrf(bm25)", UsageError, "two parts or more"),
        ("bm25(bm25,bm25)", UsageError, "bm25 takes no parts"),
        ("bm25+mini(bm25)", UsageError, "the reranker mini takes no parts"),
        ("bm25+ance", UsageError, r"ance finds passages and cannot stand after \+ .hint: .*\(bm25\|ance\)"),
        ("bm25+mini(first=2)", UsageError, "first is a share from 0 to 1"),
        ("(bm25|bm25)+mini(first=0.3)", UsageError, r"is a pool, whose scores mini cannot join .hint: fuse it"),
        ("bm25+duot5(first=0.3)", UnknownName, "unknown parameter of duot5 'first'"),
        ("minilm(model=x)", UnknownName, "unknown parameter of minilm 'model'"),
        ("bm25:0", UsageError, "a depth is 1 or more"),
        ("bm25+mini:0", UsageError, "a depth is 1 or more"),
        ("bm25+duot5:0", UsageError, "a depth is 1 or more"),
        ("splade", Unavailable, "this index holds no sparse vectors, which 'splade' needs .hint: .*bm25"),
        ("rrf(bm25,dense)", Unavailable, "this index holds no dense vectors"),
    ],
)
def test_what_cannot_be_built_is_said(spec: str, error: type[Exception], why: str, loaded: list[str]) -> None:
    with pytest.raises(error, match=why):
        build(spec, Lexical())
    assert not loaded or "duot5" in spec or spec in ("bm25+mini:0", "bm25+mini(first=2)")


def test_a_model_that_nobody_knows_and_one_that_is_not_here() -> None:
    with pytest.raises(UnknownName, match="unknown model 'minni'"):
        build("bm25+minni", Lexical())
    with pytest.raises(MissingModel, match="groundwire models pull mxbai-rerank-large-v1"):
        build("bm25+mxbai-rerank-large-v1", Lexical())
    with pytest.raises(MissingModel, match="groundwire models pull monot5-base-msmarco-10k"):
        build("bm25+monot5-10k", Lexical())
