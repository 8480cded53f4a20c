"""Stacks over a real index, and the figures that others have measured with Lucene."""

import gzip
import json
from pathlib import Path

import pytest

from groundwire.errors import Unavailable
from groundwire.index import LocalIndex
from groundwire.stacks import build
from groundwire.types import Passage

TEXTS = {"1": "A red fox sleeps.", "2": "A red dog runs after a red ball.", "3": "The sky is blue."}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with LocalIndex.create(tmp_path / "index") as index:
        index.add(Passage(id=i, text=text) for i, text in TEXTS.items())
    return tmp_path / "index"


def test_bm25_is_found_by_its_parameters(folder: Path) -> None:
    with LocalIndex.open(folder) as index:
        for spec in ("bm25", "bm25(k1=0.82,b=0.68)", "bm25:1", "rrf(bm25,bm25(k1=0.82,b=0.68))"):
            stack = build(spec, index)
            assert stack.name == spec
            (hits,) = stack.retrieve(["red foxes"], 5)
            assert hits[0].passage.text == TEXTS["1"]
        weights = [build(s, index).retrieve(["ball"], 1)[0][0].score for s in ("bm25", "bm25(k1=0.82,b=0.68)")]
        assert weights[0] != weights[1]


def test_the_built_in_model_orders_and_says_where_it_found(folder: Path) -> None:
    with LocalIndex.open(folder) as index:
        found = build("bm25+mini", index).explain("red dog", 2)
    assert [ranking.by for ranking in found.rankings] == ["bm25", "bm25+mini"]
    assert {hit.passage.id for hit in found.rankings[1].hits} == {"1", "2"}
    assert {hit.by for hit in found.rankings[1].hits} == {"mini"}


def test_only_stop_words_find_nothing(folder: Path) -> None:
    with LocalIndex.open(folder) as index:
        assert build("bm25+mini", index).retrieve(["the of a", "", "blue"], 2)[:2] == [[], []]


def test_vectors_that_are_not_there_are_said(folder: Path) -> None:
    with LocalIndex.open(folder) as index, pytest.raises(Unavailable, match="vectors"):
        build("neural", index)


@pytest.mark.parametrize(("name", "average", "p_30"), [("cacm", 0.3224, 0.1917)])
def test_metrics_are_those_that_lucene_and_trec_eval_give(
    shared_data: Path, tmp_path: Path, name: str, average: float, p_30: float
) -> None:
    pytest.importorskip("ir_measures", reason="needs the extra eval")
    from groundwire.evals.ranking import measure
    from groundwire.evals.trec import read_judgements, read_queries

    source = shared_data / "ir" / name
    with LocalIndex.create(tmp_path / "index") as index:
        with gzip.open(source / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = map(json.loads, lines)
            index.add(Passage(id=row["_id"], text=row["text"], title=row["title"] or None) for row in rows)
        queries = read_queries((source / "queries.jsonl").read_text(encoding="utf-8").splitlines())
        hits = build("bm25(lengths=lucene)", index).retrieve(list(queries.values()), 1000)
    run = {query: [hit.passage.id for hit in ranked] for query, ranked in zip(queries, hits, strict=True)}
    grades = read_judgements((source / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines())
    means = measure(run, grades, ["map", "P_30"]).means
    assert (round(means["map"], 4), round(means["P_30"], 4)) == (average, p_30)
