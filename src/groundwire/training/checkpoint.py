"""Checkpoints: weights, their moving average and the optimiser's moments in small half-precision parts, and resuming.

A checkpoint is a folder of safetensors parts of at most 15 MB and a state.json, written aside and renamed, so that a
stopped run never leaves half of one (where it was stopped between the two renames, `load_state` puts the one before
back). The frozen word embeddings are not saved: they are the base model's.
Leaves out: what is trained. Imports torch and safetensors.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from groundwire.errors import InputError

PART_BYTES = 15_000_000


def save(folder: Path, state: dict[str, Any], weights: dict[str, Any], average: dict[str, Any], optimizer: Any) -> None:
    """Write one checkpoint in place of the last; `state` is plain JSON (step, batches, seed, …).

    Without an optimiser (None) it can be begun from, not resumed.
    """
    aside = folder.with_name(folder.name + ".writing")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    _write_parts(aside, "weights", {k: v.half() for k, v in weights.items()})
    _write_parts(aside, "average", {k: v.half() for k, v in average.items()})
    if optimizer is not None:
        _write_parts(aside, "optimizer", _moments(optimizer))
    (aside / "state.json").write_text(json.dumps(state, indent=1), encoding="utf-8")
    old = folder.with_name(folder.name + ".old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    aside.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def load_state(folder: Path) -> dict[str, Any]:
    """state.json of a checkpoint. Raises InputError where there is none."""
    path = folder / "state.json"
    if not path.is_file() and folder.with_name(folder.name + ".old").is_dir():
        folder.with_name(folder.name + ".old").rename(folder)  # a save was stopped between its two renames
    if not path.is_file():
        raise InputError(f"no checkpoint in {folder}", "run the step train first, or leave --resume out")
    state: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return state


def load_tensors(folder: Path, name: str) -> dict[str, Any]:
    """All tensors of one kind ("weights", "average", "optimizer"), as stored."""
    found: dict[str, Any] = {}
    for part in sorted(folder.glob(f"{name}-*.safetensors")):
        found.update(load_file(part))
    return found


def restore_optimizer(optimizer: Any, tensors: dict[str, Any]) -> None:
    """Put saved moments back into an optimiser with the same parameters in the same order."""
    state: dict[int, dict[str, Any]] = {}
    for key, value in tensors.items():
        index, field = key.split(".", 1)
        state.setdefault(int(index), {})[field] = value.float()
    packed = optimizer.state_dict()
    packed["state"] = state
    optimizer.load_state_dict(packed)


def _moments(optimizer: Any) -> dict[str, Any]:
    """First and second moments as bf16 (the second falls below fp16's range), the step counters as they are."""
    found = {}
    for index, fields in optimizer.state_dict()["state"].items():
        for field, value in fields.items():
            tensor = torch.as_tensor(value)
            found[f"{index}.{field}"] = tensor.to(torch.bfloat16) if tensor.ndim else tensor.clone()
    return found


def _write_parts(folder: Path, name: str, tensors: dict[str, Any]) -> None:
    part: dict[str, Any] = {}
    size = number = 0
    for key, tensor in tensors.items():
        cost = tensor.numel() * tensor.element_size()
        if part and size + cost > PART_BYTES:
            save_file(part, folder / f"{name}-{number:02d}.safetensors")
            part, size, number = {}, 0, number + 1
        part[key] = tensor.detach().cpu().contiguous()
        size += cost
    if part:
        save_file(part, folder / f"{name}-{number:02d}.safetensors")
