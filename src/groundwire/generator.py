"""A generator that is built once: a recipe, an index, and an LLM where one is asked.

Left out: the paths themselves (`groundwire.generate`), the parts and recipes, which load here only when one is built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from groundwire.arguments import check_options
from groundwire.built import Built
from groundwire.cases import passages_of
from groundwire.errors import InputError
from groundwire.types import Answer, Passage

if TYPE_CHECKING:
    from groundwire.generate import DirectPath, GeneratePath
    from groundwire.generate.path import Watch
    from groundwire.protocols import LLM, Retriever
    from groundwire.stacks import SearchedIndex
    from groundwire.stacks.opening import Index


class Generator(Built):
    """A generator that is built once: the index is open, the models are loaded, and one question after another is answered.

    `recipe` is a name of `groundwire.recipes.generating.names()`, with fields where some differ: `gauge-paper(rouge=1)`.
    Without an `index` passages are given with each question. `llm` fills the role LLM, or is the name of a model behind the
    endpoint that the environment names (asked at the recipe's temperature); without one the default recipe answers with
    the sources' own sentences. `fields` replace the recipe's own: `stack`, `model`, `threshold`, `seed`, the budgets
    `generations`, `calls`, `tokens` and `seconds`, … A context manager: `close` closes what it opened.

    Raises UnknownName and UsageError for a recipe or stack that cannot be read or needs an LLM that is not there,
    MissingModel for models that are not on this machine, and what opening the index raises. Safe to share between threads
    as far as the index and the LLM are.
    """

    _path: GeneratePath | DirectPath

    def __init__(
        self, index: Index | None = None, recipe: str = "generate", *, llm: LLM | str | None = None, **fields: Any
    ) -> None:
        from groundwire.models.asking import given
        from groundwire.recipes import generating
        from groundwire.stacks.opening import opened_retriever

        check_options(recipe, fields.get("model"), fields.get("threshold"))
        wanted = generating.parse(recipe, **fields)
        self._index: SearchedIndex | None = None
        retriever: Retriever | None = None
        with ExitStack() as opened:
            asked = given(llm, opened, temperature=wanted.temperature)
            if index is not None:
                self._index, retriever = opened_retriever(index, wanted.retrieves, opened)
            self._path = wanted.make(recipe, retriever, asked)
            self._opened = opened.pop_all()
        self._told = {"fields": asdict(wanted), "llm": asked and asked.name, "prompts": wanted.wording()}  # type: ignore[call-overload]

    def __repr__(self) -> str:
        retriever = self._path.pooling.retriever
        return f"Generator({self.name!r}, index={retriever and retriever.name!r})"

    def generate(
        self,
        question: str,
        *,
        passages: Sequence[str | Passage | Mapping[str, Any]] | None = None,
        watch: Watch | None = None,
    ) -> Answer:
        """Answer a question from the index, or from these passages: texts, or `{"id", "text", "title", …}`.

        The answer brings its verdict; where nothing is found it is empty, with the reason. `watch` is told of every
        generation. Raises InputError for a wrong type, an empty question, and where there is neither index nor passage.
        """
        if not isinstance(question, str):
            raise InputError(f"question must be a string, not {type(question).__name__}", "generate(question, index)")
        given = None if passages is None else passages_of(passages)
        return self._path.generate(question, passages=given, watch=watch)

    def identity(self) -> dict[str, Any]:
        """Return what may change an answer, as JSON values: the recipe, its parts, the prompts and what the index holds."""
        pooling = self._path.pooling
        retriever = pooling.retriever and pooling.retriever.name
        return {"recipe": self.name, **self._told, "retriever": retriever, "index": self._held()}
