"""The progress of one evolution on standard error: a line that changes on a terminal, elsewhere one now and then.

Left out: what the generations did in detail (`--report`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic

from groundwire.cli.answers import spent
from groundwire.cli.progress import Pace, duration
from groundwire.types import Candidate, Generation


class Growth:
    """Shows each generation as it ends: its number, the best fitness by term, calls, tokens, and what is left of a budget.

    `generations` and `seconds` are the budgets, None where there is none. A watch of `Generator.generate`; use it in a
    `with` statement.
    """

    def __init__(
        self, generations: int | None, seconds: float | None, *, clock: Callable[[], float] = monotonic
    ) -> None:
        self._limit, self._seconds, self._clock = generations, seconds, clock
        self._begun = self._said = clock()
        self._past: list[Generation] = []
        self._status = None
        if sys.stderr.isatty():
            from rich.console import Console

            self._status = Console(stderr=True).status("searching")

    def __enter__(self) -> Growth:
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status:
            self._status.stop()

    def __call__(self, generation: Generation, best: Candidate) -> None:
        """Show a generation that has ended."""
        self._past.append(generation)
        line = self.line(generation, best)
        if self._status:
            from rich.text import Text

            self._status.update(Text(line))
        elif self._clock() - self._said >= Pace.EVERY:
            self._said = self._clock()
            print(line, file=sys.stderr, flush=True)

    def line(self, generation: Generation, best: Candidate) -> str:
        """Return what is shown of a generation."""
        number = f"generation {generation.number}" + (f" of at most {self._limit}" if self._limit else "")
        terms = ", ".join(f"{name} {value:.2f}" for name, value in best.fitness.items() if name != "total")
        told = [f"{number}: best {best.fitness.get('total', 0.0):.2f}" + (f" ({terms})" if terms else "")]
        if generation.number:
            told.append(f"{generation.new} new of {generation.wanted}")
        if self._seconds is not None:
            told.append(f"{duration(max(0.0, self._seconds - (self._clock() - self._begun)))} left")
        return ", ".join([*told, *spent(self._past)])
