"""What the page has to know of the server before it asks anything: the rule that decides, and examples to try.

The page asks for verdicts at threshold 1, which says of every claim what it is where it is not supported, and labels them
itself from the scores, by the rule of `groundwire.judge`. Left out: anything that is measured (`/v1/operate`).
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from groundwire import __version__, models
from groundwire.judge.fused import shipped
from groundwire.recipes import checking

LONG_FIRST = "webb"
"""The example that shows most stands first."""


def about(recipe: str, model: str | None, threshold: float | None) -> dict[str, Any]:
    """Return the version, the recipe with its threshold in [0, 1], and the weights of the fused rule where it decides."""
    wanted = checking.parse(recipe)
    named = model or wanted.model
    fused = isinstance(wanted, checking.Default) and wanted.fused and named == models.BUILTIN
    fusion = {"weights": dict(shipped().weights), "bias": shipped().bias} if fused else None
    return {
        "version": __version__,
        "recipe": recipe,
        "model": named,
        "threshold": wanted.threshold if threshold is None else threshold,
        "over_sources": "fused" if fused else getattr(wanted, "aggregate", "max"),
        "over_claims": getattr(wanted, "answer", "min"),
        "fusion": fusion,
    }


def examples() -> list[dict[str, Any]]:
    """Return the cases that come with Groundwire, each with a `note` that says what there is to see."""
    text = files("groundwire").joinpath("examples/demo.jsonl").read_text(encoding="utf-8")
    return sorted((json.loads(line) for line in text.splitlines()), key=lambda row: row["id"] != LONG_FIRST)
