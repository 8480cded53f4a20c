"""The answers that are verified: those of the file, else an LLM's, else sentences of the index, and that is said.

The paper asks an LLM (its figure 2). Without one, and for questions that bring no answer, the sentence that fits the question
best is taken from the first passages that BM25 finds for it: such answers stand in the index, so most of them are supported.

Left out: reading files, the endpoint, and the prompts (`groundwire.prompts`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire import models
from groundwire.evals.papers.kept import kept
from groundwire.index import AnyIndex
from groundwire.ledger import Ledger
from groundwire.prompts import ANSWER, Prompt
from groundwire.protocols import LLM
from groundwire.reader import ExtractiveReader
from groundwire.text import sentence_bounds
from groundwire.types import Passage
from groundwire.writer import LlmWriter

GIVEN, ASKED, TAKEN = "the file's", "the LLM's", "sentences of the index (no LLM was asked), so it supports them"
FROM = 3
"""Passages of which the sentence is taken, where no LLM is asked."""
_BATCH = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A question with the answer that is verified; `text` may be empty, and `reason` says why where a call failed."""

    query: str
    question: str
    text: str
    source: str
    reason: str | None = None


def answered(
    questions: Mapping[str, str], given: Mapping[str, str], index: AnyIndex, llm: LLM | None, ledger: Ledger
) -> list[Answered]:
    """Return every question with its answer. An LLM's replies are kept by itself; those that failed are asked anew."""
    open_ = [name for name in questions if not given.get(name, "").strip()]
    texts = [questions[name] for name in open_]
    made = dict(zip(open_, _asked(llm, texts) if llm else _taken(index, texts, ledger), strict=True))
    source = TAKEN if llm is None else ASKED
    return [
        Answered(query=name, question=question, text=made[name][0], source=source, reason=made[name][1])
        if name in made
        else Answered(query=name, question=question, text=given[name].strip(), source=GIVEN)
        for name, question in questions.items()
    ]


def _asked(llm: LLM, questions: Sequence[str]) -> list[tuple[str, str | None]]:
    replies = LlmWriter(llm, Prompt(ANSWER, fenced=False)).write(questions)
    return [((reply.text or "").strip(), None if reply.text is not None else reply.reason) for reply in replies]


def _taken(index: AnyIndex, questions: Sequence[str], ledger: Ledger) -> list[tuple[str, str | None]]:
    if not questions:
        return []
    scorer = models.load_scorer(models.BUILTIN)
    setup = {
        "answer": "extractive, no questions",
        "passages": FROM,
        "scorer": getattr(scorer, "identity", ""),
        "index": held(index),
    }
    items = [{**setup, "question": question} for question in questions]
    found = kept(ledger, items, _taking(index, ExtractiveReader(scorer), questions), batch=_BATCH)
    return [(text or "", None) for text in found]


def _taking(
    index: AnyIndex, reader: ExtractiveReader, questions: Sequence[str]
) -> Callable[[Sequence[int]], list[str | None]]:
    def take(numbers: Sequence[int]) -> list[str | None]:
        asked = [questions[n] for n in numbers]
        found = index.bm25().retrieve(asked, FROM)
        passages = [[_stating(hit.passage) for hit in hits] for hits in found]
        return [reading.text for reading in reader.read(asked, passages)]

    return take


def _stating(passage: Passage) -> Passage:
    """Leave out the sentences of a passage that ask: they answer nothing."""
    sentences = (passage.text[start:end] for start, end in sentence_bounds(passage.text))
    return replace(passage, text=" ".join(s for s in sentences if not s.rstrip().endswith("?")))


def held(index: AnyIndex) -> object:
    """Return what names the contents of an index, as JSON values."""
    contents = getattr(index, "contents", None)
    return {} if contents is None else contents()
