"""The path without an evolution: one prompt, one answer, checked like any other."""

import pytest

from groundwire.errors import InputError, UsageError
from groundwire.evolve.direct import DirectWriter
from groundwire.generate import DirectPath
from groundwire.generate.pool import Pooling
from groundwire.recipes import build
from groundwire.rerank import PairReranker
from groundwire.testing import OverlapModel, ScriptedLLM
from groundwire.types import Completion, Generation, Label, Passage

QUESTION = "when was the garo bridge opened"
BRIDGE = Passage(id="bridge", text="The Garo bridge was opened on 19 March 1932. It is 1,149 metres long.")
COST = Passage(id="cost", text="Building the Garo bridge took eight years and cost six million pounds.")
FERRY = Passage(id="ferry", text="Tickets for the ferry cost four pounds for adults.")
CORPUS = (FERRY, COST, BRIDGE)


def direct(llm: ScriptedLLM, **changes) -> DirectPath:
    pooling = Pooling(retriever=None, relevance=PairReranker(OverlapModel()))
    return DirectPath(name="direct", pooling=pooling, writer=DirectWriter(llm), checker=build("default"), **changes)


def test_direct_asks_once_and_is_checked_likewise():
    llm = ScriptedLLM("It was opened on 19 March 1932.")
    told: list[Generation] = []
    answer = direct(llm, seed=7).generate(
        QUESTION, passages=CORPUS, watch=lambda generation, best: told.append(generation)
    )
    assert (llm.calls, llm.seeds) == (1, [7])
    assert all(passage.text in llm.prompts[0] for passage in (BRIDGE, COST))
    assert FERRY.text not in llm.prompts[0]
    assert (answer.text, answer.sources) == ("It was opened on 19 March 1932.", (BRIDGE, COST))
    assert answer.verdict.case.contexts == answer.sources
    assert answer.lineage[0].parents == tuple(one.id for one in answer.lineage[1:])
    assert tuple(told) == answer.generations


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Completion(text=None, status="error", reason="timed out"), "error"),
        (Completion(text="no", status="refused"), "refused"),
        ("", "unparseable"),
    ],
)
def test_direct_without_a_reply_is_no_answer(reply, reason):
    llm = ScriptedLLM(lambda prompt: reply)
    answer = direct(llm).generate(QUESTION, passages=CORPUS)
    assert (answer.text, answer.verdict.label) == ("", Label.NOT_CHECKABLE)
    assert answer.reason.startswith(reason)
    assert answer.broken == (reason == "error")
    (turn,) = answer.generations
    assert (turn.wanted, turn.new, turn.failed, turn.calls) == (1, 0, 1, 1), "what was paid is told all the same"


def test_no_passage_and_no_question_ask_nobody():
    llm = ScriptedLLM([])
    answer = direct(llm).generate(QUESTION, passages=[])
    assert answer.reason.startswith("no evidence")
    with pytest.raises(InputError, match="the question is empty"):
        direct(llm).generate(" ", passages=CORPUS)
    with pytest.raises(UsageError, match="seeds is 1 or more"):
        direct(llm, seeds=0)
    assert llm.calls == 0
