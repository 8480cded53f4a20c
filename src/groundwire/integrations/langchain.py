"""LangChain: an evaluator of strings and of LangSmith's runs, and a runnable that grades what flows through a chain.

`evaluator()` needs no package. `runnable()` needs langchain-core. Left out: agents' trajectories.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire._optional import require
from groundwire.cases import ANSWER, QUESTION
from groundwire.cases import CONTEXTS as ROWS_CONTEXTS
from groundwire.integrations.grading import Asked, Grade, Grader, first

KEY = "groundedness"
ANSWERS = (*ANSWER, "output", "result", "prediction")
CONTEXTS = (*ROWS_CONTEXTS, "source_documents")


class Evaluator:
    """Fills LangChain's StringEvaluator, where the reference is the evidence, and is an evaluator of LangSmith's `evaluate`."""

    evaluation_name = KEY
    requires_input = False
    requires_reference = True

    def __init__(self, grader: Grader) -> None:
        self._grader = grader

    def evaluate_strings(
        self,
        *,
        prediction: str,
        reference: Any = None,
        input: str | None = None,  # noqa: A002 - LangChain's word for the question
        **_: Any,
    ) -> dict[str, Any]:
        """Grade a prediction by its evidence: `reference`, a text or a list of texts or documents."""
        grade = self._grader.grade(input, prediction, reference)
        return {"score": grade.score, "value": "Y" if grade.grounded else "N", "reasoning": grade.reason}

    async def aevaluate_strings(self, **asked: Any) -> dict[str, Any]:
        """Grade a prediction; nothing here waits."""
        return self.evaluate_strings(**asked)

    def __call__(
        self,
        inputs: Mapping[str, Any],
        outputs: Mapping[str, Any],
        reference_outputs: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Grade the outputs of a run: its answer by the contexts that it returns, else by those of its inputs."""
        contexts = next((c for row in (outputs, inputs, reference_outputs or {}) if (c := first(row, CONTEXTS))), None)
        grade = self._grader.grade(first(inputs, QUESTION), first(outputs, ANSWERS), contexts)
        return {"key": KEY, "score": grade.score, "comment": grade.reason}


def evaluator(checker: Asked = "default", *, model: str | None = None, threshold: float | None = None) -> Evaluator:
    """Return the evaluator. Raises what `Grader` raises."""
    return Evaluator(Grader(checker, model=model, threshold=threshold))


def runnable(checker: Asked = "default", *, model: str | None = None, threshold: float | None = None) -> Any:
    """Return a runnable: a mapping with an answer and contexts in, the same with `groundedness` out.

    `groundedness` is {"score", "grounded", "reason"}. Raises MissingExtra without langchain-core, and what `Grader` raises.
    """
    runnables = require("langchain_core.runnables", install="pip install langchain-core")
    grader = Grader(checker, model=model, threshold=threshold)

    def graded(row: Mapping[str, Any]) -> dict[str, Any]:
        return {**row, KEY: _plain(grader.grade(first(row, QUESTION), first(row, ANSWERS), first(row, CONTEXTS)))}

    return runnables.RunnableLambda(graded, name=KEY)


def _plain(grade: Grade) -> dict[str, Any]:
    return {"score": grade.score, "grounded": grade.grounded, "reason": grade.reason}
