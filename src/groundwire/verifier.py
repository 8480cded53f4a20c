"""A verifier that is built once: a recipe, an index, and an LLM where one is asked.

Left out: the path itself (`groundwire.verify`), the parts and recipes, which load here only when a verifier is built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Union

from groundwire.arguments import check_options
from groundwire.built import Built
from groundwire.cases import case_of
from groundwire.errors import InputError
from groundwire.types import Case, Verdict

if TYPE_CHECKING:
    from groundwire.protocols import LLM, Retriever
    from groundwire.stacks import SearchedIndex
    from groundwire.verify import VerifyPath

Index = Union[str, "PathLike[str]", "SearchedIndex", "Retriever"]
"""What passages are found in: the folder of an index or its address on Milvus, one that is open, or any retriever."""


class Verifier(Built):
    """A verifier that is built once: the index is open, the models are loaded, and many answers are verified as one batch.

    `recipe` is a name of `groundwire.recipes.verifying.names()`, with fields where some differ: `verify(passages=3)`.
    `llm` fills the role LLM, or is the name of a model behind the endpoint that the environment names; it is asked where
    the recipe says so, and for answers that are missing. `stack`, `model` and `threshold` (in [0, 1]) replace the recipe's
    own. A retriever that is given for an index is used as it is, whatever the stack. A context manager: `close` closes the
    index that it opened.

    Raises UnknownName and UsageError for a recipe or stack that cannot be read or needs an LLM that is not there, and what
    opening the index raises. Safe to share between threads as far as the index and the LLM are.
    """

    _path: VerifyPath

    def __init__(
        self,
        index: Index,
        recipe: str = "verify",
        *,
        llm: LLM | str | None = None,
        stack: str | None = None,
        model: str | None = None,
        threshold: float | None = None,
    ) -> None:
        from groundwire.models.asking import given
        from groundwire.recipes import verifying
        from groundwire.stacks.opening import opened_retriever

        check_options(recipe, model, threshold)
        if not isinstance(stack, str | None):
            raise InputError(f"stack must be a string or None, not {type(stack).__name__}", "bm25+mini")
        wanted = verifying.parse(recipe, stack=stack, model=model, threshold=threshold)
        with ExitStack() as opened:
            asked = given(llm, opened)
            self._index, retriever = opened_retriever(index, wanted.retrieves, opened)
            self._path = wanted.make(recipe, retriever, asked)
            self._opened = opened.pop_all()
        self._wording = [] if asked is None else wanted.wording()
        self._options = {"stack": wanted.retrieves, "model": model, "threshold": threshold, "llm": asked and asked.name}

    def __repr__(self) -> str:
        return f"Verifier({self.name!r}, stack={self._path.retriever.name!r}, judge={self._path.judge.name!r})"

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        """Verify the cases: a verifier stands where a checker stands, and does not read their contexts."""
        return self.verify(cases)

    def verify(self, cases: Sequence[Case | Mapping[str, Any]]) -> list[Verdict]:
        """Verify every case, in order. A mapping is read as a row of a file; contexts, if any, are not read.

        A case without an answer gets NOT_CHECKABLE with the reason, unless an LLM may be asked for one. Raises InputError
        for a wrong type.
        """
        if isinstance(cases, (str, bytes, Case, Mapping)) or not isinstance(cases, Sequence):
            raise InputError(f"cases must be a list, not {type(cases).__name__}", "verify_one verifies a single answer")
        return self._path.verify([replace(case_of(n, case), contexts=(), reason=None) for n, case in enumerate(cases)])

    def verify_one(self, question: str | None, answer: str | None) -> Verdict:
        """Verify one answer; one of the two may be None. Raises InputError for a wrong type."""
        for name, value in (("question", question), ("answer", answer)):
            if not isinstance(value, str | None):
                raise InputError(f"{name} must be a string or None, not {type(value).__name__}", "verify_one(q, a)")
        return self._path.verify([Case(id="0", question=question, answer=answer or "", contexts=())])[0]

    def identity(self) -> dict[str, Any]:
        """Return what may change a verdict, as JSON values: the recipe, its parts, the prompts and what the index holds."""
        path = self._path
        parts = {"retriever": path.retriever.name, "judge": path.judge.name, "threshold": path.threshold}
        return {"recipe": self.name, **self._options, **parts, "prompts": self._wording, "index": self._held()}
