from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.evals.datasets import open as read
from groundwire.types import Label

Written = Callable[..., Path]
SOURCES = [
    {
        "source_id": "1",
        "task_type": "QA",
        "source": "MARCO",
        "source_info": {
            "question": "how to cook beets",
            "passages": "passage 1:Wash beets.\n\npassage 2:Bake an hour.\n\n",
        },
        "prompt": "…",
    },
    {"source_id": "2", "task_type": "Summary", "source": "CNN/DM", "source_info": "Ann won in Gaza.", "prompt": "…"},
    {
        "source_id": "3",
        "task_type": "Data2txt",
        "source": "Yelp",
        "source_info": {"name": "Café", "stars": 3.0},
        "prompt": "…",
    },
]


def answer(
    id_: str, source: str, response: str, labels: list[dict[str, object]], split: str = "test"
) -> dict[str, object]:
    fields = {"model": "gpt-4-0613", "temperature": 0.7, "quality": "good"}
    return {"id": id_, "source_id": source, "response": response, "labels": labels, "split": split, **fields}


def mark(start: int, end: int, text: str, kind: str) -> dict[str, object]:
    return {"start": start, "end": end, "text": text, "meta": "", "label_type": kind, "implicit_true": False}


ANSWERS = [
    answer("10", "1", "Wash and bake.", []),
    answer("11", "2", "Ann won in Ramallah.", [mark(11, 19, "Ramallah", "Evident Conflict")]),
    answer("12", "3", "A café with a garden.", [mark(0, 6, "garden", "Evident Baseless Info")], "train"),
]


def test_answers_have_their_sources_and_spans(written: Written) -> None:
    folder = written("response.jsonl", ANSWERS).parent
    written("source_info.jsonl", SOURCES)
    asked, summary, record = read("ragtruth", folder)
    assert asked.question == "how to cook beets"
    assert [passage.text for passage in asked.contexts] == ["Wash beets.", "Bake an hour."]
    assert [passage.text for passage in summary.contexts] == ["Ann won in Gaza."]
    assert [case.slice for case in (asked, summary, record)] == ["QA", "Summary", "Data2txt"]
    assert [passage.text for passage in record.contexts] == ['{"name": "Café", "stars": 3.0}']
    assert [case.label for case in (asked, summary, record)] == [
        Label.SUPPORTED,
        Label.CONTRADICTED,
        Label.NOT_ENOUGH_INFO,
    ]
    assert [span.of(summary.answer) for span in summary.spans] == ["Ramallah"]
    assert [span.of(record.answer) for span in record.spans] == ["garden"]  # its text stands elsewhere than it says
    assert asked.group == "1"


def test_a_split_is_one_of_its_rows(written: Written) -> None:
    path = written("response.jsonl.gz", ANSWERS)
    written("source_info.jsonl.gz", SOURCES)
    assert [case.id for case in read("ragtruth", path, split="train")] == ["12"]
    with pytest.raises(InputError, match=r"ragtruth has no split 'dev' \(hint: known: test, train\)"):
        read("ragtruth", path, split="dev")


def test_sources_that_are_missing_are_said(written: Written) -> None:
    path = written("response.jsonl", ANSWERS)
    with pytest.raises(InputError, match=r"has no source_info\.jsonl"):
        list(read("ragtruth", path))
    written("source_info.jsonl", SOURCES[:1])
    with pytest.raises(InputError, match=r"line 2: its source '2' is not in source_info.jsonl"):
        list(read("ragtruth", path))
