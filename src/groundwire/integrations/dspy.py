"""DSPy: a metric for Evaluate and for optimizers. It needs no package: a metric is any callable.

Left out: a judge as a DSPy program.
"""

from __future__ import annotations

from typing import Any

from groundwire.errors import InputError
from groundwire.integrations.grading import Asked, Grader


class Metric:
    """The score of a prediction, a number in [0, 1]; while an optimizer bootstraps (`trace` is given), grounded or not.

    `question` is a field of the example, `answer` of the prediction, and `context` of the prediction or else the example.
    """

    __name__ = "groundedness"

    def __init__(self, grader: Grader, *, question: str, answer: str, context: str) -> None:
        self._grader = grader
        self._question, self._answer, self._context = question, answer, context

    def __call__(
        self, example: Any, pred: Any, trace: Any = None, pred_name: str | None = None, pred_trace: Any = None
    ) -> float | bool:
        """Grade one prediction.

        Raises InputError for one that cannot be checked: DSPy gives it its failure score and counts it, so it is not mixed
        with answers that were checked and are wrong.
        """
        contexts = _field(pred, self._context)
        contexts = _field(example, self._context) if contexts is None else contexts
        grade = self._grader.grade(_field(example, self._question), _field(pred, self._answer), contexts)
        if grade.score is None:
            raise InputError(
                f"the prediction cannot be checked: {grade.verdict.reason}", "context and answer are fields"
            )
        return grade.grounded if trace is not None else grade.score


def metric(
    checker: Asked = "default",
    *,
    model: str | None = None,
    threshold: float | None = None,
    question: str = "question",
    answer: str = "answer",
    context: str = "context",
) -> Metric:
    """Return the metric. Raises what `Grader` raises."""
    grader = Grader(checker, model=model, threshold=threshold)
    return Metric(grader, question=question, answer=answer, context=context)


def _field(record: Any, name: str) -> Any:
    get = getattr(record, "get", None)
    return get(name, None) if callable(get) else getattr(record, name, None)
