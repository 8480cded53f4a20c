"""The answer itself, where none was given: the LLM is asked the question (figure 2 of arXiv 2306.13781).

Left out: answers that are made from evidence; these stay on their sources and are another path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from groundwire.prompts import ANSWER, Prompt, forget
from groundwire.protocols import LLM
from groundwire.types import Completion


@dataclass(frozen=True, slots=True)
class LlmWriter:
    """Ask an LLM for short answers, one call a question. A refusal that comes as a text is an answer like any other."""

    llm: LLM
    prompt: Prompt = field(default_factory=lambda: Prompt(ANSWER))

    @property
    def name(self) -> str:
        """The writer as its spec string."""
        return f"llm:{self.llm.name}"

    def write(self, questions: Sequence[str]) -> list[Completion]:
        """Return the reply to every question. An LLM that keeps its replies is let forget the empty ones."""
        prompts = [self.prompt.fill({"query": question}) for question in questions]
        replies = self.llm.complete(prompts)
        empty = [reply.status == "ok" and not (reply.text or "").strip() for reply in replies]
        forget(self.llm, [prompt for prompt, said_nothing in zip(prompts, empty, strict=True) if said_nothing])
        return replies
