"""Minimal pairs from real prose: the same evidence, a claim that it backs, and one that differs by a single fact.

Half of the pairs are turned around (the edited sentence stands in the evidence), so that every edited wording is also a
supported claim and no word gives the class away. Leaves out: questions and answers (`claims`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from groundwire.training.corrupt import Edit, Pool
from groundwire.training.mentions import rename, short_forms
from groundwire.training.passages import Passage, surround, usable, window
from groundwire.training.restate import draw_edit
from groundwire.training.rewrite import register, reword, tokenised
from groundwire.training.sample import NEI, SUPPORTS, UNKNOWN, Marked, Sample

DISTRACTED = 0.33
REMOVED = 0.14
UNRELATED = 0.06


def minimal_pairs(found: Sequence[Passage], pool: Pool, rng: Random) -> Iterator[Sample]:
    """Samples without end, group by group (twins next to each other), from passages drawn at random."""
    fit = [(p, i) for p in found for i, s in enumerate(p.sentences) if usable(s)]
    while fit:
        rng.shuffle(fit)
        for passage, at in fit:
            yield from _group(passage, at, found, pool, rng)


def _group(passage: Passage, at: int, found: Sequence[Passage], pool: Pool, rng: Random) -> Iterator[Sample]:
    last = at + 1
    if rng.random() < 0.12 and last < len(passage.sentences) and usable(passage.sentences[last]):
        last += 1
    start, end = window(passage, at, last, rng)
    sentence = " ".join(passage.sentences[at:last])
    before, after = " ".join(passage.sentences[start:at]), " ".join(passage.sentences[last:end])
    forms = short_forms(" ".join((before, sentence, after)))

    def around(middle: str) -> str:
        text = " ".join(part for part in (before, middle, after) if part)
        return surround(text, found, rng) if rng.random() < DISTRACTED else text

    edit = draw_edit(sentence, " ".join((before, sentence, after)), pool, rng)
    if edit is not None:
        yield from _twins(edit, sentence, (before, after), around, passage.source, forms, rng)
    if rng.random() < REMOVED and end - start > last - at:
        text = _claim(Marked(sentence), forms, rng).text
        yield Sample(evidence=around(""), claim=text, label=NEI, source=passage.source, operator="removed")
    if rng.random() < UNRELATED:
        other = rng.choice(found)
        if other.source != passage.source or other.sentences != passage.sentences:
            text = _claim(Marked(sentence), forms, rng).text
            evidence = " ".join(other.sentences[: rng.randint(1, 4)])[:700]
            yield Sample(
                evidence=evidence,
                claim=text,
                label=NEI,
                relevance=0,
                spans=((0, len(text)),),
                source=passage.source,
                operator="unrelated",
            )


def _claim(text: Marked, forms: Mapping[str, str], rng: Random) -> Marked:
    return register(reword(rename(text, forms, rng), rng), rng)


def _twins(
    edit: Edit,
    sentence: str,
    rest: tuple[str, str],
    around: Callable[[str], str],
    source: str,
    forms: Mapping[str, str],
    rng: Random,
) -> Iterator[Sample]:
    plain = Marked(sentence)
    turned = rng.random() < 0.5 and not (
        edit.operator == "entity" and any(edit.old in part or edit.new in part for part in rest)
    )
    evidence = around(edit.after.text if turned else sentence)
    if rng.random() < 0.05:
        evidence = tokenised(Marked(evidence)).text
    good = Marked(edit.after.text) if turned else plain
    yield _backed(evidence, _claim(good, forms, rng), source, edit.operator)
    if turned and edit.operator == "certainty":
        return
    if turned and edit.operator in ("added", "appended"):
        if rng.random() < 0.4:
            yield _backed(evidence, _claim(plain, forms, rng), source, "dropped")
        return
    claim = _claim(edit.before if turned else edit.after, forms, rng)
    if claim.spans:
        yield Sample(
            evidence=evidence,
            claim=claim.text,
            label=edit.label,
            relevance=1 if edit.label != NEI else UNKNOWN,
            spans=claim.spans,
            source=source,
            operator=edit.operator,
        )


def _backed(evidence: str, claim: Marked, source: str, operator: str) -> Sample:
    return Sample(
        evidence=evidence,
        claim=claim.text,
        label=SUPPORTS,
        relevance=1,
        spans=(),
        source=source,
        operator=operator,
    )
