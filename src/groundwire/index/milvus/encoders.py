"""The models that make a collection's vectors: opened by the name that the card has, and checked to be the same ones.

Left out: the models (`groundwire.models`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from groundwire.errors import InputError, Unavailable
from groundwire.index.encoders import DenseTexts, Named
from groundwire.index.milvus.layout import Vectors

METRICS = {"ip": "IP", "cosine": "COSINE"}
"""How dense vectors are compared: by their inner product, as the model has it, or by the cosine of their angle."""


class SparseTexts(Named, Protocol):
    """Weighs the terms of a text, by numbers that Milvus keeps as they are."""

    def encode(self, texts: Sequence[str], *, query: bool) -> list[dict[str, float]]:
        """Return each text's terms with their weights, all over 0."""
        ...


def sparse(model: str | SparseTexts) -> SparseTexts:
    """Open a sparse encoder by its name; one that is open stays as it is."""
    if not isinstance(model, str):
        return model
    from groundwire import models

    return models.load_sparse(model)


def dense(model: str | DenseTexts) -> DenseTexts:
    """Open a dense encoder by its name; one that is open stays as it is."""
    if not isinstance(model, str):
        return model
    from groundwire import models

    return models.load_encoder(model)


def described_sparse(model: SparseTexts) -> Vectors:
    """Return what the card has to say of a sparse encoder."""
    return Vectors(model=model.name, identity=model.identity)


def described_dense(model: DenseTexts, metric: str) -> Vectors:
    """Return what the card has to say of a dense encoder. Raises InputError for an unknown metric."""
    if metric not in METRICS:
        raise InputError(f"vectors cannot be compared by {metric!r}", " or ".join(METRICS))
    size = int(model.encode(["size"], query=False).shape[1])
    return Vectors(model=model.name, identity=model.identity, dimensions=size, metric=METRICS[metric])


def check_same(model: SparseTexts | DenseTexts, made: Vectors, where: str) -> None:
    """Raise Unavailable when a model is not the one that made the vectors."""
    if model.name != made.model:
        raise Unavailable(f"{where} holds vectors of {made.model}, not of {model.name}", f"search it by {made.model}")
    if made.identity and model.identity != made.identity:
        hint = "pull the version that it was encoded with, or build the index again"
        raise Unavailable(f"{where} holds vectors of another version of {made.model}", hint)
