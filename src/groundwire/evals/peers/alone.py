"""A model alone over the whole context: how HHEM and other entailment models are used by those who publish them.

One pair an answer: all contexts as the premise, the answer as the claim. No sentences, no windows, no ranking; what is
longer than the model reads is cut, and said. Left out: the models (`groundwire.models`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.evals.peers.peer import Opinion, context_of
from groundwire.protocols import EntailmentModel
from groundwire.types import Case

CUT = "the contexts and the answer are longer than the model reads: they were cut"


@dataclass(frozen=True, slots=True)
class Alone:
    """The probability that an entailment model gives the answer under all contexts at once."""

    entailment: EntailmentModel

    @property
    def model(self) -> str:
        """The model."""
        return self.entailment.name

    def score(self, cases: Sequence[Case]) -> list[Opinion]:
        """Score every case, as one batch."""
        pairs = [(context_of(case), case.answer) for case in cases]
        said, cut = self.entailment.entail(pairs), self.entailment.truncated(pairs)
        return [
            Opinion(score=one.supports, reason=CUT if was_cut else None) for one, was_cut in zip(said, cut, strict=True)
        ]
