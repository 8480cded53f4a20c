"""The roles: what a part must do to take its place in a path.

Model roles take a list and give a list of equal length, in the same order, and are deterministic. A class fills a role by
having the method; nothing is inherited or registered. Left out: the parts themselves (one role a file, on floor 3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from groundwire.types import (
    Case,
    Claim,
    ClaimVerdict,
    Completion,
    Entailment,
    Finding,
    Hit,
    Label,
    Mating,
    Offspring,
    Passage,
    Premise,
    Reading,
    Source,
    Verdict,
)

Pair = tuple[str, str]
"""(text a, text b). For entailment a is the premise and b the claim; for relevance a is the query and b the passage."""

Prompt = str | tuple[str, str]
"""One user message, or a system message and a user message."""


@runtime_checkable
class RelevanceScorer(Protocol):
    """Says how much a passage has to do with a query: an unbounded logit, higher is more relevant."""

    @property
    def name(self) -> str:
        """The model."""
        ...

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """Score (query, passage) pairs."""
        ...

    def truncated(self, pairs: Sequence[Pair]) -> list[bool]:
        """Say which of these pairs are longer than the model reads, so that something was cut."""
        ...


@runtime_checkable
class EntailmentModel(Protocol):
    """Says whether a premise supports, refutes or leaves open a claim."""

    @property
    def name(self) -> str:
        """The model."""
        ...

    def entail(self, pairs: Sequence[Pair]) -> list[Entailment]:
        """Judge (premise, claim) pairs."""
        ...

    def truncated(self, pairs: Sequence[Pair]) -> list[bool]:
        """Say which of these pairs are longer than the model reads, so that something was cut."""
        ...


@runtime_checkable
class PairReader(EntailmentModel, Protocol):
    """An entailment model that in the same run may also say how relevant the premise is, and which words it does not back."""

    def read(self, pairs: Sequence[Pair]) -> list[Reading]:
        """Read (premise, claim) pairs in every way that the model can."""
        ...


@runtime_checkable
class InLanguages(Protocol):
    """A model that says which languages it reads."""

    @property
    def languages(self) -> Sequence[str]:
        """The languages as BCP 47 tags ("en"); none where it is not known."""
        ...


@runtime_checkable
class Cutter(Protocol):
    """Cuts the contexts of a case into the sources that are judged."""

    def cut(self, case: Case) -> list[Source]:
        """Return the sources in the order of the contexts; spans point into them."""
        ...


@runtime_checkable
class Selector(Protocol):
    """Chooses the sources that are worth judging."""

    def select(self, hits: Sequence[Hit]) -> list[tuple[int, float]]:
        """Return (position in `hits`, weight) of the kept ones in their original order; the weights sum to 1."""
        ...


@runtime_checkable
class ClaimSplitter(Protocol):
    """Cuts answers into claims."""

    def split(self, cases: Sequence[Case]) -> list[list[Claim]]:
        """Return each case's claims, in the order of the answer; spans point into the answer."""
        ...


@runtime_checkable
class PremiseBuilder(Protocol):
    """Says which texts each claim of a case is judged against."""

    def build(
        self, claims: Sequence[Claim], sources: Sequence[Source], weights: Sequence[float]
    ) -> list[list[Premise]]:
        """Return the premises of each claim; at least one for every claim when there is any source."""
        ...


@runtime_checkable
class Aggregator(Protocol):
    """Policy: makes one score of many."""

    def claim(self, scores: Sequence[float], weights: Sequence[float]) -> float:
        """Join one claim's scores over its sources (weights sum to 1)."""
        ...

    def answer(self, scores: Sequence[float]) -> float:
        """Join the scores of an answer's claims."""
        ...


@runtime_checkable
class ClaimJudge(Protocol):
    """Turns what was found for a claim into a label and a score, and those of the claims into the answer's."""

    def judge(self, claim: Claim, findings: Sequence[Finding], threshold: float) -> ClaimVerdict:
        """Judge one claim by its findings (never empty)."""
        ...

    def answer(self, verdicts: Sequence[ClaimVerdict], threshold: float) -> tuple[Label, float]:
        """Join the verdicts of an answer's checkable claims (never empty)."""
        ...


@runtime_checkable
class Checker(Protocol):
    """The whole of a check: all that evaluation, the command line and the server know."""

    @property
    def name(self) -> str:
        """The recipe that it was built from."""
        ...

    @property
    def threshold(self) -> float:
        """The score in [0, 1] from which a claim and an answer count as supported."""
        ...

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        """Check every case, as one flat batch; a case that cannot be checked gets NOT_CHECKABLE with its reason."""
        ...


@runtime_checkable
class Retriever(Protocol):
    """Finds passages for queries. A stack of several parts is a retriever too, and prints as the string that makes it."""

    @property
    def name(self) -> str:
        """The part or the stack as its spec string."""
        ...

    def retrieve(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query, best first; of equal scores the smaller passage id comes first."""
        ...


@runtime_checkable
class Reranker(Protocol):
    """Orders hits anew."""

    @property
    def name(self) -> str:
        """The model as its spec string."""
        ...

    def rerank(self, queries: Sequence[str], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        """Return each query's hits with new scores, best first; of equal scores the order that they had stays."""
        ...


@runtime_checkable
class LLM(Protocol):
    """A language model behind an endpoint."""

    @property
    def name(self) -> str:
        """The model."""
        ...

    def complete(
        self, prompts: Sequence[Prompt], *, max_tokens: int | None = None, seed: int | Sequence[int] | None = None
    ) -> list[Completion]:
        """Answer each prompt, concurrently; a failed call is a value, not an error.

        `seed` is that of all of them, or one for each: where the temperature is above 0, equal prompts with two seeds are
        two draws.
        """
        ...


@runtime_checkable
class GeneticOperator(Protocol):
    """Makes a prompt of parents, and an offspring of the reply. It calls nobody, and draws nothing."""

    @property
    def name(self) -> str:
        """The operator, as lineages say it."""
        ...

    @property
    def arity(self) -> int:
        """How many parents it takes: 1 or 2."""
        ...

    def propose(self, question: str, parents: Sequence[str]) -> Prompt:
        """Return the prompt for these parents' texts."""
        ...

    def parse(self, reply: str) -> str:
        """Return the offspring's text, empty when the reply holds none."""
        ...


@runtime_checkable
class Breeder(Protocol):
    """Makes a whole generation at once: by one batch of prompts to an LLM, or out of the sentences of the sources."""

    @property
    def name(self) -> str:
        """The breeder as its spec string."""
        ...

    @property
    def arities(self) -> Mapping[str, int]:
        """Its operators by name, with how many parents each takes."""
        ...

    def breed(self, question: str, matings: Sequence[Mating], sources: Sequence[Passage]) -> list[Offspring]:
        """Return what came of each mating; `sources` are the passages that the population was grown from."""
        ...


@runtime_checkable
class Measure(Protocol):
    """The fitness for one question, once its seeds are known."""

    def score(self, texts: Sequence[str]) -> list[Mapping[str, float]]:
        """Return each text's terms by name, and what they come to as "total": higher is fitter."""
        ...


@runtime_checkable
class Fitness(Protocol):
    """What a generated answer is bred for."""

    @property
    def name(self) -> str:
        """The fitness as its spec string."""
        ...

    def of(self, question: str, seeds: Sequence[Passage], pool: Sequence[float]) -> Measure:
        """Return the measure for a question: grounded in `seeds`, relevance on the scale of the `pool`'s raw scores."""
        ...
