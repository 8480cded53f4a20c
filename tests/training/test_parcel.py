"""What travels comes back: the same samples in another order, bodies as near as they were rounded, and what lies beside."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytestmark = pytest.mark.models

from safetensors.numpy import load_file, save_file  # noqa: E402

from groundwire.errors import InputError  # noqa: E402
from groundwire.models.manifest import digest  # noqa: E402
from groundwire.training import parcel  # noqa: E402
from groundwire.training.batches import Encoded, encode, load_tokenizer  # noqa: E402
from groundwire.training.material import ENCODED, kept  # noqa: E402
from groundwire.training.mixture import load_samples, write  # noqa: E402
from groundwire.training.network import BASE_PACKAGE  # noqa: E402
from groundwire.training.rounding import comes_from  # noqa: E402
from groundwire.training.sample import Sample  # noqa: E402


def rows(data: Encoded) -> Counter[tuple[object, ...]]:
    """Every sample with all that is known of it, without regard to order."""
    return Counter(
        (
            *data.tokens[data.starts[n] : data.starts[n + 1]].tolist(),
            *data.targets[data.starts[n] : data.starts[n + 1]].tolist(),
            int(data.claims[n]),
            int(data.labels[n]),
            round(float(data.relevance[n]), 2),
        )
        for n in range(len(data.labels))
    )


@pytest.fixture
def data(tokenizer_file: Path, samples: Sequence[Sample]) -> Encoded:
    return encode([*samples, *samples[3:5]], load_tokenizer(tokenizer_file, 64), 64)


def test_samples_come_back_in_another_order(data: Encoded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcel, "CHUNK", 5)
    again = parcel.unpacked(parcel.packed(data), 1)
    assert rows(again) == rows(data)
    assert again.labels.tolist() != data.labels.tolist()
    assert again.labels.tolist() == parcel.unpacked(parcel.packed(data), 1).labels.tolist()
    assert again.labels.tolist() != parcel.unpacked(parcel.packed(data), 2).labels.tolist()


@pytest.fixture
def folders(
    tmp_path: Path, samples: Sequence[Sample], monkeypatch: pytest.MonkeyPatch, tokenizer_file: Path
) -> list[Path]:
    """Two folders of samples, and a base model of one matrix."""
    made = [tmp_path / "one", tmp_path / "two"]
    for folder, part in zip(made, (samples[:9], samples[9:]), strict=True):
        write(part, folder / "train.jsonl")
        write(samples[:4], folder / "validation.jsonl")
    (tokenizer_file.parent / "vocab.txt").write_text("w", encoding="utf-8")
    weights = {"a.weight": np.eye(8, dtype=np.float32), "pooler.dense.bias": np.ones(8, np.float32)}
    save_file(weights, tmp_path / "base.safetensors")
    monkeypatch.setattr(parcel, "base_folder", lambda: tokenizer_file.parent)
    monkeypatch.setattr(parcel, "base_weights", lambda: tmp_path / "base.safetensors")
    return made


def test_everything_that_a_run_needs_arrives(
    tmp_path: Path,
    folders: list[Path],
    samples: Sequence[Sample],
    monkeypatch: pytest.MonkeyPatch,
    tokenizer_file: Path,
) -> None:
    body = tmp_path / "body"
    body.mkdir()
    save_file({"b.weight": np.full((4, 4), 2.0, np.float32)}, body / "model.safetensors")
    (body / "config.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(parcel, "larger_weights", lambda folder: folder / "model.safetensors")
    sizes = parcel.pack(folders, tmp_path / "parcel", body)
    assert set(sizes) == {*parcel.PARTS.values(), *parcel.BESIDE, "config.json"}
    parcel.unpack(tmp_path / "parcel", tmp_path / "work")
    work = tmp_path / "work"
    assert rows(kept(work / "training" / ENCODED)) == rows(encode(samples, load_tokenizer(tokenizer_file, 384), 384))
    assert load_samples(work / "training" / "validation.jsonl") == list(samples[:4])
    model = work / "base" / BASE_PACKAGE / "model"
    assert {path.name for path in model.iterdir()} == {"model.safetensors", *parcel.BESIDE}
    assert load_file(model / "model.safetensors")["a.weight"] == pytest.approx(np.eye(8), abs=0.02)
    assert comes_from(model / "model.safetensors", digest(tmp_path / "base.safetensors"))
    assert load_file(work / "larger" / "model.safetensors")["b.weight"] == pytest.approx(
        np.full((4, 4), 2.0), rel=0.075
    )
    assert (work / "larger" / "config.json").is_file()


def test_without_a_larger_body(tmp_path: Path, folders: list[Path]) -> None:
    assert parcel.PARTS["larger"] not in parcel.pack(folders[:1], tmp_path / "parcel")
    parcel.unpack(tmp_path / "parcel", tmp_path / "work")
    assert not (tmp_path / "work" / "larger").exists()


def test_nothing_to_pack_and_nothing_to_unpack(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to pack"):
        parcel.pack([], tmp_path / "parcel")
    with pytest.raises(InputError, match="no parcel in"):
        parcel.unpack(tmp_path, tmp_path / "work")
