"""The model engines. Only this folder imports a runtime, torch, transformers or a tokenizer package, and only when asked.

`load(name)` gives the model of that name, ready to run; there is one of each in a process, shared by all threads.
Left out of this file: how. `pair` scores, `backend` runs, `hub` knows what is on this machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.models.embed import EmbedModel
    from groundwire.models.pair import PairModel
    from groundwire.models.seq2seq import DuoT5
    from groundwire.models.sparse import SparseEncoder
    from groundwire.protocols import RelevanceScorer

BUILTIN = "mini"
"""The model inside the package; it reads entailment and relevance in one pass."""


def load(name: str = BUILTIN, *, offline: bool = True) -> PairModel:
    """Return the pair model of a name: "mini", one of the catalogue, `cross-encoder:ORG/NAME`, `nli:ORG/NAME`, `dir:PATH`.

    Loaded once a process, in the CPU's best precision; its files are checked against their sha256 first. Nothing is ever
    downloaded, so `offline` changes nothing today. Raises UnknownName (its hint has the models that judge), MissingModel (the
    hint is the pull command), CorruptModel, and UsageError for an encoder or a reranker that judges nothing.
    """
    from groundwire.models import loading

    return loading.judging_model(name)


def load_scorer(spec: str) -> RelevanceScorer:
    """Return what ranks passages: a pair model, monoT5, or an embedder as `NAME` (dot product) or `NAME:cosine`.

    Raises as `load`.
    """
    from groundwire.models import loading

    return loading.scorer(spec)


def load_duo(name: str) -> DuoT5:
    """Return what compares passages two by two, "duot5-base-msmarco" for one. Raises as `load`."""
    from groundwire.models import loading

    return loading.duo(name)


def load_encoder(name: str) -> EmbedModel:
    """Return what makes a vector of a text: "ance-msmarco-passage", "all-minilm-l6-v2", `encoder:ORG/NAME`, `dir:PATH`.

    Raises as `load`.
    """
    from groundwire.models import loading

    return loading.encoder(name)


def load_sparse(name: str) -> SparseEncoder:
    """Return what weighs the terms of a text: "splade-cocondenser-ensembledistil", `splade:ORG/NAME`. Raises as `load`."""
    from groundwire.models import loading

    return loading.sparse(name)


def builtin_sha256() -> str:
    """Return the sha256 of the built-in model's weights, as its manifest has it: what was fitted to it can say so."""
    from groundwire.models import hub, integrity, manifest

    return str(manifest.read(hub.resolve(BUILTIN))["files"][integrity.MODEL]["sha256"])
