"""The recipes of verifiers, which find their passages in an index: the default, the same with an LLM, and Huo et al.

The retriever is handed in (`Recipe.retrieves` says which stack), and so is the LLM where one is asked. Left out: the parts
themselves, opening an index, and reaching an endpoint.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast, runtime_checkable

from groundwire import models
from groundwire.compare import LlmJudge, NliJudge
from groundwire.errors import UnknownName
from groundwire.prompts import ANSWER, COMPARE, READ, Prompt
from groundwire.protocols import LLM, Retriever
from groundwire.reader import ExtractiveReader, LlmReader, Reader
from groundwire.recipes.asking import Asking, required
from groundwire.recipes.checking import Default
from groundwire.recipes.spec import changed, read
from groundwire.retrieve import DEFAULT
from groundwire.verify import QUERIES, Judge, Query, VerifyPath
from groundwire.writer import LlmWriter

READERS = ("none", "extractive", "extractive:2", "llm")
JUDGES = ("nli", "llm")


@runtime_checkable
class Recipe(Asking, Protocol):
    """A verifier as data: every field is a spec string, a switch or a number."""

    def make(self, name: str, retriever: Retriever, llm: LLM | None) -> VerifyPath:
        """Load the models and put the parts together. Raises UsageError without an LLM where one is asked."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Verify:
    """Passages for question and answer, ranked by the built-in model, and judged as `check` judges given contexts.

    `judge` is nli or llm; `model` judges where it is nli, and where it is llm it reviews the LLM's labels unless `review`
    is no. `reader` is none, extractive (`extractive:2`: two sentences) or llm. `fence` puts texts into fences that nobody
    can close. An LLM that is handed in is also asked for answers that are missing.
    """

    stack: str = DEFAULT
    query: str = "combined"
    passages: int = 5
    reader: str = "none"
    judge: str = "nli"
    model: str = models.BUILTIN
    review: bool = True
    fence: bool = True
    threshold: float = 0.5

    @property
    def retrieves(self) -> str:
        """The stack."""
        return self.stack

    @property
    def needs_llm(self) -> bool:
        """True when an LLM judges or reads."""
        return "llm" in (self.judge, self.reader)

    def wording(self) -> list[str]:
        """Return the digests of the prompts."""
        return [Prompt(template, self.fence).digest() for template in (ANSWER, READ, COMPARE)]

    def make(self, name: str, retriever: Retriever, llm: LLM | None) -> VerifyPath:
        """Build the verifier."""
        self._known()
        if self.needs_llm:
            required(name, llm)
        return VerifyPath(
            name=name,
            retriever=retriever,
            judge=self._judge(llm),
            query=cast("Query", self.query),
            passages=self.passages,
            reader=self._reader(llm),
            writer=None if llm is None else LlmWriter(llm, Prompt(ANSWER, self.fence)),
        )

    def _known(self) -> None:
        """Refuse names that do not exist, before any model is loaded."""
        for field, value, known in (("query", self.query, QUERIES), ("judge", self.judge, JUDGES)):
            if value not in known:
                raise UnknownName(field, value, known)
        kind, _, sentences = self.reader.partition(":")
        if kind not in READERS or (
            sentences and (kind != "extractive" or not sentences.isdecimal() or sentences == "0")
        ):
            raise UnknownName("reader", self.reader, READERS)

    def _judge(self, llm: LLM | None) -> Judge:
        if self.judge == "llm" and llm is not None:
            return LlmJudge(llm, Prompt(COMPARE, self.fence), self._nli() if self.review else None)
        return self._nli()

    def _nli(self) -> NliJudge:
        return NliJudge(Default(model=self.model, threshold=self.threshold).make("nli"), self.model)

    def _reader(self, llm: LLM | None) -> Reader | None:
        if self.reader == "llm" and llm is not None:
            return LlmReader(llm, Prompt(READ, self.fence))
        kind, _, sentences = self.reader.partition(":")
        return (
            ExtractiveReader(models.load_scorer(models.BUILTIN), int(sentences or 1)) if kind == "extractive" else None
        )


HUO_STACKS: Mapping[str, tuple[str, str]] = {
    "bm25": ("bm25(k1=0.82,b=0.68,lengths=lucene)", "none"),
    "neural": ("neural", "none"),
    "neural+reader": ("neural", "llm"),
}
"""The three pipelines of the paper's table 1: what finds the passage, and what reads it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Huo2023:
    """Huo, Arabzadeh and Clarke, "Retrieving Supporting Evidence for LLMs Generated Answers" (arXiv 2306.13781), section 2.

    The corpus is asked question and answer, the first passage alone is compared, and the same LLM answers, reads and judges
    at temperature 0. The prompts are bare as the paper's; `fence` and `review` are ours. The figures' slots and what they
    ask for are the paper's, the sentences are written anew. The LLM was gpt-3.5-turbo.
    """

    stack: str = "bm25"
    fence: bool = False
    review: bool = False

    def __post_init__(self) -> None:
        if self.stack not in HUO_STACKS:
            raise UnknownName("stack of huo2023", self.stack, HUO_STACKS)

    @property
    def retrieves(self) -> str:
        """The stack behind the paper's name for it."""
        return HUO_STACKS[self.stack][0]

    @property
    def needs_llm(self) -> bool:
        """Always: the paper's judge is an LLM."""
        return True

    def wording(self) -> list[str]:
        """Return the digests of the prompts."""
        return self._verify().wording()

    def make(self, name: str, retriever: Retriever, llm: LLM | None) -> VerifyPath:
        """Build the verifier."""
        return self._verify().make(name, retriever, llm)

    def _verify(self) -> Verify:
        stack, reader = HUO_STACKS[self.stack]
        return Verify(
            stack=stack, passages=1, reader=reader, judge="llm", fence=self.fence, review=self.review, query="combined"
        )


RECIPES: Mapping[str, Recipe] = {
    "verify": Verify(),
    "verify-llm": Verify(judge="llm", passages=3),
    "huo2023": Huo2023(),
}
"""Every verifier by name."""


def names() -> list[str]:
    """Return the names that `parse` knows."""
    return sorted(RECIPES)


def parse(spec: str, **changes: Any) -> Recipe:
    """Read `verify(stack=bm25, passages=3)` or `huo2023(stack=neural+reader)`; `changes` that are not None replace fields.

    `huo2023(bm25)` is short for `huo2023(stack=bm25)`. Raises UnknownName and UsageError for what cannot be read.
    """
    name, _, rest = spec.strip().partition("(")
    first = rest.removesuffix(")").partition(",")[0].strip()
    if name == "huo2023" and first and "=" not in first:
        spec = f"{name}(stack={rest}"
    return changed(read(spec, RECIPES, "verify(stack=bm25, passages=3)"), name, changes)
