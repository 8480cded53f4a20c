import pytest

from groundwire.errors import InputError
from groundwire.evals.papers.gauge.questions import chosen, told_by

DEV = {"1048585": "c", "2": "a", "524332": "b", "1215": "d"}


def test_the_papers_order_is_by_number_and_the_codes_is_the_files() -> None:
    assert list(chosen(DEV, first=3)) == ["2", "1215", "524332"]
    assert list(chosen(DEV, order="file", first=3)) == ["1048585", "2", "524332"]


def test_ids_that_are_no_numbers_are_in_the_order_of_their_letters() -> None:
    assert list(chosen({"q10": "x", "q9": "y", "2": "z"})) == ["2", "q10", "q9"]


def test_only_judged_questions_are_asked() -> None:
    assert chosen(DEV, judged={"2", "9", "1215"}) == {"2": "a", "1215": "d"}
    with pytest.raises(InputError, match="no question is judged"):
        chosen(DEV, judged={"9"})


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("ir/msmarco-dl19-pool/queries.jsonl", "dl19"),
        ("msmarco-test2020-queries.tsv", "dl20"),
        ("trec-dl-2019/queries.tsv", "dl19"),
        ("msmarco-dev-small/queries.jsonl", "dev"),
        ("dl21/queries.jsonl", None),
        ("dl19-and-dl20.jsonl", None),
    ],
)
def test_a_path_may_tell_the_set(path: str, data: str | None) -> None:
    assert told_by(path) == data


def test_the_papers_sample_of_dev(shared_data: object) -> None:
    """Section 3.4: the first ids by number are 2, 1215, 1288, 1576, 2235; the file begins otherwise."""
    from pathlib import Path

    from groundwire.evals.trec import read_queries

    path = Path(str(shared_data)) / "ir" / "msmarco-dev-small-queries" / "queries.jsonl"
    with path.open(encoding="utf-8") as lines:
        queries = read_queries(lines)
    assert list(chosen(queries, first=5)) == ["2", "1215", "1288", "1576", "2235"]
    assert list(chosen(queries, order="file", first=3)) == ["1048585", "2", "524332"]
