import gzip
import io
import json
from itertools import pairwise
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.evals import trec
from groundwire.types import Hit, Passage


def hits(*scores: float) -> list[Hit]:
    return [Hit(passage=Passage(id=f"d{n}", text=""), score=s, by="bm25") for n, s in enumerate(scores)]


def test_a_run_is_written_as_the_field_writes_it() -> None:
    out = io.StringIO()
    trec.write_run(out, "q 1", hits(2.123456, 2.12346, 1.0), tag="bm25 + mini")
    assert out.getvalue() == (
        "q_1 Q0 d0 1 2.123500 bm25_+_mini\nq_1 Q0 d1 2 2.123499 bm25_+_mini\nq_1 Q0 d2 3 1.000000 bm25_+_mini\n"
    )


def test_scores_may_be_written_in_full() -> None:
    out = io.StringIO()
    trec.write_run(out, "1", hits(1 / 3, 1 / 3), tag="t", adjusted=False)
    assert [float(line.split()[4]) for line in out.getvalue().splitlines()] == [1 / 3, 1 / 3]


def test_each_tied_score_is_a_step_lower() -> None:
    assert trec.untied([5.00004, 5.00001, 5.0, 4.0]) == pytest.approx([5.0, 4.999999, 4.999998, 4.0], abs=1e-9)


def test_even_long_ties_fall() -> None:
    scores = trec.untied([1 / (60 + rank) for rank in range(1, 1001)])
    assert all(float(f"{a:.6f}") > float(f"{b:.6f}") for a, b in pairwise(scores))


def test_what_is_written_is_read_in_the_same_order() -> None:
    out = io.StringIO()
    trec.write_run(out, "1", hits(3.0, 3.0, 3.0, 0.5), tag="t")
    trec.write_run(out, "2", hits(-1.0), tag="t")
    run = trec.read_run(io.StringIO(out.getvalue()))
    assert {query: [passage for passage, _ in ranked] for query, ranked in run.items()} == {
        "1": ["d0", "d1", "d2", "d3"],
        "2": ["d0"],
    }


def test_a_run_is_ordered_by_score_and_equal_ones_by_falling_id() -> None:
    run = trec.read_run(["1 Q0 a 1 1.5 t\n", "1 Q0 b 2 1.5 t\r\n", "\n", "1 Q0 c 3 2 t"])
    assert run == {"1": [("c", 2.0), ("b", 1.5), ("a", 1.5)]}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("1 Q0 a 1 1.5", "line 2: a run has six columns, not 5"),
        ("1 Q0 a 1 high t", "line 2: a score is a number, not 'high'"),
        ("1 Q0 a 1 nan t", "line 2: a score is a number, not nan"),
        ("1 Q0 z 2 1 t", "line 2: query 1 has passage z twice"),
    ],
)
def test_a_bad_line_of_a_run_is_named(line: str, why: str) -> None:
    with pytest.raises(InputError, match=f"my.run: {why}"):
        trec.read_run(["1 Q0 z 1 2 t\n", line], "my.run")


def test_judgements_of_trec_and_of_beir() -> None:
    want = {"1": {"a": 2, "b": 0}, "2": {"a": -1}}
    assert trec.read_judgements(["1 0 a 2\n", "1\t0\tb\t0\n", "2 0 a -1\n"]) == want
    beir = ["\ufeffquery-id\tcorpus-id\tscore\r\n", "1\ta\t2\r\n", "1\tb\t0\n", "2\ta\t-1"]
    assert trec.read_judgements(beir) == want
    assert trec.read_judgements(beir[1:]) == want


def test_judgements_are_written_and_read() -> None:
    out = io.StringIO()
    trec.write_judgements(out, {"1": {"a": 2, "b": 0}})
    assert out.getvalue() == "1 0 a 2\n1 0 b 0\n"
    assert trec.read_judgements(io.StringIO(out.getvalue())) == {"1": {"a": 2, "b": 0}}


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["1 0 a 1", "1 0 b"], None),
        (["1 0 a 1", "1 a"], "line 2: a judgement has four or three columns, not 2"),
        (["1 0 a 1.5"], "line 1: a grade is a whole number, not '1.5'"),
        (["query-id\tcorpus-id\tscore"], "holds no judgements"),
    ],
)
def test_a_bad_line_of_judgements_is_named(lines: list[str], why: str | None) -> None:
    with pytest.raises(InputError, match=why or "line 2: a grade is a whole number, not 'b'"):
        trec.read_judgements(lines, "my.qrels")


def test_queries_as_json_and_as_columns() -> None:
    rows = [{"_id": "q1", "text": "red fox"}, {"id": 7, "query": "dog"}, {"qid": "x", "question": "sky?"}]
    lines = [*(json.dumps(row) + "\n" for row in rows), "\n", "9\tblue\tsky\r\n"]
    assert trec.read_queries(lines) == {"q1": "red fox", "7": "dog", "x": "sky?", "9": "blue\tsky"}


def test_a_query_without_an_id_goes_by_its_line() -> None:
    assert trec.read_queries(['{"text": "a"}', "", '{"text": "b"}']) == {"1": "a", "3": "b"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{oops", "not JSON"),
        ('{"a":' * 5000 + "1" + "}" * 5000, "not JSON"),
        ('{"_id": "2"}', "a query is an object with an id and a text"),
        ('{"_id": ["2"], "text": "a"}', "a query is an object with an id and a text"),
        ('{"_id": "2", "text": "  "}', "query 2 has no text"),
        ("just words", "neither a JSON object nor id, tab, text"),
        ("\ttext", "neither a JSON object nor id, tab, text"),
        ("2\t ", "query 2 has no text"),
        ("1\tagain", "the id 1 was there before"),
    ],
)
def test_a_bad_line_of_queries_is_named(line: str, why: str) -> None:
    with pytest.raises(InputError, match=f"my.jsonl: line 2: {why}"):
        trec.read_queries(['{"_id": "1", "text": "a"}\n', line], "my.jsonl")


def test_no_queries_at_all() -> None:
    with pytest.raises(InputError, match="holds no queries"):
        trec.read_queries(["\n"])


@pytest.mark.parametrize("name", ["vaswani", "cacm", "cisi", "msmarco-dl19-pool"])
def test_the_shared_collections_are_read(shared_data: Path, name: str) -> None:
    folder = shared_data / "ir" / name
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        queries = trec.read_queries(lines)
    (qrels, *_) = sorted((folder / "qrels").glob("*.tsv"))
    with qrels.open(encoding="utf-8") as lines:
        assert set(trec.read_judgements(lines)) <= set(queries)


def test_a_published_run_is_measured_to_its_digits(shared_data: Path) -> None:
    """BM25 of the pool's own run on TREC 2019 Deep Learning: nDCG@10 .5058, as its makers publish it."""
    pytest.importorskip("ir_measures", reason="needs the extra eval")
    from groundwire.evals.ranking import measure

    folder = shared_data / "ir" / "msmarco-dl19-pool"
    with gzip.open(folder / "runs" / "BM25.trec.gz", "rt", encoding="utf-8") as lines:
        run = trec.read_run(lines)
    with (folder / "qrels" / "test-all.tsv").open(encoding="utf-8") as lines:
        grades = trec.read_judgements(lines)
    ranked = {query: [passage for passage, _ in found] for query, found in run.items()}
    assert measure(ranked, grades, ["ndcg_cut_10"]).means["ndcg_cut_10"] == pytest.approx(0.5058, abs=5e-5)
