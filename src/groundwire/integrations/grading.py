"""What every adapter does: a question, an answer and contexts as a tool has them in, a score and a reason out.

Left out: what the tools want these to be called (one file each).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from groundwire import recipes
from groundwire.arguments import check_options
from groundwire.cases import case_of
from groundwire.errors import InputError
from groundwire.evals import peers
from groundwire.gates import told
from groundwire.protocols import Checker
from groundwire.types import Passage, Verdict

Asked = str | Checker
"""A recipe (`default`, `provenance(select=top-k:5)`), a peer (`peer:overlap`), or a checker that is built."""

Row = tuple[str | None, str | None, Any]
"""Question, answer, contexts: texts, passages or documents of the tool, in a list or one alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """A score in [0, 1], None where the answer could not be checked, and the reason in words."""

    score: float | None
    grounded: bool
    reason: str
    verdict: Verdict


class Grader:
    """Grades answers by one checker. `model` and `threshold` (in [0, 1]) replace those of a recipe.

    Raises what `groundwire.Checker` raises, InputError for what is no checker.
    """

    def __init__(self, checker: Asked = "default", *, model: str | None = None, threshold: float | None = None) -> None:
        self.checker = _built(checker, model, threshold)

    @property
    def threshold(self) -> float:
        """The score from which an answer is grounded."""
        return self.checker.threshold

    def grade(self, question: str | None, answer: str | None, contexts: Any) -> Grade:
        """Grade one answer. Raises InputError where something is no text."""
        return self.grade_all([(question, answer, contexts)])[0]

    def grade_all(self, rows: Iterable[Row]) -> list[Grade]:
        """Grade many, as one batch."""
        cases = [
            case_of(n, {"question": question, "answer": answer, "contexts": passages_of(contexts)})
            for n, (question, answer, contexts) in enumerate(rows)
        ]
        return [
            Grade(score=verdict.score, grounded=verdict.grounded, reason=told(verdict), verdict=verdict)
            for verdict in self.checker.check(cases)
        ]


def passages_of(contexts: Any) -> list[Passage | str | Mapping[str, Any]]:
    """Return a tool's contexts as ours: texts, objects of a row, or documents that know their text."""
    if contexts is None:
        return []
    single = isinstance(contexts, (str, Passage, Mapping)) or not isinstance(contexts, Iterable)
    return [_passage(item) for item in ([contexts] if single else contexts)]


def _passage(item: Any) -> Passage | str | Mapping[str, Any]:
    if isinstance(item, (str, Passage, Mapping)):
        return item
    if hasattr(item, "get_content"):  # LlamaIndex
        return str(item.get_content())
    for name in ("page_content", "content", "text", "long_text"):  # LangChain, Haystack, others, DSPy
        if isinstance(getattr(item, name, None), str):
            return str(getattr(item, name))
    raise InputError(f"a context must be a text or a document, not {type(item).__name__}", "contexts=['…']")


def first(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return what a row has under the first of these names that it has, None where it has none."""
    return next((row[name] for name in names if row.get(name) is not None), None)


def _built(checker: Asked, model: str | None, threshold: float | None) -> Checker:
    if isinstance(checker, str):
        return _cached(checker, model, threshold)
    if not hasattr(checker, "check"):
        raise InputError(f"checker must be a recipe or a checker, not {type(checker).__name__}", "checker='default'")
    if model is not None or threshold is not None:
        raise InputError("model and threshold belong to a recipe", "build the checker with them")
    return checker


@lru_cache(maxsize=16)
def _cached(recipe: str, model: str | None, threshold: float | None) -> Checker:
    """Build a checker once, however many tests ask for it."""
    if peers.is_peer(recipe):
        if model is not None:
            raise InputError("a peer says its model itself", "peer:hhem(NAME)")
        return peers.open(recipe, threshold=threshold)
    check_options(recipe, model, threshold)
    return recipes.build(recipe, model=model, threshold=threshold)
