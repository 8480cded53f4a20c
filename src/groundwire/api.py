"""The Python door: check, verify or generate one answer, or build what does it once and do many.

Left out: the parts and recipes themselves (`groundwire.recipes`), which load here only when a checker is built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from groundwire.arguments import check_options
from groundwire.built import Named
from groundwire.cases import case_of, read_case
from groundwire.errors import InputError
from groundwire.generator import Generator
from groundwire.types import Answer, Case, Passage, Verdict
from groundwire.verifier import Index, Verifier

if TYPE_CHECKING:
    from groundwire.check import CheckPath
    from groundwire.generate.path import Watch
    from groundwire.protocols import LLM
__all__ = ["Checker", "Context", "Generator", "Index", "Verifier", "check", "generate", "verify"]

Context = str | Passage | Mapping[str, Any]
"""A passage of evidence: its text, or `{"id", "text", "title", "uri", "metadata"}`, where only the text is needed."""


class Checker(Named):
    """A checker that is built once: the models are loaded, and many cases are checked as one flat batch.

    `recipe` is a name of `groundwire.recipes.names()`, with fields where some differ: `provenance(select=top-k:5)`.
    `model` and `threshold` (in [0, 1]) replace the recipe's own. Raises UnknownName for a name that does not exist and
    MissingModel for a model that is not on this machine, InputError for a wrong type. Safe to share between threads.
    """

    _path: CheckPath

    def __init__(self, recipe: str = "default", *, model: str | None = None, threshold: float | None = None) -> None:
        from groundwire.recipes import build

        check_options(recipe, model, threshold)
        self._path = build(recipe, model=model, threshold=threshold)

    def __repr__(self) -> str:
        return f"Checker({self.name!r}, model={self._path.model.name!r}, threshold={self.threshold})"

    def check(self, cases: Sequence[Case | Mapping[str, Any]]) -> list[Verdict]:
        """Check every case, in order. A mapping is read as a row of a file, by any of its accepted names.

        A case without an answer or contexts gets NOT_CHECKABLE with the reason. Raises InputError for a wrong type.
        """
        if isinstance(cases, (str, bytes, Case, Mapping)) or not isinstance(cases, Sequence):
            raise InputError(f"cases must be a list, not {type(cases).__name__}", "check_one checks a single answer")
        return self._path.check([case_of(n, case) for n, case in enumerate(cases)])

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


def verify(
    question: str | None = None,
    answer: str | None = None,
    index: Index | None = None,
    *,
    recipe: str = "verify",
    llm: LLM | str | None = None,
    stack: str | None = None,
    model: str | None = None,
    threshold: float | None = None,
) -> Verdict:
    """Find evidence for an answer in an index and say whether it is supported, contradicted, or neither.

    The verdict's contexts are the passages that were judged, `retrieval` says how they were found, `reading` what a reader
    took from them. An answer that is None is asked of the LLM, if there is one. To verify many use `Verifier`, which opens
    the index once. Raises what `Verifier` and `Verifier.verify_one` raise.

    >>> verdict = verify("Who wrote Emma?", "Jane Austen", "novels.index")  # doctest: +SKIP
    >>> verdict.label  # doctest: +SKIP
    <Label.SUPPORTED: 'supported'>
    """
    if index is None:
        raise InputError("index is missing", "verify(question, answer, index)")
    with Verifier(index, recipe, llm=llm, stack=stack, model=model, threshold=threshold) as verifier:
        return verifier.verify_one(question, answer)


def generate(
    question: str,
    index: Index | None = None,
    *,
    passages: Sequence[Context] | None = None,
    recipe: str = "generate",
    llm: LLM | str | None = None,
    watch: Watch | None = None,
    **fields: Any,
) -> Answer:
    """Answer a question from an index or from these passages, with the sources, the lineage and the verdict.

    Without an LLM the answer is made of the sources' own sentences. `fields` replace the recipe's own: `stack`, `model`,
    `threshold`, `seed`, `generations`, `calls`, `tokens`, `seconds`, … Where nothing is found the text is empty and
    `reason` says so. To answer many use `Generator`, which opens the index once. Raises what `Generator` and
    `Generator.generate` raise.

    >>> answer = generate("Who wrote Emma?", "novels.index")  # doctest: +SKIP
    >>> answer.verdict.grounded  # doctest: +SKIP
    True
    """
    if index is None and passages is None:
        raise InputError("there is neither an index nor a passage", "generate(question, index) or passages=[...]")
    with Generator(index, recipe, llm=llm, **fields) as generator:
        return generator.generate(question, passages=passages, watch=watch)
