"""Readers: figure 3's, the extractive one, and numbers that no passage has (figure 8)."""

import pytest

from groundwire.prompts import READ, Prompt
from groundwire.reader import ExtractiveReader, LlmReader, missing_numbers
from groundwire.testing import OverlapModel, ScriptedLLM
from groundwire.types import Completion, Passage

PAY = Passage(
    id="p", text="Certified medical assistants earn about $29,000 a year. Nurses earn more. Pay in Idaho is 4% lower."
)


def test_the_llm_is_asked_by_figure_3():
    llm = ScriptedLLM("  29,000 dollars\n")
    (reading,) = LlmReader(llm, Prompt(READ, fenced=False)).read(
        ["what do they earn"], [[PAY, Passage(id="q", text="x")]]
    )
    assert (reading.text, reading.reason) == ("29,000 dollars", None)
    assert llm.prompts == [READ.format(query="what do they earn", passage=f"{PAY.text}\n\nx")]


@pytest.mark.parametrize(
    ("reply", "begins"),
    [
        (Completion(text=None, status="error", reason="timed out"), "error: the reader could not be asked (timed out)"),
        (Completion(text="I cannot.", status="refused", reason="filter"), "refused: the reader declined (filter)"),
        (" \n", "unparseable"),
    ],
)
def test_a_reader_that_gives_nothing_says_why(reply, begins):
    (reading,) = LlmReader(ScriptedLLM([reply])).read(["q"], [[PAY]])
    assert reading.text is None
    assert reading.reason.startswith(begins)


def test_only_empty_replies_are_forgotten():
    class Keeps(ScriptedLLM):
        forgotten = ()

        def forget(self, prompts):
            self.forgotten += tuple(prompts)

    refused = Completion(text=None, status="refused", reason="filter")
    llm = Keeps(["29,000", " ", refused])
    LlmReader(llm).read(["a", "b", "c"], [[PAY]] * 3)
    assert llm.forgotten == (llm.prompts[1],)


def test_the_best_sentences_in_their_order():
    reader = ExtractiveReader(OverlapModel())
    assert reader.read(["pay in idaho", "nurses"], [[PAY], [PAY]]) == [
        *ExtractiveReader(OverlapModel()).read(["pay in idaho"], [[PAY]]),
        *ExtractiveReader(OverlapModel()).read(["nurses"], [[PAY]]),
    ]
    assert reader.read(["pay in idaho"], [[PAY]])[0].text == "Pay in Idaho is 4% lower."
    two = ExtractiveReader(OverlapModel(), 2).read(["pay of nurses in idaho"], [[PAY]])[0].text
    assert two == "Nurses earn more. Pay in Idaho is 4% lower."
    assert (reader.name, ExtractiveReader(OverlapModel(), 2).name) == ("extractive", "extractive:2")


def test_passages_without_a_sentence():
    (reading,) = ExtractiveReader(OverlapModel()).read(["q"], [[Passage(id="p", text=" ")]])
    assert reading.text is None
    assert reading.reason.startswith("skipped")


@pytest.mark.parametrize(
    ("reading", "missing"),
    [
        ("The average is $119,869 a year.", ["$119,869"]),
        ("About $29,000.", []),
        ("About 29 thousand dollars, 4 percent less in Idaho", []),
        ("One of them earns more.", []),
        ("It was 12% in 2015.", ["12%", "2015"]),
        ("", []),
    ],
)
def test_numbers_that_no_passage_has(reading, missing):
    assert missing_numbers(reading, [PAY]) == missing
