"""WiCE (Kamoi et al. 2023, arXiv 2303.01432): claims of Wikipedia over the articles that they cite, and unsupported tokens.

The sentences of an article are joined to one context. Left out: the oracle chunks, which are made from the same rows, and
the supporting sentences, for which a case has no place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from groundwire.evals.datasets.fields import case, found, own_id, passages, text, texts, wanted, word
from groundwire.evals.datasets.place import Place
from groundwire.evals.datasets.records import Record
from groundwire.types import Case, Label

LABELS: Mapping[str, Label] = {
    "supported": Label.SUPPORTED,
    "partially_supported": Label.NOT_ENOUGH_INFO,
    "not_supported": Label.NOT_ENOUGH_INFO,
}
_CLAIM = ("claim", "evidence", "label")


def claims(place: Place) -> Iterator[Case]:
    """Yield the claims; one that is partially supported is not supported."""
    for record in place.records():
        wanted(record, place.name, _CLAIM)
        yield _case(record, place.name, [])


def tokens(place: Place) -> Iterator[Case]:
    """Yield partially supported claims, with runs of unsupported tokens as gold spans."""
    for record in place.records():
        wanted(record, place.name, (*_CLAIM, "claim_tokens", "non_supported_spans"))
        yield _case(record, place.name, _unsupported(record))


def _case(record: Record, name: str, marked: list[tuple[int, int]]) -> Case:
    meta = record.values.get("meta")
    inner = Record(record.title, record.number, record.place, meta if isinstance(meta, Mapping) else {})
    return case(
        own_id(inner, "id", name.replace(":", "-")),
        text(record, "claim"),
        passages([" ".join(texts(record, "evidence", record.values["evidence"]))]),
        word(record, "label", LABELS),
        marked=marked,
    )


def _unsupported(record: Record) -> list[tuple[int, int]]:
    """Return the runs of unsupported tokens, from the first letter of one to the last of the last."""
    marks = record.values["non_supported_spans"]
    words = texts(record, "claim_tokens", record.values["claim_tokens"])
    if not isinstance(marks, list) or len(marks) != len(words):
        raise record.wrong("non_supported_spans must say true or false of every token")
    places = found(text(record, "claim"), words)
    if len(places) != len(words):
        raise record.wrong("a token does not stand in the claim")
    runs: list[tuple[int, int]] = []
    for n, ((start, end), marked) in enumerate(zip(places, marks, strict=True)):
        if marked and n and marks[n - 1] and runs:
            runs[-1] = (runs[-1][0], end)
        elif marked:
            runs.append((start, end))
    return runs
