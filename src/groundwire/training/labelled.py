"""Human-labelled pairs as samples: inference, fact verification, tables, and WiCE's unsupported words.

Leaves out: what is generated (`prose`, `claims`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from groundwire.training.claims import prompt_marked
from groundwire.training.distractors import Distractors
from groundwire.training.passages import focus
from groundwire.training.rewrite import register
from groundwire.training.sample import NAMES, NEI, NOT_SUPPORTED, REFUTES, SUPPORTS, UNKNOWN, Marked, Sample
from groundwire.training.sources import Row

LABELS = {name: label for label, name in NAMES.items()}
WORD = re.compile(r"\w+")
TABLES = ("tabfact", "infotabs")
LONGEST = 110
"""Words of a table that still fit beside its claim; longer ones are left out: a cut one may lose the needed cell."""


def label_of(row: Row) -> int:
    """The row's label in our numbers; a two-way 0 is NOT_SUPPORTED."""
    if row["label3"] is not None:
        return LABELS[row["label3"]]
    return SUPPORTS if row["label"] == 1 else NOT_SUPPORTED


AMONG = 0.5
"""The share of short evidence that stands among that of other rows."""
INSTEAD = 0.12
"""The share of rows that come a second time with evidence of other rows, which backs nothing."""


def labelled(rows: Sequence[Row], rng: Random) -> Iterator[Sample]:
    """One sample a row, and now and then the claim again without its evidence.

    Evidence = contexts joined by a space (or the part of them nearest to the claim), often among that of other rows.
    """
    others = Distractors([" ".join(row["contexts"]) for row in rows if row["dataset"] not in TABLES])
    for row in rows:
        if row["dataset"] == "wice":
            yield from _wice(row, rng)
            continue
        if row["dataset"] in TABLES and sum(len(c.split()) for c in row["contexts"]) > LONGEST:
            continue
        if not row["answer"].strip() or not any(c.strip() for c in row["contexts"]):
            continue
        yield from _pairs(row, others, rng)


def _pairs(row: Row, others: Distractors, rng: Random) -> Iterator[Sample]:
    claim = prompt_marked(row["question"], row["answer"]) if row["question"] else Marked(row["answer"].strip())
    table = row["dataset"] in TABLES
    if not table and rng.random() < 0.15:
        claim = register(claim, rng)
    label = label_of(row)
    evidence = focus(row["contexts"], claim.text)
    instead = others.instead(claim.text, evidence, rng, hard=rng.random() < 0.7) if rng.random() < INSTEAD else None
    if not table and rng.random() < AMONG:
        evidence = others.around(evidence, rng)
    yield Sample(
        evidence=evidence,
        claim=claim.text,
        label=label,
        relevance=1 if label in (SUPPORTS, REFUTES) else UNKNOWN,
        spans=() if label == SUPPORTS else claim.spans if row["question"] else None,
        source=row["dataset"],
    )
    if instead is not None:
        yield Sample(
            evidence=instead, claim=claim.text, label=NEI, relevance=0, source=row["dataset"], operator="instead"
        )


def _wice(row: Row, rng: Random) -> Iterator[Sample]:
    """Partly supported claims over the nearest part of the article; the unsupported words train the token head."""
    claim = row["answer"]
    spans = tuple((s, e) for s, e, _ in row["spans"])
    for limit in (50, 80, 120):
        yield Sample(
            evidence=focus(row["contexts"], claim, limit),
            claim=claim,
            label=NOT_SUPPORTED,
            spans=spans,
            source="wice",
            operator="tokens",
        )
