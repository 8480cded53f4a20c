"""Where verdicts go: drawn on the terminal, or one JSON object a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TextIO

from groundwire.render import OffsetEncoding, draw, record, to_json
from groundwire.types import Verdict

Sink = Callable[[Sequence[Verdict]], None]


def json_lines(out: TextIO, offset_encoding: OffsetEncoding = "codepoint") -> Sink:
    """Write each verdict's record on a line of its own; a batch is flushed as one."""

    def write(verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts:
            out.write(to_json(record(verdict, offset_encoding=offset_encoding)) + "\n")
        out.flush()

    return write


def drawing() -> Sink:
    """Draw verdicts on standard output, a blank line between two."""
    from rich.console import Console

    console = Console()
    drawn = 0

    def write(verdicts: Sequence[Verdict]) -> None:
        nonlocal drawn
        for verdict in verdicts:
            if drawn:
                console.print()
            draw(verdict, console)
            drawn += 1

    return write


def both(first: Sink, second: Sink) -> Sink:
    """Hand every batch to one sink and then to another."""

    def write(verdicts: Sequence[Verdict]) -> None:
        first(verdicts)
        second(verdicts)

    return write
