from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.evals.datasets import names
from groundwire.evals.datasets import open as read
from groundwire.types import Label

Written = Callable[..., Path]
PARTS = [name for name in names() if name.startswith("true:")]


def supported(name: str, path: Path, **more: Any) -> list[bool]:
    return [case.label is Label.SUPPORTED for case in read(name, path, **more)]


def test_there_are_eleven() -> None:
    assert len(PARTS) == 11


@pytest.mark.parametrize("name", PARTS)
def test_every_one_is_read_from_trues_own_csv(written: Written, name: str) -> None:
    rows = [
        {"": n, "grounding": f"text, {n}", "generated_text": f'a "{n}"', "label": label, "model": "m"}
        for n, label in enumerate(["1", "0", "1.0"])
    ]
    path = written(f"{name.partition(':')[2].replace('-', '_')}_download.csv", rows)
    cases = list(read(name, path.parent))
    assert [case.label is Label.SUPPORTED for case in cases] == [True, False, True]
    assert [case.answer for case in cases] == ['a "0"', 'a "1"', 'a "2"']
    assert cases[0].contexts[0].text == "text, 0"


@pytest.mark.parametrize("name", PARTS)
def test_other_columns_are_listed(written: Written, name: str) -> None:
    with pytest.raises(InputError, match=f"no row of {name}: found the columns a, b; wanted "):
        list(read(name, written("rows.csv", [{"a": 1, "b": 2}])))


def test_begin(written: Written) -> None:
    gold = ["entailment", "neutral", "hallucination", "off-topic", "generic"]
    rows = [{"evidence": '"e', "previous turn": "t", "response": "r", "gold label": label} for label in gold]
    path = written("dev_05_24_21.tsv", rows).parent
    assert supported("true:begin", path) == [True, False, False, False, False]
    assert {case.question for case in read("true:begin", path)} == {"t"}


def test_q2_turns_its_labels_round(written: Written) -> None:
    systems = {"dodeca_response": "d", "dodeca_label": 1, "memnet_response": "m", "memnet_label": 0}
    path = written("cross_annotation.csv", [{"episode_idx": 0, "knowledge": "k", **systems}])
    cases = list(read("true:q2", path))
    assert [(case.answer, case.label is Label.SUPPORTED) for case in cases] == [("d", False), ("m", True)]
    assert cases[0].group == cases[1].group
    assert [case.slice for case in cases] == ["dodeca", "memnet"]


def qags(*sentences: tuple[str, str]) -> dict[str, object]:
    judged = [
        {"sentence": text, "responses": [{"worker_id": n, "response": said} for n, said in enumerate(votes.split())]}
        for text, votes in sentences
    ]
    return {"article": "Ann won.", "summary_sentences": judged}


@pytest.mark.parametrize("corpus", ["cnndm", "xsum"])
def test_qags_takes_the_majority_of_every_sentence(written: Written, corpus: str) -> None:
    rows = [
        qags(("Ann won.", "yes yes no"), ("She is glad.", "yes yes yes")),
        qags(("Ann won.", "yes yes yes"), ("She lost.", "no yes no")),
    ]
    good, bad = read(f"true:qags-{corpus}", written(f"mturk_{corpus}.jsonl", rows).parent)
    assert (good.label, bad.label) == (Label.SUPPORTED, Label.NOT_ENOUGH_INFO)
    assert good.answer == "Ann won. She is glad."
    assert [span.of(bad.answer) for span in bad.spans] == ["She lost."]


def frank(hash_: str, split: str, *sentences: list[list[str]]) -> dict[str, object]:
    texts = [f"Sentence {n}." for n in range(len(sentences))]
    return {
        "hash": hash_,
        "model_name": "BART",
        "article": "An article.",
        "summary": " ".join(texts),
        "reference": "r",
        "summary_sentences": texts,
        "summary_sentences_annotations": [
            {f"annotator_{n}": said for n, said in enumerate(each)} for each in sentences
        ],
        "split": split,
    }


def test_frank_reads_one_split_and_wants_no_error_anywhere(written: Written) -> None:
    clean, split, wrong = [["NoE"]] * 3, [["NoE"], ["NoE"], ["EntE"]], [["NoE"], ["EntE"], ["OutE", "CircE"]]
    rows = [frank("1", "valid", clean, split), frank("2", "valid", clean, wrong), frank("3", "test", wrong)]
    path = written("human_annotations_sentence.json", rows)
    good, bad = read("true:frank", path)
    assert (good.label, bad.label) == (Label.SUPPORTED, Label.NOT_ENOUGH_INFO)
    assert [span.of(bad.answer) for span in bad.spans] == ["Sentence 1."]
    assert [(case.id, case.slice) for case in read("true:frank", path, split="test")] == [("3-BART", "BART")]


def mnbm(article: int, system: str, kind: str, worker: int) -> dict[str, object]:
    fields = {"summary": f"{system} on {article}", "hallucination_type": kind, "hallucinated_span": "NULL"}
    return {"bbcid": article, "system": system, **fields, "worker_id": f"wid_{worker}"}


def test_mnbm_takes_a_workers_last_row_and_the_majority(written: Written) -> None:
    rows = [
        *(mnbm(1, "BERTS2S", kind, worker) for worker, kind in enumerate(["NULL", "NULL", "extrinsic"])),
        mnbm(2, "PtGen", "NULL", 0),
        *(mnbm(1, "TConvS2S", kind, worker) for worker, kind in enumerate(["intrinsic", "NULL", "extrinsic"])),
        mnbm(2, "PtGen", "extrinsic", 1),
        mnbm(2, "PtGen", "intrinsic", 2),
        mnbm(2, "PtGen", "NULL", 2),
    ]
    path = written("hallucination_annotations_xsum_summaries.csv", rows)
    with pytest.raises(InputError, match="no articles of XSum"):
        list(read("true:mnbm", path))
    written("xsum-test.jsonl", [{"id": "1", "document": "One.\nTwo.", "summary": "s"}])
    with pytest.raises(InputError, match="article 2 is not among those of XSum"):
        list(read("true:mnbm", path))
    written("xsum-test.jsonl", [{"id": str(n), "document": "One.\nTwo.", "summary": "s"} for n in (1, 2, 3)])
    cases = {case.id: case for case in read("true:mnbm", path)}
    assert {id_: case.label is Label.SUPPORTED for id_, case in cases.items()} == {
        "1-BERTS2S": True,
        "2-PtGen": True,
        "1-TConvS2S": False,
    }
    assert (cases["2-PtGen"].contexts[0].text, cases["2-PtGen"].slice) == ("One. Two.", "PtGen")


def test_dialfact_keeps_factual_responses_with_evidence(written: Written) -> None:
    def row(n: int, kind: str, label: str, evidence: list[list[str]]) -> dict[str, object]:
        fields = {"context_id": "588", "context": ["Hi.", "And when?"], "data_type": "written"}
        judged = {"response_label": label, "type_label": kind, "evidence_list": evidence}
        return {**fields, "id": f"588_{n}", "response": "In 1997.", **judged}

    evidence = [["Cheer", "url", "It was"], ["Cheer", "url", "in 1997."]]
    rows = [
        row(0, "factual", "SUPPORTS", evidence),
        row(1, "factual", "REFUTES", evidence),
        row(2, "factual", "SUPPORTS", []),
        row(3, "personal", "SUPPORTS", evidence),
    ]
    cases = list(read("true:dialfact", written("valid_split.jsonl", rows).parent))
    assert [(case.id, case.label) for case in cases] == [("588_0", Label.SUPPORTED), ("588_1", Label.CONTRADICTED)]
    assert (cases[0].contexts[0].text, cases[0].question) == ("It was in 1997.", "And when?")


def test_paws(written: Written) -> None:
    rows = [
        {"id": n, "sentence1": "From A to B .", "sentence2": f"{n}", "label": label} for n, label in enumerate([0, 1])
    ]
    assert supported("true:paws", written("final/dev.tsv", rows).parents[1]) == [False, True]


def test_summeval_wants_fives_of_all_three_and_its_article(written: Written) -> None:
    def row(model: str, *scores: int) -> dict[str, object]:
        judged = [{"coherence": 2, "consistency": score, "fluency": 4, "relevance": 2} for score in scores]
        fields = {"id": "dm-test-8764", "model_id": model, "decoded": "Ann won.", "turker_annotations": []}
        return {**fields, "expert_annotations": judged, "references": [], "text": "Ann won in Bonn.", "filepath": "f"}

    path = written("model_annotations.aligned.paired.jsonl", [row("M0", 5, 5, 5), row("M1", 5, 5, 4)])
    cases = list(read("true:summeval", path.parent))
    assert [(case.id, case.label is Label.SUPPORTED) for case in cases] == [
        ("dm-test-8764-M0", True),
        ("dm-test-8764-M1", False),
    ]
    assert [case.slice for case in cases] == ["M0", "M1"]
    unpaired = row("M0", 5, 5, 5)
    del unpaired["text"]
    with pytest.raises(InputError, match="wanted id, decoded, expert_annotations, text or grounding"):
        list(read("true:summeval", written("rows.jsonl", [unpaired])))


def test_vitaminc_has_two_classes_of_three(written: Written) -> None:
    labels = ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
    rows = [
        {"unique_id": f"{n}", "case_id": "c", "claim": "c", "evidence": "e", "label": x} for n, x in enumerate(labels)
    ]
    assert supported("true:vitaminc", written("dev.jsonl", rows)) == [True, False, False]
