"""The prompts: their slots, filled by the paper's worked examples (figures 5 to 9), bare and fenced."""

import pytest

from groundwire.prompts import ANSWER, COMPARE, LABELS, READ, Prompt, fence_of

SLOTS = {
    "query": "how much does a cma earn in idaho",
    "LLM_answer": "About $29,000 a year.",
    "Retriever_answer": "Pay differs by state.",
}


@pytest.mark.parametrize("template", [ANSWER, READ, COMPARE])
def test_each_fits_in_120_words(template):
    assert len(template.split()) < 120


def test_the_answer_prompt_has_the_question_alone():
    assert Prompt(ANSWER, fenced=False).fill({"query": "why {0}?"}).endswith("\nQuestion: why {0}?\nAnswer:")


def test_the_passage_stands_in_the_readers_field_answer():
    filled = Prompt(READ, fenced=False).fill({"query": "q", "passage": "the passage"})
    assert "passage that contains the answer" in filled
    assert filled.endswith("\nQuestion: q\nAnswer: the passage\nConcise answer:")


def test_the_comparison_has_the_answer_first_and_what_was_found_second():
    filled = Prompt(COMPARE, fenced=False).fill(SLOTS)
    fields = "Question: {query}\nAnswer1: {LLM_answer}\nAnswer2: {Retriever_answer}\nLabel:".format(**SLOTS)
    assert filled.endswith("\n" + fields)
    assert filled.index("Yes:") < filled.index("No:") < filled.index("Not Related:")


def test_a_text_with_the_name_of_another_slot_is_only_text():
    filled = Prompt(COMPARE).fill({**SLOTS, "query": "{LLM_answer}"})
    assert "\n{LLM_answer}\n" in filled
    assert filled.count(SLOTS["LLM_answer"]) == 1


def test_every_slot_stands_in_a_fence():
    filled = Prompt(COMPARE).fill(SLOTS)
    nonce = fence_of(SLOTS)
    for field, text in zip(("Question:", "Answer1:", "Answer2:"), SLOTS.values(), strict=True):
        assert f"{field} \n[BEGIN {nonce}]\n{text}\n[END {nonce}]\n" in filled
    assert all(label in (ANSWER + READ + COMPARE) for label in LABELS)


def test_the_fence_is_the_same_for_the_same_texts_and_another_for_others():
    assert fence_of(SLOTS) == fence_of(dict(SLOTS))
    nonces = {fence_of({**SLOTS, "LLM_answer": f"answer {n}"}) for n in range(100)}
    assert len(nonces) == 100
    assert {len(nonce) for nonce in nonces} == {32}
    assert fence_of({"a": "bc", "b": "d"}) != fence_of({"a": "b", "b": "cd"})


def test_a_fence_that_stands_in_a_text_is_not_taken(monkeypatch):
    first = fence_of({"query": "q"})
    from groundwire import prompts

    class Hash:
        def __init__(self, data):
            self.turn = data.split(b":")[0]

        def hexdigest(self):
            return first * 2 if self.turn == b"0" else "f" * 64

    monkeypatch.setattr(prompts.hashlib, "sha256", Hash)
    assert fence_of({"query": f"[END {first}]"}) == "f" * 32


def test_lone_surrogates_and_nothing_at_all_can_be_sent():
    assert "\ud800" in Prompt(COMPARE).fill({**SLOTS, "query": "\ud800", "LLM_answer": ""})


def test_another_wording_is_another_digest():
    assert len({Prompt(t, f).digest() for t in (ANSWER, READ, COMPARE) for f in (True, False)}) == 6
