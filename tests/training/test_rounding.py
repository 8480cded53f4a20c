"""Weights survive rounding as nearly as it promises, outliers exactly, and a file says what it was rounded from."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from groundwire.training.rounding import ROUNDED_FROM, comes_from, origin, restored, rounded


@pytest.mark.parametrize(("step", "most"), [(0.15, 0.045), (0.06, 0.02)])
def test_the_error_is_a_share_of_the_deviation(step: float, most: float) -> None:
    weights = np.random.default_rng(1).normal(0, 0.03, (64, 96)).astype(np.float32)
    again = restored(rounded({"w": weights}, step))["w"]
    assert again.dtype == np.float32
    assert 0 < np.abs(again - weights).std() / weights.std() < most


def test_what_lies_far_out_is_kept_as_it_is() -> None:
    weights = np.random.default_rng(1).normal(0, 1, (4, 2000)).astype(np.float32)
    weights[2, 7] = 40.0
    assert restored(rounded({"w": weights}, 0.15))["w"][2, 7] == 40.0


def test_vectors_constant_rows_and_zeros_come_back() -> None:
    tensors = {"bias": np.array([0.5, -2.0, 0.0]), "still": np.full((2, 3), 0.25), "nothing": np.zeros((2, 3))}
    again = restored(rounded(tensors, 0.15))
    assert set(again) == set(tensors)
    assert again["bias"].tolist() == [0.5, -2.0, 0.0]
    assert (again["nothing"] == 0).all()
    assert again["still"] == pytest.approx(tensors["still"], rel=0.075)


def test_a_file_comes_from_itself_or_from_what_it_names(tmp_path: Path) -> None:
    pytest.importorskip("safetensors")
    from safetensors.numpy import save_file

    path = tmp_path / "a.safetensors"
    save_file({"w": np.ones(3, np.float32)}, path, {ROUNDED_FROM: "ab" * 32})
    assert comes_from(path, hashlib.sha256(path.read_bytes()).hexdigest())
    assert comes_from(path, "ab" * 32)
    assert not comes_from(path, "cd" * 32)
    assert origin(path) == "ab" * 32, "what is rounded twice still comes from the first"
    save_file({"w": np.ones(3, np.float32)}, path)
    assert not comes_from(path, "ab" * 32)
    path.write_bytes(b"no such file")
    assert not comes_from(path, "ab" * 32)
