"""Breeding by a language model: a generation is one batch of prompts, asked at once.

The published scripts ask one after the other (`sequential`), which takes as many times as long and gives the same. A call
that fails, a model that declines and a reply without a text lose one offspring each, never the run. An endpoint that was
set up wrong is no lost offspring: what the LLM raises then goes through.

Left out: which matings are worth a call (`draws`), and asking again (a lost offspring is not missed among twelve).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.errors import UnknownName
from groundwire.evolve.replies import whole_sentences
from groundwire.protocols import LLM, GeneticOperator, Prompt
from groundwire.types import Completion, Mating, Offspring, Passage

MAX_TOKENS = 1_024
"""Tokens of a reply: a long passage with some thoughts before it, and an end to one that goes round in circles."""
NOT_ASKED = "not_asked"
"""How the reason of a call begins that was never sent: the endpoint was left alone, or the time was over."""


@dataclass(frozen=True, slots=True)
class LlmBreeder:
    """Fills Breeder: each operator proposes, `llm` replies, the operator parses. Each mating's seed is its prompt's.

    `max_tokens` bounds a reply; what is cut there loses its last, broken sentence. None sends no bound, as the published
    scripts do, and for models that refuse the field. `blank` hands on an empty text, which the scripts score; else there is
    no offspring then.
    """

    llm: LLM
    operators: tuple[GeneticOperator, ...]
    sequential: bool = False
    max_tokens: int | None = MAX_TOKENS
    blank: bool = False

    @property
    def name(self) -> str:
        """The breeder as its spec string."""
        return f"llm:{self.llm.name}"

    @property
    def arities(self) -> Mapping[str, int]:
        """Its operators by name, with how many parents each takes."""
        return {operator.name: operator.arity for operator in self.operators}

    def breed(self, question: str, matings: Sequence[Mating], sources: Sequence[Passage]) -> list[Offspring]:
        """Return what came of each mating; the sources speak through the parents alone.

        Raises UnknownName for an operator that it does not have, UsageError for a wrong number of parents, and what the
        LLM raises for an endpoint that cannot be asked at all.
        """
        del sources
        operators = [self._operator(mating.operator) for mating in matings]
        prompts = [
            operator.propose(question, [parent.text for parent in mating.parents])
            for operator, mating in zip(operators, matings, strict=True)
        ]
        replies = self._asked(prompts, [mating.seed for mating in matings])
        return [
            offspring_of(reply, operator, blank=self.blank) for operator, reply in zip(operators, replies, strict=True)
        ]

    def _asked(self, prompts: Sequence[Prompt], seeds: Sequence[int]) -> list[Completion]:
        if not prompts:
            return []
        if not self.sequential:
            return self.llm.complete(prompts, max_tokens=self.max_tokens, seed=seeds)
        replies: list[Completion] = []
        for prompt, seed in zip(prompts, seeds, strict=True):
            replies += self.llm.complete([prompt], max_tokens=self.max_tokens, seed=[seed])
        return replies

    def _operator(self, name: str) -> GeneticOperator:
        for operator in self.operators:
            if operator.name == name:
                return operator
        raise UnknownName("operator", name, self.arities)


def offspring_of(reply: Completion, operator: GeneticOperator, *, blank: bool = False) -> Offspring:
    """Return what a reply is worth, with what was paid for it: nothing for one that was kept or never asked for."""
    text, reason = _read(reply, operator)
    if blank and text is None and reply.status == "ok":
        text, reason = "", None
    asked = not reply.cached and not (reply.reason or "").startswith(NOT_ASKED)
    return Offspring(
        text=text,
        reason=reason,
        broken=text is None and reply.status == "error",
        calls=int(asked),
        prompt_tokens=reply.prompt_tokens if asked else 0,
        reply_tokens=reply.reply_tokens if asked else 0,
    )


def _read(reply: Completion, operator: GeneticOperator) -> tuple[str | None, str | None]:
    """Return the text, or None and why there is none; the reason begins with the outcome's word."""
    if reply.status == "refused":
        return None, "refused: the LLM declined" + (f" ({reply.reason})" if reply.reason else "")
    if reply.status != "ok" or reply.text is None:
        return None, f"error: the LLM could not be asked ({reply.reason or 'no reason given'})"
    if not reply.text.strip():
        return None, "unparseable: the reply is empty"
    text = operator.parse(reply.text)
    if reply.reason:  # of a reply that is "ok": it was cut at the limit of tokens
        text = whole_sentences(text)
    if not text:
        return None, "unparseable: the reply holds no text (it declines, repeats its prompt, or goes round in circles)"
    return text, None
