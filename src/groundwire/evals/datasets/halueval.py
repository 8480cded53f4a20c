"""HaluEval (Li et al. 2023, arXiv 2305.11747): question answering, dialogue, summarization, and answers to users.

In the first three every row has a right text and one that ChatGPT made up, which give two cases of one group. Left out: the
paper's own protocol, which hides the knowledge from the judge and draws one of the two by a coin.
"""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.evals.datasets.fields import case, found, has, own_id, passages, supported, text, texts, wanted, word
from groundwire.evals.datasets.place import Place
from groundwire.evals.datasets.records import Record
from groundwire.types import Case, Label

_PAIRS = {
    "halueval:qa": ("knowledge", "question", "answer"),
    "halueval:dialogue": ("knowledge", "dialogue_history", "response"),
    "halueval:summarization": ("document", None, "summary"),
}
"""Of each part: the context, the question, and what is right or made up."""

_SAID = {"no": Label.SUPPORTED, "yes": Label.NOT_ENOUGH_INFO}


def rows(place: Place) -> Iterator[Case]:
    """Yield the cases of the part that is asked for. Raises InputError for the columns of another one."""
    for record in place.records():
        if place.name in _PAIRS:
            yield from _pair(record, place.name)
        else:
            yield _general(record, place.name)


def _pair(record: Record, name: str) -> Iterator[Case]:
    context, asked, kind = _PAIRS[name]
    right, made_up = f"right_{kind}", f"hallucinated_{kind}"
    wanted(record, name, tuple(filter(None, (context, asked, right, made_up))))
    id_ = f"{name.replace(':', '-')}-{record.number}"
    for column, gold in ((right, Label.SUPPORTED), (made_up, Label.NOT_ENOUGH_INFO)):
        yield case(
            f"{id_}-{column.partition('_')[0]}",
            text(record, column),
            passages([text(record, context)]),
            gold,
            question=text(record, asked) if asked else None,
            group=id_,
        )


def _general(record: Record, name: str) -> Case:
    """Read one judged answer. Its first release calls the label `hallucination_label` and has no spans."""
    said = next((column for column in ("hallucination", "hallucination_label") if has(record, column)), "hallucination")
    wanted(record, name, ("user_query", "chatgpt_response", said))
    answer, gold = text(record, "chatgpt_response"), word(record, said, _SAID)
    marked = record.values.get("hallucination_spans") or []
    return case(
        own_id(record, "ID", name.replace(":", "-")),
        answer,
        (),
        supported(gold is Label.SUPPORTED),
        question=text(record, "user_query"),
        marked=found(answer, texts(record, "hallucination_spans", marked)),
    )
