"""The whole evaluation, from answers to tables: what is said of each answer, by whom, and beside which published number.

Left out: files (`folder`), opening an index or an endpoint, drawing on a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.evals.bootstrap import Bootstrap, Figure
from groundwire.evals.papers import stand_in
from groundwire.evals.papers.gauge import measuring, tables
from groundwire.evals.papers.gauge.making import Made, Maker, Plan
from groundwire.evals.papers.gauge.measuring import Groundedness, Preference
from groundwire.evals.papers.gauge.picture import Bars, Legend
from groundwire.evals.papers.gauge.published import FIGURE_3, FIGURE_JUDGE, JUDGES, PREFERENCE_JUDGE
from groundwire.evals.papers.gauge.systems import System
from groundwire.evals.papers.gauge.tables import Setting
from groundwire.evals.papers.stand_in import Used
from groundwire.evals.papers.table import Table
from groundwire.ledger import Ledger

_MEASURED = ("calls", "prompt_tokens", "reply_tokens", "generations")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came out. `answers` are each system's, by its name, in the order of the questions."""

    setting: Setting
    systems: tuple[System, ...]
    answers: Mapping[str, Sequence[Made]]
    tables: tuple[Table, ...]
    bars: tuple[Bars, ...]
    legend: Legend
    judges: tuple[Used, ...]

    def to_dict(self, plan: Plan) -> dict[str, Any]:
        """Return everything as JSON values, for metrics.json."""
        return {
            "paper": "gauge",
            "set": self.setting.data,
            "n": self.setting.questions,
            "compared_with": self.setting.against,
            "llm": self.setting.llm,
            "compat": self.setting.compat,
            "planned": {"done before": dict(plan.done), "calls": {n: c.to_dict() for n, c in plan.calls.items()}},
            "systems": [self._system(system) for system in self.systems],
            "judges": [used.to_dict() | {"stands_in": used.stands_in} for used in self.judges],
            "tables": [table.to_dict() for table in self.tables],
            "figure 3": [bar.to_dict() for bar in self.bars],
        }

    @property
    def failed(self) -> int:
        """Return how many answers are missing because calls failed or questions were refused."""
        return sum(row.failed for made in self.answers.values() for row in made)

    def _system(self, system: System) -> dict[str, Any]:
        made = self.answers[system.name]
        sums = {name: sum(getattr(row, name) for row in made) for name in _MEASURED}
        counts = {"answers": sum(bool(row.text) for row in made), "failed": sum(row.failed for row in made)}
        return {**system.to_dict(), **counts, **sums}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Who judges: models in place of the paper's where named, and how the intervals are drawn."""

    relevance: str | None = None
    entailment: Sequence[str] = ()
    draw: Bootstrap = field(default_factory=Bootstrap)

    def judges(self) -> list[tuple[str, str | None]]:
        """Return each judge of groundedness as (the paper's, what is asked in its place)."""
        return [(name, name) for name in self.entailment] or [(name, None) for name in JUDGES]


def run(
    makers: Sequence[Maker],
    queries: Mapping[str, str],
    ledger: Ledger,
    setting: Setting,
    judging: Judging,
    *,
    progress: Callable[[], None] = lambda: None,
) -> Result:
    """Make every answer, judge them all, and set the counts beside the paper's. `progress` is told of each answer."""
    found = tuple(maker.system for maker in makers)
    answers = {maker.system.name: maker.make(queries, progress) for maker in makers}
    by_title = {system.title: answers[system.name] for system in found}
    preferred = _preferred(found, answers, ledger, setting, judging)
    grounded = _distinct(
        [_grounded(found, answers, ledger, wanted, instead) for wanted, instead in judging.judges()], setting
    )
    first = next((one for one in grounded if one[0][1].used.wanted == FIGURE_JUDGE), grounded[0])
    return Result(
        setting=setting,
        systems=found,
        answers=answers,
        tables=(
            tables.preferences(setting, preferred, by_title, judging.draw),
            tables.groundedness(setting, grounded, by_title, judging.draw),
        ),
        bars=_bars(preferred, first, judging.draw),
        legend=Legend(
            data=setting.title,
            grounded_by=first[0][1].used.name,
            preferred_by=preferred[0][1].used.name,
            made_by=setting.llm or "extractive operators, no LLM",
        ),
        judges=(preferred[0][1].used, *(of_judge[0][1].used for of_judge in grounded)),
    )


def _preferred(
    found: Sequence[System],
    answers: Mapping[str, Sequence[Made]],
    ledger: Ledger,
    setting: Setting,
    judging: Judging,
) -> list[tuple[System, Preference]]:
    used, scorer = stand_in.scorer(PREFERENCE_JUDGE, judging.relevance)
    return [
        (system, measuring.preference(answers[system.name], used, scorer, ledger, compat=setting.compat))
        for system in found
    ]


def _grounded(
    found: Sequence[System], answers: Mapping[str, Sequence[Made]], ledger: Ledger, wanted: str, instead: str | None
) -> list[tuple[System, Groundedness]]:
    used, judge = stand_in.judge(wanted, instead)
    return [(system, measuring.groundedness(answers[system.name], used, judge, ledger)) for system in found]


def _distinct(
    grounded: Sequence[list[tuple[System, Groundedness]]], setting: Setting
) -> list[list[tuple[System, Groundedness]]]:
    """Return each judge's view; where the paper has no numbers, that of a model which stands in for several but once."""
    if setting.data is not None:
        return list(grounded)
    return list({of_judge[0][1].used.name: of_judge for of_judge in reversed(grounded)}.values())[::-1]


def _bars(
    preferred: Sequence[tuple[System, Preference]], grounded: Sequence[tuple[System, Groundedness]], draw: Bootstrap
) -> tuple[Bars, ...]:
    def share(hits: Sequence[bool]) -> Figure:
        return draw.mean([float(hit) for hit in hits])

    return tuple(
        Bars(row=system.row, grounded=share(judged.are("supports")), preferred=share(preference.signs("+")))
        for (system, preference), (_, judged) in zip(preferred, grounded, strict=True)
        if system.row is not None and system.row in FIGURE_3
    )
