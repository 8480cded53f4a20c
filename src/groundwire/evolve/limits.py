"""What an evolution may cost, and what it has cost so far.

Left out: prices; an endpoint's usage counts them (`groundwire.models.chat`).
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from groundwire.errors import UsageError


@dataclass(slots=True, kw_only=True)
class Spent:
    """What an evolution has cost: generations bred, calls and tokens of an LLM, seconds since the question was asked.

    A call whose reply was kept counts among the calls, and its tokens, which nobody paid, not among the tokens.
    """

    generations: int = 0
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The budgets of one evolution; None is no limit, and 0 breeds nobody: the best seed is the answer.

    They are looked at before each generation. Calls are never more than the limit, because a generation that would need
    more is made smaller; tokens and seconds can be exceeded by what the last generation takes. Kept replies count as calls,
    so that a second run ends where the first did; by tokens or seconds it may go further.
    """

    generations: int | None = 20
    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if value is not None and not value >= 0:
                raise UsageError(f"a budget of {limit.name} is 0 or more, got {value}", f"{limit.name}=0 breeds nobody")

    def reached(self, spent: Spent) -> str | None:
        """Return which budget is spent, in words; None where all have something left."""
        for limit in fields(self):
            value = getattr(self, limit.name)
            if value is not None and getattr(spent, limit.name) >= value:
                return f"the budget of {value:g} {limit.name} is spent"
        return None

    def affordable(self, wanted: int, spent: Spent) -> int:
        """Return how many of the `wanted` offspring can be bred, each for one call at most."""
        return wanted if self.calls is None else min(wanted, self.calls - spent.calls)
