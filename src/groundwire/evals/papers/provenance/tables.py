"""Tables 2 to 7 of the paper, with our figures beside its own.

A set that is absent keeps its row, with the paper's number. Left out: scoring (`scoring`), drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from groundwire.evals.bootstrap import Bootstrap, Figure
from groundwire.evals.papers.provenance import measuring, published
from groundwire.evals.papers.provenance.data import OTHER, DataSet
from groundwire.evals.papers.provenance.scoring import Scores
from groundwire.evals.papers.provenance.systems import BEST, COMBINED, LITE, System, by_source
from groundwire.evals.papers.table import Cell, Group, Level, Row, Table, Tally, counted, levelled

ABSENT = Level(figure=Figure(None), why="absent")
QUESTIONS = (
    "in a dialogue the turn before the answer is taken as the question (BEGIN and DialFact as published) or all of it "
    "(HaluEval Dialogue); where a set has no question (summaries, TRUE's own csv) sources are ranked for the answer: "
    "the paper is silent"
)
"""How the paper is read where it does not say what is asked."""
_QUICK = "a quick run: a few rows of each set, to see that it works and not to compare"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All that the tables are made of: sets in the order of table 2, scores by set, checkers by recipe."""

    sets: Sequence[DataSet]
    scores: Mapping[str, Scores]
    systems: Mapping[str, System]
    draw: Bootstrap
    quick: bool = False

    def auc(self, name: str, recipe: str) -> Level:
        """Return the AUC on a set, or that it is absent."""
        return measuring.auc(self.scores[name], recipe, self.draw) if name in self.scores else ABSENT

    def named(self, names: Iterable[str]) -> list[DataSet]:
        """Return the sets of these names, in their order."""
        by_name = {data.name: data for data in self.sets}
        return [by_name[name] for name in names if name in by_name]


def tables(found: Found) -> tuple[Table, ...]:
    """Return every table that has a row."""
    made = (_counts, _aucs, _halubench, _selections, _halueval, _preliminary)
    return tuple(table for make in made for table in [make(found)] if any(group.rows for group in table.groups))


def _counts(found: Found) -> Table:
    def cells(data: DataSet) -> tuple[Cell, ...]:
        paper = published.COUNTS[data.name]
        if data.path is None:
            return tuple(Cell(paper=Tally(count=count, n=sum(paper)), ours=ABSENT) for count in paper)
        return tuple(counted(ours, count) for ours, count in zip((data.hallucinated, data.factual), paper, strict=True))

    rows = tuple(Row(title=data.title, used=data.used, cells=cells(data)) for data in found.sets)
    return Table(
        name="Table 2",
        title="rows of each data set",
        columns=("hallucinated", "factual"),
        groups=(Group(title="", paper=None, ours="", rows=rows),),
        notes=("table 2 counts the whole files, whatever part of them is scored", *_notes(found)),
    )


def _aucs(found: Found) -> Table:
    sets = found.named(published.AUC)
    rows = [
        Row(title=d.title, used=d.used, cells=_beside([found.auc(d.name, COMBINED)], [published.AUC[d.name]]))
        for d in sets
    ]
    groups = [_judged(found, COMBINED, COMBINED, rows)]
    return _table(found, "Table 3", "AUC by data set, the selected sources joined", ("AUC",), groups)


def _halubench(found: Found) -> Table:
    return _accuracy(found, "Table 4", "accuracy on HaluBench", ["HALUBENCH"])


def _halueval(found: Found) -> Table:
    names = [name for name in published.ACCURACY if name != "HALUBENCH"]
    return _accuracy(found, "Table 6", "accuracy on HaluEval", names)


def _accuracy(found: Found, name: str, title: str, names: Sequence[str]) -> Table:
    rows = []
    for data in found.named(names):
        scores = found.scores.get(data.name)
        levels = measuring.accuracies(scores, BEST, found.draw) if scores else {"": ABSENT}
        for at, level in levels.items():
            cell = levelled(level, published.ACCURACY[data.name])
            rows.append(Row(title=f"{data.title} {at}".strip(), used=data.used, cells=(cell,)))
    groups = [_judged(found, BEST, "TopK 5, max", rows)]
    open_ = (
        "the paper does not say at which threshold its accuracies are; ours at .5 is chosen on nothing, the other two are "
        "chosen on the rows that they are reported on, and so are optimistic"
    )
    return _table(found, name, title, ("accuracy",), groups, open_)


def _selections(found: Found) -> Table:
    """Return table 5; where neither of its sets is here, the others show what the grid does."""
    wanted = list(dict.fromkeys(name for name, _ in published.SELECTED))
    of_paper = found.named(wanted)
    others = [] if any(d.path for d in of_paper) else [d for d in found.sets if gridded(d, found.sets)]
    recipe = by_source("TopP 0.9", "max")
    groups = [_judged(found, recipe, "each selected source judged by itself", _selected(found, of_paper))]
    if others:
        groups.append(_judged(found, recipe, "no set of the paper's table 5", _selected(found, others), known=False))
    return _table(found, "Table 5", "AUC by selection and aggregation", tuple(published.AGGREGATES), groups)


def gridded(data: DataSet, sets: Sequence[DataSet]) -> bool:
    """Say whether a set gets the grid of table 5: those of the paper, else those that have contexts."""
    wanted = {name for name, _ in published.SELECTED}
    if any(other.path for other in sets if other.name in wanted):
        return data.name in wanted
    return data.path is not None and data.bare < data.rows


def _selected(found: Found, sets: Sequence[DataSet]) -> list[Row]:
    rows = []
    for data in sets:
        for selection in published.SELECTIONS:
            levels = [found.auc(data.name, by_source(selection, how)) for how in published.AGGREGATES]
            paper = published.SELECTED.get((data.name, selection), (None, None, None))
            rows.append(Row(title=f"{data.title} {selection}", used=data.used, cells=_beside(levels, paper)))
    return rows


def _preliminary(found: Found) -> Table:
    sets = found.named(published.PRELIMINARY)
    recipes = list(LITE.values())

    def cells(data: DataSet) -> tuple[Cell, ...]:
        return _beside([found.auc(data.name, recipe) for recipe in recipes], published.PRELIMINARY[data.name])

    ranks = "; ".join(f"{name}, {found.systems[recipe].ranks.title}" for name, recipe in LITE.items())
    rows = [Row(title=data.title, used=data.used, cells=cells(data)) for data in sets]
    groups = [_judged(found, recipes[-1], "sentences ranked for the claim and joined", rows)]
    notes = (f"sentences are ranked by: {ranks}", _gains(found, sets))
    return _table(found, "Table 7", "AUC of the preliminary experiments", published.EXPERIMENTS, groups, *notes)


def _gains(found: Found, sets: Sequence[DataSet]) -> str:
    """Say the mean relative gains from experiment to experiment, the paper's by its cells, and ours."""
    told = ", ".join(f"{name} {gain:.2f} %" for name, gain in published.gains().items())
    rows = [[found.auc(d.name, recipe).figure.value for recipe in (*LITE.values(), COMBINED)] for d in sets]
    whole = [[value for value in row if value] for row in rows]
    columns = list(zip(*(row for row in whole if len(row) == len(LITE) + 1), strict=True))
    said = f"mean relative gains, computed from the paper's cells: {told}"
    if not columns:
        return said
    ours = (published.mean_gain(columns[n], columns[n + 1]) for n in range(len(LITE)))
    return f"{said}; ours over {len(columns[0])} sets: {', '.join(f'{gain:.2f} %' for gain in ours)}".replace("-", "−")


def _judged(found: Found, recipe: str, title: str, rows: Sequence[Row], *, known: bool = True) -> Group:
    system = found.systems[recipe]
    return Group(title=title, paper=system.paper if known else None, ours=system.ours, rows=tuple(rows))


def _beside(levels: Sequence[Level], paper: Sequence[float | None]) -> tuple[Cell, ...]:
    return tuple(levelled(level, number) for level, number in zip(levels, paper, strict=True))


def _table(
    found: Found, name: str, title: str, columns: tuple[str, ...], groups: Sequence[Group], *notes: str
) -> Table:
    errata = published.ERRATA.get(name.lower(), ())
    shares = frozenset(columns)
    return Table(
        name=name,
        title=title,
        columns=columns,
        groups=tuple(groups),
        shares=shares,
        notes=(*notes, *errata, *_notes(found)),
    )


def _notes(found: Found) -> tuple[str, ...]:
    """Return what holds for all tables."""
    notes = [_QUICK] if found.quick else []
    absent = sum(data.path is None for data in found.sets)
    here = len(found.sets) - absent
    notes.append(f"{here} of {len(found.sets)} data sets are in the data folder, {absent} are absent")
    if any(data.path and not data.exact for data in found.sets):
        notes.append(f"{OTHER} other rows than the paper's, so its figure and ours are of different data")
    unscored = {
        f"{name} {sum(score is None for score in column)}"
        for name, scores in found.scores.items()
        for column in list(scores.by_recipe.values())[:1]
        if None in column
    }
    if unscored:
        notes.append(f"rows that could not be checked, in no figure: {', '.join(sorted(unscored))}")
    notes.append(QUESTIONS)
    notes.append(
        "differences: ours less the paper's, in hundredths (rows in table 2); 95 % bootstrap over our rows, those that share "
        "their evidence drawn together"
    )
    return tuple(notes)
