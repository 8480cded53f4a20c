"""A metric for ragas: `metric()` is a SingleTurnMetric over user_input, response and retrieved_contexts.

No LLM is asked. An answer that cannot be checked scores NaN, which is how ragas says that a row has no score.
Left out: samples of several turns.
"""

from __future__ import annotations

import math
from typing import Any

from groundwire._optional import require
from groundwire.integrations.grading import Asked, Grader

NAME = "groundwire_groundedness"


def metric(
    checker: Asked = "default", *, model: str | None = None, threshold: float | None = None, name: str = NAME
) -> Any:
    """Return the metric, a score in [0, 1]. Raises MissingExtra without ragas, and what `Grader` raises."""
    base = require("ragas.metrics.base", install="pip install ragas")
    grader = Grader(checker, model=model, threshold=threshold)

    class Groundedness(base.SingleTurnMetric):  # type: ignore[misc, name-defined]
        """Is the response grounded in its retrieved contexts?"""

        def init(self, run_config: Any) -> None:
            """There is nothing to set up: no LLM and no embeddings."""

        async def _single_turn_ascore(self, sample: Any, callbacks: Any = None) -> float:
            grade = grader.grade(sample.user_input, sample.response, sample.retrieved_contexts)
            return math.nan if grade.score is None else grade.score

    made = Groundedness()
    made.name = name
    made._required_columns = {base.MetricType.SINGLE_TURN: {"response", "retrieved_contexts", "user_input:optional"}}
    return made
