"""TRUE's eleven (Honovich et al. 2022, arXiv 2204.04991): its own csv, or each set as published, labelled by TRUE's rules.

Rules are those of `download_datasets.py` in google-research/true, checked against the counts that Provenance prints. A
dialogue's turn before is the question where the set is read as published (BEGIN, DialFact); TRUE's csv has no question.
Slices are the systems that wrote, where the published columns name them.
Left out: the texts that some sets leave to others (MNBM's articles of XSum, SummEval's of CNN/DM): they are to be beside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from groundwire.corpus.opening import mended
from groundwire.evals.datasets import annotated, fever, pairs
from groundwire.evals.datasets.fields import case, has, label, objects, own_id, passages, supported, text, wanted
from groundwire.evals.datasets.place import Place
from groundwire.evals.datasets.records import Record
from groundwire.types import Case, Label

_Q2 = ("dodeca", "memnet")


def rows(place: Place) -> Iterator[Case]:
    """Yield the cases of one set, from TRUE's csv where the first row has its columns."""
    first = next(place.records(), None)
    if first is None:
        return iter(())
    return _csv(place) if has(first, *annotated.CSV) else _PUBLISHED[place.name.partition(":")[2]](place)


def _missing(record: Record, name: str, columns: tuple[str, ...]) -> None:
    """Raise InputError where a row has neither these columns nor those of TRUE's csv."""
    wanted(record, name, columns, annotated.CSV)


def _csv(place: Place) -> Iterator[Case]:
    for record in place.records():
        wanted(record, place.name, annotated.CSV)
        yield case(
            own_id(record, "id", place.name.replace(":", "-")),
            text(record, "generated_text"),
            passages([text(record, "grounding")]),
            label(record, "label"),
        )


def _begin(place: Place) -> Iterator[Case]:
    """Yield BEGIN's responses: entailment is supported, neutral, hallucination, off-topic and generic are not."""
    for record in place.records():
        _missing(record, place.name, ("evidence", "response", "gold label"))
        yield case(
            f"true-begin-{record.number}",
            text(record, "response"),
            passages([text(record, "evidence")]),
            supported(text(record, "gold label") == "entailment"),
            question=_turn(record.values.get("previous turn")),
        )


def _turn(said: Any) -> str | None:
    """Return the turn before a response; None where it is not published, or holds nothing."""
    return mended(said) if isinstance(said, str) and said.strip() else None


def _q2(place: Place) -> Iterator[Case]:
    """Yield the responses of both systems; a label of 1 says inconsistent."""
    for record in place.records():
        columns = [f"{system}_{field}" for system in _Q2 for field in ("response", "label")]
        _missing(record, place.name, ("knowledge", *columns))
        group = f"true-q2-{record.number}"
        for system in _Q2:
            yield case(
                f"{group}-{system}",
                text(record, f"{system}_response"),
                passages([text(record, "knowledge")]),
                supported(label(record, f"{system}_label") is not Label.SUPPORTED),
                group=group,
                part=system,
            )


def _dialfact(place: Place) -> Iterator[Case]:
    """Yield factual responses with evidence, its sentences joined by blanks; the last turn of the context is the question."""
    for record in place.records():
        _missing(record, place.name, ("response", "evidence_list", "response_label", "type_label"))
        evidence = " ".join(_third(record, each) for each in record.values["evidence_list"])
        if record.values["type_label"] != "factual" or not evidence:
            continue
        yield case(
            own_id(record, "id", f"true-dialfact-{record.number}"),
            text(record, "response"),
            passages([evidence]),
            pairs.FEVER_LABELS.get(text(record, "response_label").lower(), Label.NOT_ENOUGH_INFO),
            group=own_id(record, "context_id", "") if has(record, "context_id") else None,
            question=_turn(turns[-1] if isinstance(turns := record.values.get("context"), list) and turns else None),
        )


def _third(record: Record, evidence: Any) -> str:
    if not isinstance(evidence, list) or len(evidence) < 3 or not isinstance(evidence[2], str):
        raise record.wrong("evidence_list must hold lists of [title, link, sentence]")
    return evidence[2]


def _paws(place: Place) -> Iterator[Case]:
    for record in place.records():
        _missing(record, place.name, ("sentence1", "sentence2", "label"))
        yield case(
            f"true-paws-{own_id(record, 'id', 'row')}",
            text(record, "sentence2"),
            passages([text(record, "sentence1")]),
            label(record, "label"),
        )


def _frank(place: Place) -> Iterator[Case]:
    """Yield one split (TRUE's: valid): supported where most annotators find no error (NoE) in every sentence."""
    split = place.split or "valid"
    for record in place.records():
        _missing(record, place.name, ("article", "summary", "summary_sentences_annotations", "split"))
        if record.values["split"] != split:
            continue
        clean = [_no_error(record, each) for each in objects(record, "summary_sentences_annotations")]
        yield annotated.by_sentence(
            f"{own_id(record, 'hash', 'true-frank')}-{record.values.get('model_name', record.number)}",
            text(record, "summary"),
            passages([text(record, "article")]),
            clean,
            annotated.sentences(record, "summary_sentences"),
            group=own_id(record, "hash", "true-frank"),
            part=record.values.get("model_name"),
        )


def _no_error(record: Record, annotations: Mapping[str, Any]) -> bool:
    """Say whether the mean of the annotators, rounded as Python rounds, finds no error in a sentence."""
    try:
        votes = [1 if said[0] == "NoE" else 0 for said in annotations.values()]
        return round(sum(votes) / len(votes)) == 1
    except (TypeError, IndexError, KeyError, ZeroDivisionError) as error:
        raise record.wrong(
            "summary_sentences_annotations must say of each sentence what each annotator found"
        ) from error


_PUBLISHED: Mapping[str, Callable[[Place], Iterator[Case]]] = {
    "begin": _begin,
    "dialfact": _dialfact,
    "fever": fever.retrieved,
    "frank": _frank,
    "mnbm": annotated.mnbm,
    "paws": _paws,
    "q2": _q2,
    "qags-cnndm": annotated.qags,
    "qags-xsum": annotated.qags,
    "summeval": annotated.summeval,
    "vitaminc": pairs.vitaminc,
}
