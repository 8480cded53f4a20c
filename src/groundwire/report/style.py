"""What the report adds to the look of every page (`report.css`), and its script. Left out: the look of every page."""

from __future__ import annotations

from groundwire.pages import style


def packaged(name: str) -> str:
    """Return a file of this folder: "report.css" or "report.js"."""
    return style.packaged(name, "groundwire.report")
