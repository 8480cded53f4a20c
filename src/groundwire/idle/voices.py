"""Voices: whether contexts are told by somebody, or to somebody.

"I have a dog." is nobody's business in an encyclopedia and a claim beside a diary; so is "You are covered." beside a policy.
Left out: who it is that speaks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

SPEAKER = re.compile(r"\b(?:[Ii]|[Ww]e|[Mm]y|[Oo]ur|[Mm]e|[Uu]s)\b")
ADDRESSEE = re.compile(r"\b(?:[Yy]ou|[Yy]our)\b")


class Voices:
    """Who speaks in a case's contexts; each context is looked through once at most."""

    def __init__(self, contexts: Sequence[str] = ()) -> None:
        self._contexts = contexts

    @cached_property
    def speaks(self) -> bool:
        """Whether somebody speaks of themselves."""
        return any(SPEAKER.search(text) for text in self._contexts)

    @cached_property
    def addresses(self) -> bool:
        """Whether somebody is spoken to."""
        return any(ADDRESSEE.search(text) for text in self._contexts)

    def share(self, sentence: str) -> bool:
        """Say whether a sentence and the contexts both speak of a speaker; or, where it has none, of whom they speak to."""
        if SPEAKER.search(sentence):
            return self.speaks
        return ADDRESSEE.search(sentence) is not None and self.addresses
