"""The upper part of the page: the question, the answer with its sentences marked, and what each sentence rests on.

Left out: the sources themselves (`sources.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.pages.markup import Html, element, joined
from groundwire.pages.signs import CLASSES, badge, number, plural, sign
from groundwire.report.citations import Citation
from groundwire.types import Answer, ClaimVerdict, Label, Span

LONGEST_QUOTE = 400
"""Characters of a citation that are drawn beside its sentence; the source shows it whole."""


def heading(answer: Answer) -> Html:
    """Return the question, and in one line what came of it."""
    question = element("h1", answer.question or "No question", dir="auto")
    return element(
        "header", element("p", "Groundwire · report of a generated answer", class_="kicker"), question, _facts(answer)
    )


def answer_section(answer: Answer, cited: Sequence[Sequence[Citation]]) -> Html:
    """Return the answer, and below it sentence by sentence why it is marked so; or why there is no answer."""
    parts = [element("h2", "Answer"), _verdict(answer)]
    if answer.text:
        parts.append(element("div", _marked(answer, cited), class_="prose answer", dir="auto"))
    warnings = dict.fromkeys((*answer.warnings, *answer.verdict.warnings))
    parts += [element("p", element("b", "! "), warning, class_="warning", dir="auto") for warning in warnings]
    if answer.verdict.claims and answer.text:
        parts += [element("h3", "Sentence by sentence"), _sentences(answer, cited)]
    return element("section", *parts, id="answer")


def _facts(answer: Answer) -> Html:
    turns = answer.generations
    facts = [plural(len(answer.sources), "source")]
    if answer.lineage:
        facts += [
            plural(len(answer.lineage), "candidate"),
            plural(sum(turn.number > 0 for turn in turns), "generation"),
        ]
    calls = sum(turn.calls for turn in turns)
    if calls:
        tokens = sum(turn.prompt_tokens + turn.reply_tokens for turn in turns)
        facts += [plural(calls, "LLM call"), plural(tokens, "token")]
    if turns:
        facts.append(f"{number(sum(turn.seconds for turn in turns))} s")
    return element("p", " · ".join(facts), class_="soft")


def _verdict(answer: Answer) -> Html:
    verdict = answer.verdict
    if not answer.text:
        reason = answer.reason or verdict.reason or "nothing was found"
        return element("p", badge(Label.NOT_ENOUGH_INFO), " No answer: ", element("bdi", reason), class_="verdict")
    score = None if verdict.score is None else f" score {number(verdict.score)}, threshold {number(verdict.threshold)}"
    why = verdict.reason or answer.reason
    told = None if why is None else joined([" · ", element("bdi", why)])
    return element("p", badge(verdict.label), element("span", score, told, class_="soft"), class_="verdict")


def _marked(answer: Answer, cited: Sequence[Sequence[Citation]]) -> Html:
    """Return the answer's text with each checked sentence as a piece of its own."""
    at = 0
    parts: list[str] = []
    numbered = sorted(enumerate(answer.verdict.claims), key=lambda item: item[1].claim.span.start)
    for n, claim in numbered:
        start, end = max(claim.claim.span.start, at), min(claim.claim.span.end, len(answer.text))
        if start >= end:
            parts.append(element("span", id=f"k{n + 1}"))  # no words of its own, but links lead to it
            continue
        parts += [answer.text[at:start], _piece(answer.text, start, end, claim, n + 1, cited[n])]
        at = end
    return joined([*parts, answer.text[at:]])


def _piece(text: str, start: int, end: int, claim: ClaimVerdict, n: int, cited: Sequence[Citation]) -> Html:
    links = [element("sup", _link(citation)) for citation in cited]
    words = _with_unbacked(text, start, end, claim.spans)
    return element("span", sign(claim.label), words, *links, class_=f"claim {CLASSES[claim.label]}", id=f"k{n}")


def _with_unbacked(text: str, start: int, end: int, spans: Sequence[Span]) -> Html:
    """Return the words from `start` to `end`, those that nothing backs underlined."""
    at = start
    parts: list[str] = []
    for span in spans:
        first, last = max(span.start, at), min(span.end, end)
        if first < last:
            unbacked = element("span", text[first:last], class_="unbacked", title="not backed by the sources")
            parts += [text[at:first], unbacked]
            at = last
    return joined([*parts, text[at:end]])


def _link(citation: Citation) -> Html:
    return element("a", f"[{citation.index + 1}]", href=f"#{citation.anchor}", class_="cite")


def _sentences(answer: Answer, cited: Sequence[Sequence[Citation]]) -> Html:
    rows = [
        _sentence(answer, claim, n, links)
        for n, (claim, links) in enumerate(zip(answer.verdict.claims, cited, strict=True), 1)
    ]
    return element("ol", *rows, class_="sentences")


def _sentence(answer: Answer, claim: ClaimVerdict, n: int, cited: Sequence[Citation]) -> Html:
    score = None if claim.score is None else element("span", f" {number(claim.score)}", class_="soft")
    span = claim.claim.span
    words = element("div", _with_unbacked(answer.text, span.start, span.end, claim.spans), dir="auto", class_="said")
    reason = None if not claim.reason else element("p", claim.reason, class_="soft", dir="auto")
    quotes = [_quote(answer, citation) for citation in cited]
    return element("li", element("div", badge(claim.label), score), words, reason, *quotes, id=f"w{n}")


def _quote(answer: Answer, citation: Citation) -> Html:
    words = answer.sources[citation.index].text[citation.start : citation.end]
    cut = words[:LONGEST_QUOTE] + ("…" if len(words) > LONGEST_QUOTE else "")
    judged = citation.evidence.entailment
    degrees = [f"supports {number(judged.supports)}"]
    degrees += [] if judged.refutes is None else [f"refutes {number(judged.refutes)}"]
    near = "nearest " if citation.label is Label.NOT_ENOUGH_INFO else None
    note = element("span", f" {', '.join(degrees)}", class_="soft")
    return element("blockquote", near, _link(citation), " ", element("bdi", cut), note)
