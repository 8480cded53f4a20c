"""A metric for DeepEval: `metric()` is a BaseMetric over input, actual_output and retrieval_context.

No LLM is asked. A test case that cannot be checked fails, with the reason and without a score.
Left out: conversations.
"""

from __future__ import annotations

from typing import Any

from groundwire._optional import require
from groundwire.integrations.grading import Asked, Grader

NAME = "Groundedness"


def metric(
    checker: Asked = "default", *, model: str | None = None, threshold: float | None = None, name: str = NAME
) -> Any:
    """Return the metric; its threshold is the checker's. Raises MissingExtra without deepeval, and what `Grader` raises."""
    base = require("deepeval.metrics", install="pip install deepeval")
    grader = Grader(checker, model=model, threshold=threshold)

    class Groundedness(base.BaseMetric):  # type: ignore[misc, name-defined]
        """Is the actual output grounded in the retrieval context?"""

        def __init__(self) -> None:
            self.threshold = grader.threshold
            self.async_mode = False
            self.include_reason = True
            self.evaluation_model = grader.checker.name

        def measure(self, test_case: Any, *_: Any, **__: Any) -> float | None:
            """Check one test case."""
            contexts = test_case.retrieval_context or test_case.context
            texts = [getattr(item, "context", item) for item in contexts or []]
            grade = grader.grade(test_case.input, test_case.actual_output, texts)
            self.score, self.success, self.reason = grade.score, grade.grounded, grade.reason
            return self.score

        async def a_measure(self, test_case: Any, *_: Any, **__: Any) -> float | None:
            """Check one test case; nothing here waits."""
            return self.measure(test_case)

        def is_successful(self) -> bool:
            """Say whether the last test case was grounded."""
            return bool(self.success)

        @property
        def __name__(self) -> str:
            return name

    return Groundedness()
