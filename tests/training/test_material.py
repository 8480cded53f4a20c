"""What a run learns from: samples as text or as kept tokens, and pairs without labels beside them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = pytest.mark.models

from groundwire.errors import InputError  # noqa: E402
from groundwire.training import material  # noqa: E402
from groundwire.training.batches import Encoded  # noqa: E402
from groundwire.training.mixture import write  # noqa: E402
from groundwire.training.network import PairNetwork, body_config  # noqa: E402
from groundwire.training.sample import UNKNOWN, Sample  # noqa: E402
from groundwire.training.settings import Settings  # noqa: E402

SPECIAL = {100: "[UNK]", 101: "[CLS]", 102: "[SEP]"}


@pytest.fixture
def data(tmp_path: Path, samples: Sequence[Sample], monkeypatch: pytest.MonkeyPatch, tokenizer_file: Path) -> Path:
    for name in ("train", "validation"):
        write(samples, tmp_path / f"{name}.jsonl")
    (tokenizer_file.parent / "vocab.txt").write_text(
        "\n".join(SPECIAL.get(n, f"w{n}") for n in range(200)), encoding="utf-8"
    )
    monkeypatch.setattr(material, "base_folder", lambda: tokenizer_file.parent)
    monkeypatch.setattr(material, "from_base", lambda _attention="sdpa": PairNetwork(body_config(1, 32, 200)))
    return tmp_path


def settings(**more: Any) -> Settings:
    return Settings(**{"samples": 100, "max_length": 32, **more})


def same(first: Encoded, second: Encoded) -> bool:
    return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in Encoded.__slots__)


def test_kept_tokens_are_taken_as_they_are(data: Path) -> None:
    text = material.load_material(data, settings())
    material.keep(data / material.ENCODED, text.train)
    (data / "train.jsonl").unlink()
    assert same(material.load_material(data, settings()).train, text.train)
    part = material.load_material(data, settings(skip=3, samples=4)).train
    assert part.labels.tolist() == text.train.labels[3:7].tolist()
    assert part.tokens.tolist() == text.train.tokens[text.train.starts[3] : text.train.starts[7]].tolist()


def test_pairs_without_labels_follow_the_samples_and_are_made_once(data: Path) -> None:
    plain = material.load_material(data, settings()).train
    more = material.load_material(data, settings(transfer=20)).train
    n = len(plain.labels)
    assert n < len(more.labels) <= n + 20
    assert more.labels[:n].tolist() == plain.labels.tolist()
    assert set(more.labels[n:]) == {UNKNOWN}
    (made,) = data.glob("transfer-*.npz")
    before = made.stat().st_mtime_ns
    assert same(material.load_material(data, settings(transfer=20)).train, more)
    assert made.stat().st_mtime_ns == before


def test_none_left(data: Path) -> None:
    with pytest.raises(InputError, match="no samples are left"):
        material.load_material(data, settings(skip=1000))
