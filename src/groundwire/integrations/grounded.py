"""`assert_grounded`: a test that an answer stays on its evidence, in any test runner.

    assert_grounded(answer, contexts, question="When was it opened?")

Left out: fixtures and options of pytest (`pytest_plugin.py`).
"""

from __future__ import annotations

from typing import Any

from groundwire.integrations.grading import Asked, Grader
from groundwire.types import Verdict


def assert_grounded(
    answer: str,
    contexts: Any,
    question: str | None = None,
    *,
    checker: Asked = "default",
    model: str | None = None,
    threshold: float | None = None,
) -> Verdict:
    """Return the verdict of an answer that is grounded in these contexts; raise AssertionError for any other.

    The message shows each sentence that is not backed and the nearest evidence. An answer that cannot be checked (no
    contexts, say) is not grounded either. `checker` is a recipe, a peer or a checker; a recipe is built once a process.
    Raises what `groundwire.Checker` raises.
    """
    __tracebackhide__ = True
    grade = Grader(checker, model=model, threshold=threshold).grade(question, answer, contexts)
    if not grade.grounded:
        raise AssertionError(grade.reason)
    return grade.verdict
