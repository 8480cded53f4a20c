"""Summaries that several people judged, with TRUE's rules for making one label of it: QAGS, MNBM, SummEval.

Left out: agreement between the people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from groundwire.errors import InputError
from groundwire.evals.datasets.fields import case, found, objects, own_id, passages, supported, text, wanted
from groundwire.evals.datasets.place import Place
from groundwire.evals.datasets.records import Record, records
from groundwire.types import Case, Passage

CSV = ("grounding", "generated_text", "label")
"""The columns of TRUE's own csv files."""

_WRONG = ("intrinsic", "extrinsic")
_WORKERS = 3
_ARTICLES = ("xsum*.jsonl", "xsum*.json", "xsum*.csv", "xsum*.parquet")
_BEST = 5


def by_sentence(
    id_: str,
    summary: str,
    contexts: tuple[Passage, ...],
    clean: Sequence[bool],
    parts: Sequence[str],
    *,
    group: str | None = None,
    part: object = None,
) -> Case:
    """Return a summary that is supported where every sentence is; those that are not are its gold spans.

    `parts` are the sentences in the order of `clean`; where they are not known, or not all stand in the summary, there are
    no spans.
    """
    places = found(summary, parts)
    known = len(places) == len(clean) and all(one[1] <= other[0] for one, other in pairwise(places))
    marked = [place for place, good in zip(places, clean, strict=True) if not good] if known else []
    return case(id_, summary, contexts, supported(all(clean)), marked=marked, group=group, part=part)


def sentences(record: Record, column: str) -> list[str]:
    """Return a row's sentences where it has them as texts, and none otherwise."""
    value = record.values.get(column)
    return value if isinstance(value, list) and all(isinstance(each, str) for each in value) else []


def qags(place: Place) -> Iterator[Case]:
    """Yield QAGS' summaries: supported where most of three people say yes to every sentence."""
    for record in place.records():
        wanted(record, place.name, ("article", "summary_sentences"), CSV)
        parts = objects(record, "summary_sentences")
        said = [text(record, "sentence", part) for part in parts]
        yield by_sentence(
            f"{place.name.replace(':', '-')}-{record.number}",
            " ".join(said),
            passages([text(record, "article")]),
            [_majority(record, part.get("responses")) for part in parts],
            said,
        )


def _majority(record: Record, responses: Any) -> bool:
    """Say whether most responses are yes; a tie goes to the even number, as Python rounds, and so to no."""
    if not isinstance(responses, list) or not responses or not all(isinstance(each, Mapping) for each in responses):
        raise record.wrong("every sentence must have responses")
    yes = sum(1 for each in responses if each.get("response") == "yes")
    return round(yes / len(responses)) == 1


def summeval(place: Place) -> Iterator[Case]:
    """Yield SummEval's summaries, its systems as slices: supported where all three experts give a consistency of 5."""
    for record in place.records():
        wanted(record, place.name, ("id", "decoded", "expert_annotations", "text"), CSV)
        experts = objects(record, "expert_annotations")
        if len(experts) != _WORKERS or not all(isinstance(each.get("consistency"), (int, float)) for each in experts):
            raise record.wrong("expert_annotations must be three, each with a consistency")
        id_ = own_id(record, "id", "true-summeval")
        yield case(
            f"{id_}-{record.values.get('model_id', record.number)}",
            text(record, "decoded"),
            passages([text(record, "text")]),
            supported(all(each["consistency"] == _BEST for each in experts)),
            group=id_,
            part=record.values.get("model_id"),
        )


def mnbm(place: Place) -> Iterator[Case]:
    """Yield MNBM's summaries, one of each system (a slice) and article: no label of three workers is a hallucination's.

    The last row of a worker counts; a worker without rows finds none; the mean is rounded as Python rounds. The rows of
    a summary lie apart in the file, so its 2 500 summaries are held in memory, and their articles. Raises InputError
    without the articles beside, and for a summary whose article is not there.
    """
    votes: dict[tuple[str, str], dict[str, int]] = {}
    summaries: dict[tuple[str, str], tuple[Record, str]] = {}
    for record in place.records():
        wanted(record, place.name, ("bbcid", "system", "summary", "hallucination_type", "worker_id"), CSV)
        key = (own_id(record, "bbcid", ""), text(record, "system"))
        said = text(record, "hallucination_type") not in _WRONG
        votes.setdefault(key, {})[text(record, "worker_id")] = int(said)
        summaries[key] = (record, text(record, "summary"))
    articles = _articles(place, {article for article, _ in votes})
    for (article, system), said_by in votes.items():
        record, summary = summaries[article, system]
        if article not in articles:
            raise record.wrong(f"its article {article} is not among those of XSum", "take those of XSum's test split")
        mean = (sum(said_by.values()) + max(0, _WORKERS - len(said_by))) / max(_WORKERS, len(said_by))
        yield case(
            f"{article}-{system}",
            summary,
            passages([articles[article]]),
            supported(round(mean) == 1),
            group=article,
            part=system,
        )


def _articles(place: Place, needed: set[str]) -> dict[str, str]:
    """Return the articles that are needed, lines joined by blanks as TRUE does."""
    files = place.beside(*_ARTICLES)
    if not files:
        message = f"{place.folder} has no articles of XSum, which MNBM does not publish"
        raise InputError(message, "put them beside it as xsum-test.jsonl, rows of id and document")
    held: dict[str, str] = {}
    for file in files:
        for record in records(file):
            wanted(record, "XSum", ("id", "document"))
            if (id_ := own_id(record, "id", "")) in needed:
                held[id_] = text(record, "document").replace("\n", " ")
    return held
