"""Voices: whether contexts tell the same of a speaker, or of whom they speak to, as a sentence does.

"I miss my old school." is nobody's business beside an encyclopedia, and a claim beside a text that quotes somebody who misses
an old school, or beside a diary that speaks of a school. Left out: who it is that speaks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from groundwire.text import content_terms

_MINE, _OURS = "[Mm]y|[Mm]e", "[Ww]e|[Oo]ur|[Uu]s"
SPEAKER = re.compile(rf"\b(?:[Ii]|{_MINE}|{_OURS})\b")
ADDRESSEE = re.compile(r"\b(?:[Yy]ou|[Yy]our)\b")
ONE, SEVERAL = re.compile(rf"\b(?:I|{_MINE})\b"), re.compile(rf"\b(?:{_OURS})\b")
POSSESSES = re.compile(rf"\b(?:{_MINE}|{_OURS})\b")
"""A speaker, and no king's or war's number, says one of these sooner or later."""
QUOTED = re.compile(r'"[^"]{0,1000}"|“[^“”]{0,1000}”')
MENTIONS, WORDS = 2, 50
"""Who tells a context is mentioned so often outside of quotations, and once in so many words."""


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A context that has a voice: its terms, and the voices that tell it."""

    terms: frozenset[str]
    told: tuple[re.Pattern[str], ...]

    def has(self, terms: set[str], voices: Sequence[re.Pattern[str]]) -> bool:
        """Say whether the context speaks of what these terms are of: half of them where one of the voices tells it, all of
        several where it only quotes."""
        if any(voice in self.told for voice in voices):
            return 0 < len(terms) <= 2 * len(terms & self.terms)
        return len(terms) > 1 and terms <= self.terms


class Voices:
    """Who speaks in a case's contexts, and of what; the contexts are looked through once for each voice."""

    def __init__(self, contexts: Sequence[str] = ()) -> None:
        self._contexts = contexts
        self._found: dict[re.Pattern[str], list[_Spoken]] = {}

    def share(self, sentence: str) -> bool:
        """Say whether a context speaks of the same as a sentence; or, where it has no speaker, of whom they speak to.

        Of a context that such a speaker tells (one or several), a diary or a letter, half of the sentence's terms are enough.
        Of others, which only quote somebody, it takes all terms and more than one: "I see." stands everywhere.
        """
        voice = next((voice for voice in (SPEAKER, ADDRESSEE) if voice.search(sentence)), None)
        if voice is None:
            return False
        terms = set(content_terms(sentence))
        tellers = [teller for teller in (ONE, SEVERAL) if teller.search(sentence)]
        return any(spoken.has(terms, tellers) for spoken in self._spoken(voice))

    def _spoken(self, voice: re.Pattern[str]) -> list[_Spoken]:
        """Return the contexts that have this voice."""
        if voice not in self._found:
            self._found[voice] = [
                _Spoken(frozenset(content_terms(text)), _tellers(text) if voice is SPEAKER else ())
                for text in self._contexts
                if voice.search(text)
            ]
        return self._found[voice]


def _tellers(text: str) -> tuple[re.Pattern[str], ...]:
    """Return the voices that tell a text: mentioned often enough, and not only in what it quotes."""
    own = QUOTED.sub(" ", text)
    if not POSSESSES.search(own):
        return ()
    least = max(MENTIONS, len(own.split()) / WORDS)
    return tuple(
        teller for teller in (ONE, SEVERAL) if sum(1 for _ in islice(teller.finditer(own), int(least) + 1)) >= least
    )
