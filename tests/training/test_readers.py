"""What networks read of a batch, joined."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.models

from groundwire.errors import InputError  # noqa: E402
from groundwire.training.readers import Readers  # noqa: E402


class Fixed(torch.nn.Module):  # type: ignore[misc, unused-ignore]
    """Reads every pair and every token alike."""

    def __init__(self, *logits: float) -> None:
        super().__init__()
        self.logits = torch.tensor([logits])

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.logits.expand(len(ids), -1), self.logits[0, 0].expand(ids.shape)


BATCH = {name: torch.ones(2, 5, dtype=torch.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
SURE, UNSURE = Fixed(float(np.log(8.0)), 0.0, 0.0, 0.0), Fixed(0.0, 0.0, 0.0, 0.0)


def test_each_counts_by_its_share() -> None:
    read = Readers([SURE, UNSURE], "cpu", [0.75, 0.25]).read(BATCH)
    assert read["taught"][1].tolist() == pytest.approx(
        [0.75 * 0.8 + 0.25 / 3, 0.75 * 0.1 + 0.25 / 3, 0.75 * 0.1 + 0.25 / 3]
    )
    assert read["relevance_taught"].tolist() == [0.5, 0.5]
    assert read["token_taught"].shape == (2, 5)
    assert float(read["token_taught"][0, 0]) == pytest.approx(0.75 * 8 / 9 + 0.25 / 2)


def test_all_alike_by_default() -> None:
    assert Readers([SURE, UNSURE], "cpu").shares == [0.5, 0.5]


@pytest.mark.parametrize("shares", [[1.0], [0.5, 0.6], [0.2, 0.3, 0.5]])
def test_shares_have_to_be_one_each_and_one_in_all(shares: list[float]) -> None:
    with pytest.raises(InputError, match="cannot count"):
        Readers([SURE, UNSURE], "cpu", shares)
