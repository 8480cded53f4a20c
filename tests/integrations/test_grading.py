from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from groundwire import integrations
from groundwire.errors import InputError, UnknownName
from groundwire.integrations.grading import Grader, passages_of
from groundwire.protocols import Checker
from groundwire.types import Case, Label, Passage, Verdict

CONTEXTS = ["The bridge was opened in 1932.", "It spans 503 metres."]


@dataclass
class Document:
    page_content: str


@dataclass
class HaystackDocument:
    content: str | None


class Node:
    def get_content(self) -> str:
        return "node"


def test_contexts_are_taken_as_tools_have_them() -> None:
    passage = Passage(id="p", text="passage")
    assert passages_of(None) == []
    assert passages_of("one") == ["one"]
    assert passages_of([passage, {"text": "row"}]) == [passage, {"text": "row"}]
    assert passages_of((Document("page"), HaystackDocument("hay"), Node())) == ["page", "hay", "node"]
    assert passages_of(Document("alone")) == ["alone"]
    with pytest.raises(InputError, match="HaystackDocument"):
        passages_of([HaystackDocument(None)])


def test_grades_come_in_order_with_their_reasons() -> None:
    grader = Grader("peer:overlap", threshold=0.9)
    rows = [(None, "opened in 1932", CONTEXTS), ("How long?", "It spans 9 metres.", CONTEXTS), ("q", "a", None)]
    good, bad, none = grader.grade_all(rows)
    assert (good.score, good.grounded, good.reason) == (1, True, good.verdict and good.reason)
    assert good.reason.startswith("the answer is grounded")
    assert (bad.score, bad.grounded) == (0.75, False)
    assert '"It spans 9 metres."' in bad.reason
    assert (none.score, none.grounded) == (None, False)
    assert "no contexts" in none.reason
    assert grader.threshold == 0.9


def test_a_checker_that_is_built_is_taken_as_it_is() -> None:
    class Always:
        name, threshold = "always", 0.5

        def check(self, cases: Sequence[Case]) -> list[Verdict]:
            return [Verdict(case=case, label=Label.SUPPORTED, score=1.0, threshold=0.5) for case in cases]

    always: Checker = Always()
    assert Grader(always).grade("q", "a", "c").grounded
    with pytest.raises(InputError, match="threshold"):
        Grader(always, threshold=0.2)


@pytest.mark.parametrize(("checker", "kind"), [("no such recipe", UnknownName), ("peer:none", UnknownName)])
def test_a_checker_that_does_not_exist_is_an_error_of_ours(checker: str, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        Grader(checker)


def test_what_is_no_checker_is_an_error_of_ours() -> None:
    nothing: Any = 3
    with pytest.raises(InputError, match="int"):
        Grader(nothing)
    with pytest.raises(InputError, match="peer"):
        Grader("peer:overlap", model="mini")


def test_assert_grounded_shows_the_sentence_and_the_nearest_evidence() -> None:
    answer = "The bridge was opened in 1932. It was designed by Albert Einstein."
    with pytest.raises(AssertionError) as caught:
        integrations.assert_grounded(answer, CONTEXTS, question="When\x1b was it opened?")
    text = str(caught.value)
    assert text.startswith("the answer is not grounded: ")
    assert "question: When\\x1b was it opened?" in text
    assert '"It was designed by Albert Einstein."' in text
    assert "in context " in text
    assert '"The bridge was opened in 1932."' not in text.split("Einstein")[0]


def test_assert_grounded_gives_the_verdict_of_a_grounded_answer() -> None:
    verdict = integrations.assert_grounded("The bridge was opened in 1932.", CONTEXTS, "When?")
    assert verdict.label is Label.SUPPORTED


def test_assert_grounded_does_not_pass_what_cannot_be_checked() -> None:
    with pytest.raises(AssertionError, match="not checkable"):
        integrations.assert_grounded("The bridge was opened in 1932.", [])


def test_the_package_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        _ = integrations.nothing
