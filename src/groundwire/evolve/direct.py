"""The baseline without an evolution: one prompt with the query and the seed documents, one answer.

Source: Kulkarni et al. 2024 (arXiv 2409.00085), section 4: the model is given the query and the seed documents and writes an
answer that fits the query. Its wording is not in the published code. Left out: checking it, which the path does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.evolve.llm import MAX_TOKENS, offspring_of
from groundwire.evolve.operators import PromptedOperator
from groundwire.evolve.wording import direct
from groundwire.protocols import LLM
from groundwire.types import Offspring

NAME = "direct"
"""The operator, as a lineage says it."""


@dataclass(frozen=True, slots=True)
class DirectWriter:
    """Ask an LLM for an answer from the seeds, in one call. `fenced` and `exact` are those of `PromptedOperator`."""

    llm: LLM
    fenced: bool = True
    exact: bool = False
    max_tokens: int | None = MAX_TOKENS

    @property
    def name(self) -> str:
        """The writer as its spec string."""
        return f"{NAME}:{self.llm.name}"

    def write(self, question: str, seeds: Sequence[str], *, seed: int | None = None) -> Offspring:
        """Return the answer from the texts of the seeds, best first; without an answer, why. Raises what the LLM raises."""
        if not seeds:
            return Offspring(text=None, reason="skipped: there are no documents to answer from")
        wording = direct(len(seeds))
        asker = PromptedOperator(name=NAME, arity=len(seeds), wording=wording, fenced=self.fenced, exact=self.exact)
        prompt = asker.propose(question, seeds)
        (reply,) = self.llm.complete([prompt], max_tokens=self.max_tokens, seed=seed)
        return offspring_of(reply, asker)
