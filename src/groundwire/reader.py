"""Readers: from the passages that were found to a short answer of their own.

Source: Huo, Arabzadeh and Clarke (arXiv 2306.13781), section 2.3 and figure 3: the LLM is told that the passage holds the
answer, so it may also "find" one in a passage that has none (figure 8: a salary that stands nowhere). Numbers are where
that happens and where it can be seen: `missing_numbers` names those that no passage has. `ExtractiveReader` cannot invent
anything: its answer is sentences of the passages.

Left out: comparing the reading with the answer (`compare/`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from groundwire.prompts import READ, Prompt, forget
from groundwire.protocols import LLM, RelevanceScorer
from groundwire.quantities import QuantityIndex, quantities
from groundwire.text import sentence_bounds
from groundwire.types import Completion, Passage

NOT_GROUNDED = "reader_not_grounded"
"""How the warning begins that says that a reader named a number which no passage has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reader took from the passages. `text` is None where it took nothing, and then `reason` says why."""

    text: str | None
    reason: str | None = None


class Reader(Protocol):
    """Takes an answer to a question from passages."""

    @property
    def name(self) -> str:
        """The reader as its spec string."""
        ...

    def read(self, questions: Sequence[str], passages: Sequence[Sequence[Passage]]) -> list[Reading]:
        """Read each question's passages (never empty), as one batch."""
        ...


@dataclass(frozen=True, slots=True)
class LlmReader:
    """The paper's reader: one call a question, over the passages joined by blank lines."""

    llm: LLM
    prompt: Prompt = field(default_factory=lambda: Prompt(READ))

    @property
    def name(self) -> str:
        """The reader as its spec string."""
        return f"llm:{self.llm.name}"

    def read(self, questions: Sequence[str], passages: Sequence[Sequence[Passage]]) -> list[Reading]:
        """Ask for every reading at once; a call that failed or was refused is a reading without a text.

        An LLM that keeps its replies is let forget the empty ones, so that they are asked for again another time.
        """
        prompts = [
            self.prompt.fill({"query": question, "passage": "\n\n".join(p.text for p in found)})
            for question, found in zip(questions, passages, strict=True)
        ]
        replies = self.llm.complete(prompts)
        forget(self.llm, [prompt for prompt, reply in zip(prompts, replies, strict=True) if _empty(reply)])
        return [_reading(reply) for reply in replies]


@dataclass(frozen=True, slots=True)
class ExtractiveReader:
    """The `sentences` sentences of the passages that are most relevant to the question, in their order."""

    scorer: RelevanceScorer
    sentences: int = 1

    @property
    def name(self) -> str:
        """The reader as its spec string."""
        return "extractive" if self.sentences == 1 else f"extractive:{self.sentences}"

    def read(self, questions: Sequence[str], passages: Sequence[Sequence[Passage]]) -> list[Reading]:
        """Rank the sentences of all questions in one batch; of equal ones the earlier counts."""
        said = [[p.text[a:b] for p in found for a, b in sentence_bounds(p.text)] for found in passages]
        pairs = [(q, sentence) for q, sentences in zip(questions, said, strict=True) for sentence in sentences]
        scores = iter(self.scorer.score(pairs))
        return [self._best(sentences, [next(scores) for _ in sentences]) for sentences in said]

    def _best(self, sentences: Sequence[str], scores: Sequence[float]) -> Reading:
        best = sorted(range(len(sentences)), key=lambda n: -scores[n])[: self.sentences]
        if not best:
            return Reading(text=None, reason="skipped: the passages hold no sentence")
        return Reading(text=" ".join(sentences[n] for n in sorted(best)))


def missing_numbers(reading: str, passages: Sequence[Passage]) -> list[str]:
    """Return the numbers of a reading, as written, that no passage has, in any way of writing them.

    A date without its day or a rounded number stands in a passage that is more exact; "one" and "first" are no numbers.
    """
    stated = QuantityIndex(quantity for passage in passages for quantity in quantities(passage.text))
    return [reading[q.start : q.end] for q in quantities(reading) if not q.weak and q not in stated]


def _empty(reply: Completion) -> bool:
    return reply.status == "ok" and not (reply.text or "").strip()


def _reading(reply: Completion) -> Reading:
    if reply.status == "ok" and not _empty(reply):
        return Reading(text=(reply.text or "").strip())
    if reply.status == "ok":
        return Reading(text=None, reason="unparseable: the reader's reply is empty")
    if reply.status == "refused":
        return Reading(
            text=None, reason="refused: the reader declined" + (f" ({reply.reason})" if reply.reason else "")
        )
    return Reading(text=None, reason=f"error: the reader could not be asked ({reply.reason or 'no reason given'})")
