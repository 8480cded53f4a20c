"""Human-labelled pairs as samples: inference, fact verification, tables, and WiCE's unsupported words.

Leaves out: what is generated (`prose`, `claims`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random

from groundwire.training.claims import prompt_marked
from groundwire.training.passages import focus
from groundwire.training.rewrite import register
from groundwire.training.sample import NEI, NOT_SUPPORTED, REFUTES, SUPPORTS, UNKNOWN, Marked, Sample
from groundwire.training.sources import Row

LABELS = {"supports": SUPPORTS, "refutes": REFUTES, "nei": NEI}
WORD = re.compile(r"\w+")
TABLES = ("tabfact", "infotabs")
LONGEST = 110
"""Words of a table that still fit beside its claim; longer ones are left out: a cut one may lose the needed cell."""


def label_of(row: Row) -> int:
    """The row's label in our numbers; a two-way 0 is NOT_SUPPORTED."""
    if row["label3"] is not None:
        return LABELS[row["label3"]]
    return SUPPORTS if row["label"] == 1 else NOT_SUPPORTED


def labelled(rows: Iterable[Row], rng: Random) -> Iterator[Sample]:
    """One sample a row; evidence = contexts joined by a space (or the part of them nearest to the claim)."""
    for row in rows:
        if row["dataset"] == "wice":
            yield from _wice(row, rng)
            continue
        if row["dataset"] in TABLES and sum(len(c.split()) for c in row["contexts"]) > LONGEST:
            continue
        claim = prompt_marked(row["question"], row["answer"]) if row["question"] else Marked(row["answer"].strip())
        if row["dataset"] not in TABLES and rng.random() < 0.15:
            claim = register(claim, rng)
        if not claim.text.strip() or not any(c.strip() for c in row["contexts"]):
            continue
        label = label_of(row)
        evidence = focus(row["contexts"], claim.text)
        spans = () if label == SUPPORTS else claim.spans if row["question"] else None
        relevance = 1 if label in (SUPPORTS, REFUTES) else UNKNOWN
        yield Sample(
            evidence=evidence, claim=claim.text, label=label, relevance=relevance, spans=spans, source=row["dataset"]
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
