import pytest

from groundwire.errors import UnknownName
from groundwire.evals import peers
from groundwire.evals.peers.judging import NO_QUESTION, made_up, passed
from groundwire.evals.run import evaluate
from groundwire.testing import ScriptedLLM
from groundwire.types import Case, Completion, Label, Passage

CASE = Case(id="0", question="Who?", answer="Jane {Austen}", contexts=(Passage(id="0", text="By Jane Austen."),))


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("Yes", 0),
        ("no.", 1),
        ("#Your Judgement#: No", 1),
        ("Yes and no", None),
        ("Nothing is known", None),
        ("", None),
    ],
)
def test_a_reply_of_halueval_is_one_of_two_words_or_nothing(reply: str, score: float | None) -> None:
    assert made_up(reply) == score


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ('{"REASONING": ["PASS would be wrong"], "SCORE": "FAIL"}', 0),
        ('{"REASONING": ["a "quote" that breaks it"], "SCORE": "PASS"}', 1),
        ("**SCORE**: Pass", 1),
        ("{'REASONING': [], 'SCORE': PASS}", 1),
        ("FAIL.", 0),
        ('{"SCORE": "PASS"} or {"SCORE": "FAIL"}', None),
        ('{"REASONING": ["it does not PASS"]}', None),
        ('{"SCORE": "PASSED"}', None),
        ("", None),
    ],
)
def test_a_reply_of_lynx_is_its_score_or_nothing(reply: str, score: float | None) -> None:
    assert passed(reply) == score


def test_halueval_shows_no_knowledge_and_asks_for_yes_or_no() -> None:
    llm = ScriptedLLM("No")
    verdict = peers.open("peer:halueval", llm).check([CASE])[0]
    assert (verdict.label, verdict.score) == (Label.SUPPORTED, 1)
    system, message = llm.prompts[0]
    assert "MUST be one word, Yes or No" in system
    assert message.endswith("#Question#: Who?\n#Answer#: Jane {Austen}\n#Your Judgement#:")
    assert "By Jane" not in message


def test_halueval_shows_the_document_of_a_summary() -> None:
    llm = ScriptedLLM("Yes")
    verdict = peers.open("peer:halueval(task=summarization)", llm).check([CASE])[0]
    assert (verdict.label, verdict.score) == (Label.NOT_ENOUGH_INFO, 0)
    assert llm.prompts[0][1].endswith("#Document#: By Jane Austen.\n#Summary#: Jane {Austen}\n#Your Judgement#:")


def test_halueval_without_a_question_is_not_asked() -> None:
    llm = ScriptedLLM(["No"])
    verdicts = peers.open("peer:halueval(task=dialogue)", llm).check(
        [Case(id="1", answer="x", contexts=CASE.contexts), CASE]
    )
    assert [verdict.score for verdict in verdicts] == [None, 1]
    assert (verdicts[0].reason, llm.calls) == (NO_QUESTION, 1)


def test_lynx_has_question_document_and_answer_in_this_order() -> None:
    llm = ScriptedLLM('{"REASONING": [], "SCORE": "PASS"}', name="lynx-8b")
    checker = peers.open("peer:lynx", llm)
    assert (checker.check([CASE])[0].score, checker.name) == (1, "peer:lynx by lynx-8b")
    prompt = llm.prompts[0]
    assert isinstance(prompt, str)
    assert prompt.index("\nWho?\n") < prompt.index("\nBy Jane Austen.\n") < prompt.index("\nJane {Austen}\n")
    assert "[BEGIN" not in prompt
    peers.open("peer:lynx(fenced=yes)", llm).check([CASE])
    assert "[BEGIN" in llm.prompts[1]


def test_what_the_llm_did_not_say_is_counted_and_never_a_score() -> None:
    replies = ["Perhaps", Completion(text=None, status="refused"), "No", "Yes"]
    gold = [Label.SUPPORTED, Label.NOT_ENOUGH_INFO, Label.SUPPORTED, Label.NOT_ENOUGH_INFO, Label.SUPPORTED]
    cases = [Case(id=str(n), question="q", answer="a", contexts=CASE.contexts, label=gold[n]) for n in range(5)]
    report = evaluate(peers.open("peer:halueval", ScriptedLLM([*replies, "-"], fail_at=[4])), cases, resamples=10)
    assert (report.n, report.n_not_checkable, [row.score for row in report.rows]) == (5, 3, [1, 0])
    assert sorted(reason.partition(":")[0] for reason in report.reasons) == ["error", "refused", "unparseable"]
    assert report.figures["auc"].value == 1


def test_halueval_has_three_tasks() -> None:
    with pytest.raises(UnknownName, match="summarization"):
        peers.open("peer:halueval(task=general)", ScriptedLLM(""))
