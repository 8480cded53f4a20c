"""Token targets follow spans, batches keep the budget, and the plan depends on the seed alone."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from groundwire.training.batches import encode, load_tokenizer, plan, tensors
from groundwire.training.sample import UNKNOWN, Sample

pytestmark = pytest.mark.models


def test_targets_mark_the_changed_word(tokenizer_file: Path, samples: Sequence[Sample]) -> None:
    data = encode(samples[1:2], load_tokenizer(tokenizer_file, 64), 64)
    targets = data.targets.tolist()
    claim = targets[int(data.claims[0]) : -1]
    assert claim == [0, 0, 0, 1, 0, 0]
    assert set(targets[: int(data.claims[0])]) == {UNKNOWN}
    assert targets[-1] == UNKNOWN


def test_unknown_spans_train_no_token(tokenizer_file: Path, samples: Sequence[Sample]) -> None:
    data = encode(samples[-3:], load_tokenizer(tokenizer_file, 64), 64)
    assert set(data.targets.tolist()) == {UNKNOWN}


def test_the_evidence_is_cut_not_the_claim(tokenizer_file: Path) -> None:
    long = Sample(evidence="it rained " * 50, claim="the town paid well", label=0, source="a")
    data = encode([long], load_tokenizer(tokenizer_file, 16), 16)
    assert data.lengths.tolist() == [16]
    assert int(data.claims[0]) == 11


def test_plan_covers_everything_once_within_budget() -> None:
    lengths = np.random.default_rng(0).integers(5, 60, 500)
    batches = plan(lengths, 300, seed=3)
    assert sorted(int(i) for b in batches for i in b) == list(range(500))
    assert all(len(b) * lengths[b].max() <= 300 for b in batches)
    again = plan(lengths, 300, seed=3)
    assert all((a == b).all() for a, b in zip(batches, again, strict=True))
    assert any(len(a) != len(b) or (a != b).any() for a, b in zip(batches, plan(lengths, 300, seed=4), strict=False))


def test_tensors_are_padded(tokenizer_file: Path, samples: Sequence[Sample]) -> None:
    pytest.importorskip("torch")
    data = encode(samples, load_tokenizer(tokenizer_file, 64), 64)
    batch = tensors(data, np.array([0, len(samples) - 1]))
    assert batch["input_ids"].shape == batch["token_targets"].shape
    assert batch["attention_mask"][1].sum() == data.lengths[-1]
    assert (batch["input_ids"][1][int(data.lengths[-1]) :] == 0).all()
