"""Voices: whether contexts tell the same of a speaker, or of whom they speak to, as a sentence does.

"I miss my old school." is nobody's business beside an encyclopedia and a claim beside a diary that speaks of an old school and
of missing. Left out: who it is that speaks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from groundwire.text import content_terms

SPEAKER = re.compile(r"\b(?:[Ii]|[Ww]e|[Mm]y|[Oo]ur|[Mm]e|[Uu]s)\b")
ADDRESSEE = re.compile(r"\b(?:[Yy]ou|[Yy]our)\b")


class Voices:
    """Who speaks in a case's contexts, and of what; each context is looked through once at most."""

    def __init__(self, contexts: Sequence[str] = ()) -> None:
        self._contexts = contexts

    @cached_property
    def _told(self) -> list[frozenset[str]]:
        """The terms of each context in which somebody speaks of themselves."""
        return [frozenset(content_terms(text)) for text in self._contexts if SPEAKER.search(text)]

    @cached_property
    def _addressed(self) -> list[frozenset[str]]:
        """The terms of each context in which somebody is spoken to."""
        return [frozenset(content_terms(text)) for text in self._contexts if ADDRESSEE.search(text)]

    def share(self, sentence: str) -> bool:
        """Say whether a context holds all terms of a sentence and has a speaker too; or, where it has none, whom it speaks to.

        One term is not enough: "I see." stands everywhere.
        """
        if SPEAKER.search(sentence):
            among = self._told
        elif ADDRESSEE.search(sentence):
            among = self._addressed
        else:
            return False
        terms = set(content_terms(sentence))
        return len(terms) > 1 and any(terms <= found for found in among)
