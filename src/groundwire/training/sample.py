"""What the trainer learns from: a pair of texts, its labels, and the claim's words that the evidence does not back.

Leaves out: where samples come from (`sources`, `claims`, `prose`) and how they become tensors (`batches`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

SUPPORTS, REFUTES, NEI = 0, 1, 2
NOT_SUPPORTED = 3
"""Known not to be supported, unknown whether refuted or only unbacked (two-way sets)."""
UNKNOWN = -1
"""No label of this kind: the head is not trained by the sample."""

NAMES = {SUPPORTS: "supports", REFUTES: "refutes", NEI: "nei"}
"""How the evaluation format calls a label (`label3`)."""

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One training pair.

    `label` is SUPPORTS, REFUTES, NEI, NOT_SUPPORTED or UNKNOWN; `relevance` is in [0, 1], or UNKNOWN. `spans` are the claim's
    unbacked stretches (code points, half-open): () says that every word is backed, None that it is not known. `taught` is what
    a larger model reads, the probabilities of SUPPORTS, REFUTES and NEI; None: it was not asked.
    """

    evidence: str
    claim: str
    label: int
    relevance: float = UNKNOWN
    spans: Spans | None = None
    source: str
    operator: str = ""
    taught: tuple[float, float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The sample as plain JSON values."""
        return {
            "evidence": self.evidence,
            "claim": self.claim,
            "label": self.label,
            "relevance": self.relevance,
            "spans": None if self.spans is None else [list(s) for s in self.spans],
            "source": self.source,
            "operator": self.operator,
            **({} if self.taught is None else {"taught": list(self.taught)}),
        }

    @classmethod
    def from_dict(cls, row: dict[str, Any]) -> Sample:
        """The inverse of `to_dict`."""
        spans, taught = row["spans"], row.get("taught")
        spans = None if spans is None else tuple((s, e) for s, e in spans)
        return cls(**{**row, "spans": spans, "taught": None if taught is None else tuple(taught)})


@dataclass(frozen=True, slots=True)
class Marked:
    """A text and the stretches of it that an edit has changed; every rewrite keeps the stretches where they belong."""

    text: str
    spans: Spans = ()

    def splice(self, start: int, end: int, new: str, *, mark: bool = False) -> Marked:
        """Put `new` in place of [start, end); `mark` records it as changed. Spans that the cut swallows are dropped."""
        shift = len(new) - (end - start)
        kept = []
        for s, e in self.spans:
            if e <= start:
                kept.append((s, e))
            elif s >= end:
                kept.append((s + shift, e + shift))
            elif s <= start and e >= end:
                kept.append((s, e + shift))
        if mark and new.strip():
            lead = len(new) - len(new.lstrip())
            kept.append((start + lead, start + len(new.rstrip())))
        return Marked(self.text[:start] + new + self.text[end:], tuple(sorted(kept)))

    def mark(self, start: int, end: int) -> Marked:
        """Record [start, end) as changed without changing it."""
        return replace(self, spans=tuple(sorted({*self.spans, (start, end)})))

    def prefix(self, lead: str) -> Marked:
        """Put `lead` before the text."""
        return self.splice(0, 0, lead)

    def substitute(self, pattern: re.Pattern[str], new: str) -> Marked:
        """Put `new` (no group references) for every match of `pattern`."""
        result = self
        for match in reversed(list(pattern.finditer(self.text))):
            result = result.splice(match.start(), match.end(), new)
        return result
