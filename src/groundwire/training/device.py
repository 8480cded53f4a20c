"""Where training runs, and in which precision. Imports torch."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch


def device_of() -> str:
    """ "cuda" where there is one, else "cpu"."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def precision(device: str) -> AbstractContextManager[Any]:
    """bf16 autocast where it is fast (CUDA, AMX or AVX512-BF16), otherwise nothing."""
    fast = device == "cuda" or torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return torch.autocast(device, dtype=torch.bfloat16) if fast else nullcontext()


def attention_of(device: str) -> str:
    """Which attention is fast there: fused on CUDA; on a CPU its backward pass costs three times the plain one's."""
    return "sdpa" if device == "cuda" else "eager"
