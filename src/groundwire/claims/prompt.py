"""The claim prompt: a question and its answer in one sentence (Provenance, arXiv 2411.01022, section 3.3).

Left out: which sentences of an answer are read so (`groundwire.claims.answering`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import Formatter

from groundwire.errors import UsageError
from groundwire.idle import NOTHING_SAID
from groundwire.types import Case, Claim, Span

TEMPLATE = "The answer to question {question} is {answer}."
"""Provenance, section 3.3."""

APPENDIX_TEMPLATE = "The answer to the question {question} is {answer}."
"""Provenance, appendix A: the wording of the preliminary experiments 0.1 to 0.3."""

ANSWER = "answer"
"""The source name of every span that points into an answer."""

CLAIM = "claim"
"""The source name of a span that points into the text of a claim."""


def claim_prompt(question: str | None, answer: str, *, template: str = TEMPLATE, strip_period: bool = True) -> str:
    """Put a question and an answer into one sentence; without a question the answer stands alone.

    `strip_period` drops one final full stop of the answer, since the template brings its own.
    """
    if not question or not question.strip():
        return answer
    answer = answer.strip()
    if strip_period and answer.endswith("."):
        answer = answer[:-1]
    return template.format(question=question.strip(), answer=answer)


def own_words(text: str, question: str | None, answer: str, *, template: str = TEMPLATE) -> Span:
    """Return where in a claim prompt's `text` the answer's words stand, without the white space around them.

    What the template puts before them is not the answer's, nor what comes after. Empty, at 0, where a template does not
    hold the answer as it is.
    """
    words = answer.strip()
    if not question or not question.strip():
        start = len(answer) - len(answer.lstrip())
    else:
        start = _before_answer(template, question.strip())
    end = start + len(words)
    if text[start:end] != words:
        end -= 1  # the final full stop was dropped
    held = text[start:end] == words[: max(0, end - start)]
    return Span(source=CLAIM, start=start, end=end) if held else Span(source=CLAIM, start=0, end=0)


def _before_answer(template: str, question: str) -> int:
    """Return the length of what a filled template puts before the answer; that of the whole where no answer stands."""
    length = 0
    for literal, field, _, _ in Formatter().parse(template):
        length += len(literal)
        if field == "answer":
            break
        length += len(question) if field == "question" else 0
    return length


def _trimmed(text: str) -> tuple[int, int]:
    start = len(text) - len(text.lstrip())
    return start, max(start, len(text.rstrip()))


@dataclass(frozen=True, slots=True)
class PromptClaim:
    """One claim an answer: the claim prompt over the whole of it."""

    template: str = TEMPLATE
    strip_period: bool = True

    def __post_init__(self) -> None:
        try:
            self.template.format(question="", answer="")
        except (KeyError, IndexError, ValueError) as error:
            raise UsageError(f"the template {self.template!r} cannot be filled", f"for example {TEMPLATE!r}") from error

    def split(self, cases: Sequence[Case]) -> list[list[Claim]]:
        """Return one claim for each case; its span is the whole answer without the white space around it."""
        return [[self._claim(case)] for case in cases]

    def _claim(self, case: Case) -> Claim:
        start, end = _trimmed(case.answer)
        text = claim_prompt(case.question, case.answer, template=self.template, strip_period=self.strip_period)
        span = Span(source=ANSWER, start=start, end=end)
        idle = None if any(c.isalnum() for c in case.answer) else NOTHING_SAID
        own = own_words(text, case.question, case.answer, template=self.template)
        return Claim(id=f"{case.id}#0", text=text, span=span, question=case.question, idle=idle, own=own)
