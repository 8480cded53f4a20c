"""Voices: whether contexts tell the same of a speaker, or of whom they speak to, as a sentence does.

"I miss my old school." is nobody's business beside an encyclopedia and a claim beside a diary that speaks of an old school and
of missing. Left out: who it is that speaks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.text import content_terms

SPEAKER = re.compile(r"\b(?:[Ii]|[Ww]e|[Mm]y|[Oo]ur|[Mm]e|[Uu]s)\b")
ADDRESSEE = re.compile(r"\b(?:[Yy]ou|[Yy]our)\b")
MENTIONS, WORDS = 2, 50
"""Who tells a context says so at least so often, and once in so many words; who is quoted in it does not."""


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A context that has a voice: its terms, and whether a speaker tells it."""

    terms: frozenset[str]
    told: bool


class Voices:
    """Who speaks in a case's contexts, and of what; the contexts are looked through once for each voice."""

    def __init__(self, contexts: Sequence[str] = ()) -> None:
        self._contexts = contexts
        self._found: dict[re.Pattern[str], list[_Spoken]] = {}

    def share(self, sentence: str) -> bool:
        """Say whether a context speaks of the same as a sentence; or, where it has no speaker, of whom they speak to.

        Of a context that its speaker tells, a diary or a letter, one term of the sentence is enough. Of others, which only
        quote somebody, it takes all terms and more than one: "I see." stands everywhere.
        """
        voice = next((voice for voice in (SPEAKER, ADDRESSEE) if voice.search(sentence)), None)
        terms = set(content_terms(sentence))
        return voice is not None and any(
            not terms.isdisjoint(spoken.terms) if spoken.told else len(terms) > 1 and terms <= spoken.terms
            for spoken in self._spoken(voice)
        )

    def _spoken(self, voice: re.Pattern[str]) -> list[_Spoken]:
        """Return the contexts that have this voice."""
        if voice not in self._found:
            counted = [(text, sum(1 for _ in voice.finditer(text))) for text in self._contexts]
            self._found[voice] = [
                _Spoken(frozenset(content_terms(text)), voice is SPEAKER and _tells(n, text))
                for text, n in counted
                if n
            ]
        return self._found[voice]


def _tells(mentions: int, text: str) -> bool:
    """Say whether a speaker who is mentioned so often tells a text, and is not only quoted in it."""
    return mentions >= MENTIONS and mentions * WORDS >= len(text.split())
