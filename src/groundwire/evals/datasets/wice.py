"""WiCE (Kamoi et al. 2023, arXiv 2303.01432): claims of Wikipedia over the articles that they cite, and unsupported tokens.

The sentences of an article are joined to one context; those that anybody found to support the claim are gold evidence.
Left out: the oracle chunks, which are made from the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

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
    meta, sentences = record.values.get("meta"), texts(record, "evidence", record.values["evidence"])
    inner = Record(record.title, record.number, record.place, meta if isinstance(meta, Mapping) else {})
    return case(
        own_id(inner, "id", name.replace(":", "-")),
        text(record, "claim"),
        passages([" ".join(sentences)]),
        word(record, "label", LABELS),
        marked=marked,
        shown=_supporting(record, sentences),
    )


def _supporting(record: Record, sentences: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return the places of the supporting sentences in the joined article: of every set that was found, each once."""
    given = record.values.get("supporting_sentences") or []
    if not isinstance(given, list) or not all(isinstance(each, list) for each in given):
        raise record.wrong("supporting_sentences must be lists of the numbers of sentences")
    numbers = {number for each in given for number in each if type(number) is int}
    ends = list(accumulate((len(sentence) + 1 for sentence in sentences), initial=0))
    return [(0, ends[n], ends[n + 1] - 1) for n in sorted(numbers) if 0 <= n < len(sentences)]


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
