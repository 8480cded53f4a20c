"""Claims: what in an answer is checked, each with its exact place in the answer.

`PromptClaim` is Provenance's (arXiv 2411.01022, section 3.3): the whole answer, put into one sentence with its question.
`SentenceClaims` is ours: every sentence is a claim of its own, so that the verdict can say which one is not backed.

Left out: taking pronouns apart and rewriting claims so that they stand alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.text import sentence_bounds, word_bounds
from groundwire.types import Case, Claim, Span

TEMPLATE = "The answer to question {question} is {answer}."
"""Provenance, section 3.3."""

APPENDIX_TEMPLATE = "The answer to the question {question} is {answer}."
"""Provenance, appendix A: the wording of the preliminary experiments 0.1 to 0.3."""

ANSWER = "answer"
"""The source name of every span that points into an answer."""

_STOPS = ".!?…。！？؟۔।"


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


def _trimmed(text: str) -> tuple[int, int]:
    start = len(text) - len(text.lstrip())
    return start, max(start, len(text.rstrip()))


@dataclass(frozen=True, slots=True)
class PromptClaim:
    """One claim an answer: the claim prompt over the whole of it."""

    template: str = TEMPLATE
    strip_period: bool = True

    def split(self, cases: Sequence[Case]) -> list[list[Claim]]:
        """Return one claim for each case; its span is the whole answer without the white space around it."""
        return [[self._claim(case)] for case in cases]

    def _claim(self, case: Case) -> Claim:
        start, end = _trimmed(case.answer)
        text = claim_prompt(case.question, case.answer, template=self.template, strip_period=self.strip_period)
        span = Span(source=ANSWER, start=start, end=end)
        return Claim(id=f"{case.id}#0", text=text, span=span, question=case.question)


@dataclass(frozen=True, slots=True)
class SentenceClaims:
    """One claim a sentence; a bare short answer to a question ("111", "in 1997") becomes the claim prompt.

    `bare_words` is the most words that an answer without a full stop may have to count as bare.
    """

    bare_words: int = 8

    def split(self, cases: Sequence[Case]) -> list[list[Claim]]:
        """Return each case's claims in the order of the answer."""
        return [self._claims(case) for case in cases]

    def _claims(self, case: Case) -> list[Claim]:
        bounds = sentence_bounds(case.answer)
        bare = len(bounds) == 1 and self._is_bare(case.answer)
        claims = []
        for n, (start, end) in enumerate(bounds):
            words = case.answer[start:end]
            text = claim_prompt(case.question, words) if bare else words
            span = Span(source=ANSWER, start=start, end=end)
            claims.append(Claim(id=f"{case.id}#{n}", text=text, span=span, question=case.question))
        return claims

    def _is_bare(self, answer: str) -> bool:
        return answer.rstrip()[-1:] not in _STOPS and len(word_bounds(answer)) <= self.bare_words
