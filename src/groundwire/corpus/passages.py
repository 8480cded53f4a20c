"""Passages: a document cut at the ends of its sentences, every piece a view into the document's text.

A citation has to lead back to the source, so a passage's words are the document's own, by offset. Left out: cutting by
sub-word tokens (a model's window is the model's matter), and by headings.
"""

from __future__ import annotations

from groundwire.errors import UsageError
from groundwire.text import windows
from groundwire.types import Document, Passage, Span

WORDS = 100
"""About what the passages of MS MARCO and of the usual cut of Wikipedia have; one such fits any small model."""


def passages(document: Document, *, words: int = WORDS, overlap: int = 0) -> list[Passage]:
    """Cut a document into passages of whole sentences of at most `words` words, in order; `words=0` cuts nothing.

    Neighbours share up to `overlap` words of whole sentences. A sentence of more than `words` words is cut at word ends;
    a word is never cut. The id is the document's where there is one passage, else `ID#1`, `ID#2` and so on.
    `origin.of(document.text)` is the passage's text; title and meta are the document's. A document of a title alone is
    one passage without words, one without either is none. Raises UsageError unless words is 0 or 0 <= overlap < words.
    """
    if words < 0 or not 0 <= overlap < max(1, words):
        message = f"passages need 0 <= overlap < words, got words {words} and overlap {overlap}"
        raise UsageError(message, "words 100, overlap 20; words 0 leaves documents whole")
    text = document.text
    bounds = windows(text, size=words, overlap=overlap) if words else [_visible(text)]
    if not text or text.isspace():
        bounds = [(0, 0)] if document.title else []
    return [
        Passage(
            id=document.id if len(bounds) == 1 else f"{document.id}#{number}",
            text=text[start:end],
            title=document.title,
            origin=Span(source=document.id, start=start, end=end),
            meta=document.meta,
        )
        for number, (start, end) in enumerate(bounds, 1)
    ]


def _visible(text: str) -> tuple[int, int]:
    start = len(text) - len(text.lstrip())
    return start, start + len(text.strip())
