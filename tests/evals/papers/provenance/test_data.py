import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.evals import datasets
from groundwire.evals.papers.provenance.data import PUBLISHED, find, read
from groundwire.evals.papers.provenance.published import COUNTS

ROW = {"id": "1", "question": "when?", "answer": "in 1932", "contexts": ["It opened in 1932."], "label": 1}


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_every_set_of_the_paper_is_named_and_most_are_absent(tmp_path: Path) -> None:
    write(tmp_path / "check" / "qags-cnndm.jsonl", ROW, {**ROW, "id": "2", "label": 0})
    found = {data.name: data for data in find(tmp_path)}
    assert list(found) == list(COUNTS)
    assert [name for name, data in found.items() if data.path] == ["QAGS_CNNDM"]
    qags = found["QAGS_CNNDM"]
    assert (qags.hallucinated, qags.factual, qags.exact, qags.title) == (1, 1, False, "QAGS_CNNDM †")
    assert qags.used == "all 2 rows of qags-cnndm, other rows than the paper's 235"
    assert (found["PAWS"].title, found["PAWS"].used) == ("PAWS", "absent from the data folder")


def test_a_sample_is_drawn_over_the_whole_file(tmp_path: Path) -> None:
    write(tmp_path / "true-paws.jsonl", *({**ROW, "id": str(n)} for n in range(50)))
    (paws,) = find(tmp_path, limit=5, only=["PAWS"])
    ids = [case.id for case in paws.cases()]
    assert (len(ids), paws.taken, paws.rows) == (5, 5, 50)
    assert ids == [case.id for case in paws.cases()] != [str(n) for n in range(5)]
    assert "a random 5 of 50 rows of true-paws" in paws.used


def test_rows_without_contexts_are_checked_against_the_question(tmp_path: Path) -> None:
    bare = {**ROW, "contexts": []}
    (truthful,) = find(write(tmp_path / "truthfulqa.jsonl", bare).parent, only=["TRUTHFULQA"])
    (case,) = truthful.cases()
    assert [passage.text for passage in case.contexts] == ["when?"]
    assert case.reason is None
    assert "checked against the question" in truthful.used


def test_rows_of_one_evidence_are_one_group(tmp_path: Path) -> None:
    path = write(tmp_path / "q2.jsonl", ROW, {**ROW, "answer": "in 1933"}, {**ROW, "contexts": ["Another."]})
    one, other, third = (case.group for case in read(path))
    assert one == other != third


@pytest.mark.parametrize(
    ("row", "said"),
    [({**ROW, "label": None}, "row 1 (id '1') has no label"), ({**ROW, "answer": 5}, "answer must be a string")],
)
def test_a_bad_row_is_named(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        find(write(tmp_path / "paws.jsonl", row).parent)
    assert said in str(error.value)


def test_a_torn_file_and_a_folder_without_sets_say_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds none of the paper's data sets"):
        find(tmp_path)
    with pytest.raises(InputError, match="there is no folder"):
        find(tmp_path / "nowhere")
    (tmp_path / "paws.jsonl.gz").write_bytes(gzip.compress(json.dumps(ROW).encode() * 9)[:-9])
    with pytest.raises(InputError, match="cannot read"):
        find(tmp_path)


def test_the_sets_that_are_at_hand_have_the_papers_counts(shared_data: Path) -> None:
    found = {data.name: data for data in find(shared_data, only=["QAGS_CNNDM", "SUMMEVAL", "HaluEval General"])}
    assert {name: (data.hallucinated, data.factual) for name, data in found.items()} == {
        "QAGS_CNNDM": (122, 113),
        "SUMMEVAL": (294, 1306),
        "HaluEval General": (815, 3692),
    }
    assert all(data.exact for data in found.values())


def test_a_set_is_read_as_its_makers_publish_it(tmp_path: Path) -> None:
    row = {
        "knowledge": "It opened in 1932.",
        "question": "when?",
        "right_answer": "1932",
        "hallucinated_answer": "1911",
    }
    write(tmp_path / "qa_data.json", row)
    found = {data.name: data for data in find(tmp_path)}
    assert [name for name, data in found.items() if data.path] == ["HaluEval QA"]
    assert (found["HaluEval QA"].hallucinated, found["HaluEval QA"].factual, found["HaluEval QA"].bare) == (1, 1, 0)
    assert [case.answer for case in found["HaluEval QA"].cases()] == ["1932", "1911"]


def test_every_published_set_has_a_reader() -> None:
    assert set(COUNTS) - set(PUBLISHED) == {"MSMARCO"}
    assert set(PUBLISHED.values()) <= set(datasets.names())
