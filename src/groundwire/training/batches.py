"""Samples to token arrays, and a batch plan that depends on the seed alone: a run can stop and go on where it was.

Leaves out: the network. Imports numpy and tokenizers; `tensors` imports torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from groundwire.training.sample import UNKNOWN, Sample

LONGEST = 384
"""Tokens of a pair that training reads: 250 words of evidence beside a claim."""
UNTAUGHT = (0.0, 0.0, 0.0)
STEP = 8
"""Fused attention on CUDA takes a mask whose rows begin at multiples of so many numbers."""
CHUNK = 4096
"""Samples sorted by length together: enough for little padding, small enough to stay well mixed."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """All samples as flat arrays; sample i is tokens[starts[i]:starts[i + 1]].

    `claims[i]` is the offset of its first claim token; targets are 1 (unbacked), 0 (backed), UNKNOWN elsewhere; `taught`
    [samples, 3] are a larger model's probabilities, 0 throughout where it was not asked.
    """

    tokens: Any
    targets: Any
    starts: Any
    claims: Any
    labels: Any
    relevance: Any
    taught: Any

    @property
    def lengths(self) -> Any:
        """Tokens of each sample, int64 [samples]."""
        return np.diff(self.starts)

    def sizes(self, index: Any) -> Any:
        """Tokens of these samples alone: a batch need not ask for those of millions."""
        return self.starts[index + 1] - self.starts[index]


def load_tokenizer(path: Path, max_length: int) -> Any:
    """The tokenizer of a tokenizer.json, cutting the evidence (never the claim) to `max_length` tokens a pair."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length, strategy="only_first")
    return tokenizer


def targets_of(sample: Sample, encoding: Any) -> list[int]:
    """Per-token targets: claim tokens that overlap a span are 1, other claim tokens 0; UNKNOWN off the claim."""
    targets = []
    for kind, (start, end), special in zip(
        encoding.type_ids, encoding.offsets, encoding.special_tokens_mask, strict=True
    ):
        if kind != 1 or special or sample.spans is None:
            targets.append(UNKNOWN)
        else:
            targets.append(int(any(s < end and e > start for s, e in sample.spans)))
    return targets


def encode(samples: Sequence[Sample], tokenizer: Any, max_length: int) -> Encoded:
    """Encode all samples; a claim keeps at most 2 × `max_length` characters, so that evidence stays."""
    tokens, targets, starts, claims = [], [], [0], []
    longest = max_length * 2
    for at in range(0, len(samples), CHUNK):
        part = samples[at : at + CHUNK]
        encodings = tokenizer.encode_batch([(s.evidence, s.claim[:longest]) for s in part])
        for sample, encoding in zip(part, encodings, strict=True):
            tokens.append(np.array(encoding.ids[:max_length], dtype=np.int32))
            targets.append(np.array(targets_of(sample, encoding)[:max_length], dtype=np.int8))
            claims.append(encoding.type_ids.index(1))
            starts.append(starts[-1] + len(tokens[-1]))
    return Encoded(
        np.concatenate(tokens),
        np.concatenate(targets),
        np.array(starts, dtype=np.int64),
        np.array(claims, dtype=np.int64),
        np.array([s.label for s in samples], dtype=np.int64),
        np.array([s.relevance for s in samples], dtype=np.float32),
        np.array([s.taught or UNTAUGHT for s in samples], dtype=np.float32).reshape(-1, len(UNTAUGHT)),
    )


def plan(lengths: Any, budget: int, seed: int) -> list[Any]:
    """Batches of indices: shuffled, sorted by length within chunks, cut at `budget` padded tokens, shuffled again."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(lengths))
    batches: list[Any] = []
    for at in range(0, len(order), CHUNK):
        chunk = order[at : at + CHUNK]
        chunk = chunk[np.argsort(lengths[chunk], kind="stable")]
        cuts, first = [], 0
        for i in range(1, len(chunk) + 1):
            if i == len(chunk) or (i - first + 1) * int(lengths[chunk[i]]) > budget:
                cuts.append(chunk[first:i])
                first = i
        batches += [cuts[i] for i in rng.permutation(len(cuts))]
    return batches


def tensors(data: Encoded, batch: Any, device: str = "cpu") -> dict[str, Any]:
    """One padded batch as torch tensors, int64: input_ids, attention_mask, token_type_ids, token_targets [n, length];
    labels, relevance [n]; taught [n, 3] (float32). On CUDA the length is a multiple of STEP."""
    import torch

    lengths = data.sizes(batch)
    width = -(-int(lengths.max()) // STEP) * STEP if device == "cuda" else int(lengths.max())
    places = np.arange(width)
    inside = places < lengths[:, None]
    index = np.where(inside, data.starts[batch][:, None] + places, 0)
    arrays = {
        "input_ids": np.where(inside, data.tokens[index], 0).astype(np.int64),
        "attention_mask": inside.astype(np.int64),
        "token_type_ids": (inside & (places >= data.claims[batch][:, None])).astype(np.int64),
        "token_targets": np.where(inside, data.targets[index], UNKNOWN).astype(np.int64),
        "labels": data.labels[batch],
        "relevance": data.relevance[batch],
        "taught": data.taught[batch],
    }
    return {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
