"""Weights stored as int8, computed in floating point: a small file, near-lossless scores.

Each weight matrix W of a MatMul, Gemm or Gather becomes an int8 tensor and one scale a channel, put together again at
run time by DequantizeLinear: W ≈ q · s with s = max|W| / 127 over the channel (symmetric, no zero point; Wu et al.
2020, arXiv 2004.09602, section 3). A channel is an output column of a product and a row of an embedding table.
Activations are untouched: quantising those as well cost 14 to 17 % of the scores' spread.

Left out: activation quantisation, calibration, blocks within a channel, and weights that any other operator reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from groundwire._optional import require

if TYPE_CHECKING:
    import numpy as np
    import onnx

SMALLEST = 4096
"""Matrices with fewer elements stay as they are: they save no space worth an operator."""


def store_weights_as_int8(model: onnx.ModelProto, *, smallest: int = SMALLEST) -> onnx.ModelProto:
    """Return a new model whose float32 weight matrices are int8 with a scale per channel; names and shapes stay.

    Needs opset 13 or later (per-axis DequantizeLinear) and every tensor inside the proto (no external data).
    Raises MissingExtra without `onnx`, ValueError for an older opset.
    """
    onnx_ = require("onnx", "models")
    if any(opset.version < 13 for opset in model.opset_import if opset.domain in ("", "ai.onnx")):
        raise ValueError("per-channel DequantizeLinear needs opset 13 or later")
    graph, channels = model.graph, _channel_axes(model.graph)
    tensors: list[Any] = []
    nodes: list[Any] = []
    for tensor in graph.initializer:
        axis = channels.get(tensor.name)
        if axis is None or not _is_matrix(onnx_, tensor, smallest):
            tensors.append(tensor)
            continue
        arrays = quantise(onnx_.numpy_helper.to_array(tensor), axis)
        names = [f"{tensor.name}_int8", f"{tensor.name}_scale"]
        tensors += [onnx_.numpy_helper.from_array(a, n) for a, n in zip(arrays, names, strict=True)]
        node = onnx_.helper.make_node("DequantizeLinear", names, [tensor.name], f"{tensor.name}_dequantize", axis=axis)
        nodes.append(node)
    stored = onnx_.helper.make_graph(
        [*nodes, *graph.node], graph.name, graph.input, graph.output, tensors, value_info=graph.value_info
    )
    return onnx_.helper.make_model(stored, opset_imports=model.opset_import, ir_version=model.ir_version)


def quantise(weights: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Return int8 codes in [-127, 127] and float32 scales, one a channel along `axis`; W ≈ codes · scales."""
    import numpy as np

    peaks = np.abs(weights).max(axis=1 - axis, keepdims=True)
    scales = np.where(peaks > 0, peaks / 127, 1).astype(np.float32)
    codes = np.clip(np.rint(weights / scales), -127, 127).astype(np.int8)
    return codes, scales.reshape(-1)


def _channel_axes(graph: onnx.GraphProto) -> dict[str, int]:
    """Name the initialisers that only weight operators read, with the axis of their channels."""
    readers: dict[str, set[int | None]] = {output.name: {None} for output in graph.output}
    for node in graph.node:
        for position, name in enumerate(node.input):
            readers.setdefault(name, set()).add(_channel_axis(node, position))
    sole = {name: next(iter(axes)) for name, axes in readers.items() if len(axes) == 1}
    return {name: axis for name, axis in sole.items() if axis is not None}


def _channel_axis(node: onnx.NodeProto, position: int) -> int | None:
    attributes = {attribute.name: attribute.i for attribute in node.attribute}
    if node.op_type == "MatMul" and position == 1:
        return 1
    if node.op_type == "Gemm" and position == 1:
        return 0 if attributes.get("transB", 0) else 1
    if node.op_type == "Gather" and position == 0 and attributes.get("axis", 0) == 0:
        return 0
    return None


def _is_matrix(onnx_: Any, tensor: onnx.TensorProto, smallest: int) -> bool:
    return (
        len(tensor.dims) == 2
        and tensor.data_type == onnx_.TensorProto.FLOAT
        and tensor.dims[0] * tensor.dims[1] >= smallest
    )
