"""The exported file gives the network's numbers in both runtimes, with int8 weights close by, and describes itself."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
pytestmark = pytest.mark.models

from groundwire.models import config, manifest  # noqa: E402
from groundwire.training.export import BUILTIN, CONFIG, cost, onnx_forward, progress, to_int8, to_onnx, write_manifest  # noqa: E402


def batch(rows: int, length: int) -> dict[str, Any]:
    ids = torch.randint(110, 190, (rows, length), generator=torch.Generator().manual_seed(2))
    types = torch.zeros_like(ids)
    types[:, length // 2 :] = 1
    mask = torch.ones_like(ids)
    mask[0, -2:] = 0
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}


@pytest.fixture
def files(network: Any, tmp_path: Path) -> tuple[Path, Path]:
    fp32, int8 = tmp_path / "fp32.onnx", tmp_path / "int8.onnx"
    to_onnx(network, fp32)
    to_int8(fp32, int8)
    return fp32, int8


def openvino_forward(path: Path, inputs: dict[str, Any]) -> tuple[Any, Any]:
    openvino = pytest.importorskip("openvino")
    compiled = openvino.compile_model(str(path), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    result = compiled({name: value.numpy() for name, value in inputs.items()})
    return result["logits"], result["token_logits"]


@pytest.mark.parametrize(("rows", "length"), [(1, 7), (3, 40)])
def test_runtimes_agree_with_torch(network: Any, files: tuple[Path, Path], rows: int, length: int) -> None:
    inputs = batch(rows, length)
    with torch.no_grad():
        expected = [value.numpy() for value in network(*inputs.values())]
    for got in (onnx_forward(files[0])(inputs), openvino_forward(files[0], inputs)):
        for left, right in zip(expected, got, strict=True):
            assert np.abs(left - right).max() <= 1e-3
    runtimes = onnx_forward(files[1])(inputs), openvino_forward(files[1], inputs)
    assert np.abs(runtimes[0][0] - runtimes[1][0]).max() <= 1e-3
    assert np.abs(runtimes[0][0] - expected[0]).max() <= 0.05


def test_a_single_text_has_its_vector(network: Any, files: tuple[Path, Path]) -> None:
    runtime = pytest.importorskip("onnxruntime")
    inputs = batch(3, 12)
    inputs["token_type_ids"] = torch.zeros_like(inputs["token_type_ids"])
    with torch.no_grad():
        expected = network.vectors(inputs["input_ids"], inputs["attention_mask"]).numpy()
    session = runtime.InferenceSession(str(files[0]), providers=["CPUExecutionProvider"])
    (got,) = session.run(["vector"], {name: value.numpy() for name, value in inputs.items()})
    assert np.abs(got - expected).max() <= 1e-4
    assert np.linalg.norm(got, axis=1) == pytest.approx(1, abs=1e-5)


def test_cost_of_nothing_is_nothing() -> None:
    logits = np.random.default_rng(0).normal(size=(20, 4))
    found = cost(logits, logits)
    assert found["pearson"] == pytest.approx(1)
    assert found["largest_difference"] == 0


def test_progress_counts_samples() -> None:
    state = {"step": 50, "batches": 100, "steps": 60, "seen": 4021}
    assert progress(state) == {"step": 50, "steps": 60, "samples": 4000, "averaged": 1}


def test_config_and_manifest_are_read_by_the_loader(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    (tmp_path / "model.onnx").write_bytes(b"weights")
    write_manifest(tmp_path)
    assert config.read(tmp_path).reading.columns() == 4
    assert manifest.problems(tmp_path) == []


def test_the_shipped_model_is_whole_and_small() -> None:
    if not (BUILTIN / "manifest.json").is_file():
        pytest.skip("the built-in model is not exported yet")
    assert manifest.problems(BUILTIN) == []
    assert sum(path.stat().st_size for path in BUILTIN.iterdir()) <= 25_000_000
