"""Training that goes on from weights that were exported: a run's checkpoint may be gone, the model that shipped is not.

int8 weights cost next to nothing (see the model card), so what an earlier run learned is read back from model.onnx, and a
new run begins there instead of at the base model. Leaves out: checkpoints (`checkpoint`). Imports onnx.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from groundwire.errors import CorruptModel, InputError

WRAPPED = "network."
"""How the names of an exported network's parameters begin: it is exported inside `network.Exported`."""


def exported_weights(path: Path) -> dict[str, Any]:
    """The float32 tensors of an exported network by the names of its parameters.

    The exporter gives the weight of a linear layer a name of its own and keeps that of its bias: a product is named
    after the bias that is added to it. Raises InputError where there is no file.
    """
    import onnx
    from onnx import numpy_helper

    if not path.is_file():
        raise InputError(f"no exported model at {path}", "give --init a model.onnx, or leave it out")
    graph = onnx.load(str(path)).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    found = {name: value for name, value in stored.items() if not name.endswith(("_int8", "_scale"))}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in stored:
            axis = next((a.i for a in node.attribute if a.name == "axis"), 1)
            found[node.input[0].removesuffix("_int8")] = _dequantised(
                stored[node.input[0]], stored[node.input[1]], axis
            )
    return {name.removeprefix(WRAPPED): value for name, value in _named(found, graph).items()}


def _dequantised(values: Any, scale: Any, axis: int) -> Any:
    shape = [1] * values.ndim
    if scale.ndim:
        shape[axis] = -1
    return values.astype(np.float32) * scale.reshape(shape)


def _named(found: dict[str, Any], graph: Any) -> dict[str, Any]:
    """Put the transposed weight of each product under the name that goes with its bias."""
    origin = {node.output[0]: node.input[0].removesuffix("_int8") for node in graph.node if node.input}
    weight_of = {node.output[0]: node.input[1] for node in graph.node if node.op_type == "MatMul"}
    named = dict(found)
    for node in graph.node:
        bias = next((name for name in node.input if name.endswith(".bias") and name in found), None)
        product = next((name for name in node.input if name in weight_of), None)
        if node.op_type == "Add" and bias is not None and product is not None:
            weight = weight_of[product]
            value = found[weight if weight in found else origin[weight]]
            named[bias.removesuffix("bias") + "weight"] = value.T
    return named


def begin_from(network: Any, path: Path) -> None:
    """Give a network the trained weights of an exported one. Raises CorruptModel where they do not fit.

    An embedding that the exported network does not have stays as it is (0: it changes nothing until it is trained).
    """
    import torch

    weights = exported_weights(path)
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad or (name not in weights and not parameter.any()):
            continue
        if name not in weights or tuple(weights[name].shape) != tuple(parameter.shape):
            raise CorruptModel(f"{path} has no weight {name} of shape {tuple(parameter.shape)}")
        with torch.no_grad():
            parameter.copy_(torch.from_numpy(np.array(weights[name], dtype=np.float32)))
