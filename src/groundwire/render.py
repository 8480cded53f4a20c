"""A verdict as others see it, or an answer with one: the record that is published as JSON, and the drawing on a terminal.

Texts are hostile until shown otherwise: what could move the cursor, colour the screen or turn the reading direction is
drawn as a visible escape, and nothing in a text is read as markup. Left out: where the record or the drawing goes.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from groundwire.types import (
    LABEL_NAMES,
    MARKS,
    PLAIN_MARKS,
    Answer,
    ClaimVerdict,
    Evidence,
    Label,
    Passage,
    Ranking,
    Retrieval,
    Span,
    Verdict,
)
from groundwire.visible import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

OffsetEncoding = Literal["codepoint", "utf8", "utf16"]
"""What offsets in a record count: Unicode code points, bytes of UTF-8, or 16-bit units of UTF-16."""

LONGEST = 600
"""Characters of one text that are drawn; the rest is counted, not shown. Records are never cut."""

_STYLES = {
    Label.SUPPORTED: "green",
    Label.CONTRADICTED: "bold red",
    Label.NOT_ENOUGH_INFO: "yellow",
    Label.NOT_CHECKABLE: "dim",
}
_CODECS: Mapping[OffsetEncoding, tuple[str, int]] = {"utf8": ("utf-8", 1), "utf16": ("utf-16-le", 2)}


def record(verdict: Verdict, *, offset_encoding: OffsetEncoding = "codepoint") -> dict[str, Any]:
    """Return the published result as JSON values.

    A claim's `text`, `start` and `end` are the answer's own words; a citation's those of the context at `index`. A
    citation's `score` is the probability that it supports the claim. `spans` are the answer's words that nothing backs.
    `reason`, `spans` and `signals` are left out when empty.
    `timings_ms` are those of the whole batch that the case was checked in. Where the contexts were found in a corpus the
    record also has the `answer`, which an LLM may have given, the `retrieval` (the query, the judged passages, and where
    each part of the stack ranked them, from 1) and what a reader read.
    """
    places = _Places(verdict, offset_encoding)
    trace = verdict.trace
    return {
        "id": verdict.case.id,
        "verdict": str(verdict.label),
        "score": verdict.score,
        "threshold": verdict.threshold,
        "grounded": verdict.grounded,
        **({"reason": verdict.reason} if verdict.reason else {}),
        "claims": [_claim(verdict, claim, places) for claim in verdict.claims],
        "warnings": list(verdict.warnings),
        "model": trace.model if trace else None,
        "timings_ms": {stage.name: round(stage.seconds * 1000, 3) for stage in trace.stages} if trace else {},
        **(_found(verdict, verdict.retrieval) if verdict.retrieval else {}),
    }


def answer_record(answer: Answer) -> dict[str, Any]:
    """Return the published answer as JSON values; its verdict is the record that `check` gives.

    A source's `index` is the one that citations name, from 0. The lineage is best first, generation 0 is the seeds.
    """
    trace = answer.trace
    return {
        "question": answer.question,
        "text": answer.text,
        "sources": [_source(n, passage) for n, passage in enumerate(answer.sources)],
        "verdict": record(answer.verdict),
        "lineage": [candidate.to_dict() for candidate in answer.lineage],
        "generations": [generation.to_dict() for generation in answer.generations],
        "stopped": answer.stopped,
        "reason": answer.reason,
        "broken": answer.broken,
        "warnings": list(answer.warnings),
        "trace": None if trace is None else trace.to_dict(),
    }


def to_json(data: Mapping[str, Any]) -> str:
    """Return one line of ASCII JSON, in which lone surrogates survive. Raises ValueError for a NaN or an infinity."""
    return json.dumps(data, allow_nan=False)


def visible(text: str, encoding: str = "utf-8") -> str:
    """Return `text` on one line, with everything that is not plainly printable as a visible escape.

    White space is joined to single blanks; controls, direction marks and lone surrogates become `\\x1b`, `\\u202e` or
    `\\ud800`, and so does what `encoding` has no code for. The joiners that emoji and many scripts need stay.
    """
    return one_line(text).encode(encoding, "backslashreplace").decode(encoding)


def draw(verdict: Verdict, console: Console) -> None:
    """Draw a verdict: one line for the answer, then each claim with its mark, its score and its best evidence.

    The marks tell the labels apart without colour, and are ASCII where the terminal has no others. Words that nothing
    backs are underlined; without colour they stand in braces.
    """
    from rich.padding import Padding

    pen = _Pen(console.encoding, plain=console.no_color or console.color_system is None)
    if verdict.case.question:
        console.print(pen.text(verdict.case.question, "bold"))
    console.print(pen.heading(verdict))
    if verdict.claims:
        console.print(Padding(_table(verdict, pen), (0, 0, 0, 2)))
    if verdict.reading is not None:
        console.print(_aside("the reader says: ").append_text(pen.text(verdict.reading)))
    if verdict.retrieval:
        console.print(_ranks(verdict, verdict.retrieval, pen))
    for warning in verdict.warnings:
        console.print(pen.text(f"! {warning}", "yellow"))


class _Pen:
    """Makes texts that this terminal can show."""

    def __init__(self, encoding: str, *, plain: bool) -> None:
        self._encoding, self._plain = encoding, plain
        fancy = _encodable("".join(MARKS.values()) + "…", encoding)
        self._marks, self.dash, self._dots = (MARKS, "–", "…") if fancy else (PLAIN_MARKS, "-", "...")

    def text(self, text: str, style: str = "") -> Text:
        from rich.text import Text

        return Text(visible(text[:LONGEST], self._encoding) + self._rest(text).plain, style)

    def line(self, text: str) -> str:
        """Return a short text as this terminal can show it."""
        return visible(text, self._encoding)

    def marked(self, text: str, marks: Sequence[tuple[int, int]]) -> Text:
        """Return the text with its marked stretches, disjoint and in order, set apart."""
        from rich.text import Text

        line, at = Text(), 0
        for start, end in (*marks, (LONGEST, LONGEST)):
            self._append(line, text[at : min(start, LONGEST)], marked=False)
            self._append(line, text[start : min(end, LONGEST)], marked=True)
            at = end
        return line.append_text(self._rest(text))

    def _append(self, line: Text, text: str, *, marked: bool) -> None:
        """Append a part of a line, the white space around it as one blank."""
        shown = visible(text, self._encoding)
        if not shown:
            line.append(" " if text else "")
            return
        line.append(" " if line and text[0].isspace() else "")
        line.append(f"{{{shown}}}" if marked and self._plain else shown, "underline red" if marked else "")
        line.append(" " if text[-1].isspace() else "")

    def _rest(self, text: str) -> Text:
        """Return what stands for the part of a long text that is not drawn."""
        from rich.text import Text

        hidden = len(text) - LONGEST
        return Text(f"{self._dots} ({hidden} more characters)" if hidden > 0 else "")

    def mark(self, label: Label) -> Text:
        from rich.text import Text

        return Text(f"{self._marks[label]} {LABEL_NAMES[label]}", _STYLES[label])

    def heading(self, verdict: Verdict) -> Text:
        from rich.text import Text

        line = Text().append_text(self.mark(verdict.label))
        if verdict.score is not None:
            line.append(f"  score {verdict.score:.2f}, threshold {verdict.threshold:.2f}", "dim")
        if verdict.reason:
            line.append("  ").append_text(self.text(verdict.reason, "dim"))
        return line


def _table(verdict: Verdict, pen: _Pen) -> Table:
    from rich.table import Table

    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, justify="right")
    table.add_column(overflow="fold")
    for claim in verdict.claims:
        score = "" if claim.score is None else f"{claim.score:.2f}"
        span = claim.claim.span
        marks = [(s.start - span.start, s.end - span.start) for s in claim.spans]
        words = span.of(verdict.case.answer)
        table.add_row(pen.mark(claim.label), score, pen.marked(words, marks) if marks else pen.text(words))
        if claim.reason and claim.reason != verdict.reason:  # the heading says that one
            table.add_row("", "", pen.text(claim.reason, "dim"))
        for evidence in claim.evidence[:1]:
            table.add_row("", "", _evidence(verdict, claim, evidence, pen))
    return table


def _evidence(verdict: Verdict, claim: ClaimVerdict, evidence: Evidence, pen: _Pen) -> Text:
    from rich.text import Text

    only_near = claim.label is Label.NOT_ENOUGH_INFO
    line = Text().append(f"[{evidence.index + 1}] ", "cyan")
    if verdict.retrieval:
        line.append_text(pen.text(verdict.case.contexts[evidence.index].id, "cyan")).append(" ")
    line.append("nearest: " if only_near else "", "dim")
    line.append_text(pen.text(verdict.text_of(evidence), "dim" if only_near else ""))
    return line.append(f" ({evidence.span.start}{pen.dash}{evidence.span.end})", "dim")


def _ranks(verdict: Verdict, retrieval: Retrieval, pen: _Pen) -> Text:
    """Return one line: what found the passages that were judged, and which they are."""
    by = retrieval.rankings[-1].by if retrieval.rankings else "nothing"
    line = _aside("found by ").append_text(pen.text(by, "dim"))
    if not verdict.case.contexts:
        return line.append(": no passage", "dim")
    earlier = retrieval.rankings[:-1]
    for n, passage in enumerate(verdict.case.contexts, 1):
        line.append(": " if n == 1 else ", ", "dim").append(f"[{n}] ", "cyan").append_text(pen.text(passage.id))
        ranks = [f"{pen.line(r.by)} #{at}" for r in earlier if (at := _rank(r, passage.id)) is not None]
        line.append(f" ({', '.join(ranks)})" if ranks else "", "dim")
    return line


def _aside(text: str) -> Text:
    """Return a line that begins with a word of ours."""
    from rich.text import Text

    return Text().append(text, "dim")


def _rank(ranking: Ranking, passage: str) -> int | None:
    """Return the place of a passage in a ranking, from 1; None where it is not in it."""
    return next((n for n, hit in enumerate(ranking.hits, 1) if hit.passage.id == passage), None)


def _found(verdict: Verdict, retrieval: Retrieval) -> dict[str, Any]:
    """Return what a record says beyond a check's: the answer, how its passages were found, and the reading."""
    judged = {passage.id: n for n, passage in enumerate(verdict.case.contexts)}
    rankings = [
        {
            "by": ranking.by,
            "hits": [
                {"context_id": hit.passage.id, "rank": n, "score": hit.score}
                for n, hit in enumerate(ranking.hits, 1)
                if hit.passage.id in judged
            ],
        }
        for ranking in retrieval.rankings
    ]
    return {
        "answer": verdict.case.answer,
        **({} if verdict.reading is None else {"reading": verdict.reading}),
        "retrieval": {"query": retrieval.query, "context_ids": list(judged), "rankings": rankings},
    }


def _claim(verdict: Verdict, claim: ClaimVerdict, places: _Places) -> dict[str, Any]:
    span = claim.claim.span
    return {
        "text": span.of(verdict.case.answer),
        "start": places.in_answer[span.start],
        "end": places.in_answer[span.end],
        "verdict": str(claim.label),
        "score": claim.score,
        **({"reason": claim.reason} if claim.reason else {}),
        **({"spans": [_span(verdict, span, places) for span in claim.spans]} if claim.spans else {}),
        "citations": [_citation(verdict, evidence, places) for evidence in claim.evidence],
        **({"signals": dict(claim.signals)} if claim.signals else {}),
    }


def _span(verdict: Verdict, span: Span, places: _Places) -> dict[str, Any]:
    start, end = (places.in_answer[at] for at in (span.start, span.end))
    return {"text": span.of(verdict.case.answer), "start": start, "end": end}


def _citation(verdict: Verdict, evidence: Evidence, places: _Places) -> dict[str, Any]:
    offsets = places.in_contexts[evidence.index]
    return {
        "context_id": verdict.case.contexts[evidence.index].id,
        "index": evidence.index,
        "start": offsets[evidence.span.start],
        "end": offsets[evidence.span.end],
        "text": verdict.text_of(evidence),
        "score": evidence.entailment.supports,
    }


def _source(n: int, passage: Passage) -> dict[str, Any]:
    origin = passage.origin
    return {
        "index": n,
        "id": passage.id,
        "title": passage.title,
        "text": passage.text,
        **({} if origin is None else {"source": origin.source, "start": origin.start, "end": origin.end}),
        **({"metadata": dict(passage.meta)} if passage.meta else {}),
    }


class _Places:
    """Every offset of a verdict in the encoding that was asked for, by its code point."""

    def __init__(self, verdict: Verdict, encoding: OffsetEncoding) -> None:
        contexts: dict[int, list[int]] = defaultdict(list)
        for evidence in (e for claim in verdict.claims for e in claim.evidence):
            contexts[evidence.index] += (evidence.span.start, evidence.span.end)
        spans = [span for claim in verdict.claims for span in (claim.claim.span, *claim.spans)]
        answer = [at for span in spans for at in (span.start, span.end)]
        self.in_answer = encoded_offsets(verdict.case.answer, answer, encoding)
        self.in_contexts = {
            index: encoded_offsets(verdict.case.contexts[index].text, offsets, encoding)
            for index, offsets in contexts.items()
        }


def encoded_offsets(text: str, offsets: Iterable[int], encoding: OffsetEncoding) -> dict[int, int]:
    """Return, for each offset in code points, how many units of the encoding stand before it; one pass over the text."""
    if encoding == "codepoint" or text.isascii():
        return {at: at for at in offsets}
    codec, width = _CODECS[encoding]
    places: dict[int, int] = {}
    last = units = 0
    for at in sorted(set(offsets)):
        units += len(text[last:at].encode(codec, "surrogatepass")) // width
        places[at], last = units, at
    return places


def _encodable(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
