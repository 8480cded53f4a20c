"""The Python door: check one answer, or build a checker once and check many.

Left out: the parts and recipes themselves (`groundwire.recipes`), which load here only when a checker is built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from groundwire.cases import read_case
from groundwire.errors import InputError
from groundwire.types import Case, Passage, Verdict

Context = str | Passage | Mapping[str, Any]
"""A passage of evidence: its text, or `{"id", "text", "title", "uri", "metadata"}`, where only the text is needed."""


class Checker:
    """A checker that is built once: the models are loaded, and many cases are checked as one flat batch.

    `recipe` is a name of `groundwire.recipes.names()`, with fields where some differ: `provenance(select=top-k:5)`.
    `model` and `threshold` (in [0, 1]) replace the recipe's own. Raises UnknownName for a name that does not exist and
    MissingModel for a model that is not on this machine, InputError for a wrong type. Safe to share between threads.
    """

    def __init__(self, recipe: str = "default", *, model: str | None = None, threshold: float | None = None) -> None:
        from groundwire.recipes import build

        _check_options(recipe, model, threshold)
        self._path = build(recipe, model=model, threshold=threshold)

    def __repr__(self) -> str:
        return f"Checker({self.name!r}, model={self._path.model.name!r}, threshold={self.threshold})"

    @property
    def name(self) -> str:
        """The recipe."""
        return self._path.name

    @property
    def threshold(self) -> float:
        """The score, in [0, 1], from which a claim and an answer count as supported."""
        return self._path.threshold

    def check(self, cases: Sequence[Case | Mapping[str, Any]]) -> list[Verdict]:
        """Check every case, in order. A mapping is read as a row of a file, by any of its accepted names.

        A case without an answer or contexts gets NOT_CHECKABLE with the reason. Raises InputError for a wrong type.
        """
        if isinstance(cases, (str, bytes, Case, Mapping)) or not isinstance(cases, Sequence):
            raise InputError(f"cases must be a list, not {type(cases).__name__}", "check_one checks a single answer")
        return self._path.check([_case(n, case) for n, case in enumerate(cases)])

    def check_one(self, question: str | None, answer: str, contexts: Context | Sequence[Context]) -> Verdict:
        """Check one answer; `question` may be None. Raises InputError when answer or contexts are None or no text."""
        for name, value in (("answer", answer), ("contexts", contexts)):
            if value is None:
                raise InputError(f"{name} is missing", "check(question, answer, contexts)")
        row = {"question": question, "answer": answer, "contexts": contexts}
        return self._path.check([read_case(row, fallback_id="0")])[0]


def check(
    question: str | None = None,
    answer: str | None = None,
    contexts: Context | Sequence[Context] | None = None,
    *,
    recipe: str = "default",
    model: str | None = None,
    threshold: float | None = None,
) -> Verdict:
    """Check whether an answer is grounded in these contexts; `question` may be None.

    Loaded models are kept, so a second call is fast; to check many cases at once use `Checker`. Raises what `Checker`
    and `Checker.check_one` raise.

    >>> verdict = check("Who wrote Emma?", "Jane Austen", ["Emma is a novel by Jane Austen."])  # doctest: +SKIP
    >>> verdict.grounded  # doctest: +SKIP
    True
    """
    if answer is None or contexts is None:
        raise InputError(
            f"{'answer' if answer is None else 'contexts'} is missing", "check(question, answer, contexts)"
        )
    return Checker(recipe, model=model, threshold=threshold).check_one(question, answer, contexts)


def _check_options(recipe: Any, model: Any, threshold: Any) -> None:
    if not isinstance(recipe, str):
        raise InputError(f"recipe must be a string, not {type(recipe).__name__}", "groundwire.recipes.names()")
    if not isinstance(model, str | None):
        raise InputError(f"model must be a string or None, not {type(model).__name__}", "groundwire models list")
    if threshold is None:
        return
    if isinstance(threshold, bool) or not isinstance(threshold, Real):
        raise InputError(f"threshold must be a number, not {type(threshold).__name__}", "a number in [0, 1], or None")
    if not 0 <= float(threshold) <= 1:
        raise InputError(f"a threshold lies in [0, 1], got {threshold}", "the default is the recipe's own")


def _case(n: int, case: Case | Mapping[str, Any]) -> Case:
    if isinstance(case, Case):
        return case
    if not isinstance(case, Mapping):
        raise InputError(f"case {n} must be a Case or a mapping, not {type(case).__name__}")
    try:
        return read_case(case, fallback_id=str(n))
    except InputError as error:
        raise InputError(f"case {n}: {error.message}", error.hint) from error
