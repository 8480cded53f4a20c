"""From a checkpoint folder to a model directory: ONNX, tokenizer and config.json, so that serving needs no torch.

The graph is traced with eager attention at opset 17 with free batch and length; `precision` "fp32" keeps the weights,
"int8" stores them as int8 with a scale per channel (`quantise`), computed in floating point all the same. What the file
loses is measured on sample pairs against torch. Needs the extra `models`.
Left out: fetching checkpoints (`checkpoints`), the manifest and where directories lie (`hub`).
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from groundwire._optional import require
from groundwire.errors import CorruptModel, InputError, UsageError
from groundwire.models import agreement, catalogue, hftokenizer, reading
from groundwire.models.agreement import Agreement
from groundwire.models.catalogue import Card

if TYPE_CHECKING:
    import onnx

    from groundwire.models.network import Facts

Precision = Literal["fp32", "int8"]
PRECISIONS: tuple[Precision, ...] = ("fp32", "int8")
SCHEMA = 1
FILE = "model.onnx"
LARGEST_PROTO = 1_900_000_000
"""Bytes of tensors beyond which they go to a file of their own: a protobuf message ends at 2 GiB."""


def export(
    checkpoint: Path,
    tokenizer: Path,
    card: Card,
    target: Path,
    *,
    precision: Precision = "fp32",
    progress: Callable[[str], None] = lambda _: None,
    largest_proto: int = LARGEST_PROTO,
) -> Agreement:
    """Write model.onnx, the tokenizer and config.json into `target` and return how far their scores agree with torch's.

    `checkpoint` holds config.json and safetensors, `tokenizer` the tokenizer's files (often the same folder). Raises
    MissingExtra without the extra, InputError for labels or a tokenizer that cannot be read, CorruptModel for weights
    that do not fit the card, UsageError for an unknown precision.
    """
    check(precision)
    from groundwire.models import network, quantise

    progress("reading the checkpoint")
    module, facts = network.load(checkpoint, card.kind)
    config = describe(card, facts, hftokenizer.write(tokenizer, facts.model_type, target))
    if card.kind == "seq2seq":
        _check_words(target)
    progress("exporting to ONNX")
    proto = network.trace(module, config["inputs"], config["output"])
    if precision == "int8":
        proto = quantise.store_weights_as_int8(proto)
    _save(proto, target / FILE, largest_proto)
    text = json.dumps(config, indent=2, ensure_ascii=False)
    (target / "config.json").write_text(text + "\n", encoding="utf-8")
    progress("comparing its scores with torch")
    arrays = _samples(target, config)
    return agreement.compare(
        _scores(network.run(module, arrays), card), _scores(_onnx_run(target, config, arrays), card)
    )


def check(precision: str) -> None:
    """Raise what can be known before anything is fetched: UsageError for the precision, MissingExtra for a package."""
    if precision not in PRECISIONS:
        raise UsageError(f"unknown precision {precision!r}", f"known: {', '.join(PRECISIONS)}")
    for module in ("torch", "transformers", "safetensors", "onnx", "onnxruntime", "google.protobuf"):
        require(module, "models")


def describe(card: Card, facts: Facts, tokenizer: Mapping[str, Any]) -> dict[str, Any]:
    """Return config.json of a model directory. Raises InputError and CorruptModel as `read_labels` does."""
    limits = [limit for limit in (card.max_length, facts.max_length) if limit is not None]
    return {
        "schema": SCHEMA,
        "name": card.name,
        "architecture": facts.model_type,
        "max_length": min(limits, default=None),
        "inputs": ["input_ids", "attention_mask", *(["token_type_ids"] if facts.token_types else [])],
        "output": catalogue.OUTPUTS[card.kind],
        "tokenizer": dict(tokenizer),
        "pair": {"kind": "segments"} if card.prompt is None else {"kind": "prompt", "prompt": card.prompt},
        "reading": read_labels(card, facts.labels).to_dict(),
        **({"languages": list(card.languages)} if card.languages else {}),
        **_encoder_settings(card, facts),
    }


def _encoder_settings(card: Card, facts: Facts) -> dict[str, Any]:
    """Return what config.json says of an encoder more than of a pair model."""
    if catalogue.OUTPUTS[card.kind] not in ("vectors", "terms"):
        return {}
    query = facts.query if card.query is None else card.query
    passage = facts.passage if card.passage is None else card.passage
    told: dict[str, Any] = {"sides": {"query": asdict(query), "passage": asdict(passage)}}
    return told if card.impact is None else told | {"impact": asdict(card.impact)}


def _check_words(folder: Path) -> None:
    """Raise CorruptModel when the words that are read as the answer are other pieces in this tokenizer."""
    tokenizer = hftokenizer.HubTokenizer.open(folder / hftokenizer.FILE)
    for word, i in catalogue.WORDS.items():
        if tokenizer.encode(word) != [i]:
            raise CorruptModel(f"the tokenizer has {word!r} as {tokenizer.encode(word)}, not [{i}] as T5's has it")


def read_labels(card: Card, labels: Mapping[int, str]) -> reading.Reading:
    """Return the card's reading, or for an open form the one that the checkpoint's own labels tell.

    Raises InputError when an open form's labels do not tell, CorruptModel when a card and labels that do tell differ.
    """
    if card.reading is None:
        return (reading.of_nli if card.name.startswith("nli:") else reading.of_cross_encoder)(labels)
    told = None
    with contextlib.suppress(InputError):  # many checkpoints name their labels LABEL_0, LABEL_1
        told = reading.of_nli(labels) if card.reading.entailment and len(labels) == 3 else None
    if card.reading.columns() > len(labels):
        raise CorruptModel(
            f"{card.name}: the checkpoint gives {len(labels)} logits, not {card.reading.columns()} or more"
        )
    if told is not None and told != card.reading:
        raise CorruptModel(f"{card.name}: the checkpoint names its labels otherwise than its card: {dict(labels)}")
    return card.reading


def _save(proto: onnx.ModelProto, path: Path, largest_proto: int) -> None:
    onnx_ = require("onnx", "models")
    if sum(len(tensor.raw_data) for tensor in proto.graph.initializer) <= largest_proto:
        onnx_.save_model(proto, str(path))
        return
    onnx_.save_model(
        proto, str(path), save_as_external_data=True, all_tensors_to_one_file=True, location=f"{path.name}.data"
    )


def _samples(folder: Path, config: Mapping[str, Any]) -> list[Any]:
    """Encode the sample pairs as the directory's own tokenizer does, one array an input."""
    told, prompt = config["tokenizer"], config["pair"].get("prompt")
    if told["kind"] == "wordpiece":
        encoder = hftokenizer.HubTokenizer.of_vocabulary(folder / told["file"], lowercase=told["lowercase"])
    else:
        encoder = hftokenizer.HubTokenizer.open(folder / told["file"], prompt)
    arrays = agreement.samples(encoder.encode, encoder.frame, config["max_length"])
    return arrays[: len(config["inputs"])]


def _onnx_run(folder: Path, config: Mapping[str, Any], arrays: list[Any]) -> Any:
    runtime = require("onnxruntime", "models")
    session = runtime.InferenceSession(str(folder / FILE), providers=["CPUExecutionProvider"])
    return session.run([config["output"]], dict(zip(config["inputs"], arrays, strict=True)))[0]


def _scores(outputs: Any, card: Card) -> Any:
    """Logits as they are; of an encoder the dot products among the samples, as one column."""
    encodes = catalogue.OUTPUTS[card.kind] in ("vectors", "terms")
    return (outputs @ outputs.T).reshape(-1, 1) if encodes else outputs
