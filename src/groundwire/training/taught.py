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
from groundwire.training.batches import LONGEST, UNTAUGHT, encode, load_tokenizer, plan, tensors
from groundwire.training.device import attention_of, device_of
from groundwire.training.mixture import load_samples, write
from groundwire.training.network import base_folder
from groundwire.training.readers import Readers
from groundwire.training.sample import Sample
from groundwire.training.trainer import begin

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


def teach(path: Path, within: slice, readers: Readers) -> float:
    """Have the samples of a file read that lie within the slice and were not read before; returns `agreement` within it.

    The file is written anew after every PART samples, so what was read is kept when it is stopped.
    """
    samples = load_samples(path)
    waiting = [at for at in range(*within.indices(len(samples))) if samples[at].taught is None]
    for start in range(0, len(waiting), PART):
        part = waiting[start : start + PART]
        for at, sample in zip(part, taught([samples[at] for at in part], readers), strict=True):
            samples[at] = sample
        fresh = path.with_suffix(".part")
        write(samples, fresh)
        fresh.replace(path)
    return agreement(samples[within])


def taught(samples: Sequence[Sample], readers: Readers) -> Iterator[Sample]:
    """The samples in their order, each with the probabilities that were read of its three labels."""
    data = encode(samples, load_tokenizer(base_folder() / "tokenizer.json", LONGEST), LONGEST)
    read = np.zeros((len(samples), len(UNTAUGHT)))
    for batch in plan(data.lengths, BUDGET, 0):
        read[batch] = readers.read(tensors(data, batch, readers.device))["taught"].cpu().numpy()
    for sample, row in zip(samples, read.round(DIGITS).tolist(), strict=True):
        yield replace(sample, taught=(row[0], row[1], row[2]))


def agreement(samples: Sequence[Sample]) -> float:
    """The share of the taught samples with one of three labels whose label is what was read as likeliest."""
    known = [s for s in samples if s.taught is not None and 0 <= s.label < len(s.taught)]
    return fmean(s.taught.index(max(s.taught)) == s.label for s in known if s.taught) if known else 0.0
