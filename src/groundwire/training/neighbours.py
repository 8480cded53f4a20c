"""Short evidence: a sentence alone, beside its neighbour, and the neighbour alone, which says nothing of the claim.

Who tries a checker first gives it a few short sentences on one subject and an answer that denies one of them. Then the
sentence that is denied must decide, and the one that only speaks of the same things must stay neutral to the claim and to its
denial alike. Each group shows all of it: a claim and its twin that differs by a fact, against the sentence, against both
sentences, and against the neighbour. A date may be told less exactly ("in 1932" of "19 March 1932") and is still backed.

Leaves out: longer windows and texts about something else (`prose`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from groundwire.training.corrupt import MONTH, Edit, Pool
from groundwire.training.distractors import words_of
from groundwire.training.lexicon import MONTHS
from groundwire.training.passages import Passage, usable
from groundwire.training.restate import draw_edit, negate
from groundwire.training.rewrite import reword
from groundwire.training.sample import NEI, SUPPORTS, UNKNOWN, Marked, Sample

NEGATED = 0.4
"""Share of the twins that negate, where the sentence can be negated."""
SAME = 0.6
"""A neighbour that holds so many of the claim's content words may back it, and is not taken."""
ONE_WAY = frozenset({"added", "appended", "certainty"})
"""Edits whose undoing is no contradiction: they have no twin the other way round."""
DATE = re.compile(
    r"\b[Oo]n (?:(?P<day>\d{1,2}) (?P<month>{m}),? (?P<year>\d{4})|(?P<us>{m}) \d{1,2}, (?P<usyear>\d{4}))\b"
    r"|\b[Ii]n (?P<only>{m}),? (?P<onlyyear>\d{4})\b".replace("{m}", "|".join(MONTHS))
)


def neighbours(found: Sequence[Passage], pool: Pool, rng: Random) -> Iterator[Sample]:
    """Samples without end, group by group, from passages drawn at random; none where no passage has two fit sentences."""
    fit = [(p, i) for p in found for i, s in enumerate(p.sentences) if usable(s) and len(p.sentences) > 1]
    given = True
    while fit and given:
        rng.shuffle(fit)
        given = False
        for passage, at in fit:
            for sample in _group(passage, at, pool, rng):
                given = True
                yield sample


def coarser(text: Marked, rng: Random) -> Marked:
    """Tell a date less exactly, where the text has one that no edit touches: by its month and year, or by its year."""
    for match in DATE.finditer(text.text):
        if any(s < match.end() and e > match.start() for s, e in text.spans):
            continue
        month = match["month"] or match["us"] or match["only"]
        year = match["year"] or match["usyear"] or match["onlyyear"]
        lead = "In" if match.group()[0].isupper() else "in"
        short = match["only"] is not None or rng.random() < 0.6
        return text.splice(*match.span(), f"{lead} {year}" if short else f"{lead} {month} {year}")
    return text


def beside(passage: Passage, at: int, rng: Random) -> str | None:
    """Another sentence of the passage: of those that do not say the same, one of the two that share most words with it."""
    wanted = words_of(passage.sentences[at])
    places = []
    for i, sentence in enumerate(passage.sentences):
        shared = len(wanted & words_of(sentence))
        if i != at and usable(sentence) and shared <= SAME * len(wanted):
            places.append((-shared, i))
    return passage.sentences[rng.choice(sorted(places)[:2])[1]] if places else None


def _group(passage: Passage, at: int, pool: Pool, rng: Random) -> Iterator[Sample]:
    """Six samples; in half of the groups the edited wording is the one that stands in the evidence."""
    other, edit = beside(passage, at, rng), _edit(passage.sentences[at], pool, rng)
    if other is None or edit is None:
        return
    plain = Marked(passage.sentences[at])
    turned = rng.random() < 0.5
    good, bad = (Marked(edit.after.text), edit.before) if turned else (plain, edit.after)
    both = f"{good.text} {other}" if rng.random() < 0.5 else f"{other} {good.text}"
    for evidence in (good.text, both):
        yield _sample(passage, evidence, _worded(good, rng), SUPPORTS, edit.operator)
        denied = _worded(bad, rng)
        if denied.spans:
            yield _sample(passage, evidence, denied, edit.label, edit.operator)
    for claim in (good, bad):
        yield _sample(passage, other, _worded(claim, rng), NEI, "beside")


def _edit(sentence: str, pool: Pool, rng: Random) -> Edit | None:
    denied = negate(sentence, sentence, pool, rng) if rng.random() < NEGATED else None
    edit = denied or draw_edit(sentence, sentence, pool, rng)
    return None if edit is None or edit.operator in ONE_WAY else edit


def _worded(text: Marked, rng: Random) -> Marked:
    if MONTH.search(text.text) and rng.random() < 0.7:
        text = coarser(text, rng)
    return reword(text, rng)


def _sample(passage: Passage, evidence: str, claim: Marked, label: int, operator: str) -> Sample:
    """The finished sample; of what a neighbour backs of a claim, word by word, nothing is known."""
    return Sample(
        evidence=evidence,
        claim=claim.text,
        label=label,
        relevance=UNKNOWN if label == NEI else 1,
        spans=None if label == NEI else claim.spans,
        source=passage.source,
        operator=operator,
    )
