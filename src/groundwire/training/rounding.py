"""Weights rounded to steps, to travel: about five bits each where a network is going to be trained on anyway.

Each row of a matrix is rounded to steps of a share of its own size (the root of its mean square); what lies further out than
a byte counts is kept as it is. Compressed, steps of .15 take five bits a weight and leave an error of 4 % of that size, steps
of .06 six and a half and 2 %. Leaves out: where they travel (`parcel`). Imports safetensors.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from groundwire.models.manifest import digest

MOST = 127
CODES, STEPS, AT, FAR = ".codes", ".steps", ".at", ".far"
ROUNDED_FROM = "rounded_from"
"""The entry of a safetensors file that names the SHA-256 of the file whose weights it holds rounded."""


def rounded(tensors: Mapping[str, Any], step: float) -> dict[str, Any]:
    """The arrays that stand for float tensors by name; vectors are kept as fp16."""
    found: dict[str, Any] = {}
    for name, tensor in tensors.items():
        values = np.asarray(tensor, dtype=np.float32)
        if values.ndim != 2:
            found[name] = values.astype(np.float16)
            continue
        steps = (np.sqrt(np.square(values).mean(1, keepdims=True)) * step).astype(np.float16)
        steps[steps == 0] = 1
        whole = np.rint(values / steps.astype(np.float32))
        far = np.flatnonzero(np.abs(whole) > MOST).astype(np.int64)
        found[name + CODES] = np.clip(whole, -MOST, MOST).astype(np.int8)
        found[name + STEPS], found[name + AT], found[name + FAR] = steps, far, values.ravel()[far]
    return found


def restored(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The float32 tensors that `rounded` was given, as near as it kept them."""
    found: dict[str, Any] = {}
    for name in arrays:
        if name.endswith(CODES):
            bare = name.removesuffix(CODES)
            values = arrays[name].astype(np.float32) * arrays[bare + STEPS].astype(np.float32)
            values.ravel()[arrays[bare + AT]] = arrays[bare + FAR]
            found[bare] = values
        elif not name.endswith((STEPS, AT, FAR)):
            found[name] = arrays[name].astype(np.float32)
    return found


def comes_from(path: Path, sha256: str) -> bool:
    """Whether a safetensors file is the one of this digest, or says that it holds that one's weights rounded."""
    return digest(path) == sha256 or _rounded_from(path) == sha256


def origin(path: Path) -> str:
    """The SHA-256 of the file that a safetensors file was rounded from, else its own."""
    return _rounded_from(path) or digest(path)


def _rounded_from(path: Path) -> str | None:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "numpy") as file:
            return (file.metadata() or {}).get(ROUNDED_FROM)
    except SafetensorError:  # not such a file at all
        return None
