"""The model engines. Only this folder imports a runtime, torch, transformers or a tokenizer package, and only when asked.

`load(name)` gives the model of that name, ready to run; there is one of each in a process, shared by all threads.
Left out of this file: how. `pair` scores, `backend` runs, `hub` knows what is on this machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.models.pair import PairModel
    from groundwire.protocols import RelevanceScorer

BUILTIN = "mini"
"""The model inside the package; it reads entailment and relevance in one pass."""


def load(name: str = BUILTIN, *, offline: bool = True) -> PairModel:
    """Return the pair model of a name: "mini", one of the catalogue, `cross-encoder:ORG/NAME`, `nli:ORG/NAME`, `dir:PATH`.

    Loaded once a process, in the CPU's best precision; its files are checked against their sha256 first. Nothing is ever
    downloaded, so `offline` changes nothing today. Raises UnknownName, MissingModel (the hint is the pull command),
    CorruptModel, and UsageError for an embedder.
    """
    from groundwire.models import loading

    return loading.pair_model(name)


def load_scorer(spec: str) -> RelevanceScorer:
    """Return what ranks passages: a pair model, or an embedder as `NAME` (dot product) or `NAME:cosine`. Raises as `load`."""
    from groundwire.models import loading

    return loading.scorer(spec)


def builtin_sha256() -> str:
    """Return the sha256 of the built-in model's weights, as its manifest has it: what was fitted to it can say so."""
    from groundwire.models import hub, integrity, manifest

    return str(manifest.read(hub.resolve(BUILTIN))["files"][integrity.MODEL]["sha256"])
