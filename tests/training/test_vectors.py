"""The vectors of texts alone."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = pytest.mark.models

from groundwire.training import vectors  # noqa: E402
from groundwire.training.ragged import Texts  # noqa: E402


def test_vectors_do_not_depend_on_the_company(network: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = Texts.of([np.arange(104, 104 + n) for n in (3, 9, 1, 5, 9)])
    together = vectors.vectors(network, texts)
    monkeypatch.setitem(vectors.BUDGETS, "cpu", 12)
    assert torch.allclose(together, vectors.vectors(network, texts), atol=0.02)
    assert torch.equal(together[1], together[4])
    assert torch.allclose(together.norm(dim=1), torch.ones(5), atol=1e-4)


def test_only_the_beginning_of_a_long_text_counts(network: Any) -> None:
    texts = Texts.of([np.full(n, 110) for n in (vectors.LONGEST - 2, 3 * vectors.LONGEST)])
    first, second = vectors.vectors(network, texts)
    assert torch.allclose(first, second, atol=0.02)
