"""Tables 1, 2 and 3 of the paper, with our counts beside its own.

Every share is of all questions: one without an answer is neither preferred nor grounded. Left out: who judged (`measuring`),
drawing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.papers.gauge import published
from groundwire.evals.papers.gauge.making import Made
from groundwire.evals.papers.gauge.measuring import Groundedness, Preference
from groundwire.evals.papers.gauge.published import Counts
from groundwire.evals.papers.gauge.systems import System
from groundwire.evals.papers.table import Cell, Group, Row, Table, Tally, compared

SIGNS = ("+", "=", "−")
STANCES = ("Sup", "NEI", "Ref")
ACCURACY = "Acc"
_WORDS = {"Sup": "supports", "NEI": "neutral", "Ref": "refutes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What holds for all tables: the set (None: none of the paper's), the LLM that is compared with, and ours.

    `passages` counts those of the index; None where nobody knows. `left_out` says which rows could not be run, and why.
    """

    data: str | None
    questions: int
    llm: str | None
    against: str = "gpt-3"
    passages: int | None = None
    compat: bool = False
    quick: bool = False
    left_out: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Return the set's name, with how much of it was asked."""
        if self.data is None:
            return f"{self.questions} questions of no set of the paper"
        size = published.SIZES[self.data]
        whole = published.SET_TITLES[self.data]
        return whole if self.questions == size else f"{whole}, {self.questions} of {size} questions"


def preferences(
    setting: Setting, found: Sequence[tuple[System, Preference]], made: Mapping[str, Sequence[Made]], draw: Bootstrap
) -> Table:
    """Return table 1: how many answers are preferred to the top re-ranked passage."""
    rows = [
        Row(
            title=system.title,
            used=system.used,
            cells=_cells(
                _one(published.preference(setting.data or "", system.row or "")),
                [preference.signs(sign) for sign in ("+", "=", "−")],
                draw,
            ),
        )
        for system, preference in found
    ]
    used = found[0][1].used
    group = Group(
        title=setting.title,
        paper=used.wanted if setting.data else None,
        ours=used.title,
        rows=tuple(rows),
    )
    near = ", ".join(f"{system.title} {preference.near}" for system, preference in found)
    ours = [f"= is exact equality; |Δ| < 1e-6: {near}"]
    same = [system.title for system, _ in found if _base(system.ranked_by) == _base(used.name)]
    if same:
        ours.append(
            f"the judge has the weights of the model in the fitness, so it is no outside view: {', '.join(same)}"
        )
    if setting.compat:
        ours.append("the query went to the judge as the authors' code writes it, a tuple")
    return Table(
        name="Table 1",
        title="relevance, the answer against the top re-ranked passage",
        columns=SIGNS,
        groups=(group,),
        notes=(*ours, *_notes(setting, made), *published.ERRATA["table 1"]),
    )


def groundedness(
    setting: Setting,
    found: Sequence[Sequence[tuple[System, Groundedness]]],
    made: Mapping[str, Sequence[Made]],
    draw: Bootstrap,
) -> Table:
    """Return table 2 (DL19) or 3 (DL20, Dev); `found` holds each judge's view of all systems."""
    name = {"dl19": "Table 2", "dl20": "Table 3", "dev": "Table 3"}.get(setting.data or "", "Tables 2 and 3")
    groups = [_group(setting, of_judge, draw) for of_judge in found]
    notes = ["evidence is the two seed passages; Acc is the share of Sup", *_notes(setting, made)]
    if setting.data:
        notes.insert(1, f"the paper's rows are those with {setting.against.upper()}")
    return Table(
        name=name,
        title="groundedness of the answers in their seed passages",
        columns=(*STANCES, ACCURACY),
        groups=tuple(groups),
        shares=frozenset({ACCURACY}),
        notes=(*notes, *published.ERRATA.get(name.lower(), ())),
    )


def _three(n: int) -> int:
    """Return the 95 % bound of a share that was never seen in n rows, in hundredths: the rule of three."""
    return min(100, round(300 / n))


def _base(model: str) -> str:
    return model.partition(":")[0]


def _group(setting: Setting, found: Sequence[tuple[System, Groundedness]], draw: Bootstrap) -> Group:
    used = found[0][1].used
    rows = []
    for system, grounded in found:
        paper = published.groundedness(setting.against, setting.data or "", system.row or "", used.wanted)
        hits = [grounded.are("supports"), grounded.are("neutral"), grounded.are("refutes")]
        cells = _cells(_one(paper), hits, draw)
        rows.append(Row(title=system.title, used=system.used, cells=(*cells, cells[0])))
    return Group(
        title=setting.title,
        paper=used.wanted if setting.data else None,
        ours=used.title,
        rows=tuple(rows),
    )


def _cells(paper: Sequence[Tally] | None, hits: Sequence[Sequence[bool]], draw: Bootstrap) -> tuple[Cell, ...]:
    return tuple(compared(hit, None if paper is None else paper[n], draw) for n, hit in enumerate(hits))


def _one(counts: Counts | None) -> list[Tally] | None:
    return None if counts is None else [Tally(count=count, n=sum(counts)) for count in counts]


def _notes(setting: Setting, made: Mapping[str, Sequence[Made]]) -> list[str]:
    """Return what has to be said of every table."""
    missing = {title: sum(not row.text for row in rows) for title, rows in made.items()}
    notes = []
    if any(missing.values()):
        told = ", ".join(f"{title} {count}" for title, count in missing.items() if count)
        notes.append(f"without an answer, so neither preferred nor grounded: {told}")
    notes += setting.left_out
    if setting.quick:
        notes.append("a quick run: a few questions and a shallow ranking, to see that it works and not to compare")
    if setting.llm is None:
        notes.append("no LLM was asked: extractive operators made our answers, out of the sentences of the seeds")
    if setting.data is not None:
        notes.append(
            "differences: our share less the paper's, in hundredths; 95 % bootstrap over our questions. It has no width "
            f"where all our answers are alike; that leaves up to {_three(setting.questions)} hundredths on the other side"
        )
        notes.append("direct is the row that the paper names GPT-3: one prompt with the question and the seeds")
        if setting.passages is not None:
            notes.append(f"passages: ours come from {setting.passages:,} in the index, the paper's from 8,841,823")
    return notes
