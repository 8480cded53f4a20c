"""`groundwire demo`: the default recipe on a few answers that come with Groundwire, offline and without a key.

Left out: any claim to quality. Six examples show what a verdict looks like; `groundwire eval` measures.
"""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from typing import Any

import click

from groundwire.cases import read_case
from groundwire.cli import options
from groundwire.cli.sinks import json_lines
from groundwire.types import Verdict

NEXT = 'groundwire check --question "…" --answer "…" --context-file notes.txt'


@click.command("demo")
@options.checker_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def demo_command(recipe: str, model: str | None, threshold: float | None, as_json: bool) -> None:
    """Check a few answers that come with Groundwire.

    Five are the worked examples of Huo et al. (arXiv 2306.13781), one is a longer answer over several passages. Exit
    code 0, whatever the verdicts say.
    """
    rows = examples()
    checker = options.build(recipe, model, threshold)
    verdicts = checker.check([read_case(row, fallback_id=str(n)) for n, row in enumerate(rows)])
    if as_json:
        json_lines(sys.stdout)(verdicts)
    else:
        _draw([row["note"] for row in rows], verdicts)


def examples() -> list[dict[str, Any]]:
    """Return the shipped rows: each a case, with a `note` that says what there is to see."""
    text = files("groundwire").joinpath("examples/demo.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _draw(notes: list[str], verdicts: list[Verdict]) -> None:
    from rich.console import Console

    from groundwire.render import draw, visible

    console = Console()
    for note, verdict in zip(notes, verdicts, strict=True):
        console.print(note, style="dim", markup=False, highlight=False)
        draw(verdict, console)
        console.print()
    console.print(visible(f"Now yours: {NEXT}", console.encoding), markup=False, highlight=False)
