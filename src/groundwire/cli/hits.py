"""Hits as others see them: a JSON object a line, or drawn with the words of the query marked.

Texts are hostile until shown otherwise: they are drawn on one line, with escapes for what could move the cursor, and
nothing in them is read as markup. Left out: the search.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from groundwire.render import LONGEST, visible
from groundwire.text import word_bounds
from groundwire.types import Hit, Retrieval

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Terms = Callable[[str], Sequence[str]]
"""The terms of a text, as the index has them."""

_MATCH = "bold underline"
"""Kept on terminals without colour, too."""
_AHEAD = 80
"""Characters that are shown before the part of a long passage that holds most of the query's words."""


def records(retrieval: Retrieval, *, explain: bool, query_id: str | None = None) -> list[dict[str, Any]]:
    """Return one JSON object a hit. `ranks`, when asked for, says where each part of the stack had the passage."""
    hits = retrieval.rankings[-1].hits
    ranks = _ranks(retrieval) if explain else {}
    return [
        {
            **({} if query_id is None else {"query_id": query_id}),
            "rank": rank,
            "id": hit.passage.id,
            "score": hit.score,
            "by": hit.by,
            "title": hit.passage.title,
            "text": hit.passage.text,
            **_origin(hit),
            **({"ranks": ranks[hit.passage.id]} if explain else {}),
        }
        for rank, hit in enumerate(hits, 1)
    ]


def draw(retrieval: Retrieval, console: Console, terms: Terms, *, explain: bool) -> None:
    """Draw the hits, best first: rank, score, where it stands, and the text with the query's words marked."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True, justify="right", style="cyan")
    table.add_column(no_wrap=True, justify="right", style="dim")
    table.add_column(overflow="fold")
    wanted = set(terms(retrieval.query))
    ranks = _ranks(retrieval) if explain else {}
    for rank, hit in enumerate(retrieval.rankings[-1].hits, 1):
        table.add_row(str(rank), _score(hit.score), _heading(hit, console.encoding))
        table.add_row("", "", _marked(hit.passage.text, _matches(hit.passage.text, wanted, terms), console.encoding))
        if explain:
            told = (f"{by} #{at['rank']:.0f} ({_score(at['score'])})" for by, at in ranks[hit.passage.id].items())
            table.add_row("", "", Text(visible(", ".join(told), console.encoding), "dim"))
    console.print(table)


def _score(score: float) -> str:
    """Return a score with two digits behind the point, a small one (of a fusion) with four."""
    return f"{score:.2f}" if abs(score) >= 0.1 else f"{score:.4f}"


def _ranks(retrieval: Retrieval) -> dict[str, dict[str, dict[str, float]]]:
    """Return, by passage and part, the rank and the score that the part gave it."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for ranking in retrieval.rankings:
        for rank, hit in enumerate(ranking.hits, 1):
            found.setdefault(hit.passage.id, {})[ranking.by] = {"rank": rank, "score": hit.score}
    return found


def _origin(hit: Hit) -> dict[str, Any]:
    origin = hit.passage.origin
    return {} if origin is None else {"source": origin.source, "start": origin.start, "end": origin.end}


def _heading(hit: Hit, encoding: str) -> Text:
    from rich.text import Text

    line = Text(visible(hit.passage.id, encoding), "bold")
    if hit.passage.title:
        line.append(f"  {visible(hit.passage.title[:LONGEST], encoding)}")
    return line


def _matches(text: str, wanted: set[str], terms: Terms) -> list[tuple[int, int]]:
    """Return (start, end) of the words that the index would find the query by."""
    known: dict[str, bool] = {}
    bounds = word_bounds(text)
    for start, end in bounds:
        word = text[start:end]
        if word not in known:
            known[word] = not wanted.isdisjoint(terms(word))
    return [(start, end) for start, end in bounds if known[text[start:end]]]


def _marked(text: str, marks: Sequence[tuple[int, int]], encoding: str) -> Text:
    """Return the text, or of a long one the part with most marks, and how much of it is not shown."""
    from rich.text import Text

    first, last = _part(len(text), marks)
    line = Text()
    if first:
        line.append(visible(f"({first} characters) …", encoding) + " ", "dim")
    at = first
    for start, end in (*marks, (last, last)):
        if start < first or end > last:
            continue
        _append(line, text[at:start], "", encoding)
        _append(line, text[start:end], _MATCH, encoding)
        at = end
    if last < len(text):
        line.append(" " + visible(f"… ({len(text) - last} more characters)", encoding), "dim")
    return line


def _append(line: Text, text: str, style: str, encoding: str) -> None:
    """Append a part of a line, the white space around it as one blank."""
    shown = visible(text, encoding)
    if text[:1].isspace() and line and not line.plain.endswith(" "):
        line.append(" ")
    line.append(shown, style)
    if shown and text[-1:].isspace():
        line.append(" ")


def _part(length: int, marks: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the bounds of what is drawn of a text: `LONGEST` characters, where most marks are, the earlier of equals."""
    if length <= LONGEST:
        return 0, length
    starts = [start for start, _ in marks]
    window = LONGEST - _AHEAD
    best = max(starts, key=lambda s: (bisect_left(starts, s + window) - bisect_left(starts, s), -s), default=0)
    first = max(0, min(best - _AHEAD, length - LONGEST)) if best + window > LONGEST else 0
    return first, first + LONGEST
