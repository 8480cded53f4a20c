"""The judge without an LLM: the built-in model over passages, and answers that decline."""

import pytest

from groundwire.compare import NliJudge
from groundwire.protocols import Checker
from groundwire.recipes import build
from groundwire.types import Case, Label, Passage, Verdict

PASSAGES = (
    Passage(id="p1", text="The Garo bridge was opened on 19 March 1932. It is 1,149 metres long and made of steel."),
    Passage(id="p2", text="Tickets for the ferry cost four pounds for adults."),
)


def case(answer: str, question: str | None = "When was the Garo bridge opened?") -> Case:
    return Case(id="c", question=question, answer=answer, contexts=PASSAGES)


@pytest.fixture(scope="module")
def judge() -> NliJudge:
    return NliJudge(build("default"), "mini")


def one(judge: NliJudge, answer: str) -> Verdict:
    return judge.compare([case(answer)], [None])[0]


def test_supported_contradicted_and_not_related(judge):
    assert one(judge, "The Garo bridge was opened in March 1932.").label is Label.SUPPORTED
    assert one(judge, "The Garo bridge was opened on 19 March 1968.").label is Label.CONTRADICTED
    assert one(judge, "The painter was born in Vienna.").label is Label.NOT_ENOUGH_INFO


def test_every_sentence_is_a_claim_and_the_weakest_decides(judge):
    verdict = one(judge, "The Garo bridge was opened in March 1932. It is made of wood.")
    assert [claim.label is Label.SUPPORTED for claim in verdict.claims] == [True, False]
    assert not verdict.grounded
    evidence = verdict.claims[0].evidence[0]
    assert verdict.text_of(evidence) == "The Garo bridge was opened on 19 March 1932."


class Never:
    name, threshold = "never", 0.5

    def check(self, cases):
        assert not cases
        return []


def test_what_declines_is_not_related_and_not_asked_about():
    assert isinstance(Never(), Checker)
    verdict = one(NliJudge(Never()), " I'm sorry, but I don't have access to that. ")
    assert (verdict.label, verdict.score) == (Label.NOT_ENOUGH_INFO, 0.0)
    assert verdict.reason == verdict.claims[0].reason
    assert verdict.reason.startswith("not related")
    assert Verdict.from_dict(verdict.to_dict()) == verdict


def test_a_batch_keeps_its_order(judge):
    answers = ["I don't know.", "It was opened in March 1932.", "Could you clarify which bridge you mean?"]
    verdicts = judge.compare([case(answer) for answer in answers], [None] * 3)
    assert [verdict.case.answer for verdict in verdicts] == answers
    assert [v.claims[0].reason is None for v in verdicts] == [False, True, False]
