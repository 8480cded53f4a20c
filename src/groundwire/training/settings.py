"""What decides a training run besides its data. Leaves out: the run (`trainer`)."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.training.batches import LONGEST


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that decides a run besides its data; stored in the checkpoint and compared on resume.

    The run trains on `samples` samples after the first `skip`, from the weights in `init`: a checkpoint folder, an
    exported model.onnx, or "" for the base model with fresh heads. Runs that share `init` can be averaged (`average`).
    `likeness` weighs the loss that keeps the vectors of single texts like the base model's; 0 leaves it out. `body` is the
    folder of a larger body to train instead, one that teaches (`larger`); "" for the base model's. `transfer` is how many pairs
    without labels (`transfer`) come to the samples; they need somebody who reads them.
    """

    samples: int
    skip: int = 0
    init: str = ""
    seed: int = 13
    rate: float = 2.5e-4
    head_rate: float = 1e-3
    weight_decay: float = 0.01
    warm_up: float = 0.05
    clip: float = 1.0
    budget: int = 2500
    max_length: int = LONGEST
    average: float = 0.995
    validate_samples: int = 1200
    likeness: float = 0.0
    body: str = ""
    transfer: int = 0
