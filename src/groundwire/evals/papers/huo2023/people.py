"""What people have to judge: items drawn for each table, and their judgements read back.

An item is a row of items.jsonl: `item` (its name), `task`, `row` of the table, `choices`, and what is shown: question, answer,
label, evidence. A judgement is a row {item, annotator, judgement}; of one annotator the last counts, and of several the one
that most gave (nobody's, where two are level); one that is `adjudicated` decides. The draw is seeded:
the same run draws the same items.

Left out: the page on which people judge, and how well they agree.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from groundwire.errors import InputError
from groundwire.evals.papers.huo2023.answering import Answered
from groundwire.evals.papers.huo2023.judging import Judged
from groundwire.evals.papers.huo2023.published import CORRECT, FLIPS, MANUAL, PASSAGE, PREFERRED, READER, STACKS, Manual

Views = Mapping[str, Sequence[Judged]]
"""What each pipeline says, by its title, in the order of the answers."""


def items(answers: Sequence[Answered], views: Views, *, seed: int) -> list[dict[str, Any]]:
    """Draw the items of every table, at most `each` of a label or cell."""
    drawn = []
    for manual in MANUAL:
        cells: dict[tuple[str, str], list[int]] = defaultdict(list)
        for n in range(len(answers)):
            if (place := _place(manual, views, n)) is not None:
                cells[place].append(n)
        for (row, cell), numbers in sorted(cells.items()):
            rng = random.Random(f"{seed} {manual.task} {cell}")  # noqa: S311 - a sample, not a secret
            chosen = sorted(rng.sample(numbers, min(manual.each, len(numbers))))
            drawn += [_item(manual, row, cell, answers[n], views, n) for n in chosen]
    return drawn


def read(lines: Iterable[str], path: str) -> dict[str, str]:
    """Return what was judged of each item. Raises InputError, naming the line, for a row that is no judgement."""
    said: dict[str, dict[str, str]] = defaultdict(dict)
    decided: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = _row(line, number, path)
            judgement = row["judgement"].strip().casefold()
            said[row["item"]][row["annotator"]] = judgement
            if row.get("adjudicated") is True:
                decided[row["item"]] = judgement
    return {
        item: most for item, by in said.items() if (most := decided.get(item) or _majority(by.values())) is not None
    }


def counts(manual: Manual, drawn: Sequence[Mapping[str, Any]], judged: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the judgements of a table's items, by row; those that are none of its choices are left out."""
    choices = {choice.casefold() for choice in (*manual.choices, *manual.others)}
    found: dict[str, list[str]] = {row: [] for row in manual.rows}
    for item in drawn:
        said = judged.get(item["item"])
        if item["task"] == manual.task and said in choices:
            found[item["row"]].append(said)
    return found


def _place(manual: Manual, views: Views, n: int) -> tuple[str, str] | None:
    """Return the row and the cell that an answer is drawn for; None where it is drawn for none."""
    bm25, neural, reader = (views[stack][n].said for stack in STACKS)
    if manual is CORRECT or manual is PREFERRED:
        return None if reader is None or (manual is PREFERRED and not views[STACKS[2]][n].reading) else (reader, reader)
    one, other = (bm25, neural) if manual is PASSAGE else (neural, reader)
    if one is None or other is None:
        return None
    if manual is PASSAGE:
        return ("agree" if one == other else "disagree"), f"{one}/{other}"
    if manual is READER:
        return "all", f"{one}/{other}"
    return None if one == other or manual is not FLIPS else ("changed", f"{one}/{other}")


def _item(manual: Manual, row: str, cell: str, one: Answered, views: Views, n: int) -> dict[str, Any]:
    bm25, neural, reader = (views[stack][n] for stack in STACKS)
    shown: dict[str, Any] = {"question": one.question, "answer": one.text, "evidence": neural.evidence}
    if manual is PASSAGE:
        shown["evidence of BM25"] = bm25.evidence
    elif manual is not CORRECT or reader.reading:
        shown["reading"] = reader.reading
    labels = {stack: view.said for stack, view in zip(STACKS, (bm25, neural, reader), strict=True)}
    told = {"item": f"{manual.task}/{cell}/{one.query}", "task": manual.task, "row": str(row)}
    return {**told, "choices": [*manual.choices, *manual.others, "unsure"], **shown, "labels": labels}


def _row(line: str, number: int, path: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: line {number}: not JSON", "a judgement is a JSON object on a line") from error
    wanted = ("item", "annotator", "judgement")
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in wanted):
        found = ", ".join(map(str, row)) if isinstance(row, dict) else type(row).__name__
        raise InputError(
            f"{path}: line {number}: no judgement, but {found}", f"wanted are {', '.join(wanted)}, as text"
        )
    return row


def _majority(said: Iterable[str]) -> str | None:
    ranked = Counter(said).most_common(2)
    return None if len(ranked) == 2 and ranked[0][1] == ranked[1][1] else ranked[0][0]


def lines(drawn: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the items as lines of JSON."""
    return (json.dumps(item, ensure_ascii=False) + "\n" for item in drawn)
