"""Sentences: every sentence of an answer is a claim of its own, so that the verdict can say which one is not backed.

Left out: rewriting claims so that they stand alone; what cannot be read alone is read behind its context (`context`), or
together with its question (`answering`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from groundwire.claims.answering import Answering
from groundwire.claims.context import in_context
from groundwire.claims.prompt import ANSWER
from groundwire.idle import NOTHING_SAID, ONLY_CHATS, ONLY_POINTS, echoes, surely_chats
from groundwire.text import sentence_bounds, unframed, unmarked, windows
from groundwire.types import Case, Claim, Span


@dataclass(frozen=True, slots=True)
class SentenceClaims:
    """One claim a sentence; a bare short answer to a question ("111", "In 1997.") becomes the claim prompt.

    `bare_words` is the most words that an answer without a full stop may have to count as bare, `stopped_words` that of
    one with a full stop. A "sentence" of more than `longest` words is cut there: it would leave no room for evidence. With
    `plain` neither markup is read nor words that only frame what is said (`unmarked`, `unframed`); spans are as written.
    """

    bare_words: int = 8
    stopped_words: int = 3
    longest: int = 150
    plain: bool = True

    def split(self, cases: Sequence[Case]) -> list[list[Claim]]:
        """Return each case's claims in the order of the answer."""
        return [self._claims(case) for case in cases]

    def _claims(self, case: Case) -> list[Claim]:
        plain = unmarked(case.answer) if self.plain else case.answer
        reads = in_context(case, plain, list(self._bounds(case.answer)), self._unframed)
        answering = Answering(self.bare_words, self.stopped_words, self.plain)
        found = []
        for n, read in enumerate(answering.read(case.question or "", reads, plain)):
            span = Span(source=ANSWER, start=read.start, end=read.end)
            name = f"{case.id}#{n}"
            found.append(
                Claim(id=name, text=read.text, span=span, question=case.question, idle=read.idle, own=read.own)
            )
        return _not_all_guessed(found)

    def _unframed(self, sentence: str) -> str:
        return unframed(sentence) if self.plain else sentence

    def _bounds(self, answer: str) -> Iterator[tuple[int, int]]:
        for start, end in sentence_bounds(answer):
            for first, last in windows(answer[start:end], size=self.longest, overlap=0):
                yield start + first, start + last


def _not_all_guessed(claims: list[Claim]) -> list[Claim]:
    """Have claims checked that are only taken for chatter or for a pointer, or are a yes or a no by another word, where nothing
    else of the answer would be: that takes surety."""
    if not all(claim.idle for claim in claims):
        return claims
    return [replace(claim, idle=None) if _is_guessed(claim) else claim for claim in claims]


def _is_guessed(claim: Claim) -> bool:
    if claim.idle == ONLY_CHATS:
        return not surely_chats(claim.text)
    return claim.idle == ONLY_POINTS or (claim.idle == NOTHING_SAID and echoes(claim.text))
