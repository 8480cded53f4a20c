from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.evals.datasets import open as read
from groundwire.types import Label

Written = Callable[..., Path]


def sample(id_: int, summary: str, *annotations: dict[str, object]) -> dict[str, object]:
    fields = {"metadata": {"summarizer": "a-model", "hhemv1": 0.9, "raw_sample_id": 15}}
    return {
        "sample_id": id_,
        "source": "A film of 2006.",
        "summary": summary,
        "annotations": list(annotations),
        **fields,
    }


def note(label: list[str], start: int, end: int) -> dict[str, object]:
    return {"annot_id": 1, "annotator": "a", "label": label, "note": "", "summary_start": start, "summary_end": end}


BATCH = {
    "samples": [
        sample(0, "A film of 2006."),
        sample(1, "A good film.", note(["Benign"], 2, 6)),
        sample(2, "A film of 2007.", note(["Unwanted", "Unwanted.Instrinsic"], 10, 14), note(["Benign"], 2, 6)),
        sample(3, "A dear film.", note(["Questionable"], 2, 6), note(["Unwanted.Extrinsic"], 2, 6)),
    ]
}


def test_the_place_in_the_source_is_gold_evidence(written: Written) -> None:
    wrong = {**note(["Unwanted"], 10, 14), "source_start": 10, "source_end": 14}
    rows = [sample(0, "A film of 2007.", wrong), sample(1, "A dear film.", note(["Unwanted"], 2, 6))]
    one, other = read("faithbench", written("batch_1.json", {"samples": rows}))
    assert [place.of(one.contexts[0].text) for place in one.evidence] == ["2006"]
    assert other.evidence == ()
    assert one.slice == "a-model"


def test_the_worst_annotation_counts_and_is_marked(written: Written) -> None:
    folder = written("batch_1.json", BATCH).parent
    written("batch_2.json", {"samples": BATCH["samples"][:1]})
    cases = list(read("faithbench", folder))
    assert [case.label for case in cases] == [
        Label.SUPPORTED,
        Label.SUPPORTED,
        Label.CONTRADICTED,
        Label.NOT_ENOUGH_INFO,
        Label.SUPPORTED,
    ]
    assert [[span.of(case.answer) for span in case.spans] for case in cases] == [[], [], ["2007"], ["dear"], []]
    assert [case.id for case in cases] == ["batch_1-0", "batch_1-1", "batch_1-2", "batch_1-3", "batch_2-0"]
    assert len({case.group for case in cases}) == 1


def test_the_csv_has_labels_and_no_spans(written: Written) -> None:
    labels = ["Consistent", "Benign", "Questionable", "Unwanted"]
    rows = [{"source": "s", "summary": "t", "LLM": "m", "worst-label": label, "best-label": label} for label in labels]
    cases = list(read("faithbench", written("FaithBench.csv", rows)))
    assert [case.label is Label.SUPPORTED for case in cases] == [True, True, False, False]


def test_other_words_and_columns_are_refused(written: Written) -> None:
    with pytest.raises(InputError, match="sample 1: an annotation is labelled awful"):
        list(read("faithbench", written("batch_1.json", {"samples": [sample(0, "t", note(["Awful"], 0, 1))]})))
    with pytest.raises(InputError, match="found the columns text; wanted samples or source, summary, annotations or"):
        list(read("faithbench", written("batch_1.json", [{"text": "t"}])))
