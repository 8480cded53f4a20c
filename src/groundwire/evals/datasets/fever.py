"""FEVER: in its NLI form, with the sentences that a system retrieved, and as the shared task has it, with those cited.

Left out: retrieval over Wikipedia (`groundwire verify`), and the score of the shared task.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from groundwire.errors import InputError
from groundwire.evals.datasets.fields import case, own_id, passages, text, wanted, word
from groundwire.evals.datasets.pairs import FEVER_LABELS
from groundwire.evals.datasets.place import Place
from groundwire.evals.datasets.records import Record, records
from groundwire.types import Case, Label

ORIGINAL = ("paper_dev.jsonl", "shared_task_dev.jsonl", "labelled_dev.jsonl")
_PAGES = ("wiki-pages/wiki-*.jsonl", "wiki-*.jsonl")
Sentence = tuple[str, int]
"""A page of Wikipedia and the number of a sentence in it."""


def retrieved(place: Place) -> Iterator[Case]:
    """Yield claims over the context that was retrieved; those without are left out.

    Labels of the original file, where it lies beside, go before the row's own.
    """
    original = _original(place)
    for record in place.records():
        wanted(record, place.name, ("cid", "query", "context", "label"))
        context = text(record, "context")
        if not context:
            continue
        id_ = own_id(record, "cid", place.name)
        gold = original[id_] if id_ in original else word(record, "label", FEVER_LABELS)
        yield case(id_, text(record, "query"), passages([context]), gold)


def _original(place: Place) -> dict[str, Label]:
    """Return the labels of the original dev file by claim, where it lies beside: TRUE takes these."""
    labels: dict[str, Label] = {}
    for file in place.beside(*ORIGINAL):
        for record in records(file):
            wanted(record, "fever:shared-task", ("id", "label"))
            labels[own_id(record, "id", "")] = word(record, "label", FEVER_LABELS)
    return labels


def cited(place: Place) -> Iterator[Case]:
    """Yield claims over the sentences that people cited, all sets of evidence together, each sentence once.

    Held in memory are the cited sentences, not Wikipedia. Raises InputError without the pages beside the claims.
    """
    pages = place.beside(*_PAGES)
    if not pages:
        raise InputError(f"{place.folder} has no {_PAGES[0]}", "FEVER's claims and its Wikipedia are two downloads")
    needed: dict[str, set[int]] = {}
    for record in place.records():
        for page, number in _cited(record):
            needed.setdefault(page, set()).add(number)
    sentences = _sentences(pages, needed)
    for record in place.records():
        contexts = [
            (page.replace("_", " "), sentences[page, n]) for page, n in _cited(record) if (page, n) in sentences
        ]
        gold = word(record, "label", FEVER_LABELS)
        yield case(own_id(record, "id", place.name), text(record, "claim"), passages(contexts), gold)


def _cited(record: Record) -> list[Sentence]:
    """Return the cited sentences of a claim, each once, in their order; a claim without enough information has none."""
    wanted(record, "fever:shared-task", ("id", "claim", "label", "evidence"))
    sets = record.values["evidence"]
    try:
        lines = [(page, number) for each in sets for *_, page, number in each]
    except (TypeError, ValueError) as error:
        raise record.wrong("evidence must be a list of lists of [annotation, evidence, page, sentence]") from error
    return list(dict.fromkeys((page, n) for page, n in lines if isinstance(page, str) and type(n) is int))


def _sentences(files: list[Path], needed: Mapping[str, set[int]]) -> dict[Sentence, str]:
    """Read Wikipedia once and keep what is needed. A page's `lines` are number, tab, sentence, tab, links."""
    held: dict[Sentence, str] = {}
    for file in files:
        for record in records(file):
            wanted(record, "FEVER's Wikipedia", ("id", "lines"))
            page = text(record, "id")
            for line in text(record, "lines").split("\n") if page in needed else ():
                number, *cells = line.split("\t")
                if number.isdecimal() and int(number) in needed[page] and cells:
                    held[page, int(number)] = cells[0]
    return held
