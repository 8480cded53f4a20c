"""A line of the scoreboard: what was done, how often, and how often it went wrong.

Every count is made by the code that does the thing; `examples` say what went wrong, three at most.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any


@dataclass(slots=True, kw_only=True)
class Row:
    """`id` is the scoreboard's, `part` tells several lines of one id apart, `failures` is what the target says is 0."""

    id: str
    part: str
    what: str
    target: str
    n: int = 0
    failures: int = 0
    examples: list[str] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)
    """Further counts: what the n are made of."""
    seconds: float = 0.0

    def count(self, problem: str | None) -> None:
        """Count one trial and what went wrong in it, if anything."""
        self.n += 1
        if problem is not None:
            self.failures += 1
            if len(self.examples) < 3:
                self.examples.append(problem)

    def add(self, name: str, by: int = 1) -> None:
        """Add to one of the further counts."""
        self.more[name] = self.more.get(name, 0) + by

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "seconds": round(self.seconds, 1), "date": datetime.now(UTC).strftime("%Y-%m-%d")}
