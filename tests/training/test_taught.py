"""Soft labels: what networks read of samples, kept with the samples."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.models

from groundwire.errors import InputError  # noqa: E402
from groundwire.training import taught  # noqa: E402
from groundwire.training.mixture import load_samples, write  # noqa: E402
from groundwire.training.readers import Readers  # noqa: E402
from groundwire.training.sample import SUPPORTS, UNKNOWN, Sample  # noqa: E402

SAMPLES = [
    Sample(evidence=f"The mill closed in 19{n}.", claim=f"It closed in 19{n}.", label=SUPPORTS, source="test")
    for n in range(10, 15)
]


class Fixed(torch.nn.Module):  # type: ignore[misc, unused-ignore]
    """Reads every pair alike."""

    def __init__(self, *logits: float) -> None:
        super().__init__()
        self.logits, self.asked = torch.tensor([[*logits, 0.0]]), 0

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        self.asked += len(ids)
        return self.logits.expand(len(ids), -1), torch.zeros(ids.shape)


def test_several_networks_teach_by_their_mean() -> None:
    sure, unsure = Fixed(np.log(8.0), 0.0, 0.0), Fixed(0.0, 0.0, 0.0)
    for sample in taught.taught(SAMPLES, Readers([sure, unsure], "cpu")):
        assert sample.taught == pytest.approx(((0.8 + 1 / 3) / 2, (0.1 + 1 / 3) / 2, (0.1 + 1 / 3) / 2), abs=1e-3)


def test_what_was_read_before_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taught, "PART", 2)
    path = tmp_path / "train.jsonl"
    write(SAMPLES, path)
    network = Fixed(1.0, 0.0, 0.0)
    readers = Readers([network], "cpu")
    assert taught.teach(path, slice(1, 4), readers) == 1.0
    assert [s.taught is not None for s in load_samples(path)] == [False, True, True, True, False]
    assert taught.teach(path, slice(0, 100), readers) == 1.0
    assert network.asked == len(SAMPLES)
    assert [replace(s, taught=None) for s in load_samples(path)] == SAMPLES


def test_agreement_counts_what_has_one_of_three_labels() -> None:
    read = replace(SAMPLES[0], taught=(0.2, 0.7, 0.1))
    assert taught.agreement([read, replace(read, label=1), replace(read, label=UNKNOWN), SAMPLES[1]]) == 0.5


def test_somebody_has_to_teach() -> None:
    with pytest.raises(InputError, match="nobody"):
        taught.teachers([])
