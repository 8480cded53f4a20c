"""Checkpoints as torch modules with one output, and their ONNX graphs. Weights come from safetensors alone.

Each module takes input_ids, attention_mask and, where the model has them, token_type_ids ([n, length], int64) and gives
what its card's kind says, in float32. Left out: what is read off a network (`heads`), HHEM-2.1 (`t5`), tokenizers. Needs
torch and transformers; import it lazily.
"""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx
import torch
from safetensors import SafetensorError
from torch import nn
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForMaskedLM,
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
)
from transformers.utils import logging

from groundwire.errors import CorruptModel, InputError
from groundwire.models import heads, sentence, t5
from groundwire.models.catalogue import WORDS, Kind
from groundwire.models.config import ANY, Side

OPSET = 17
_LOADERS: dict[Kind, Any] = {
    "classifier": AutoModelForSequenceClassification,
    "seq2seq": AutoModelForSeq2SeqLM,
    "splade": AutoModelForMaskedLM,
    "embedder": AutoModel,
    "ance": AutoModel,
    "sentence": AutoModel,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a checkpoint says of itself. `max_length` None: any length. `labels` is empty for what gives no logits."""

    model_type: str
    labels: dict[int, str]
    max_length: int | None
    token_types: bool
    query: Side = ANY
    passage: Side = ANY


def load(folder: Path, kind: Kind) -> tuple[nn.Module, Facts]:
    """Read a checkpoint folder into a float32 module in evaluation mode, and the facts about it.

    Raises InputError for a checkpoint that would need code of its own, CorruptModel for incomplete weights.
    """
    if kind == "hhem-t5":
        model = t5.load(folder)
        labels = {0: "hallucinated", 1: "consistent"}
        return model, Facts(model_type=kind, labels=labels, max_length=None, token_types=False)
    config, model = _network(folder, kind)
    layout = sentence.read(folder) if kind == "sentence" else None
    limits = [_max_length(model, config, folder), None if layout is None else layout.max_length]
    facts = Facts(
        model_type=config.model_type,
        labels=_labels(config, kind),
        max_length=min((limit for limit in limits if limit is not None), default=None),
        token_types=getattr(config, "type_vocab_size", 0) > 1,
        **({} if layout is None else {"query": layout.query, "passage": layout.passage}),
    )
    return _head(model, config, kind, folder, layout).eval(), facts


def _network(folder: Path, kind: Kind) -> tuple[Any, Any]:
    """Return the configuration and the network, with every weight of the checkpoint's."""
    with _quiet():
        try:
            config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
            model, report = _LOADERS[kind].from_pretrained(
                folder,
                config=config,
                dtype=torch.float32,
                attn_implementation="eager",
                use_safetensors=True,
                local_files_only=True,
                trust_remote_code=False,
                output_loading_info=True,
            )
        except (ValueError, KeyError) as error:
            raise InputError(f"the checkpoint is none that can be exported: {_reason(error)}") from error
        except (SafetensorError, RuntimeError, OSError) as error:
            raise CorruptModel(f"the checkpoint cannot be read: {_reason(error)}") from error
    # An encoder's pooler is not read; any other missing weight would be random numbers.
    encoder = _LOADERS[kind] is AutoModel
    lost = [name for name in report["missing_keys"] if not (encoder and "pooler" in name)]
    lost += [str(item) for item in report["mismatched_keys"]]
    if lost:
        raise CorruptModel(f"the checkpoint lacks {len(lost)} of the model's weights, the first is {sorted(lost)[0]}")
    if kind == "seq2seq" and config.model_type != "t5":
        raise InputError(f"the checkpoint is a {config.model_type}, not the T5 that such a model is")
    return config, model


def _labels(config: Any, kind: Kind) -> dict[int, str]:
    if kind == "classifier":
        return {int(i): str(label) for i, label in config.id2label.items()}
    return dict(enumerate(WORDS)) if kind == "seq2seq" else {}


def _head(model: Any, config: Any, kind: Kind, folder: Path, layout: sentence.Layout | None) -> nn.Module:
    if kind == "classifier":
        return heads.Logits(model)
    if kind == "splade":
        return heads.Terms(model)
    if kind == "seq2seq":
        return heads.Answer(model, list(WORDS.values()))
    if kind == "ance":
        return heads.Vector(model, "cls", heads.ance(folder, config.hidden_size))
    if layout is not None:
        return heads.Vector(model, layout.pooling, heads.steps(folder, layout, config.hidden_size))
    return heads.Vector(model)


def trace(module: nn.Module, inputs: list[str], output: str) -> onnx.ModelProto:
    """Trace a module into an ONNX model (opset 17; batch and length are free), every weight inside the proto."""
    ids = torch.arange(3, 27).reshape(2, 12)
    mask = torch.ones_like(ids)
    mask[1, 9:] = 0  # padding in the example, so that no branch for unpadded input is traced
    example = {"input_ids": ids, "attention_mask": mask, "token_type_ids": torch.zeros_like(ids)}
    axes = {name: {0: "batch", 1: "length"} for name in inputs} | {output: {0: "batch"}}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")
        path = Path(folder) / "model.onnx"
        torch.onnx.export(
            module,
            tuple(example[name] for name in inputs),
            str(path),
            input_names=inputs,
            output_names=[output],
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )
        return onnx.load(str(path))


def run(module: nn.Module, arrays: list[Any]) -> Any:
    """Run a module on int64 arrays [n, length]; returns float32 [n, k]."""
    with torch.inference_mode():
        return module(*(torch.from_numpy(array) for array in arrays)).float().numpy()


def _max_length(model: nn.Module, config: Any, folder: Path) -> int | None:
    """Return the fewest tokens among what the position table, the configuration and the tokenizer allow."""
    tables = [
        module.num_embeddings - (0 if module.padding_idx is None else module.padding_idx + 1)
        for name, module in model.named_modules()
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding)
    ]
    limits = tables or [n for n in [getattr(config, "max_position_embeddings", None)] if n and n > 0]
    path = folder / "tokenizer_config.json"
    settings = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    told = settings.get("model_max_length")
    # Tokenizers without a limit write 1e30.
    limits += [int(told)] if isinstance(told, (int, float)) and 0 < told < 1e9 else []
    return min(limits, default=None)


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library's talk about loading off the screen: what matters of it is raised."""
    before, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()
