"""LettuceDetect (Kovács and Recski, arXiv 2502.17125): a token classifier over question, contexts and answer.

Its package gives a probability of "not backed" for every token of the answer. An answer is as good as its worst token, so
the score is one minus the largest; 0.5 is then the package's own boundary. The words are asked for only where a token is
over it, which is a second pass over that answer.

Left out: its detectors behind an endpoint, and typed spans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from groundwire._env import keep_hub_offline
from groundwire._optional import require
from groundwire.errors import Unavailable
from groundwire.evals.peers.peer import Opinion
from groundwire.types import Case

MODEL = "KRLabsOrg/lettucedect-base-modernbert-en-v1"
INSTALL = "pip install lettucedetect"
BOUNDARY = 0.5


class Detector(Protocol):
    """What we ask of the package's HallucinationDetector."""

    def predict(
        self, *, context: list[str], question: str | None, answer: str, output_format: str
    ) -> list[Mapping[str, Any]]:
        """Return the answer's tokens ("tokens": token, pred, prob) or marked stretches ("spans": start, end, …)."""
        ...


@dataclass(frozen=True, slots=True)
class LettuceDetect:
    """One minus the largest probability that a token of the answer is not backed."""

    detector: Detector
    model: str = MODEL

    def score(self, cases: Sequence[Case]) -> list[Opinion]:
        """Score every case, one by one: the package has no batch."""
        return [self._opinion(case) for case in cases]

    def _opinion(self, case: Case) -> Opinion:
        tokens = self._ask(case, "tokens")
        if not tokens:
            return Opinion(score=None, reason="LettuceDetect read no token of the answer: its input is too long")
        worst = max(float(token["prob"]) for token in tokens)
        marked = self._ask(case, "spans") if worst > BOUNDARY else []
        return Opinion(score=1 - worst, spans=tuple((int(span["start"]), int(span["end"])) for span in marked))

    def _ask(self, case: Case, output_format: str) -> list[Mapping[str, Any]]:
        contexts = [passage.text for passage in case.contexts if passage.text.strip()]
        return self.detector.predict(
            context=contexts, question=case.question, answer=case.answer, output_format=output_format
        )


def opened(model: str = MODEL) -> LettuceDetect:
    """Load a detector of the package, from this machine alone.

    Raises MissingExtra where the package is not installed, Unavailable where the weights are not here.
    """
    keep_hub_offline()
    inference = require("lettucedetect.models.inference", install=INSTALL)
    try:
        detector = inference.HallucinationDetector(method="transformer", model_path=model)
    except OSError as error:  # how transformers says that it may not fetch what is not here
        raise Unavailable(f"the weights {model!r} are not on this machine", f"hf download {model}") from error
    return LettuceDetect(detector, model)
