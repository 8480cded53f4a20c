"""LlamaIndex: `evaluator()` is a BaseEvaluator, so `evaluate_response` and BatchEvalRunner take it.

No LLM is asked. An answer that cannot be checked is an invalid result with its reason. Left out: pairwise evaluation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundwire._optional import require
from groundwire.integrations.grading import Asked, Grader


def evaluator(checker: Asked = "default", *, model: str | None = None, threshold: float | None = None) -> Any:
    """Return the evaluator. Raises MissingExtra without llama-index-core, and what `Grader` raises."""
    base = require("llama_index.core.evaluation", install="pip install llama-index-core")
    grader = Grader(checker, model=model, threshold=threshold)

    class GroundednessEvaluator(base.BaseEvaluator):  # type: ignore[misc, name-defined]
        """Is the response grounded in its contexts?"""

        def _get_prompts(self) -> dict[str, Any]:
            return {}

        def _update_prompts(self, prompts_dict: dict[str, Any]) -> None:
            """There are no prompts."""

        async def aevaluate(
            self,
            query: str | None = None,
            response: str | None = None,
            contexts: Sequence[str] | None = None,
            **_: Any,
        ) -> Any:
            """Check one response; nothing here waits."""
            grade = grader.grade(query, response, contexts)
            return base.EvaluationResult(
                query=query,
                response=response,
                contexts=contexts,
                passing=None if grade.score is None else grade.grounded,
                score=grade.score,
                feedback=grade.reason,
                invalid_result=grade.score is None,
                invalid_reason=grade.reason if grade.score is None else None,
            )

    return GroundednessEvaluator()
