"""Frames around samples: labels and marked words stay what they are, and nothing is said that was not."""

import json
from random import Random

import pytest

from groundwire.claims import claim_prompt
from groundwire.training.framed import CLAIMS, EVIDENCE, OF_CLAIMS, OF_TEXTS, framed
from groundwire.training.sample import REFUTES, SUPPORTS, UNKNOWN, Marked, Sample

EVIDENCE_TEXT = (
    "The bridge was opened in March 1932. Its construction had taken eight years. Toll was taken until 1986."
)


def sample(claim="The bridge was completed in 1950.", label=REFUTES, spans=((28, 32),)) -> Sample:
    return Sample(evidence=EVIDENCE_TEXT, claim=claim, label=label, spans=spans, source="test")


def test_labels_and_marked_words_stay():
    found = list(framed([sample()] * 400, Random(1)))
    assert {one.label for one in found} == {REFUTES}
    assert {tuple(one.claim[start:end] for start, end in one.spans) for one in found} == {("1950",)}
    assert all(one.source == "test" for one in found)


def test_about_the_shares_that_are_named_are_framed():
    found = list(framed([sample(spans=None)] * 2000, Random(2)))
    assert sum(one.claim != sample().claim for one in found) / 2000 == pytest.approx(CLAIMS, abs=0.04)
    assert sum(one.evidence != EVIDENCE_TEXT for one in found) / 2000 == pytest.approx(EVIDENCE, abs=0.03)
    assert all(one.spans is None for one in found)


def test_the_same_seed_gives_the_same_frames():
    assert list(framed([sample()] * 50, Random(3))) == list(framed([sample()] * 50, Random(3)))


def test_questions_and_answers_in_the_claim_prompt_stay_as_they_are():
    asked = sample("When was it opened?", UNKNOWN, None)
    prompt = sample(claim_prompt("When was it opened?", "1932"), SUPPORTS, ())
    untouched = [(one.claim, one.label) for one in framed([asked, prompt] * 200, Random(4))]
    assert set(untouched) == {(asked.claim, UNKNOWN), (prompt.claim, SUPPORTS)}


@pytest.mark.parametrize("frame", OF_CLAIMS)
def test_a_frame_keeps_the_words_of_a_claim_but_for_a_slip(frame):
    claim = Marked("The bridge was completed in 1950.", ((28, 32),))
    for seed in range(60):
        put = frame(claim, Random(seed))
        kept = [word for word in "bridge was in 1950".split() if word in put.text]
        assert kept == ["bridge", "was", "in", "1950"] or "completed" in put.text
        assert [put.text[start:end] for start, end in put.spans] == ["1950"]


@pytest.mark.parametrize("claim", ["", ".", "Yes.", "a", "!!!"])
def test_claims_of_next_to_nothing_can_be_framed(claim):
    assert len(list(framed([sample(claim, SUPPORTS, ())] * 200, Random(5)))) == 200


@pytest.mark.parametrize("put", OF_TEXTS)
def test_a_page_around_evidence_keeps_its_words(put):
    for seed in range(20):
        found = put(EVIDENCE_TEXT, Random(seed))
        if found.startswith("{"):
            found = " ".join(str(value) for value in json.loads(found).values())
        joined = found.replace("-\n", "").replace("\n", " ")
        assert all(word in joined for word in EVIDENCE_TEXT.replace(".", "").split())
