"""MiniCheck (Tang, Laban and Durrett, EMNLP 2024, arXiv 2404.10774): is a sentence supported by a document?

It judges sentences, so every sentence of the answer is a claim of its own against all contexts, and the answer is as good
as its weakest. Its package cuts long documents itself and takes the best part of them.

Left out: Bespoke-MiniCheck-7B's server settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from groundwire._env import keep_hub_offline
from groundwire._optional import require
from groundwire.errors import Unavailable, UnknownName
from groundwire.evals.peers.peer import Opinion, context_of
from groundwire.text import sentence_bounds
from groundwire.types import Case

MODEL = "flan-t5-large"
MODELS = ("roberta-large", "deberta-v3-large", "flan-t5-large", "Bespoke-MiniCheck-7B")
INSTALL = 'pip install "minicheck @ git+https://github.com/Liyan06/MiniCheck.git"'


class PackageScorer(Protocol):
    """What we ask of the package's MiniCheck."""

    def score(self, *, docs: list[str], claims: list[str]) -> tuple[Sequence[Any], Sequence[float], Any, Any]:
        """Return the labels, the probabilities of "supported", and two details of the parts."""
        ...


@dataclass(frozen=True, slots=True)
class MiniCheck:
    """The least probability of "supported" over the answer's sentences."""

    scorer: PackageScorer
    model: str = MODEL

    def score(self, cases: Sequence[Case]) -> list[Opinion]:
        """Score every case, all their sentences as one batch."""
        sentences = [_sentences(case.answer) for case in cases]
        docs = [context_of(case) for case, own in zip(cases, sentences, strict=True) for _ in own]
        claims = [case.answer[a:b] for case, own in zip(cases, sentences, strict=True) for a, b in own]
        _, probabilities, _, _ = self.scorer.score(docs=docs, claims=claims)
        said = iter([float(p) for p in probabilities])
        return [_weakest(own, [next(said) for _ in own]) for own in sentences]


def _sentences(answer: str) -> list[tuple[int, int]]:
    return [(start, end) for start, end in sentence_bounds(answer) if answer[start:end].strip()] or [(0, len(answer))]


def _weakest(places: Sequence[tuple[int, int]], scores: Sequence[float]) -> Opinion:
    low = tuple(place for place, score in zip(places, scores, strict=True) if score <= 0.5)
    return Opinion(score=min(scores), spans=low)


def opened(model: str = MODEL, device: str = "cpu") -> MiniCheck:
    """Load a scorer of the package, from this machine alone.

    Raises UnknownName for a model that it does not have, MissingExtra where the package is not installed, Unavailable
    where the weights are not here.
    """
    if model not in MODELS:
        raise UnknownName("model of MiniCheck", model, MODELS)
    keep_hub_offline()
    package = require("minicheck.minicheck", install=INSTALL)
    try:
        scorer = package.MiniCheck(model_name=model, device=device)
    except OSError as error:  # how transformers says that it may not fetch what is not here
        hint = "its package fetches them where HF_HUB_OFFLINE=0 is set"
        raise Unavailable(f"MiniCheck's weights {model!r} are not on this machine", hint) from error
    return MiniCheck(scorer, model)
