"""FaithBench (Bao et al. 2025): summaries of ten models, spans marked by people as unwanted, questionable or benign.

Labels are the authors' own in `binarize.py`, the worst of all annotations: unwanted or questionable is not supported, benign
and unmarked is. An unwanted span that is intrinsic contradicts its source. Left out: their other two ways to agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from groundwire.evals.datasets.fields import case, digest, has, own_id, passages, text, wanted
from groundwire.evals.datasets.place import Place
from groundwire.evals.datasets.records import Record
from groundwire.types import Case, Label

_SAMPLE = ("source", "summary", "annotations")
_CELLS = ("source", "summary", "worst-label", "best-label")
_BACKED = ("consistent", "benign")
_WORSE = ("questionable", "unwanted")


def rows(place: Place) -> Iterator[Case]:
    """Yield the summaries of batches ({"samples": […]}) with their spans, or those of the csv, which has none."""
    for record in place.records():
        if has(record, "samples"):
            yield from (_sample(each) for each in _samples(record))
        elif has(record, *_SAMPLE):
            yield _sample(record)
        else:
            wanted(record, place.name, ("samples",), _SAMPLE, _CELLS)
            yield _cells(record, place.name)


def _samples(batch: Record) -> Iterator[Record]:
    samples = batch.values["samples"]
    if not isinstance(samples, list):
        raise batch.wrong("samples must be a list")
    for number, sample in enumerate(samples, 1):
        if not isinstance(sample, Mapping):
            raise batch.wrong(f"sample {number} must be an object")
        yield Record(batch.title, number, f"sample {number}", sample)


def _sample(record: Record) -> Case:
    wanted(record, "faithbench", _SAMPLE)
    source, summary = text(record, "source"), text(record, "summary")
    annotations = record.values["annotations"] or []
    if not isinstance(annotations, list) or not all(isinstance(each, Mapping) for each in annotations):
        raise record.wrong("annotations must be a list of objects")
    worse = [each for each in annotations if _names(record, each) & {"questionable", "unwanted"}]
    intrinsic = any("unwanted.in" in name for each in worse for name in _full_names(each))
    gold = Label.SUPPORTED if not worse else Label.CONTRADICTED if intrinsic else Label.NOT_ENOUGH_INFO
    return case(
        f"{PurePath(record.title).name.partition('.')[0]}-{own_id(record, 'sample_id', 'sample')}",
        summary,
        passages([source]),
        gold,
        marked=[_bounds(record, each) for each in worse],
        shown=[place for each in worse if (place := _cited(each)) is not None],
        group=digest(source),
        part=_summarizer(record),
    )


def _full_names(annotation: Mapping[str, Any]) -> list[str]:
    given = annotation.get("label")
    return [str(name).strip().lower() for name in (given if isinstance(given, list) else [given])]


def _names(record: Record, annotation: Mapping[str, Any]) -> set[str]:
    """Return what an annotation says, without its kind. Raises InputError for any other word."""
    names = {name.partition(".")[0] for name in _full_names(annotation)}
    if unknown := names - {*_BACKED, *_WORSE}:
        raise record.wrong(
            f"an annotation is labelled {', '.join(sorted(unknown))}", f"wanted {', '.join(_WORSE)}, benign"
        )
    return names


def _bounds(record: Record, annotation: Mapping[str, Any]) -> tuple[int, int]:
    start, end = annotation.get("summary_start"), annotation.get("summary_end")
    if type(start) is not int or type(end) is not int:
        raise record.wrong("an annotation must have summary_start and summary_end, both integers")
    return start, end


def _cited(annotation: Mapping[str, Any]) -> tuple[int, int, int] | None:
    """Return the place of the source that an annotation points to; not all do."""
    start, end = annotation.get("source_start"), annotation.get("source_end")
    return (0, start, end) if type(start) is int and type(end) is int else None


def _summarizer(record: Record) -> Any:
    meta = record.values.get("metadata")
    return meta.get("summarizer") if isinstance(meta, Mapping) else None


def _cells(record: Record, name: str) -> Case:
    source, worst = text(record, "source"), text(record, "worst-label").strip().lower()
    if worst.partition(".")[0] not in (*_BACKED, *_WORSE):
        raise record.wrong(f"worst-label is {worst!r}", f"wanted {', '.join((*_BACKED, *_WORSE))}")
    return case(
        f"{name}-{record.number}",
        text(record, "summary"),
        passages([source]),
        Label.SUPPORTED if worst in _BACKED else Label.NOT_ENOUGH_INFO,
        group=digest(source),
        part=record.values.get("LLM"),
    )
