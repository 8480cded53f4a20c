"""A generated answer as it is drawn on a terminal.

Texts are hostile until shown otherwise, as in `groundwire.render`, which shows the verdict and makes the record. Left out: the
page that shows the evolution (`groundwire.report`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from groundwire.cli.progress import counted, duration
from groundwire.render import LONGEST, draw, visible
from groundwire.types import Answer, ClaimVerdict, Generation, Label

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

CITED = 3
"""Sources that are named behind one sentence."""


def draw_answer(answer: Answer, console: Console) -> None:
    """Draw an answer: its sentences with the numbers of what supports them, the verdict, the sources, what it cost."""
    from rich.padding import Padding

    console.print(_text(answer.question, console, "bold"))
    if not answer.text:
        console.print(_text(answer.reason or "no answer", console, "yellow"))
        return
    console.print(Padding(_cited(answer, console), (0, 0, 1, 2)))
    # The question stands above, and what the verdict warns of is among the answer's own warnings.
    case = replace(answer.verdict.case, question=None)
    draw(replace(answer.verdict, case=case, warnings=()), console)
    for n, passage in enumerate(answer.sources, 1):
        name = passage.id + (f"  {passage.title}" if passage.title else "")
        console.print(_text(f"[{n}] {name}", console, "cyan"))
        console.print(Padding(_text(passage.text, console, "dim"), (0, 0, 0, 4)))
    console.print(_text(summary(answer), console, "dim"))
    for warning in answer.warnings:
        console.print(_text(f"! {warning}", console, "yellow"))


def summary(answer: Answer) -> str:
    """Return in one line how the answer came about and what was paid for it."""
    bred = [generation for generation in answer.generations if generation.number]
    offspring = sum(generation.wanted for generation in bred)
    told = [
        f"{_number(len(bred), 'generation')} of {_number(offspring, 'offspring', plural='offspring')}",
        *spent(bred),
    ]
    seconds = sum(stage.seconds for stage in answer.trace.stages) if answer.trace else 0.0
    return f"{', '.join(told)}, {duration(seconds)}" + (f"; {answer.stopped}" if answer.stopped else "")


def spent(generations: list[Generation]) -> Iterator[str]:
    """Yield the calls and tokens that these generations cost; nothing where no LLM was asked."""
    calls = sum(generation.calls for generation in generations)
    tokens = sum(generation.prompt_tokens + generation.reply_tokens for generation in generations)
    if calls:
        yield _number(calls, "call")
    if tokens:
        yield _number(tokens, "token")


def _cited(answer: Answer, console: Console) -> Text:
    """Return the answer's words, behind each supported sentence the numbers of its sources."""
    from rich.text import Text

    line, at = Text(), 0
    for claim in answer.verdict.claims:
        end = claim.claim.span.end
        words = visible(answer.text[at:end], console.encoding)
        line.append((" " if line and words else "") + words)
        line.append("".join(f" [{n + 1}]" for n in _sources(claim)), "cyan")
        at = end
    rest = visible(answer.text[at:], console.encoding)
    return line.append((" " if line and rest else "") + rest)


def _sources(claim: ClaimVerdict) -> list[int]:
    """Return the indexes of what supports a claim, best first; the first one at least."""
    if claim.label is not Label.SUPPORTED:
        return []
    strong = [evidence.index for evidence in claim.evidence if evidence.entailment.supports > 0.5]
    first = [evidence.index for evidence in claim.evidence[:1]]
    return list(dict.fromkeys(first + strong))[:CITED]


def _text(text: str, console: Console, style: str) -> Text:
    from rich.text import Text

    hidden = len(text) - LONGEST
    rest = f" ({hidden} more characters)" if hidden > 0 else ""
    return Text(visible(text[:LONGEST], console.encoding) + rest, style)


def _number(count: int, unit: str, plural: str | None = None) -> str:
    return f"{counted(count)} {unit if count == 1 else plural or unit + 's'}"
