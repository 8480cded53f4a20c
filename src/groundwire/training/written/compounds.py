"""Sentences that say two things of a document, of which both, one or neither are so.

Models write them all the time, and what is wrong with them is most often half of them. A model that has only seen claims of
one thing ranks two claims joined by "and" far worse than it ranks the two (.73 and .90, both right against not).
Left out: what such a sentence is read against (`claims`).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from groundwire.training.sample import NEI, REFUTES, SUPPORTS, Marked, Spans
from groundwire.training.written.documents import Document, Said

JOINTS = (", and ", " and ", ", while ", "; ", ", but ")
LONGEST = 24
"""Words of a claim that is joined to another."""
LOWERED = frozenset(
    "the a an it its he she they his her their this that these those there in on at by for from to with after before until "
    "during since when while because although if no not all both some most many few each every one two three".split()
)
"""Words that lose their capital inside of a sentence; others may be names."""
BOTH = 0.75
"""How often a right claim meets a right one: about two in five of the joined sentences are right."""
HALF = 0.8
"""How often a wrong claim meets a right one."""


def joined(document: Document, said: Said, rng: Random) -> Said | None:
    """The claim and another of the same document as one sentence, in either order; None where there is none to join."""
    if not _joins(said):
        return None
    right = rng.random() < (BOTH if said.label == SUPPORTS else HALF)
    others = [o for o in document.said if o is not said and _joins(o) and (o.label == SUPPORTS) == right]
    if not others:
        return None
    first, second = rng.sample((said, rng.choice(others)), 2)
    return Said(
        label=both((first.label, second.label)),
        at=tuple(sorted({*first.at, *second.at})),
        question=None,
        text=_sentence(first, second, rng.choice(JOINTS)),
    )


def both(labels: Sequence[int]) -> int:
    """The label of two things said at once: denied where either is, backed where both are."""
    if REFUTES in labels:
        return REFUTES
    return SUPPORTS if set(labels) == {SUPPORTS} else NEI


def _joins(said: Said) -> bool:
    text = said.text.text
    return (
        said.question is None
        and text.endswith(".")
        and len(text.split()) <= LONGEST
        and text[0].isalpha()
        and not any(sign in text for sign in ";\n:")
    )


def _sentence(first: Said, second: Said, joint: str) -> Marked:
    """Both texts as one, with the words that nothing backs; a wrong one whose words are not known is marked as a whole."""
    lead = first.text.text[:-1] + joint
    body = second.text.text
    if body.split()[0].rstrip(",'’s").lower() in LOWERED:
        body = body[0].lower() + body[1:]
    start = len(lead)
    marks = (*_marks(first, 0, len(first.text.text) - 1), *_marks(second, start, start + len(body) - 1))
    return Marked(lead + body, marks)


def _marks(said: Said, start: int, end: int) -> Spans:
    if said.label == SUPPORTS:
        return ()
    return tuple((start + a, min(start + b, end)) for a, b in said.text.spans) or ((start, end),)
