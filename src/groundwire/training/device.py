"""Where training runs, and in which precision. Imports torch."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch


def device_of() -> str:
    """ "cuda" where there is one, else "cpu"."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def fast_in_bf16(device: str) -> bool:
    """Whether it multiplies matrices of bf16 faster than of fp32: CUDA, AMX or AVX512-BF16."""
    return device == "cuda" or torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()


def precision(device: str) -> AbstractContextManager[Any]:
    """bf16 autocast where it is fast, otherwise nothing."""
    return torch.autocast(device, dtype=torch.bfloat16) if fast_in_bf16(device) else nullcontext()


def attention_of(device: str) -> str:
    """How layers are fast there: in bf16 throughout (`layers`) where that is fast, else the plain ones.

    On CUDA it keeps attention from cuDNN, which plans anew for every shape of a batch: four fifths of a step.
    """
    if device == "cuda":
        torch.backends.cuda.enable_cudnn_sdp(False)
    return "bf16" if fast_in_bf16(device) else "eager"
