"""Haystack: the component `GroundednessEvaluator`, with the sockets of Haystack's own FaithfulnessEvaluator.

    from groundwire.integrations.haystack import GroundednessEvaluator

A pipeline is saved by the import path of its components, so the class stands under a name of this module; it is made, and
Haystack imported, when that name is first asked for. Loading a saved one, newer versions of Haystack want to be told that
this module is trusted (`allowed_modules=["groundwire.integrations.haystack"]`);
that is the reader's to say. Left out: components that generate or retrieve.
"""

from __future__ import annotations

from typing import Any

from groundwire._optional import require
from groundwire.integrations.grading import Grader

NAME = "GroundednessEvaluator"


def __getattr__(name: str) -> Any:
    """Make the component when it is asked for. Raises MissingExtra without haystack-ai."""
    if name != NAME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = globals()[NAME] = _made()
    return made


def _made() -> Any:
    haystack = require("haystack", install="pip install haystack-ai")

    class GroundednessEvaluator:
        """Is each predicted answer grounded in its contexts? `checker` is a recipe or peer as a string."""

        def __init__(self, checker: str = "default", model: str | None = None, threshold: float | None = None) -> None:
            self._grader = Grader(checker, model=model, threshold=threshold)
            self._said = {"checker": checker, "model": model, "threshold": threshold}

        def run(self, questions: list[str], contexts: list[list[str]], predicted_answers: list[str]) -> dict[str, Any]:
            """Check every answer; `score` is the mean over those that could be checked, None where there is none."""
            rows = zip(questions, predicted_answers, contexts, strict=True)
            grades = self._grader.grade_all(rows)
            scores = [grade.score for grade in grades]
            checked = [score for score in scores if score is not None]
            return {
                "score": sum(checked) / len(checked) if checked else None,
                "individual_scores": scores,
                "results": [{"score": g.score, "grounded": g.grounded, "reason": g.reason} for g in grades],
            }

        def to_dict(self) -> dict[str, Any]:
            """Return what a saved pipeline holds of it."""
            return {"type": f"{__name__}.{NAME}", "init_parameters": dict(self._said)}

        @classmethod
        def from_dict(cls, data: dict[str, Any]) -> Any:
            """Make it again out of a saved pipeline."""
            return cls(**data["init_parameters"])

    GroundednessEvaluator.__qualname__ = NAME
    outputs = {"score": float | None, "individual_scores": list[float | None], "results": list[dict[str, Any]]}
    component = haystack.component
    GroundednessEvaluator.run = component.output_types(**outputs)(GroundednessEvaluator.run)  # type: ignore[method-assign]
    return component(GroundednessEvaluator)
