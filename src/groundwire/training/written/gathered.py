"""What the default checker gathers of a document for a claim: the few sentences, from anywhere, that hold most of its words.

Such a premise reads unlike a document: its sentences stand where others stood between them, and they were picked because they
sound like the claim, whether they back it or not. A model that has not seen it so believes it too readily.
Left out: what the sample's label then is (`claims`).
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from groundwire import premises, sources
from groundwire.recipes.checking import Default
from groundwire.training.written.documents import Document
from groundwire.types import Case, Claim, Passage, Source, Span


def gathered(document: Document, claim: str) -> list[int]:
    """The places (from 0) of the sentences that the checker gathers for a claim, in order; [] where it finds none."""
    windows, starts = _cut(document.sentences)
    asked = Claim(id="0", text=claim, span=Span(source="answer", start=0, end=len(claim)))
    [built] = premises.parse(Default().premises).build([asked], windows, [1.0] * len(windows))
    if any(built[-1].sources == other.sources for other in built[:-1]):
        return []  # nothing is shared, and a window stands in its place
    return sorted({bisect_right(starts, part.span.start) - 1 for part in built[-1].sources})


@lru_cache(maxsize=64)
def _cut(sentences: tuple[str, ...]) -> tuple[list[Source], list[int]]:
    """The document's windows, and where its sentences begin."""
    starts = [0]
    for sentence in sentences[:-1]:
        starts.append(starts[-1] + len(sentence) + 1)
    case = Case(id="0", answer="", contexts=(Passage(id="0", text=" ".join(sentences)),))
    return sources.parse(Default().sources).cut(case), starts
