"""The verify path: what is asked of the corpus, what is judged, and how a case ends that cannot be."""

import subprocess
import sys
from dataclasses import dataclass, field, replace

import pytest

from groundwire.compare import LlmJudge, NliJudge, Outcome, outcome_of
from groundwire.errors import UsageError
from groundwire.prompts import ANSWER, COMPARE, READ, Prompt
from groundwire.protocols import Checker
from groundwire.reader import LlmReader
from groundwire.recipes import build
from groundwire.testing import ScriptedLLM
from groundwire.text import content_terms
from groundwire.types import Case, Completion, Hit, Label, Passage, Ranking, Retrieval, Verdict
from groundwire.verify import NO_ANSWER, NOTHING_FOUND, NOTHING_SAID, VerifyPath
from groundwire.writer import LlmWriter

CORPUS = (
    Passage(id="bridge", text="The Garo bridge was opened on 19 March 1932. It is 1,149 metres long."),
    Passage(id="ferry", text="Tickets for the ferry cost four pounds for adults."),
    Passage(id="pay", text="Certified medical assistants earn about $29,000 a year in the north."),
    Passage(id="blank", text="  \n"),
)


@dataclass
class Found:
    """A retriever that ranks by shared terms and remembers what it was asked."""

    name: str = "found"
    asked: list[str] = field(default_factory=list)

    def retrieve(self, queries, k):
        self.asked += queries
        return [self._ranked(query)[:k] for query in queries]

    def _ranked(self, query):
        terms = set(content_terms(query))
        hits = [Hit(passage=p, score=float(len(terms & set(content_terms(p.text)))), by=self.name) for p in CORPUS]
        return sorted((hit for hit in hits if hit.score), key=lambda hit: (-hit.score, hit.passage.id))


class Explaining(Found):
    """The same, as a stack of two parts."""

    def explain(self, query, k):
        hits = tuple(self.retrieve([query], k)[0])
        return Retrieval(query=query, rankings=(Ranking(by="first", hits=hits[::-1]), Ranking(by=self.name, hits=hits)))


def case(answer: str, question: str | None = "when was the garo bridge opened", name: str = "c") -> Case:
    return Case(id=name, question=question, answer=answer, contexts=(Passage(id="given", text="never read"),))


def path(judge=None, **parts) -> VerifyPath:
    parts = {"retriever": Found(), "name": "test", **parts}
    return VerifyPath(judge=judge or LlmJudge(ScriptedLLM("Yes")), **parts)


def bare(llm, template) -> tuple:
    return llm, Prompt(template, fenced=False)


def test_a_path_is_a_checker_too():
    assert isinstance(path(), Checker)
    assert path().check([case("In 1932.")])[0].grounded


@pytest.mark.parametrize(
    ("query", "question", "answer", "asked"),
    [
        ("combined", "who ", " Ann\n", ["who Ann"]),
        ("combined", "who", "", ["who"]),
        ("combined", None, "Ann", ["Ann"]),
        ("question", "who", "Ann", ["who"]),
        ("question", " ", "Ann", ["Ann"]),
        ("answer", "who", "Ann", ["Ann"]),
        ("answer", "who", "  ", ["who"]),
        ("combined", " ", "\n", []),
    ],
)
def test_what_the_corpus_is_asked(query, question, answer, asked):
    retriever = Found()
    path(query=query, retriever=retriever).verify([case(answer, question)])
    assert retriever.asked == asked


def test_the_top_passages_are_judged_and_the_verdict_says_how_they_were_found():
    verdict = path(retriever=Explaining(), passages=2).verify(
        [case("The bridge opened, and tickets cost four pounds.")]
    )[0]
    assert [passage.id for passage in verdict.case.contexts] == ["ferry", "bridge"]
    assert [ranking.by for ranking in verdict.retrieval.rankings] == ["first", "found"]
    assert verdict.retrieval.query == "when was the garo bridge opened The bridge opened, and tickets cost four pounds."
    assert (verdict.trace.recipe, verdict.trace.model) == ("test", "llm:scripted")
    assert [stage.name for stage in verdict.trace.stages] == ["retrieve", "judge"]
    assert Verdict.from_dict(verdict.to_dict()) == verdict


def test_a_retriever_without_parts_is_its_own_only_ranking():
    (ranking,) = path().verify([case("In 1932.")])[0].retrieval.rankings
    assert (ranking.by, [hit.passage.id for hit in ranking.hits]) == ("found", ["bridge"])


@pytest.mark.parametrize(
    ("answer", "question", "label", "score", "reason"),
    [
        ("Zebras.", "xylophones", Label.NOT_ENOUGH_INFO, 0.0, NOTHING_FOUND),
        ("", "garo bridge", Label.NOT_CHECKABLE, None, NO_ANSWER),
        (" ", None, Label.NOT_CHECKABLE, None, NOTHING_SAID),
    ],
)
def test_nothing_to_judge(answer, question, label, score, reason):
    llm = ScriptedLLM([])
    verdict = path(LlmJudge(llm)).verify([case(answer, question)])[0]
    assert (verdict.label, verdict.score, verdict.reason) == (label, score, reason)
    assert llm.calls == 0


def test_a_blank_passage_is_no_evidence():
    class Blank(Found):
        def retrieve(self, queries, k):
            return [[Hit(passage=CORPUS[3], score=1.0, by="x")] for _ in queries]

    assert path(retriever=Blank()).verify([case("In 1932.")])[0].reason == NOTHING_FOUND


def test_a_case_that_says_why_it_cannot_be_checked_is_believed():
    verdict = path().verify([replace(case("In 1932."), reason="broken row")])[0]
    assert (verdict.label, verdict.reason, verdict.retrieval) == (Label.NOT_CHECKABLE, "broken row", None)


def test_a_missing_answer_is_asked_for_and_then_verified():
    llm = ScriptedLLM(lambda prompt: "In 1932." if "expert" in prompt else "Yes")
    retriever = Found()
    asked = [case("", name="a"), case("Given.", name="b"), case("", question=None, name="c")]
    verdicts = path(LlmJudge(llm), writer=LlmWriter(*bare(llm, ANSWER)), retriever=retriever).verify(asked)
    assert [verdict.case.answer for verdict in verdicts] == ["In 1932.", "Given.", ""]
    assert retriever.asked[0] == "when was the garo bridge opened In 1932."
    assert verdicts[0].grounded
    assert verdicts[2].reason == NOTHING_SAID
    assert llm.prompts[0] == ANSWER.format(query="when was the garo bridge opened")


def test_an_answer_that_could_not_be_asked_for_is_an_error():
    llm = ScriptedLLM([Completion(text=None, status="error", reason="timed out")])
    verdict = path(writer=LlmWriter(llm)).verify([case("")])[0]
    assert outcome_of(verdict) is Outcome.ERROR


def test_a_refusal_reaches_the_comparison_as_it_is():
    llm = ScriptedLLM(["I don't have access to that, I am sorry about the garo bridge.", "Not Related"])
    verdict = path(LlmJudge(*bare(llm, COMPARE)), writer=LlmWriter(llm)).verify([case("")])[0]
    assert "Answer1: I don't have access to that" in llm.prompts[1]
    assert verdict.label is Label.NOT_ENOUGH_INFO


FIGURES = [
    # question, answer, what the reader says, the judge's label: the shapes of figures 5 to 9, told in words of our own
    ("garo bridge helpline", "Call 121 about the bridge.", "The bridge was opened in 1932.", "Yes", Label.SUPPORTED),
    ("how long until the bridge opens", "30 minutes for the bridge.", "1,149 metres", "No", Label.CONTRADICTED),
    ("how old is the bridge", "The bridge is 31.", "Opened in 1932", "No", Label.CONTRADICTED),
    ("average pay of a medical assistant", "Assistants earn $32,000.", "$119,869 a year", "No", Label.CONTRADICTED),
    ("who makes the ferry tickets", "The ferry company.", "Not stated", "Yes", Label.SUPPORTED),
]


@pytest.mark.parametrize(("question", "answer", "reading", "said", "label"), FIGURES)
def test_the_whole_pipeline_with_a_reader(question, answer, reading, said, label):
    llm = ScriptedLLM([reading, said])
    verifier = path(LlmJudge(*bare(llm, COMPARE)), reader=LlmReader(*bare(llm, READ)))
    verdict = verifier.verify([case(answer, question)])[0]
    (passage,) = verdict.case.contexts
    assert llm.prompts == [
        READ.format(query=question, passage=passage.text),
        COMPARE.format(query=question, LLM_answer=answer, Retriever_answer=reading),
    ]
    assert (verdict.label, verdict.reading) == (label, reading)
    invented = [warning for warning in verdict.warnings if warning.startswith("reader_not_grounded")]
    assert len(invented) == ("119,869" in reading)
    assert all("$119,869" in warning for warning in invented)


def test_a_reader_that_fails_leaves_the_case_for_another_time():
    reader = LlmReader(ScriptedLLM([Completion(text=None, status="error", reason="timed out")]))
    verdict = path(reader=reader).verify([case("In 1932.")])[0]
    assert (outcome_of(verdict), verdict.score, verdict.reading) == (Outcome.ERROR, None, None)


def test_without_a_question_there_is_nothing_to_read():
    llm = ScriptedLLM([])
    verdict = path(reader=LlmReader(llm)).verify([case("The garo bridge.", question=None)])[0]
    assert verdict.grounded
    assert (verdict.reading, llm.calls) == (None, 0)


def test_at_least_one_passage():
    with pytest.raises(UsageError, match="at least one passage"):
        path(passages=0)


def test_nothing_comes_of_nothing():
    assert path().verify([]) == []


@pytest.mark.parametrize("text", ["\ud800", "\0", "a" * 100_000, "the of and " * 2000, "\u202e\u200d"])
def test_hard_texts(text):
    verdict = path(NliJudge(build("default"))).verify([case(text + " bridge", question=text)])[0]
    assert verdict.label in Label


def test_verify_is_the_function_even_when_its_module_has_been_imported():
    code = "import groundwire.verify; from groundwire.verify import VerifyPath; assert callable(groundwire.verify)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_importing_the_package_loads_none_of_the_rooms():
    rooms = "compare reader writer retrieve rerank stacks index corpus recipes ledger cache prompts"
    code = f"import sys, groundwire; print([r for r in {rooms.split()} if 'groundwire.' + r in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, timeout=60, capture_output=True, text=True)
    assert done.stdout == "[]\n"
