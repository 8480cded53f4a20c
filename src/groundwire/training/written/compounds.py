"""Two claims of one written document in one sentence. Left out: how they are joined (`training.compounds`), and what the
sentence is read against (`claims`)."""

from __future__ import annotations

from random import Random

from groundwire.training.compounds import both, joins, partner, sentence
from groundwire.training.sample import SUPPORTS
from groundwire.training.written.documents import Document, Said


def joined(document: Document, said: Said, rng: Random) -> Said | None:
    """The claim and another of the same document as one sentence, in either order; None where there is none to join."""
    if not _joins(said):
        return None
    right = partner(said.label, rng)
    others = [o for o in document.said if o is not said and _joins(o) and (o.label == SUPPORTS) == right]
    if not others:
        return None
    first, second = rng.sample((said, rng.choice(others)), 2)
    return Said(
        label=both((first.label, second.label)),
        at=tuple(sorted({*first.at, *second.at})),
        question=None,
        text=sentence((first.text, first.label), (second.text, second.label), rng),
    )


def _joins(said: Said) -> bool:
    return said.question is None and joins(said.text.text)
