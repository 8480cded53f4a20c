"""Data sets with one text and one claim, answer or summary a row: HaluBench, LLM-AggreFact, VitaminC, SummEdits, SummaC.

Left out: sets of several files or of several answers a row, each family in a file of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from groundwire.evals.datasets.fields import case, digest, has, label, own_id, passages, supported, text, wanted, word
from groundwire.evals.datasets.place import Place
from groundwire.evals.datasets.records import Record
from groundwire.types import Case, Label

FEVER_LABELS: Mapping[str, Label] = {
    "supports": Label.SUPPORTED,
    "refutes": Label.CONTRADICTED,
    "not enough info": Label.NOT_ENOUGH_INFO,
}
"""The three labels of FEVER and VitaminC."""

_VERDICTS = {"pass": Label.SUPPORTED, "fail": Label.NOT_ENOUGH_INFO}


def halubench(place: Place) -> Iterator[Case]:
    """Yield HaluBench's rows: PASS is supported."""
    for record in place.records():
        wanted(record, place.name, ("id", "passage", "question", "answer", "label", "source_ds"))
        yield case(
            own_id(record, "id", place.name),
            text(record, "answer"),
            passages([text(record, "passage")]),
            word(record, "label", _VERDICTS),
            question=text(record, "question"),
            part=record.values["source_ds"],
        )


def aggrefact(place: Place) -> Iterator[Case]:
    """Yield LLM-AggreFact's claims. The claims over one document are one group."""
    for record in place.records():
        wanted(record, place.name, ("dataset", "doc", "claim", "label"))
        document = text(record, "doc")
        yield case(
            f"{text(record, 'dataset')}-{record.number}",
            text(record, "claim"),
            passages([document]),
            label(record, "label"),
            group=digest(document),
            part=record.values["dataset"],
        )


def vitaminc(place: Place) -> Iterator[Case]:
    """Yield VitaminC's pairs. Those of one revision (`case_id`) are one group, for they were made to differ in a word."""
    for record in place.records():
        wanted(record, place.name, ("claim", "evidence", "label"))
        group = own_id(record, "case_id", "") if has(record, "case_id") else None
        yield case(
            own_id(record, "unique_id", place.name.replace(":", "-")),
            text(record, "claim"),
            passages([text(record, "evidence")]),
            word(record, "label", FEVER_LABELS),
            group=group,
        )


def summedits(place: Place) -> Iterator[Case]:
    """Yield SummEdits' summaries. Ids are told apart by their domain; the edits of one summary are one group."""
    for record in place.records():
        wanted(record, place.name, ("id", "doc", "summary", "label"))
        seed = text(record, "original_summary") if has(record, "original_summary") else ""
        document = text(record, "doc")
        domain = _domain(record)
        yield case(
            f"{domain}-{own_id(record, 'id', place.name)}",
            text(record, "summary"),
            passages([document]),
            label(record, "label"),
            group=digest(document, seed),
            part=domain,
        )


def _domain(record: Record) -> str:
    if isinstance(named := record.values.get("domain"), str):
        return named
    return record.title.replace("\\", "/").rpartition("/")[2].partition(".")[0].removeprefix("summedits_")


def summac(place: Place) -> Iterator[Case]:
    """Yield SummaC's summaries as its loader writes them: a list, lists by set, or rows by name."""
    for outer in place.records():
        for record in _inner(outer):
            wanted(record, place.name, ("document", "claim", "label"))
            if place.split is not None and record.values.get("cut", place.split) != place.split:
                continue
            document, part = text(record, "document"), record.values.get("dataset")
            yield case(
                f"{part if isinstance(part, str) else place.name}-{record.number}",
                text(record, "claim"),
                passages([document]),
                supported(label(record, "label") is Label.SUPPORTED),
                group=digest(document),
                part=part,
            )


def _inner(outer: Record) -> Iterator[Record]:
    """Yield the rows in one JSON value: of {"name", "dataset": [rows]}, of {name: row}, or the row itself."""
    values = outer.values
    inner = values.get("dataset")
    if isinstance(inner, list):
        rows = enumerate(inner, 1)
    elif values and all(isinstance(value, Mapping) for value in values.values()):
        rows = enumerate(values.values(), 1)
    else:
        yield outer
        return
    for number, row in rows:
        place = f"{outer.place}, row {number}"
        if not isinstance(row, Mapping):
            raise outer.wrong(f"row {number} of `dataset` must be an object")
        yield Record(outer.title, number, place, row)
