"""config.json of a model directory: how its texts go in and how its numbers are read. Left out: writing one (`export`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from groundwire.errors import CorruptModel
from groundwire.models.reading import EntailmentReading, Reading, RelevanceReading, TokenReading

FILE = "config.json"
SCHEMA = 1
Input = Literal["input_ids", "attention_mask", "token_type_ids"]
Output = Literal["logits", "vectors", "terms", "answer"]
"""What the file gives: a pair's logits [n, k], a text's vector [n, d], a weight for each entry of the vocabulary [n, v], or
the logits of "true" and "false" as a pair's answer [n, 2].
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenizerConfig:
    """Which tokenizer, in which file. `lowercase` is for WordPiece; a tokenizer.json says it itself."""

    kind: Literal["wordpiece", "tokenizer_json"]
    file: str
    lowercase: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """How an encoder takes queries, or passages: `prefix` goes before the text, `lowercase` changes it first.

    `max_length` is in tokens with the special ones; None: as many as the model reads.
    """

    max_length: int | None = None
    prefix: str = ""
    lowercase: bool = False


ANY = Side()
"""A text as it is, up to what the model reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """How a sparse encoder's weights become whole numbers: round(weight / range · levels)."""

    range: float
    levels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """A further output of a pair model: the vector of a text that goes in alone, of length 1; `max_length` is in tokens."""

    output: str
    max_length: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """A model directory's own description.

    `max_length` is in tokens, all texts and what stands around them; None: any length. `prompt` holds {a} before {b} (and
    {b} before {c}, for a model that compares two passages), or is None for a model that takes segments. `output` names what
    the file gives. The two sides are an encoder's; `impact` is a sparse encoder's; `vector` says that a pair model is an
    encoder too. `languages` are those that it reads, as BCP 47 tags; none: not stated.
    """

    name: str
    architecture: str
    max_length: int | None
    inputs: tuple[Input, ...]
    output: Output
    tokenizer: TokenizerConfig
    prompt: str | None
    reading: Reading
    query: Side = ANY
    passage: Side = ANY
    impact: Impact | None = None
    vector: Vector | None = None
    languages: tuple[str, ...] = ()

    @property
    def evidence(self) -> int:
        """Which text of a pair is the evidence, 0 or 1; that one is cut when a pair is too long."""
        relevance = self.reading.relevance
        return 1 if relevance is not None and relevance.order == ("query", "passage") else 0


def read(folder: Path) -> Config:
    """Read config.json of a model directory. Raises CorruptModel when it is absent or not of the form above."""
    try:
        data = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CorruptModel(f"{folder.name}: {FILE} cannot be read") from error
    try:
        config = _config(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CorruptModel(f"{folder.name}: {FILE} is not of schema {SCHEMA}: {error!r}") from error
    if config.reading.entailment is not None and config.evidence != 0:
        raise CorruptModel(
            f"{folder.name}: {FILE} puts the premise first and the passage second; both are the evidence"
        )
    if config.reading.tokens is not None and config.reading.entailment is None:
        raise CorruptModel(f"{folder.name}: {FILE} reads the tokens of a claim but no entailment")
    return config


def _config(data: Mapping[str, Any]) -> Config:
    _one_of(data["schema"], (SCHEMA,))
    tokenizer, pair = data["tokenizer"], data["pair"]
    return Config(
        name=str(data["name"]),
        architecture=str(data["architecture"]),
        max_length=_limit(data["max_length"]),
        inputs=tuple(_one_of(name, get_args(Input)) for name in data["inputs"]),
        output=_one_of(data.get("output", "logits"), get_args(Output)),
        tokenizer=TokenizerConfig(
            kind=_one_of(tokenizer["kind"], ("wordpiece", "tokenizer_json")),
            file=_plain_name(tokenizer["file"]),
            lowercase=bool(tokenizer.get("lowercase", False)),
        ),
        prompt=pair["prompt"] if _one_of(pair["kind"], ("segments", "prompt")) == "prompt" else None,
        reading=_reading(data["reading"]),
        query=_side(data.get("sides", {}).get("query", {})),
        passage=_side(data.get("sides", {}).get("passage", {})),
        impact=_impact(data.get("impact")),
        vector=_vector(data.get("vector")),
        languages=tuple(str(tag) for tag in data.get("languages", ())),
    )


def _vector(data: Mapping[str, Any] | None) -> Vector | None:
    return None if data is None else Vector(output=str(data["output"]), max_length=_limit(data.get("max_length")))


def _side(data: Mapping[str, Any]) -> Side:
    return Side(
        max_length=_limit(data.get("max_length")),
        prefix=str(data.get("prefix", "")),
        lowercase=bool(data.get("lowercase", False)),
    )


def _impact(data: Mapping[str, Any] | None) -> Impact | None:
    if data is None:
        return None
    impact = Impact(range=float(data["range"]), levels=int(data["levels"]))
    if not (impact.range > 0 and impact.levels > 0):
        raise ValueError(f"{data!r} is no impact")
    return impact


def _reading(data: Mapping[str, Any]) -> Reading:
    entailment, relevance, tokens = data.get("entailment"), data.get("relevance"), data.get("tokens")
    return Reading(
        entailment=entailment
        and EntailmentReading(
            activation=_one_of(entailment["activation"], ("softmax", "sigmoid")),
            supports=int(entailment["supports"]),
            refutes=_column(entailment.get("refutes")),
            neutral=_column(entailment.get("neutral")),
        ),
        relevance=relevance
        and RelevanceReading(
            column=int(relevance["column"]),
            order=_order(relevance.get("order", ["query", "passage"])),
        ),
        tokens=tokens
        and TokenReading(
            output=str(tokens["output"]),
            segment=_one_of(tokens.get("segment", 1), (1,)),
            positive=_one_of(tokens.get("positive", "unsupported"), ("unsupported",)),
        ),
    )


def _order(value: Any) -> Any:
    return _one_of(tuple(value), (("query", "passage"), ("passage", "query")))


def _column(value: Any) -> int | None:
    return None if value is None else int(value)


def _limit(value: Any) -> int | None:
    if value is None or (type(value) is int and value > 0):
        return value
    raise ValueError(f"{value!r} is no max_length")


def _one_of(value: Any, known: tuple[Any, ...]) -> Any:
    if value not in known:
        raise ValueError(f"{value!r} is none of {known}")
    return value


def _plain_name(value: Any) -> str:
    """A file of the directory itself: no path leads out of it."""
    if not isinstance(value, str) or Path(value).name != value:
        raise ValueError(f"{value!r} is no file name")
    return value
