"""What a sentence encoder's folder says of itself: how token vectors become one vector, and how texts go in.

The files are those of sentence-transformers (Reimers and Gurevych, EMNLP 2019): modules.json names the steps in their
order, each with a folder for its settings; config_sentence_transformers.json has the prompts. Nothing is assumed that
they do not say. Left out: the network (`heads`), several poolings side by side, pooling without the prompt's tokens, a
transformer in a folder of its own, and every step not named below.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from groundwire.errors import InputError
from groundwire.models.config import Side

Pooling = Literal["cls", "mean", "max"]
"""The first token's vector, or the mean or largest number over the attended tokens."""
Kind = Literal["dense", "layernorm", "normalize"]
_PROMPTS: Mapping[str, tuple[str, ...]] = {"query": ("query",), "passage": ("document", "passage", "corpus")}
"""Names that a side's prompt goes by, the first that is there counts."""
_ACTIVATIONS = ("Identity", "Tanh")
_POOLED = "sentence_embedding"
"""What a dense layer must read: the pooled vector, not each token's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is done to a pooled vector. `folder` holds its weights; `tanh` says what follows a dense layer."""

    kind: Kind
    folder: str
    tanh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """From token vectors to one vector, and how texts go in. `max_length` None: not stated."""

    pooling: Pooling
    steps: tuple[Step, ...]
    max_length: int | None
    query: Side
    passage: Side


def read(folder: Path) -> Layout:
    """Read a checkpoint folder. Raises InputError when it does not say, or says what is not done here."""
    modules = _json(folder / "modules.json", [])
    if not modules:
        raise InputError(
            "the checkpoint does not say how its vectors are pooled: it has no modules.json",
            "an encoder: model needs the files of sentence-transformers",
        )
    named = [(str(module["type"]).rpartition(".")[2], str(module["path"])) for module in modules]
    if named[0] != ("Transformer", "") or len(named) < 2 or named[1][0] != "Pooling":
        raise InputError("the checkpoint's modules are not a transformer and a pooling, then what follows")
    settings = {}
    for path in sorted(folder.glob("sentence_*_config.json")):
        settings = _json(path, {})
    told = _json(folder / "config_sentence_transformers.json", {})
    lowercase = bool(settings.get("do_lower_case", False))
    return Layout(
        pooling=_pooling(_json(folder / named[1][1] / "config.json", {})),
        steps=tuple(_step(kind, path, folder) for kind, path in named[2:]),
        max_length=settings.get("max_seq_length"),
        query=Side(prefix=_prompt(told, "query"), lowercase=lowercase),
        passage=Side(prefix=_prompt(told, "passage"), lowercase=lowercase),
    )


def _pooling(told: Mapping[str, Any]) -> Pooling:
    modes = told.get("pooling_mode")
    if modes is None:
        flags = {"cls": "cls_token", "mean": "mean_tokens", "max": "max_tokens"}
        others = {key for key, value in told.items() if key.startswith("pooling_mode_") and value}
        modes = [mode for mode, flag in flags.items() if f"pooling_mode_{flag}" in others]
        modes += sorted(others - {f"pooling_mode_{flag}" for flag in flags.values()})
    modes = [modes] if isinstance(modes, str) else list(modes)
    if len(modes) != 1 or modes[0] not in get_args(Pooling) or not told.get("include_prompt", True):
        raise InputError(f"the checkpoint pools by {', '.join(modes) or 'nothing'}, not by one of cls, mean, max")
    found: Pooling = modes[0]
    return found


def _step(kind: str, path: str, folder: Path) -> Step:
    name = kind.lower()
    if name not in get_args(Kind):
        raise InputError(f"the checkpoint has a module {kind}, which is none of Dense, LayerNorm, Normalize")
    found: Kind = name  # type: ignore[assignment]  # it is one of them
    if name != "dense":
        return Step(kind=found, folder=path)
    told = {"activation_function": "Tanh", "module_input_name": _POOLED} | _json(folder / path / "config.json", {})
    activation = str(told["activation_function"] or "Identity").rpartition(".")[2]
    if activation not in _ACTIVATIONS or told.get("use_residual") or told["module_input_name"] != _POOLED:
        raise InputError(f"the checkpoint's module {path} is no dense layer followed by {' or '.join(_ACTIVATIONS)}")
    return Step(kind=found, folder=path, tanh=activation == "Tanh")


def _prompt(told: Mapping[str, Any], side: str) -> str:
    prompts = told.get("prompts") or {}
    names = [*_PROMPTS[side], told.get("default_prompt_name")]
    return next((str(prompts[name]) for name in names if name in prompts), "")


def _json(path: Path, absent: Any) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else absent
