"""How the answers are judged: MonoT5 against the top passage, and four ALBERT models trained on VitaminC.

Section 4 of the paper. The preference is the sign of score(question, answer) − score(question, top re-ranked passage), and
"=" is exact equality, which in practice is an answer that is that passage. Groundedness is the largest of three
probabilities for (seed 1 + " " + seed 2, answer); where the pair is longer than the model reads (512 tokens) the evidence is
cut and never the answer. The authors' code hands MonoT5 the query as a tuple, so that its prompt holds
`GenericQuery(query_id=…, text=…)`; `compat` does that too.

Left out: which models are at hand (`stand_in`), and people's judgements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from groundwire.evals.papers.gauge.making import Made
from groundwire.evals.papers.kept import kept
from groundwire.evals.papers.stand_in import Used
from groundwire.ledger import Ledger
from groundwire.protocols import EntailmentModel, RelevanceScorer
from groundwire.types import Entailment

NEAR = 1e-6
"""Differences of scores below this are counted beside the exact ties."""
Stance = Literal["supports", "refutes", "neutral", "none"]
"""What a judge says of an answer; "none" where there is no answer."""


class GenericQuery(NamedTuple):
    """A query as the authors' code has it; its `repr` stands in their prompts."""

    query_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """How one system's answers compare with the top passages: a difference of scores each, None where there is no answer."""

    used: Used
    differences: tuple[float | None, ...]

    def signs(self, sign: Literal["+", "=", "−"]) -> list[bool]:
        """Say of each answer whether it is better than (+), equal to (=) or worse than (−) the passage."""
        want = {"+": 1, "=": 0, "−": -1}[sign]
        return [d is not None and (d > 0) - (d < 0) == want for d in self.differences]

    @property
    def near(self) -> int:
        """Return how many differences are below 1e-6, exact ties among them."""
        return sum(d is not None and abs(d) < NEAR for d in self.differences)


@dataclass(frozen=True, slots=True, kw_only=True)
class Groundedness:
    """What one judge says of one system's answers."""

    used: Used
    stances: tuple[Stance, ...]

    def are(self, stance: Stance) -> list[bool]:
        """Say of each answer whether this is what the judge says."""
        return [said == stance for said in self.stances]


def preference(
    made: Sequence[Made], used: Used, scorer: RelevanceScorer, ledger: Ledger, *, compat: bool = False
) -> Preference:
    """Score every answer and its top passage."""
    rows = [(n, row) for n, row in enumerate(made) if row.text and row.seeds]
    pairs = [(_query(row, compat=compat), text) for _, row in rows for text in (row.text, row.seeds[0])]
    items = [_item("relevance", used, pair) for pair in pairs]
    scores = kept(ledger, items, lambda numbers: scorer.score([pairs[n] for n in numbers]))
    found: list[float | None] = [None] * len(made)
    for place, (n, _) in enumerate(rows):
        found[n] = scores[2 * place] - scores[2 * place + 1]
    return Preference(used=used, differences=tuple(found))


def groundedness(made: Sequence[Made], used: Used, judge: EntailmentModel, ledger: Ledger) -> Groundedness:
    """Judge every answer by its seeds."""
    rows = [(n, (row.evidence, row.text)) for n, row in enumerate(made) if row.text and row.seeds]
    pairs = [pair for _, pair in rows]
    items = [_item("entailment", used, pair) for pair in pairs]
    said = kept(ledger, items, lambda numbers: [stance(e) for e in judge.entail([pairs[n] for n in numbers])])
    found: list[Stance] = ["none"] * len(made)
    for (n, _), one in zip(rows, said, strict=True):
        found[n] = one
    return Groundedness(used=used, stances=tuple(found))


def stance(entailment: Entailment) -> Stance:
    """Return the largest of the three, of equal ones the first in the order of ALBERT-VitaminC's labels.

    A judge of two classes has no refutation, and its other class is neutral.
    """
    supports, refutes, neutral = entailment.supports, entailment.refutes, entailment.neutral
    if neutral is None:
        neutral = 1 - supports - (refutes or 0)
    if supports >= neutral and (refutes is None or supports >= refutes):
        return "supports"
    return "neutral" if refutes is None or neutral > refutes else "refutes"


def _query(row: Made, *, compat: bool) -> str:
    return repr(GenericQuery(row.query, row.question)) if compat else row.question


def _item(kind: str, used: Used, pair: tuple[str, str]) -> dict[str, object]:
    return {"judged": kind, "model": used.name, "identity": used.identity, "pair": list(pair)}
