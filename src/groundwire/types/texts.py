"""Texts, views into them, and how they were found.

Left out: what is judged of them (`checking.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from groundwire.types.noun import Noun


@dataclass(frozen=True, slots=True, kw_only=True)
class Span(Noun):
    """A view into a text, never a copy: `span.of(text)` gives the words.

    `source` is the id of the passage, or "answer", or any other text's name.
    """

    source: str
    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the part of `text` that this span covers."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage(Noun):
    """A piece of evidence text. `origin` says where in its source document it sits, when it was cut from one."""

    id: str
    text: str
    title: str | None = None
    origin: Span | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(Noun):
    """A text as a corpus holds it, before it is cut into passages."""

    id: str
    text: str
    title: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(Noun):
    """A passage with the score that `by` gave it. Rerankers return new hits; nothing is changed in place."""

    passage: Passage
    score: float
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking(Noun):
    """What one part of a retrieval stack ranked, best first. `by` is the part as its spec string."""

    by: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval(Noun):
    """How the evidence for an answer was found: the query as sent, and every part's ranking, the last one's at the end."""

    query: str
    rankings: tuple[Ranking, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion(Noun):
    """One reply of an LLM. `text` is None exactly when `status` is "error", and then `reason` says why.

    `status` is "ok", "refused" (the model declined) or "error". Token counts are those of the endpoint, 0 when it gives
    none or the reply came from the cache.
    """

    text: str | None
    status: str = "ok"
    reason: str | None = None
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cached: bool = False
