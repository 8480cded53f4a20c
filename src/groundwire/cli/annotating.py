"""What `groundwire annotate` shows people: items drawn from a run, an experiment, or a file of records.

Left out: the page (`groundwire.annotate`), and what an experiment draws by itself, which is read as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.annotate.draw import arranged, choose
from groundwire.annotate.items import Item, Mark, Part, offered, published
from groundwire.annotate.tasks import LABEL, PASSAGE, PREFERENCE
from groundwire.cases import RowError
from groundwire.cli.files import CaseFile, read_lines
from groundwire.cli.records import Record, records
from groundwire.errors import InputError, Unavailable, UsageError
from groundwire.types import LABEL_NAMES, Case, Label, Passage, Verdict

if TYPE_CHECKING:
    from groundwire.evals.runs import Run, ScoredRow

EACH, SEED = 100, 0
"""Items of a class or cell (the paper's table 2 has 100 a class), and the seed, where nobody says."""
TASKS = (LABEL.name, PREFERENCE.name, PASSAGE.name)
EXPERIMENT = "experiment"
"""A paper's evaluation, which draws its items itself."""
_ITEMS, _CONFIG = "items.jsonl", "config.json"
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is drawn. None is what nobody said; `against` and `cases` are files that go with a file of records."""

    each: int | None = None
    per: str | None = None
    seed: int | None = None
    tasks: tuple[str, ...] | None = None
    checker: str | None = None
    against: str | None = None
    cases: str | None = None

    def told(self, source: str | None = None) -> dict[str, Any]:
        """Return what is kept beside the draw: with `source`, what really holds; without, what was said."""
        said = {
            "each": self.each,
            "per": self.per,
            "seed": self.seed,
            "tasks": None if self.tasks is None else list(self.tasks),
            "checker": self.checker,
        }
        if source is None:
            return said
        given: dict[str, Any] = {"seed": SEED}
        if source != EXPERIMENT:
            given |= {"each": EACH, "per": "class", "tasks": [LABEL.name]}
        return {"source": source, **said, **{name: value for name, value in given.items() if said[name] is None}}


def drawn(run: Path, asked: Asked, say: Say) -> tuple[str, list[Item]]:
    """Return what `run` is, and its items as people get them. `say` is told what one should know.

    Raises InputError for what is no run, and for options that it has no use for.
    """
    if not run.is_dir():
        source, items = "records", _of_records(run, asked)
    elif (run / _ITEMS).is_file():
        _unused(asked, "each", "per", "tasks", "checker", "against", "cases")
        source, items = EXPERIMENT, list(_of_experiment(run / _ITEMS))
    elif (run / _CONFIG).is_file():
        _unused(asked, "against", "cases")
        source, items = "run", _of_run(run, asked, say)
    else:
        raise InputError(f"{run} holds no run", "name a run's directory, or a file of records (check --output FILE)")
    return source, arranged(items, _seed(asked))


def _of_experiment(path: Path) -> Iterator[Item]:
    for number, row in _rows(path):
        try:
            yield published(row)
        except InputError as error:
            raise InputError(f"{path}: line {number}: {error.message}", error.hint) from error


def _of_run(folder: Path, asked: Asked, say: Say) -> list[Item]:
    """Draw rows of one checker of a run, and read their texts again."""
    from groundwire.evals.runs import Run

    _only(asked, LABEL.name, why="a run keeps one label a row")
    run = Run.open(folder)
    spec = _checker(run, asked.checker)
    rows = {_name(row): row for row in run.rows() if row.checker == spec}
    chosen = choose({name: _row(row, asked) for name, row in rows.items()}, asked.each or EACH, _seed(asked))
    cases = _texts(run, {name: rows[name] for name in chosen})
    places = _evidence(spec, list(cases.values()), say)
    return [
        _label_item(f"{data}/{case.id}", chosen[data, case.id], case, _parts(case, places[n]), _class(rows, data, case))
        for n, ((data, _), case) in enumerate(cases.items())
    ]


def _name(row: ScoredRow) -> tuple[str, str]:
    return row.data, row.id


def _class(rows: Mapping[Any, ScoredRow], data: str, case: Case) -> str:
    return LABEL_NAMES[rows[data, case.id].label]


def _row(row: ScoredRow, asked: Asked) -> str:
    return _cell(row.label, row.gold, asked)


def _cell(label: Label, gold: Label | None, asked: Asked) -> str:
    if asked.per != "cell":
        return LABEL_NAMES[label]
    if gold is None:
        raise InputError("a cell is a gold label and a verdict, and a row has no gold label", "--per class")
    return f"gold {LABEL_NAMES[gold]}, said {LABEL_NAMES[label]}"


def _texts(run: Run, rows: Mapping[tuple[str, str], ScoredRow]) -> dict[tuple[str, str], Case]:
    """Read the cases of rows. Raises InputError where the data are gone or others."""
    from groundwire.cli.running import opened
    from groundwire.evals.runs.rows import digest_of

    found: dict[tuple[str, str], Case] = {}
    for data in run.config.data:
        wanted = {name for name, _ in rows.items() if name[0] == data.name}
        for case in opened(data) if wanted else ():
            name = data.name, case.id
            if name in wanted and digest_of(case) == rows[name].digest:
                found[name] = case
    if len(found) != len(rows):
        raise InputError(
            f"{run.folder}: {len(rows) - len(found)} of {len(rows)} rows are no longer in the data", "put the data back"
        )
    return {name: found[name] for name in rows}


def _evidence(spec: str, cases: Sequence[Case], say: Say) -> list[Verdict | None]:
    """Check the drawn rows once more, for the places that the verdict rests on: a run keeps none."""
    from groundwire.cli.running import built

    try:
        return list(built(spec).check(cases))
    except Unavailable as error:
        say(f"no evidence is highlighted: {error}")
        return [None] * len(cases)


def _checker(run: Run, given: str | None) -> str:
    known = run.config.checkers
    if given is None and len(known) == 1:
        return known[0]
    if given not in known:
        what = "has several checkers" if given is None else f"has no checker {given!r}"
        raise UsageError(f"{run.folder} {what}", f"--checker, one of: {', '.join(known)}")
    return given


def _parts(case: Case, verdict: Verdict | None) -> tuple[Part, ...]:
    """Return every context, those that a verdict cites first, with the cited places marked."""
    marks: dict[int, list[Mark]] = {}
    for claim in verdict.claims if verdict else ():
        for one in claim.evidence:
            marks.setdefault(one.index, []).append(Mark(start=one.span.start, end=one.span.end))
    return _contexts(case, marks)


def _contexts(case: Case, marks: Mapping[int, Sequence[Mark]]) -> tuple[Part, ...]:
    order = sorted(range(len(case.contexts)), key=lambda n: (n not in marks, n))
    return tuple(
        Part(
            title=_title(case.contexts[n], n),
            text=case.contexts[n].text,
            marks=tuple(dict.fromkeys(marks.get(n, ()))),
        )
        for n in order
    )


def _title(context: Passage, n: int) -> str:
    """Return a context's number with its title, else its id; an id that only counts says nothing."""
    name = context.title or ("" if context.id.isdigit() else context.id)
    return f"Context {n + 1}: {name}" if name else f"Context {n + 1}"


def _label_item(name: str, row: str, case: Case, parts: tuple[Part, ...], said: str) -> Item:
    return Item(
        item=f"{LABEL.name}/{name}",
        task=LABEL.name,
        row=row,
        choices=offered(*LABEL.choices),
        question=case.question,
        answers=(case.answer,),
        parts=parts,
        labels={"verdict": said},
    )


def _of_records(path: Path, asked: Asked) -> list[Item]:
    """Draw records of `groundwire check` or `verify`, with the texts of `--cases` where they are given."""
    _unused(asked, "checker")
    cases = _cases(asked.cases) if asked.cases else {}
    found = _with_texts(records(_rows(path), str(path)), cases)
    others = _with_texts(records(_rows(Path(asked.against)), asked.against), cases) if asked.against else {}
    items: list[Item] = []
    for task in asked.tasks or (LABEL.name,):
        names, make = _maker(task, found, others, cases)
        if not names:
            raise InputError(
                f"{path}: no record can be judged for {task}", "docs/annotate.md says what each task needs"
            )
        rows = {name: _cell(found[name].label, _gold(cases.get(name)), asked) for name in names}
        items += [make(found[name], row) for name, row in choose(rows, asked.each or EACH, _seed(asked)).items()]
    return items


def _maker(
    task: str, found: Mapping[str, Record], others: Mapping[str, Record], cases: Mapping[str, Case]
) -> tuple[list[str], Callable[[Record, str], Item]]:
    """Return which records a task can be asked of, and what makes the item of a record and its row."""
    if task == LABEL.name:
        return list(found), lambda one, row: _of_record(one, row, cases)
    if task == PREFERENCE.name and not others:
        return [name for name, one in found.items() if one.reading], lambda one, row: one.pair(row, one.reading or "")
    if not others:
        raise UsageError(f"{task} compares two files of records", "--against FILE names the other")
    made = Record.preference if task == PREFERENCE.name else Record.passages
    return [name for name in found if name in others], lambda one, row: made(one, row, others[one.id])


def _with_texts(found: Mapping[str, Record], cases: Mapping[str, Case]) -> dict[str, Record]:
    """Return records with question and answer as their cases have them: a record of `check` has neither."""
    return {
        name: replace(one, question=cases[name].question, answer=cases[name].answer or one.answer)
        if name in cases
        else one
        for name, one in found.items()
    }


def _of_record(one: Record, row: str, cases: Mapping[str, Case]) -> Item:
    case = cases.get(one.id) or Case(id=one.id, question=one.question, answer=one.answer, contexts=())
    parts = _contexts(case, one.marks(case)) if one.id in cases else one.quotes()
    return _label_item(one.id, row, case, parts, LABEL_NAMES[one.label])


def _cases(path: str) -> dict[str, Case]:
    with CaseFile(path, gold=True) as file:
        found = {}
        for case in file:
            if isinstance(case, RowError):
                raise InputError(f"{path}: {case}", case.hint)
            found[case.id] = case
        return found


def _gold(case: Case | None) -> Label | None:
    return case.label if case else None


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(read_lines(str(path)), 1):
        if line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}: line {number}: not JSON", "JSON objects, one a line") from error
            if not isinstance(row, dict):
                raise InputError(f"{path}: line {number}: no JSON object", "JSON objects, one a line")
            yield number, row


def _only(asked: Asked, task: str, *, why: str) -> None:
    if asked.tasks not in (None, (task,)):
        raise UsageError(f"only the task {task} can be drawn here: {why}", f"--task {task}")


def _unused(asked: Asked, *names: str) -> None:
    for name in names:
        if getattr(asked, name) is not None:
            raise UsageError(
                f"--{name.removesuffix('s') if name == 'tasks' else name} says nothing here", "leave it out"
            )


def _seed(asked: Asked) -> int:
    return SEED if asked.seed is None else asked.seed
