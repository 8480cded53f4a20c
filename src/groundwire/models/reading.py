"""Which column of a model's logits means what.

A checkpoint that is not in the catalogue says so in its own `id2label`; nothing is assumed from the order of the
columns, because it differs among published NLI models (0 is contradiction here, entailment there). Left out: applying
a reading to logits (`pair`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from groundwire.errors import InputError

_SUPPORTS = frozenset({"entailment", "entail", "entails", "entailed", "supports", "supported", "support"})
_REFUTES = frozenset({"contradiction", "contradict", "contradicts", "refutes", "refuted", "refute"})
_NEUTRAL = frozenset({"neutral", "not enough info", "nei", "notenoughinfo"})
_OTHERWISE = frozenset({"not entailment", "non entailment", "not supported", "unsupported"})
_RELEVANT = frozenset({"relevant", "relevance"})


@dataclass(frozen=True, slots=True, kw_only=True)
class EntailmentReading:
    """The columns of supports, refutes and neutral (None: no such class), and how logits become probabilities."""

    activation: Literal["softmax", "sigmoid"]
    supports: int
    refutes: int | None = None
    neutral: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevanceReading:
    """The column that is the relevance logit, and which of the two texts goes first."""

    column: int
    order: tuple[Literal["query", "passage"], Literal["query", "passage"]] = ("query", "passage")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenReading:
    """The output [batch, length] that has a logit for each token, read on text b alone: over 0, text a does not back it."""

    output: str
    segment: Literal[1] = 1
    positive: Literal["unsupported"] = "unsupported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a model can be asked: entailment, relevance, both, or (an embedder) neither; and the tokens of a claim."""

    entailment: EntailmentReading | None = None
    relevance: RelevanceReading | None = None
    tokens: TokenReading | None = None

    def columns(self) -> int:
        """Return the least number of logits that a model with this reading must give."""
        found = [] if self.relevance is None else [self.relevance.column]
        if (e := self.entailment) is not None:
            found += [column for column in (e.supports, e.refutes, e.neutral) if column is not None]
        return max(found, default=-1) + 1

    def to_dict(self) -> dict[str, Any]:
        """Return the `reading` object of config.json; `tokens` stands in it only where the model has them."""
        told = asdict(self)
        return told if self.tokens is not None else {name: told[name] for name in ("entailment", "relevance")}


def of_nli(id2label: Mapping[int, str]) -> Reading:
    """Read the columns of an NLI model by the names of its labels, in any order and any of the common spellings.

    Two-way models (entailment against the rest) give `refutes` None. Raises InputError, with the names that were found,
    when they do not say which column means what.
    """
    names = {column: _plain(label) for column, label in id2label.items()}
    supports, refutes = _only(names, _SUPPORTS), _only(names, _REFUTES)
    neutral, otherwise = _only(names, _NEUTRAL), _only(names, _OTHERWISE)
    three_way = len(names) == 3 and None not in (supports, refutes, neutral)
    two_way = len(names) == 2 and supports is not None and None in (refutes, otherwise) and refutes != otherwise
    if supports is None or not (three_way or two_way):
        raise InputError(
            f"the checkpoint's labels do not say which means entailment: {_shown(id2label)}",
            "an nli: model needs entailment, neutral and contradiction (or entailment and not_entailment) in id2label",
        )
    # A two-way "contradiction" is the whole rest of the probability, neutral included, so it is no refutation.
    reading = EntailmentReading(activation="softmax", supports=supports, refutes=refutes, neutral=neutral)
    if two_way:
        reading = EntailmentReading(activation="softmax", supports=supports)
    return Reading(entailment=reading)


def of_cross_encoder(id2label: Mapping[int, str]) -> Reading:
    """Read the relevance column of a cross-encoder: its only logit, or the one whose label is "relevant".

    Raises InputError, with the names that were found, when there are several columns and none is named so.
    """
    if len(id2label) == 1:
        return Reading(relevance=RelevanceReading(column=next(iter(id2label))))
    column = _only({i: _plain(label) for i, label in id2label.items()}, _RELEVANT)
    if column is None:
        raise InputError(
            f"the checkpoint's labels do not say which means relevance: {_shown(id2label)}",
            "a cross-encoder: model needs one logit, or a label named 'relevant' in id2label",
        )
    return Reading(relevance=RelevanceReading(column=column))


def _only(names: Mapping[int, str], wanted: frozenset[str]) -> int | None:
    found = [column for column, name in names.items() if name in wanted]
    return found[0] if len(found) == 1 else None


def _plain(label: str) -> str:
    return " ".join(label.lower().replace("_", " ").replace("-", " ").split())


def _shown(id2label: Mapping[int, str]) -> str:
    return ", ".join(f"{column} = {label}" for column, label in sorted(id2label.items()))
