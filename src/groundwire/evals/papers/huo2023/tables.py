"""Tables 1 to 5 of the paper, with our counts beside its own.

Shares are of all answers; one without a label (no answer, a reply that cannot be read, a failed call) has a row of its own and
stands in no cross-table. Left out: who judged (`systems`), drawing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.evals.bootstrap import Bootstrap, Figure
from groundwire.evals.papers.huo2023 import people, published
from groundwire.evals.papers.huo2023.answering import Answered
from groundwire.evals.papers.huo2023.people import Views
from groundwire.evals.papers.huo2023.published import LABELS, QUESTIONS, STACKS, Cross, Manual
from groundwire.evals.papers.huo2023.systems import System
from groundwire.evals.papers.table import Cell, Group, Level, Row, Table, Tally, compared

_PEOPLE = Level(figure=Figure(None), why="people")
_NO_LABEL = "no label"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All that the tables are made of. `drawn` are the items for people, `judged` what they said, by item."""

    answers: Sequence[Answered]
    views: Views
    systems: Sequence[System]
    draw: Bootstrap
    passages: int | None = None
    drawn: Sequence[Mapping[str, Any]] = ()
    judged: Mapping[str, str] | None = None
    quick: bool = False

    @property
    def title(self) -> str:
        """Return what was asked."""
        return f"the paper's {QUESTIONS} questions of MS MARCO's dev set, {len(self.answers)} of ours"


def tables(found: Found) -> tuple[Table, ...]:
    """Return tables 1 to 5 in the paper's order, with the agreement that it computes from tables 3 and 4."""
    bm25, neural, reader = STACKS
    manual = {one.name: _manual(found, one) for one in published.MANUAL}
    return (
        _distribution(found),
        manual.pop("Table 2"),
        _cross(found, "Table 3", published.TABLE_3, bm25, neural),
        _cross(found, "Table 4", published.TABLE_4, neural, reader),
        _agreement(found),
        *manual.values(),
    )


def _distribution(found: Found) -> Table:
    n = len(found.answers)
    rows = [
        _row(
            label,
            [(published.DISTRIBUTION[label][k], _said(found, stack, label)) for k, stack in enumerate(STACKS)],
            found,
        )
        for label in LABELS
    ]
    unlabelled = [[view.said is None for view in found.views[stack]] for stack in STACKS]
    if n and any(map(any, unlabelled)):
        rows.append(_row(_NO_LABEL, [(0, hits) for hits in unlabelled], found))
    return _table(found, "Table 1", "labels of the answers, by stack", STACKS, rows)


def _cross(found: Found, name: str, paper: Cross, rows: str, columns: str) -> Table:
    pairs = _both(found, rows, columns)
    made = [
        _row(
            f"{rows} {one}",
            [(paper[r][c], [pair == (one, other) for pair in pairs]) for c, other in enumerate(LABELS)],
            found,
        )
        for r, one in enumerate(LABELS)
    ]
    return _table(found, name, f"labels by {rows} (rows) against labels by {columns} (columns)", LABELS, made)


def _agreement(found: Found) -> Table:
    bm25, neural, reader = STACKS
    rows = [
        _row(f"{one} and {other}", [(published.trace(cross), [a == b for a, b in _both(found, one, other)])], found)
        for one, other, cross in ((bm25, neural, published.TABLE_3), (neural, reader, published.TABLE_4))
    ]
    return _table(found, "Agreement", "trace of tables 3 and 4", ("agree",), rows)


def _manual(found: Found, manual: Manual) -> Table:
    said = people.counts(manual, found.drawn, found.judged or {})
    rows = []
    for name, paper in manual.rows.items():
        n = manual.n(name)
        cells = [
            _judged(Tally(count=paper[k], n=n), choice, said[name], found) for k, choice in enumerate(manual.choices)
        ]
        rows.append(Row(title=name, used="", cells=tuple(cells)))
    waiting = sum(item["task"] == manual.task for item in found.drawn)
    done = sum(map(len, said.values()))
    notes = [f"people judge this table: {done} of {waiting} items are judged"]
    if done < waiting:
        notes[0] += " (items.jsonl in the run's directory has them; --annotations FILE brings the judgements)"
    return _table(found, manual.name, manual.title, manual.choices, rows, *notes)


def _judged(paper: Tally, choice: str, said: Sequence[str], found: Found) -> Cell:
    if not said:
        return Cell(paper=paper, ours=_PEOPLE)
    return compared([one == choice.casefold() for one in said], paper, found.draw)


def _said(found: Found, stack: str, label: str) -> list[bool]:
    return [view.said == label for view in found.views[stack]]


def _both(found: Found, one: str, other: str) -> list[tuple[str, str]]:
    """Return the labels of two stacks, for the answers that both have labelled."""
    pairs = ((a.said, b.said) for a, b in zip(found.views[one], found.views[other], strict=True))
    return [(a, b) for a, b in pairs if a is not None and b is not None]


def _row(title: str, cells: Sequence[tuple[int, Sequence[bool]]], found: Found) -> Row:
    made = tuple(compared(hits, Tally(count=count, n=QUESTIONS), found.draw) for count, hits in cells)
    return Row(title=title, used="", cells=made)


def _table(found: Found, name: str, title: str, columns: Sequence[str], rows: Sequence[Row], *notes: str) -> Table:
    judge = found.systems[0].judge
    by_people = any(manual.name == name for manual in published.MANUAL)
    paper, ours, title_ = (_PEOPLE.why, _PEOPLE.why, "a sample") if by_people else (published.LLM, judge, found.title)
    return Table(
        name=name,
        title=title,
        columns=tuple(columns),
        groups=(Group(title=title_, paper=paper, ours=ours, rows=tuple(rows)),),
        percents=frozenset(columns),
        notes=(*notes, *published.ERRATA.get(name.lower(), ()), *_notes(found)),
    )


def _notes(found: Found) -> tuple[str, ...]:
    """Return what holds for all tables."""
    notes = [f"{system.title}: {system.used}" for system in found.systems]
    notes.append(f"labels of ours are given by {found.systems[0].judge}")
    sources = dict.fromkeys(one.source for one in found.answers)
    counts = {source: sum(one.source == source for one in found.answers) for source in sources}
    notes.append(
        f"answers: {', '.join(f'{n} {source}' for source, n in counts.items())}; the paper's are {published.LLM}'s"
    )
    if found.passages is not None:
        notes.append(
            f"passages: ours come from {found.passages:,} in the index, the paper's from {published.PASSAGES:,}"
        )
    if found.quick:
        notes.append("a quick run: a few questions, to see that it works and not to compare")
    missing = {stack: sum(view.said is None for view in views) for stack, views in found.views.items()}
    if any(missing.values()):
        notes.append("answers without a label: " + ", ".join(f"{stack} {n}" for stack, n in missing.items() if n))
    if found.answers:
        most = min(100, round(300 / len(found.answers)))
        notes.append(
            f"a share that none or all of ours have has an interval without width: up to {most} hundredths are open"
        )
    notes.append(
        "counts with their percent; differences: our share less the paper's, in hundredths, 95 % bootstrap over our questions"
    )
    return tuple(notes)
