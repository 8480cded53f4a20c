"""What trained networks read of training samples, kept with them as soft labels for a smaller network to learn from.

A label says which of three readings is right, a larger network's probabilities how near the others are (Hinton, Vinyals and
Dean 2015); several networks teach by their mean. Leaves out: how they were trained (`trainer`), and what their readings weigh
(`losses`). Imports torch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from groundwire.errors import InputError
from groundwire.training import checkpoint
from groundwire.training.batches import LONGEST, encode, load_tokenizer, plan
from groundwire.training.device import attention_of, device_of, precision
from groundwire.training.mixture import load_samples, write
from groundwire.training.network import base_folder
from groundwire.training.sample import Sample
from groundwire.training.trainer import begin
from groundwire.training.validate import predict, torch_forward

BUDGET = 6000
"""Padded tokens of a batch: twice what training takes, as there are no gradients to keep."""
PART = 4000
"""Samples that are read before any of them is written."""
DIGITS = 4


def teachers(folders: Sequence[Path]) -> list[Any]:
    """The networks of checkpoints, each with the body that it was trained with, and of exported models (a model.onnx).

    Raises InputError where there are none.
    """
    if not folders:
        raise InputError("nobody to teach", "name checkpoint folders with --runs")
    device = device_of()
    bodies = ["" if f.suffix == ".onnx" else checkpoint.load_state(f)["settings"].get("body", "") for f in folders]
    made = (begin(str(f), attention_of(device), body) for f, body in zip(folders, bodies, strict=True))
    return [network.to(device).eval() for network in made]


def teach(path: Path, within: slice, networks: Sequence[Any]) -> float:
    """Have the samples of a file read that lie within the slice and were not read before; returns `agreement` within it.

    The file is written anew after every PART samples, so what was read is kept when it is stopped.
    """
    samples = load_samples(path)
    waiting = [at for at in range(*within.indices(len(samples))) if samples[at].taught is None]
    for start in range(0, len(waiting), PART):
        part = waiting[start : start + PART]
        for at, sample in zip(part, taught([samples[at] for at in part], networks), strict=True):
            samples[at] = sample
        fresh = path.with_suffix(".part")
        write(samples, fresh)
        fresh.replace(path)
    return agreement(samples[within])


def taught(samples: Sequence[Sample], networks: Sequence[Any]) -> Iterator[Sample]:
    """The samples in their order, each with the mean of what the networks read of it."""
    device = device_of()
    data = encode(samples, load_tokenizer(base_folder() / "tokenizer.json", LONGEST), LONGEST)
    batches = plan(data.lengths, BUDGET, 0)
    with precision(device):
        read = [shares(predict(torch_forward(network), data, batches, device)[0]) for network in networks]
    for sample, row in zip(samples, np.mean(read, axis=0).round(DIGITS).tolist(), strict=True):
        yield replace(sample, taught=(row[0], row[1], row[2]))


def agreement(samples: Sequence[Sample]) -> float:
    """The share of the taught samples with one of three labels whose label is what was read as likeliest."""
    known = [s for s in samples if s.taught is not None and 0 <= s.label < len(s.taught)]
    return fmean(s.taught.index(max(s.taught)) == s.label for s in known if s.taught) if known else 0.0


def shares(logits: Any) -> Any:
    """The probabilities of the three readings, [samples, 3], of logits [samples, 4]."""
    shifted = np.exp(logits[:, :3] - logits[:, :3].max(1, keepdims=True))
    return shifted / shifted.sum(1, keepdims=True)
