"""The models that make an index's vectors: opened by name, found again by what the index knows of them, never mixed up.

Left out: the models (`groundwire.models`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from groundwire.errors import Unavailable, UsageError
from groundwire.index.manifest import Encoding, Manifest

Values = NDArray[Any]
Kind = Literal["dense", "sparse"]
_DIRECTORY = "dir:"


class Named(Protocol):
    """A model. `identity` is what two models that make the same of every text share: the sha256 of the manifest."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def identity(self) -> str:
        """The sha256 of its manifest."""
        ...


class Encoder(Named, Protocol):
    """A model that says what it cannot read."""

    def cut(self, texts: Sequence[str], *, query: bool) -> list[bool]:
        """Say which texts are longer than what is read of them."""
        ...


class DenseTexts(Named, Protocol):
    """Makes a vector of a text."""

    def encode(self, texts: Sequence[str], *, query: bool) -> Any:
        """Return float32 [n, d]; relevance is the inner product."""
        ...


@runtime_checkable
class DenseEncoder(Encoder, DenseTexts, Protocol):
    """Makes a vector of a text, and says what it cannot read."""


@runtime_checkable
class SparseEncoder(Encoder, Protocol):
    """Weighs the terms of a text."""

    def impacts(self, texts: Sequence[str], *, query: bool) -> list[dict[str, int]]:
        """Return each text's terms with whole weights over 0."""
        ...


def opened(model: str | Encoder, kind: Kind | None = None) -> tuple[Encoder, Kind, str]:
    """Return an encoder, its kind and what opens it again; `model` may be open already.

    Raises what `groundwire.models.load_encoder` raises, and UsageError for a model that is of another kind, or no encoder.
    """
    if not isinstance(model, str):
        found: Kind = "sparse" if isinstance(model, SparseEncoder) else "dense"
        _expect(model.name, found, kind)
        return model, found, model.name
    from groundwire import models
    from groundwire.models import config, loading

    source = f"{_DIRECTORY}{Path(model.removeprefix(_DIRECTORY)).resolve()}" if model.startswith(_DIRECTORY) else model
    found = "sparse" if config.read(loading.folder_of(source)).output == "terms" else "dense"
    _expect(model, found, kind)
    return (models.load_sparse(source) if found == "sparse" else models.load_encoder(source)), found, source


def _expect(name: str, found: Kind, kind: Kind | None) -> None:
    if kind not in (None, found):
        raise UsageError(f"{name} is no {kind} encoder", f"leave the kind away, or say {found}")


def find(manifest: Manifest, folder: Path, kind: Kind, model: str | None) -> Encoding:
    """Return the encoding of this model, or the only one of this kind.

    Raises Unavailable, with the command that makes it, when there is none, and UsageError when there are several.
    """
    held = [encoding for encoding in manifest.encodings if encoding.kind == kind]
    if model is None and len(held) > 1:
        names = [encoding.model for encoding in held]
        hint = f"say whose: {kind}(model={names[0]})"
        raise UsageError(f"{folder} holds {kind} vectors of {' and '.join(names)}", hint)
    for encoding in held:
        if model is None or model in (encoding.model, encoding.source):
            return encoding
    others = f", but of {' and '.join(encoding.model for encoding in held)}" if held else ""
    whose = f" of {model}" if model else ""
    raise Unavailable(f"{folder} holds no {kind} vectors{whose}{others}", command(folder, model or "MODEL"))


def command(folder: Path, model: str) -> str:
    """Return the command that encodes what is not encoded yet."""
    return f"groundwire index embed {folder} --model {model}"


def check_same(encoder: Encoder, encoding: Encoding, folder: Path) -> None:
    """Raise Unavailable when a model is not the one that made the vectors: its numbers would not compare with theirs."""
    if encoder.identity == encoding.identity:
        return
    versions = f"sha256 {encoding.identity[:12]}, and here is {encoder.identity[:12]}"
    hint = f"pull that version, or encode all anew: {command(folder, encoding.source)} --again"
    raise Unavailable(f"{folder} holds vectors of another version of {encoding.model} ({versions})", hint)


def directions(vectors: Any, *, cosine: bool) -> Values:
    """Return vectors as float32 [n, d], divided by their lengths for `cosine`; a vector of zeros stays."""
    found = np.ascontiguousarray(vectors, np.float32)
    if not cosine:
        return found
    lengths = np.linalg.norm(found.astype(np.float64), axis=1, keepdims=True)
    unit: Values = np.divide(found, lengths, out=np.zeros(found.shape), where=lengths > 0)
    return unit.astype(np.float32)
