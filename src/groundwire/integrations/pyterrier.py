"""PyTerrier: a transformer that adds to a frame of answers how well each is grounded.

It reads the columns of pyterrier_rag: `query`, `qanswer` and `qcontext` (a text, or a list of texts or of documents). Rows
that cannot be checked have no score. Left out: retrieval.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire._optional import require
from groundwire.errors import InputError
from groundwire.integrations.grading import Asked, Grader

COLUMNS = ("groundedness", "grounded", "groundedness_reason")
"""The columns that are added: the score, yes or no, and the reason in words."""


def transformer(
    checker: Asked = "default",
    *,
    model: str | None = None,
    threshold: float | None = None,
    answer: str = "qanswer",
    context: str = "qcontext",
) -> Any:
    """Return the transformer, for `rag >> transformer()`.

    Raises MissingExtra without python-terrier, and what `Grader` raises; its `transform` raises InputError for a frame
    without the two columns.
    """
    pyterrier = require("pyterrier", install="pip install python-terrier")
    grader = Grader(checker, model=model, threshold=threshold)

    class Groundedness(pyterrier.Transformer):  # type: ignore[misc, name-defined]
        """Adds a score, a yes or no and a reason to each answer."""

        def transform(self, inp: Any) -> Any:
            """Return the frame with three more columns."""
            missing = [name for name in (answer, context) if name not in inp.columns]
            if missing:
                found = ", ".join(map(str, inp.columns))
                raise InputError(f"the frame has no column {' or '.join(missing)}, only {found}", "answer=, context=")
            rows = inp.to_dict("records")
            grades = grader.grade_all(
                (_text(row.get("query")), _text(row[answer]), _contexts(row[context])) for row in rows
            )
            values = zip(*((g.score, g.grounded, g.reason) for g in grades), strict=True) if grades else ([], [], [])
            return inp.assign(**dict(zip(COLUMNS, map(list, values), strict=True)))

    return Groundedness()


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _contexts(value: Any) -> Any:
    """Return what a cell holds; a cell without anything (None, or the NaN of a frame) is no context."""
    if isinstance(value, (str, Mapping)):
        return value
    return (
        [str(item.get("text", item)) if isinstance(item, Mapping) else item for item in value] if _many(value) else None
    )


def _many(value: Any) -> bool:
    return hasattr(value, "__iter__")
