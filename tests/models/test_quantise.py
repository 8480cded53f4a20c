from typing import Any

import numpy as np
import pytest

from groundwire.models.quantise import quantise, store_weights_as_int8


@pytest.mark.parametrize("axis", [0, 1])
def test_each_channel_keeps_its_own_scale_and_half_a_step_of_error(axis: int) -> None:
    weights = np.random.default_rng(0).normal(size=(40, 30)).astype(np.float32)
    weights *= np.logspace(-3, 3, weights.shape[axis], dtype=np.float32).reshape((-1, 1) if axis == 0 else (1, -1))
    codes, scales = quantise(weights, axis)
    assert codes.dtype == np.int8
    assert scales.shape == (weights.shape[axis],)
    assert np.abs(codes).max(axis=1 - axis).tolist() == [127] * weights.shape[axis]
    spread = scales.reshape((-1, 1) if axis == 0 else (1, -1))
    assert (np.abs(codes * spread - weights) <= spread * 0.5001).all()


def test_a_channel_of_zeros_stays_zero() -> None:
    codes, scales = quantise(np.zeros((3, 4), dtype=np.float32), 0)
    assert not codes.any()
    assert scales.tolist() == [1, 1, 1]


def test_the_sign_of_the_largest_weight_does_not_matter() -> None:
    codes, _ = quantise(np.array([[-2.0, 1.0], [2.0, -1.0]], dtype=np.float32), 0)
    assert codes.tolist() == [[-127, 64], [127, -64]]


@pytest.fixture
def network() -> tuple[Any, dict[str, np.ndarray]]:
    """ids → Gather → MatMul → Gemm (transposed) → logits; one weight is also an output, one is small."""
    onnx = pytest.importorskip("onnx", reason="the extra `models` is not installed")
    helper, numbers, floats = onnx.helper, np.random.default_rng(1), onnx.TensorProto.FLOAT
    weights = {
        "table": numbers.normal(size=(100, 32)),
        "up": numbers.normal(size=(32, 64)),
        "down": numbers.normal(size=(48, 64)),
        "bias": numbers.normal(size=(48,)),
        "small": numbers.normal(size=(48, 4)),
        "shared": numbers.normal(size=(4, 300)),
    }
    weights = {name: array.astype(np.float32) for name, array in weights.items()}
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["embedded"]),
        helper.make_node("MatMul", ["embedded", "up"], ["raised"]),
        helper.make_node("Gemm", ["raised", "down", "bias"], ["lowered"], transB=1),
        helper.make_node("MatMul", ["lowered", "small"], ["logits"]),
        helper.make_node("MatMul", ["logits", "shared"], ["wide"]),
        helper.make_node("Identity", ["shared"], ["copy"]),
    ]
    shapes = {"logits": ["n", 4], "wide": ["n", 300], "copy": [4, 300]}
    outputs = [helper.make_tensor_value_info(name, floats, shape) for name, shape in shapes.items()]
    graph = helper.make_graph(
        nodes,
        "test",
        [helper.make_tensor_value_info("ids", onnx.TensorProto.INT64, ["n"])],
        outputs,
        [onnx.numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), weights


def run(model: Any, runtime: str) -> np.ndarray:
    ids = np.arange(0, 100, 7)
    serialised = model.SerializeToString()
    if runtime == "onnxruntime":
        session = pytest.importorskip("onnxruntime").InferenceSession(serialised, providers=["CPUExecutionProvider"])
        return session.run(["logits"], {"ids": ids})[0]
    openvino = pytest.importorskip("openvino")
    settings = {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0}
    return openvino.compile_model(openvino.Core().read_model(serialised), "CPU", settings)({"ids": ids})["logits"]


@pytest.mark.models
@pytest.mark.parametrize("runtime", ["onnxruntime", "openvino"])
def test_both_runtimes_compute_the_rounded_weights_exactly(
    network: tuple[Any, dict[str, np.ndarray]], runtime: str
) -> None:
    model, weights = network
    stored = store_weights_as_int8(model, smallest=1000)

    def rounded(name: str, axis: int) -> np.ndarray:
        codes, scales = quantise(weights[name], axis)
        return codes * scales.reshape((-1, 1) if axis == 0 else (1, -1))

    hidden = rounded("table", 0)[np.arange(0, 100, 7)] @ rounded("up", 1)
    expected = (hidden @ rounded("down", 0).T + weights["bias"]) @ weights["small"]
    found = run(stored, runtime)
    assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max()
    exact = run(model, runtime)
    assert 0 < np.abs(found - exact).max() <= 0.02 * np.abs(exact).max()


@pytest.mark.models
def test_only_weight_matrices_change(network: tuple[Any, dict[str, np.ndarray]]) -> None:
    model, weights = network
    before = model.SerializeToString()
    stored = store_weights_as_int8(model, smallest=1000)
    assert model.SerializeToString() == before
    tensors = {tensor.name: tensor for tensor in stored.graph.initializer}
    assert tensors.keys() == {
        *(f"{name}{part}" for name in ("table", "up", "down") for part in ("_int8", "_scale")),
        "bias",
        "small",
        "shared",
    }
    assert len(tensors["table_int8"].raw_data) == weights["table"].size
    axes = {n.output[0]: n.attribute[0].i for n in stored.graph.node if n.op_type == "DequantizeLinear"}
    assert axes == {"table": 0, "up": 1, "down": 0}
    pytest.importorskip("onnx").checker.check_model(stored, full_check=True)


@pytest.mark.models
def test_an_old_opset_is_refused(network: tuple[Any, dict[str, np.ndarray]]) -> None:
    network[0].opset_import[0].version = 12
    with pytest.raises(ValueError, match="opset 13"):
        store_weights_as_int8(network[0])
