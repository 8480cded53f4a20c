"""Voices: whether contexts tell the same of a speaker, or of whom they speak to, as a sentence does.

"I miss my old school." is nobody's business beside an encyclopedia and a claim beside a diary that speaks of an old school and
of missing. Left out: who it is that speaks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.text import content_terms

SPEAKER = re.compile(r"\b(?:[Ii]|[Ww]e|[Mm]y|[Oo]ur|[Mm]e|[Uu]s)\b")
ADDRESSEE = re.compile(r"\b(?:[Yy]ou|[Yy]our)\b")


class Voices:
    """Who speaks in a case's contexts, and of what; the contexts are looked through once for each voice."""

    def __init__(self, contexts: Sequence[str] = ()) -> None:
        self._contexts = contexts
        self._found: dict[re.Pattern[str], list[frozenset[str]]] = {}

    def share(self, sentence: str) -> bool:
        """Say whether a context holds all terms of a sentence and has a speaker too; or, where it has none, whom it speaks to.

        One term is not enough: "I see." stands everywhere.
        """
        voice = next((voice for voice in (SPEAKER, ADDRESSEE) if voice.search(sentence)), None)
        terms = set(content_terms(sentence))
        return voice is not None and len(terms) > 1 and any(terms <= found for found in self._terms(voice))

    def _terms(self, voice: re.Pattern[str]) -> list[frozenset[str]]:
        """Return the terms of each context that has this voice."""
        if voice not in self._found:
            self._found[voice] = [frozenset(content_terms(text)) for text in self._contexts if voice.search(text)]
        return self._found[voice]
