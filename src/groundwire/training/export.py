"""From a checkpoint to the model folder that ships: ONNX with int8 weights, vocabulary, config, manifest, card.

Reports what storing the weights as int8 costs against fp32, on validation. Leaves out: the card's words (`card`).
Imports torch, onnx and onnxruntime.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from groundwire.errors import InputError
from groundwire.models import manifest
from groundwire.models.quantise import store_weights_as_int8
from groundwire.training import checkpoint
from groundwire.training.batches import LONGEST, encode, load_tokenizer, plan
from groundwire.training.card import write_card
from groundwire.training.mixture import load_samples
from groundwire.training.network import COLUMNS, OUTPUTS, Exported, PairNetwork, base_folder, from_base
from groundwire.training.trainer import copy_into
from groundwire.training.validate import Forward, figures, predict, supports_of

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OPSET = 17
LARGEST = 25_000_000
BUILTIN = Path(__file__).resolve().parent.parent / "models" / "builtin"

CONFIG: dict[str, Any] = {
    "schema": 1,
    "name": "mini",
    "architecture": "bert",
    "max_length": 512,
    "trained_length": LONGEST,
    "inputs": list(INPUTS),
    "outputs": list(OUTPUTS),
    "id2label": {str(i): name for i, name in enumerate(COLUMNS)},
    "tokenizer": {"kind": "wordpiece", "file": "vocab.txt", "lowercase": True},
    "pair": {"kind": "segments"},
    "reading": {
        "entailment": {"activation": "softmax", "supports": 0, "refutes": 1, "neutral": 2},
        "relevance": {"column": 3, "order": ["passage", "query"]},
        "tokens": {"output": "token_logits", "segment": 1, "positive": "unsupported"},
    },
    "vector": {"output": "vector", "max_length": 256},
}


def averaged(folder: Path) -> PairNetwork:
    """The network of a checkpoint, with the moving average of its weights, ready to export."""
    checkpoint.load_state(folder)
    network = from_base("eager")
    copy_into(network, checkpoint.load_tensors(folder, "average"))
    network.eval()
    return network


def to_onnx(network: PairNetwork, path: Path) -> None:
    """Write the fp32 graph: int64 inputs with dynamic batch and length, the outputs OUTPUTS."""
    import torch

    shape = (2, 16)
    ids = torch.randint(103, 160, shape)
    types = torch.zeros(shape, dtype=torch.long)
    types[:, 8:] = 1
    axes = {name: {0: "batch", 1: "length"} for name in (*INPUTS, "token_logits")}
    torch.onnx.export(
        Exported(network),
        (ids, torch.ones(shape, dtype=torch.long), types),
        str(path),
        input_names=list(INPUTS),
        output_names=list(OUTPUTS),
        dynamic_axes={**axes, "logits": {0: "batch"}, "vector": {0: "batch"}},
        opset_version=OPSET,
        dynamo=False,
    )


def to_int8(source: Path, target: Path) -> None:
    """Write an ONNX file again with its weight matrices stored as int8 per channel."""
    import onnx

    onnx.save(store_weights_as_int8(onnx.load(str(source))), str(target))


def onnx_forward(path: Path, threads: int = 1) -> Forward:
    """An ONNX file as a Forward, through onnxruntime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def forward(batch: dict[str, Any]) -> tuple[Any, Any]:
        logits, tokens = session.run(list(OUTPUTS[:2]), {name: batch[name].numpy() for name in INPUTS})
        return logits, tokens

    return forward


def cost(exact: Any, stored: Any) -> dict[str, float]:
    """Agreement of p(supports) between two logit tables [samples, 4]: Pearson, Spearman, mean and largest difference."""
    a, b = supports_of(exact), supports_of(stored)
    ranks: list[Any] = [np.argsort(np.argsort(x)) for x in (a, b)]
    return {
        "pearson": float(np.corrcoef(a, b)[0, 1]),
        "spearman": float(np.corrcoef(ranks[0], ranks[1])[0, 1]),
        "largest_difference": float(np.abs(a - b).max()),
        "mean_difference": float(np.abs(a - b).mean()),
    }


def compare(fp32: Path, int8: Path, data: Path, limit: int) -> dict[str, Any]:
    """Validation figures of both files and what the second costs; `data` holds validation.jsonl."""
    samples = load_samples(data / "validation.jsonl")[:limit]
    encoded = encode(samples, load_tokenizer(base_folder() / "tokenizer.json", LONGEST), LONGEST)
    batches = plan(encoded.lengths, 2500, 0)
    logits, tokens = {}, {}
    for name, path in (("fp32", fp32), ("int8", int8)):
        logits[name], tokens[name] = predict(onnx_forward(path), encoded, batches)
    result = {name: figures(samples, encoded, logits[name], tokens[name]) for name in logits}
    loss = {**cost(logits["fp32"], logits["int8"]), "auc": result["fp32"]["auc"] - result["int8"]["auc"]}
    return {"samples": len(samples), **result, "cost": loss}


def export_run(work: Path, run: str, output: Path | None = None, limit: int = 1500) -> dict[str, Any]:
    """Write a run's last checkpoint as a model folder; returns the comparison (also in the run's export.json).

    Raises InputError where there is no checkpoint, or where the folder would exceed 25 MB.
    """
    output = output or BUILTIN
    folder = work / run
    fp32, int8 = folder / "fp32.onnx", folder / "int8.onnx"
    to_onnx(averaged(folder / "last"), fp32)
    to_int8(fp32, int8)
    report = compare(fp32, int8, work, limit)
    state = checkpoint.load_state(folder / "last")
    report["progress"] = progress(state)
    (folder / "export.json").write_text(json.dumps(report, indent=1), encoding="utf-8")
    output.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(int8, output / "model.onnx")
    shutil.copyfile(base_folder() / "vocab.txt", output / "vocab.txt")
    config = {**CONFIG, "trained_samples": report["progress"]["samples"]}
    (output / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    write_card(output / "CARD.md", report)
    write_manifest(output)
    return report


def progress(state: dict[str, Any]) -> dict[str, int]:
    """How far a checkpoint is: steps done and planned in its last run, about how many samples it saw in all, and how many
    runs it is the mean of."""
    seen = int(round(state["seen"], -2))
    return {"step": state["step"], "steps": state["steps"], "samples": seen, "averaged": state.get("averaged", 1)}


def write_manifest(folder: Path) -> None:
    """Write manifest.json over the model's files. Raises InputError where they exceed 25 MB."""
    size = sum(path.stat().st_size for path in folder.iterdir())
    if size > LARGEST:
        raise InputError(f"the model folder has {size} bytes, more than {LARGEST}")
    revision = manifest.digest(folder / "model.onnx")[:12]
    manifest.write(folder, {"name": CONFIG["name"], "repo": None, "revision": revision})
