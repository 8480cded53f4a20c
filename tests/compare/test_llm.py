"""The paper's judge: what it is asked, what its replies become, and when a person should look."""

import pytest

from groundwire.cache import Cache
from groundwire.compare import LlmJudge, NliJudge, Outcome, outcome_of
from groundwire.compare.llm import NEEDS_REVIEW
from groundwire.prompts import COMPARE, Prompt
from groundwire.testing import FaultServer, ScriptedLLM
from groundwire.types import (
    Case,
    Claim,
    ClaimVerdict,
    Completion,
    Entailment,
    Evidence,
    Label,
    Passage,
    Span,
    Verdict,
)

TEXT = "Certified assistants in the state earn about 29,000 a year. Pay differs by town."


def case(answer="It is $29,000.", question="what does a cma earn", name="c") -> Case:
    return Case(id=name, question=question, answer=answer, contexts=(Passage(id="p1", text=TEXT),))


class Says:
    """A checker that gives one label to everything, and cites the second sentence of the first passage."""

    name, threshold = "says", 0.5

    def __init__(self, label: Label, score: float | None = 0.2) -> None:
        self.label, self.score = label, score
        self.seen: list[Case] = []

    def check(self, cases):
        self.seen += cases
        return [self._verdict(asked) for asked in cases]

    def _verdict(self, asked: Case) -> Verdict:
        claim = Claim(id="x", text=asked.answer, span=Span(source="answer", start=0, end=len(asked.answer)))
        place = Span(source="p1", start=TEXT.index("Pay"), end=len(TEXT))
        evidence = Evidence(claim_id="x", index=0, span=place, entailment=Entailment(supports=0.3))
        judged = ClaimVerdict(claim=claim, label=self.label, score=self.score, evidence=(evidence,))
        return Verdict(case=asked, label=self.label, score=self.score, threshold=0.5, claims=(judged,))


def one(reply, **judge) -> Verdict:
    return LlmJudge(ScriptedLLM([reply] if isinstance(reply, (str, Completion)) else reply), **judge).compare(
        [case()], [None]
    )[0]


@pytest.mark.parametrize(
    ("reply", "label", "score"),
    [
        ("Yes", Label.SUPPORTED, 1.0),
        ("No", Label.CONTRADICTED, 0.0),
        ("Not Related", Label.NOT_ENOUGH_INFO, 0.0),
    ],
)
def test_the_three_labels(reply, label, score):
    verdict = one(reply)
    assert (verdict.label, verdict.score, verdict.claims[0].label) == (label, score, label)
    (evidence,) = verdict.claims[0].evidence
    assert verdict.text_of(evidence) == TEXT
    assert sum((evidence.entailment.supports, evidence.entailment.refutes, evidence.entailment.neutral)) == 1.0
    assert Verdict.from_dict(verdict.to_dict()) == verdict


def test_what_was_read_stands_in_place_of_the_passage():
    llm = ScriptedLLM("Yes")
    LlmJudge(llm, Prompt(COMPARE, fenced=False)).compare([case(), case()], [None, "29,000"])
    assert llm.prompts[0].endswith(f"Answer1: It is $29,000.\nAnswer2: {TEXT}\nLabel:")
    assert llm.prompts[1].endswith("Answer1: It is $29,000.\nAnswer2: 29,000\nLabel:")
    assert llm.batches == [2]


def test_a_reply_without_a_label_is_asked_for_once_more_with_a_seed():
    llm = ScriptedLLM(["Hm.", "Yes", "No"])
    verdicts = LlmJudge(llm).compare([case(), case("Other.", name="d")], [None, None])
    assert [v.label for v in verdicts] == [Label.CONTRADICTED, Label.SUPPORTED]
    assert llm.prompts[2] == llm.prompts[0]
    assert llm.settings == [(None, None), (None, 1)]


@pytest.mark.parametrize(
    ("replies", "outcome", "calls"),
    [
        (["Perhaps.", "Yes and no."], Outcome.UNPARSEABLE, 2),
        ([Completion(text="I cannot.", status="refused")], Outcome.REFUSED, 1),
        ([Completion(text="Yes", status="refused", reason="filter")], Outcome.REFUSED, 1),
        ([Completion(text=None, status="error", reason="timed out")], Outcome.ERROR, 1),
        (["Hm.", Completion(text=None, status="error", reason="timed out")], Outcome.ERROR, 2),
    ],
)
def test_what_gives_no_label_gives_no_score(replies, outcome, calls):
    llm = ScriptedLLM(replies)
    verdict = LlmJudge(llm, second=NliJudge(Says(Label.SUPPORTED))).compare([case()], [None])[0]
    assert (verdict.label, verdict.score, verdict.claims) == (Label.NOT_CHECKABLE, None, ())
    assert outcome_of(verdict) is outcome
    assert llm.calls == calls


class Keeps(ScriptedLLM):
    """Keeps its replies, and remembers what it was told to forget."""

    def __init__(self, replies) -> None:
        super().__init__(replies)
        self.forgotten: list[tuple[list[str], int | None]] = []

    def forget(self, prompts, *, max_tokens=None, seed=None) -> None:
        self.forgotten.append((list(prompts), seed))


def test_a_reply_that_cannot_be_read_is_forgotten():
    llm = Keeps(["Hm.", "Yes", "Perhaps."])
    LlmJudge(llm).compare([case(), case("Other.", name="d")], [None, None])
    assert llm.forgotten == [([llm.prompts[0]], None), ([llm.prompts[0]], 1)]
    llm = Keeps(["No", Completion(text=None, status="error", reason="late"), Completion(text="?", status="refused")])
    LlmJudge(llm).compare([case(), case("Other."), case("Third.")], [None] * 3)
    assert llm.forgotten == []


def test_no_reply_that_cannot_be_read_stays_in_the_cache(tmp_path, monkeypatch):
    pytest.importorskip("openai", reason="needs the extra llm")
    from groundwire.models.chat import Chat

    monkeypatch.setenv("GROUNDWIRE_LLM_API_KEY", "k")
    with FaultServer("Perhaps") as server, Cache(tmp_path / "replies") as cache:
        with Chat("m", base_url=server.url, cache=cache) as llm:
            LlmJudge(llm).compare([case()], [None])
            assert (len(server.exchanges), len(cache)) == (2, 0)
            server.reply = "Yes"
            assert LlmJudge(llm).compare([case()], [None])[0].label is Label.SUPPORTED
        assert (len(server.exchanges), len(cache)) == (3, 1)


def test_two_thousand_replies_of_rubbish_give_no_score(monkeypatch):
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    spec = spec_from_file_location("labels_of_tests", Path(__file__).with_name("test_labels.py"))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    asked = [case(f"answer {n}", name=str(n)) for n in range(2000)]
    replies = [module.rubbish(n) for n in range(2000)]
    verdicts = LlmJudge(ScriptedLLM([*replies, *replies])).compare(asked, [None] * 2000)
    assert {(v.label, v.score) for v in verdicts} == {(Label.NOT_CHECKABLE, None)}
    assert {outcome_of(v) for v in verdicts} == {Outcome.UNPARSEABLE}


def test_a_disagreement_needs_review_and_the_other_judge_cites():
    verdict = one("Yes", second=NliJudge(Says(Label.CONTRADICTED)))
    assert verdict.label is Label.SUPPORTED
    assert verdict.warnings[0].startswith(NEEDS_REVIEW)
    assert "contradicted (0.20)" in verdict.warnings[0]
    assert verdict.text_of(verdict.claims[0].evidence[0]) == "Pay differs by town."
    assert verdict.claims[0].evidence[0].claim_id == verdict.claims[0].claim.id


@pytest.mark.parametrize("other", [Says(Label.SUPPORTED, 0.9), Says(Label.NOT_CHECKABLE, None)])
def test_agreement_and_no_opinion_need_none(other):
    assert one("Yes", second=NliJudge(other)).warnings == ()
