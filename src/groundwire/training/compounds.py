"""Sentences that say two things of the same evidence, of which both, one or neither are so.

Models write them all the time, and what is wrong with them is most often half of them. A model that has only seen claims of
one thing ranks two claims joined by "and" far worse than it ranks the two (.73 and .90, both right against not).
Leaves out: what written claims are read against (`written.claims`), which are joined by `written.compounds`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from groundwire.training.clauses import cut_out, joined, parse
from groundwire.training.sample import NEI, NOT_SUPPORTED, REFUTES, SUPPORTS, UNKNOWN, Marked, Sample

DOUBLED = "doubled"
"""How the operator of such samples is called."""
JOINTS = (", and ", " and ", ", while ", "; ", ", but ")
SHARED = (" and ", ", and ", " and also ", ", but ")
"""Between two predicates of one subject."""
SHARE = 0.5
"""How often the second of two sentences with one subject goes without it."""
LONGEST = 24
"""Words of a claim that is joined to another."""
LOWERED = frozenset(
    "the a an it its he she they his her their this that these those there in on at by for from to with after before until "
    "during since when while because although if no not all both some most many few each every one two three".split()
)
"""Words that lose their capital inside of a sentence; others may be names."""
WRONG = 0.6
"""How many of the wrong claims are joined; with BOTH, about two in five of the joined sentences are right."""
BOTH = 0.9
"""How often a right claim meets a right one."""
HALF = 0.8
"""How often a wrong claim meets a right one."""
ALIKE = 0.5
"""Two claims that have so many of their words in common say one thing twice, or deny one another."""

Part = tuple[Marked, int]
"""A claim and its label."""


def compounds(samples: Sequence[Sample], rng: Random) -> Iterator[Sample]:
    """Every claim that can be joined to another on the same evidence, once, in either order."""
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        if sample.label != UNKNOWN and sample.operator != DOUBLED and joins(sample.claim):
            groups.setdefault(sample.evidence, []).append(sample)
    found = [(sample, group) for group in groups.values() if len(group) > 1 for sample in group]
    rng.shuffle(found)
    for sample, group in found:
        right = partner(sample.label, rng)
        others = [o for o in group if (o.label == SUPPORTS) == right and not _alike(o.claim, sample.claim)]
        if others:
            first, second = rng.sample((sample, rng.choice(others)), 2)
            yield _double(first, second, rng)


def _double(first: Sample, second: Sample, rng: Random) -> Sample:
    """Two samples as one; which words of it are wrong is known where it is of both."""
    parts = [(Marked(s.claim, s.spans or ()), s.label) for s in (first, second)]
    known = all(s.label == SUPPORTS or s.spans for s in (first, second))
    text = sentence(parts[0], parts[1], rng)
    return Sample(
        evidence=first.evidence,
        claim=text.text,
        label=both((first.label, second.label)),
        relevance=first.relevance if first.relevance == second.relevance else UNKNOWN,
        spans=text.spans if known else None,
        source=first.source,
        operator=DOUBLED,
    )


def both(labels: Sequence[int]) -> int:
    """The label of two things said at once: denied where either is, backed where both are."""
    if REFUTES in labels:
        return REFUTES
    if NOT_SUPPORTED in labels:
        return NOT_SUPPORTED
    return SUPPORTS if set(labels) == {SUPPORTS} else NEI


def partner(label: int, rng: Random) -> bool | None:
    """Whether a claim of this label is to be joined to a right one; None: to none."""
    if label != SUPPORTS and rng.random() >= WRONG:
        return None
    return rng.random() < (BOTH if label == SUPPORTS else HALF)


def joins(text: str) -> bool:
    """Whether a claim is a plain sentence, short enough to be half of one."""
    return (
        text.endswith(".")
        and len(text.split()) <= LONGEST
        and text[0].isalpha()
        and not any(sign in text for sign in ";\n:?")
    )


def sentence(first: Part, second: Part, rng: Random) -> Marked:
    """Both texts as one, with the words that nothing backs; a wrong one whose words are not known is marked as a whole."""
    one, other = _unstopped(first), _unstopped(second)
    body = predicate(first[0].text, second) if rng.random() < SHARE else 0
    joint = rng.choice(SHARED if body else JOINTS)
    if body:
        other = cut_out(other, body, len(other.text))
    elif re.split(r"['’,]", other.text.split()[0])[0].lower() in LOWERED:
        other = other.splice(0, 1, other.text[0].lower())
    return joined(joined(one, joint, other), "", Marked("."))


def predicate(first: str, second: Part) -> int:
    """Where the predicate of the second sentence begins, if it can stand without its subject, which is the first one's; or 0.

    A subject that is itself what is wrong stays.
    """
    own, other = parse(first), parse(second[0].text)
    if own is None or other is None or other.start or own.subject != other.subject or own.start:
        return 0
    return 0 if any(start < other.predicate for start, _ in second[0].spans) else other.predicate


def _unstopped(part: Part) -> Marked:
    """A part without its full stop, its wrong words marked."""
    marked, label = part
    end = len(marked.text) - 1
    if label == SUPPORTS:
        return Marked(marked.text[:end])
    return cut_out(marked if marked.spans else marked.mark(0, end), 0, end)


def _alike(one: str, other: str) -> bool:
    """Whether two claims have most of their words in common, the words of the shorter one counted."""
    words, others = ({word.strip(".,'\"").lower() for word in text.split()} for text in (one, other))
    return len(words & others) > ALIKE * min(len(words), len(others))
