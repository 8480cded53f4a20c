from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.evals.datasets import open as read
from groundwire.types import Label

Written = Callable[..., Path]


def claim(id_: str, text: str, label: str) -> dict[str, object]:
    meta = {"id": id_, "claim_title": "T", "claim_section": "S", "claim_context": "C"}
    return {
        "label": label,
        "supporting_sentences": [[0]],
        "claim": text,
        "evidence": ["It is so.", "And so."],
        "meta": meta,
    }


def test_claims_stand_over_the_whole_article(written: Written) -> None:
    labels = ["supported", "partially_supported", "not_supported"]
    rows = [claim(f"dev{n}", "So it is.", label) for n, label in enumerate(labels)]
    folder = written("data/entailment_retrieval/claim/dev.jsonl", rows).parents[3]
    cases = list(read("wice", folder, split="dev"))
    assert [case.label for case in cases] == [Label.SUPPORTED, Label.NOT_ENOUGH_INFO, Label.NOT_ENOUGH_INFO]
    assert [passage.text for passage in cases[0].contexts] == ["It is so. And so."]
    assert [case.id for case in cases] == ["dev0", "dev1", "dev2"]


def test_supporting_sentences_are_gold_evidence(written: Written) -> None:
    row = {**claim("dev0", "So it is.", "supported"), "supporting_sentences": [[1], [0, 1], [7]]}
    none = {**claim("dev1", "So it is.", "not_supported"), "supporting_sentences": []}
    one, other = read("wice", written("dev.jsonl", [row, none]))
    assert [place.of(one.contexts[0].text) for place in one.evidence] == ["It is so.", "And so."]
    assert {place.source for place in one.evidence} == {one.contexts[0].id}
    assert other.evidence == ()
    with pytest.raises(InputError, match="line 1: supporting_sentences must be lists of the numbers"):
        list(read("wice", written("dev.jsonl", [{**row, "supporting_sentences": [1]}])))


def test_unsupported_tokens_are_spans(written: Written) -> None:
    row = claim("dev1-0", "The Grammy-nominated film of the DJ.", "partially_supported")
    words = ["The", "Grammy", "-", "nominated", "film", "of", "the", "DJ", "."]
    marks = [False, True, True, True, False, False, True, True, False]
    path = written("dev.jsonl", [{**row, "claim_tokens": words, "non_supported_spans": marks}])
    (case,) = read("wice:tokens", path)
    assert [span.of(case.answer) for span in case.spans] == ["Grammy-nominated", "the DJ"]
    bad = {**row, "claim_tokens": words, "non_supported_spans": marks[:3]}
    with pytest.raises(InputError, match="line 1: non_supported_spans must say true or false of every token"):
        list(read("wice:tokens", written("dev.jsonl", [bad])))
