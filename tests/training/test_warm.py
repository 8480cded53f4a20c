"""What an exported model learned is read back into a network, and averaged runs are the mean of their weights."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytestmark = pytest.mark.models

from groundwire.errors import CorruptModel, InputError  # noqa: E402
from groundwire.training import checkpoint, trainer  # noqa: E402
from groundwire.training.export import to_int8, to_onnx  # noqa: E402
from groundwire.training.network import PairNetwork, body_config  # noqa: E402
from groundwire.training.trainer import trained  # noqa: E402
from groundwire.training.warm import begin_from, exported_weights  # noqa: E402


def other(seed: int, layers: int = 1) -> Any:
    torch.manual_seed(seed)
    return PairNetwork(body_config(layers, 32, 200), "eager")


@pytest.mark.parametrize("stored", [False, True])
def test_every_trained_weight_comes_back(network: Any, tmp_path: Path, stored: bool) -> None:
    with torch.no_grad():  # Equal tensors (fresh biases, all 0) would be stored once, under one name.
        for parameter in trained(network).values():
            parameter.add_(torch.randn_like(parameter) * 0.02)
    exact, path = tmp_path / "fp32.onnx", tmp_path / "model.onnx"
    to_onnx(network, exact)
    if stored:
        to_int8(exact, path)
    fresh = other(99)
    begin_from(fresh, path if stored else exact)
    wanted = trained(network)
    for name, value in trained(fresh).items():
        assert torch.allclose(value, wanted[name], atol=0.02 if stored else 0), name


def test_another_shape_is_refused(network: Any, tmp_path: Path) -> None:
    to_onnx(network, tmp_path / "model.onnx")
    with pytest.raises(CorruptModel, match="no weight body"):
        begin_from(other(1, layers=2), tmp_path / "model.onnx")


def test_no_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no exported model"):
        exported_weights(tmp_path / "none.onnx")


def test_the_average_of_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer, "from_base", lambda _attention="sdpa": other(9))
    nets = [other(1), other(2)]
    with torch.no_grad():  # Equal tensors would be stored once, under one name.
        for parameter in (p for net in nets for p in trained(net).values()):
            parameter.add_(torch.randn_like(parameter) * 0.1)
    state = {"step": 5, "steps": 5, "batches": 5, "before": 1000, "seen": 1100}
    for i, net in enumerate(nets):
        checkpoint.save(tmp_path / str(i), state, trained(net), trained(net), None)
    trainer.average([str(tmp_path / "0"), str(tmp_path / "1")], tmp_path / "both")
    joined = checkpoint.load_tensors(tmp_path / "both", "average")
    for name, value in joined.items():
        mean = (trained(nets[0])[name] + trained(nets[1])[name]) / 2
        assert torch.allclose(value.float(), mean, atol=2e-3), name
    assert checkpoint.load_state(tmp_path / "both")["seen"] == 1200
    to_onnx(nets[1], tmp_path / "model.onnx")
    trainer.average([str(tmp_path / "0"), str(tmp_path / "model.onnx")], tmp_path / "mixed")
    for name, value in checkpoint.load_tensors(tmp_path / "mixed", "average").items():
        assert torch.allclose(value.float(), joined[name].float(), atol=2e-3), name
    assert checkpoint.load_state(tmp_path / "mixed")["seen"] == 1100
    with pytest.raises(InputError, match="no runs"):
        trainer.average([], tmp_path / "none")
