import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

import groundwire
from groundwire import Case, Checker, Label, Passage, Verdict, check
from groundwire.errors import InputError
from groundwire.testing import OverlapModel


@dataclass
class Path:
    """A path that supports everything and remembers what it was asked."""

    name: str = "default"
    threshold: float = 0.5
    model: OverlapModel = field(default_factory=OverlapModel)
    seen: list[Case] = field(default_factory=list)

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        self.seen += cases
        return [Verdict(case=case, label=Label.SUPPORTED, score=1.0, threshold=self.threshold) for case in cases]


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Build this path in place of every recipe."""
    path = Path()

    def build(name: str, *, model: str | None = None, threshold: float | None = None) -> Path:
        path.name = name
        path.threshold = path.threshold if threshold is None else threshold
        return path

    monkeypatch.setitem(sys.modules, "groundwire.recipes", SimpleNamespace(build=build))
    return path


def test_one_answer(path: Path) -> None:
    verdict = check("q", "a", ["c", {"id": "d1", "text": "d", "title": "T"}, Passage(id="e1", text="e")])
    assert verdict.grounded
    contexts = (Passage(id="0", text="c"), Passage(id="d1", text="d", title="T"), Passage(id="e1", text="e"))
    assert path.seen == [Case(id="0", question="q", answer="a", contexts=contexts)]


def test_a_question_is_optional_and_one_context_may_be_a_string(path: Path) -> None:
    check(answer="a", contexts="c", recipe="provenance", threshold=0.25)
    assert path.seen == [Case(id="0", answer="a", contexts=(Passage(id="0", text="c"),))]
    assert (path.name, path.threshold) == ("provenance", 0.25)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"contexts": ["c"]}, "answer is missing"),
        ({"answer": "a"}, "contexts is missing"),
        ({"answer": 3, "contexts": ["c"]}, "answer must be a string, not a number"),
        ({"answer": "a", "contexts": 3}, "contexts must be a string or an object with a text, not a number"),
        ({"answer": "a", "contexts": ["c", 3]}, r"contexts\[1\] must be a string or an object"),
        ({"question": ["q"], "answer": "a", "contexts": ["c"]}, "question must be a string, not a list"),
    ],
)
def test_what_is_missing_or_of_a_wrong_type(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check(**arguments)


@pytest.mark.parametrize(
    "options",
    [
        {"recipe": 5},
        {"recipe": None},
        {"model": 5},
        {"threshold": "a"},
        {"threshold": True},
        {"threshold": 2},
        {"threshold": float("nan")},
    ],
    ids=str,
)
def test_an_option_of_a_wrong_type_or_range(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(options))) as caught:
        Checker(**options)
    assert caught.value.hint
    with pytest.raises(InputError):
        check("q", "a", ["c"], **options)


def test_gold_fields_are_not_looked_at() -> None:
    (verdict,) = Checker().check([{"answer": "a", "contexts": "c", "label": "maybe"}])
    assert verdict.case.label is None


def test_what_is_empty_reaches_the_checker_with_its_reason(path: Path) -> None:
    check("q", "", ["c"])
    check("q", "a", [])
    assert [case.reason for case in path.seen] == ["the answer is empty", "there are no contexts with any text"]


def test_many_cases_are_one_batch(path: Path) -> None:
    case = Case(id="own", answer="a", contexts=(Passage(id="0", text="c"),))
    checker = Checker("default")
    verdicts = checker.check([case, {"response": "b", "retrieved_contexts": ["c"]}])
    assert [verdict.case.id for verdict in verdicts] == ["own", "1"]
    assert [seen.answer for seen in path.seen] == ["a", "b"]
    assert repr(checker) == "Checker('default', model='overlap', threshold=0.5)"


@pytest.mark.parametrize("cases", ["text", {"answer": "a"}, 3, None])
def test_a_batch_is_a_list(cases: Any) -> None:
    with pytest.raises(InputError, match="cases must be a list"):
        Checker().check(cases)


def test_a_bad_case_is_named() -> None:
    with pytest.raises(InputError, match="case 1: answer must be a string"):
        Checker().check([{"answer": "a", "contexts": "c"}, {"answer": 3}])
    with pytest.raises(InputError, match="case 0 must be a Case or a mapping, not str"):
        Checker().check(["a"])  # type: ignore[list-item]


def test_check_is_the_function_even_when_its_module_has_been_imported() -> None:
    code = "import groundwire.check; from groundwire.check import CheckPath; assert callable(groundwire.check)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_everything_that_is_promised_is_there() -> None:
    assert all(hasattr(groundwire, name) for name in groundwire.__all__)
