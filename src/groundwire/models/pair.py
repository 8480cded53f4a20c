"""The pair engine: (text a, text b) → logits, and the two ways to read them, entailment and relevance.

    pairs → distinct → not remembered → token pairs → batches (execution) → logits → remembered → in the order asked for

A score does not depend on what else is in the call, on its order or on threads: differences stay below 1e-5 in fp32 and
int8 (measured: 1e-6 and 0). In bf16 sums round otherwise in a batch of another shape: a hundredth of the scores' spread.
Left out: windows over long evidence (the caller's), what runs together (`execution`), the network (`backend`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from groundwire.errors import CorruptModel, UsageError
from groundwire.models.batching import TOKEN_BUDGET
from groundwire.models.execution import Direct, Execution
from groundwire.models.memory import Scored, ScoreMemory, digest
from groundwire.models.pairing import Pairing, Tokenizer, TokenPair, arrays
from groundwire.types import Entailment, Reading, TokenLogits

if TYPE_CHECKING:
    from groundwire.models.backend import Backend, Logits
    from groundwire.models.config import Config
    from groundwire.models.reading import EntailmentReading
    from groundwire.protocols import Pair

_HIGHEST = 1000.0
"""The largest token logit that is kept, well within float16."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scoring:
    """The kind of pairs of one model: a pair gives its row of logits [k], and that of its tokens [width] or None."""

    config: Config
    tokenizer: Tokenizer
    backend: Backend
    budget: int

    @property
    def max_length(self) -> int | None:
        return self.config.max_length

    @property
    def streams(self) -> int:
        return self.backend.streams

    def run(self, items: Sequence[TokenPair], width: int) -> list[tuple[Any, Any]]:
        taken = arrays(items, width, self.tokenizer.frame)
        tokens: Any = [None] * len(items)
        if self.config.reading.tokens is None:
            logits = self.backend.run(taken)
        else:
            logits, tokens = self.backend.run_with_tokens(taken)
        name, columns = self.config.name, self.config.reading.columns()
        if logits.ndim != 2 or len(logits) != len(items) or logits.shape[1] < columns:
            raise CorruptModel(f"{name}: model gave {logits.shape}, not ({len(items)}, {columns} or more) logits")
        if not np.isfinite(logits).all():
            raise CorruptModel(f"{name}: model gave a non-finite score")
        return list(zip(logits, tokens, strict=True))


class PairModel:
    """A cross-encoder or NLI model; fills the roles EntailmentModel, PairReader and RelevanceScorer, as far as it has the
    readings.

    Safe for any number of threads. `identity` is the sha256 of its manifest, `languages` are the tags of those that it
    reads (none: not stated). `memory` keeps what was scored.
    """

    def __init__(
        self,
        config: Config,
        tokenizer: Tokenizer,
        backend: Backend,
        *,
        identity: str = "",
        memory: ScoreMemory | None = None,
        budget: int = TOKEN_BUDGET,
        execution: Execution | None = None,
    ) -> None:
        self.name, self.languages = config.name, config.languages
        self.identity = identity
        self.precision = backend.precision
        self._config, self._tokenizer, self._backend = config, tokenizer, backend
        self._memory = ScoreMemory() if memory is None else memory
        self._kind = _Scoring(config, tokenizer, backend, budget)
        self._execution = Direct() if execution is None else execution

    @property
    def max_length(self) -> int | None:
        """The most tokens of a pair, those around the texts counted; None where there is no limit."""
        return self._config.max_length

    def remember_in(self, memory: ScoreMemory) -> ScoreMemory:
        """Remember in this memory from now on, and return the one before. Not while another thread scores."""
        before, self._memory = self._memory, memory
        return before

    def logits(self, pairs: Sequence[Pair]) -> Logits:
        """Return the logits of (text a, text b) pairs in the model's own order, float32 [n, k]; [0, 0] for no pairs.

        Raises CorruptModel when the model gives a number that is not finite.
        """
        return _table(self._scored(pairs))

    def entail(self, pairs: Sequence[Pair]) -> list[Entailment]:
        """Judge (premise, claim) pairs. Raises UsageError for a model that reads no entailment."""
        reading = self._entailment()
        return _entailments(self.logits(pairs), reading)

    def read(self, pairs: Sequence[Pair]) -> list[Reading]:
        """Judge (premise, claim) pairs, and by the same run their relevance and the tokens of each claim; raises as `entail`.

        Relevance is read where the model reads it of (passage, query), the claim being the query. The logits of tokens are
        rounded to half precision.
        """
        scored = self._scored(pairs)
        table = _table(scored)
        entailments = _entailments(table, self._entailment())
        relevance = self._config.reading.relevance
        column = relevance.column if relevance is not None and relevance.order[0] == "passage" else None
        return [
            Reading(
                entailment=entailment,
                relevance=None if column is None else float(row[column]),
                tokens=tokens,
            )
            for entailment, row, tokens in zip(entailments, table, self._tokens(pairs, scored), strict=True)
        ]

    def _tokens(self, pairs: Sequence[Pair], scored: Sequence[Scored]) -> list[TokenLogits | None]:
        if self._config.reading.tokens is None:
            return [None] * len(pairs)
        bounds = {claim: tuple(self._tokenizer.offsets(claim)) for claim in {claim for _, claim in pairs}}
        return [_token_logits(bounds[claim], one.tokens) for (_, claim), one in zip(pairs, scored, strict=True)]

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """Score (query, passage) pairs: raw logits, unbounded. Raises UsageError for a model without relevance."""
        reading = self._config.reading.relevance
        if reading is None:
            raise UsageError(f"{self.name} does not score relevance", "take a cross-encoder: model or the built-in one")
        if not pairs:
            return []
        placed = pairs if reading.order[0] == "query" else [(passage, query) for query, passage in pairs]
        return [float(logit) for logit in self.logits(placed)[:, reading.column]]

    def truncated(self, pairs: Sequence[Pair]) -> list[bool]:
        """Say which (text a, text b) pairs are longer than the model reads; asked after scoring it costs nothing."""
        known = self._memory.find(_keys(pairs))
        pairing = self._pairing()
        return [
            pairing.encode(pair).truncated if scored is None else scored.truncated
            for pair, scored in zip(pairs, known, strict=True)
        ]

    def _entailment(self) -> EntailmentReading:
        reading = self._config.reading.entailment
        if reading is None:
            raise UsageError(f"{self.name} does not judge entailment", "take an nli: model or the built-in one")
        return reading

    def _scored(self, pairs: Sequence[Pair]) -> list[Scored]:
        keys = _keys(pairs)
        distinct = dict(zip(keys, pairs, strict=True))
        remembered = self._memory.find(list(distinct))
        known = {key: scored for key, scored in zip(distinct, remembered, strict=True) if scored is not None}
        fresh = {key: pair for key, pair in distinct.items() if key not in known}
        if fresh:
            new = dict(zip(fresh, self._run(list(fresh.values())), strict=True))
            self._memory.put(new.items())
            known |= new
        return [known[key] for key in keys]

    def _run(self, pairs: Sequence[Pair]) -> list[Scored]:
        """Score distinct pairs, in their order."""
        pairing = self._pairing()
        encoded = [pairing.encode(pair) for pair in pairs]
        return [
            Scored(row.tobytes(), pair.truncated, b"" if tokens is None else self._claim_tokens(pair, tokens))
            for pair, (row, tokens) in zip(encoded, self._execution.run(self._kind, encoded), strict=True)
        ]

    def _claim_tokens(self, pair: TokenPair, row: Any) -> bytes:
        """Return the logits of text b as float16 bytes, from those of the whole row [width]."""
        frame = self._tokenizer.frame
        start = len(frame.before) + len(pair.first) + len(frame.between)
        claim = row[start : start + len(pair.second)]
        if len(claim) != len(pair.second) or not np.isfinite(claim).all():
            raise CorruptModel(f"{self.name}: model gave no finite number for each token")
        return bytes(np.clip(claim, -_HIGHEST, _HIGHEST).astype(np.float16).tobytes())

    def _pairing(self) -> Pairing:
        return Pairing(self._tokenizer, max_length=self._config.max_length, evidence=self._config.evidence)


def _keys(pairs: Sequence[Pair]) -> list[bytes]:
    """Return a key a pair; each distinct text is digested once."""
    digests = {text: digest(text) for text in {text for pair in pairs for text in pair}}
    return [digests[a] + digests[b] for a, b in pairs]


def _table(scored: Sequence[Scored]) -> Logits:
    """Return the logits [n, k] of n scored pairs; [0, 0] for none."""
    flat = np.frombuffer(b"".join(one.logits for one in scored), dtype=np.float32)
    return flat.reshape(len(scored), -1) if scored else np.zeros((0, 0), dtype=np.float32)


def _token_logits(bounds: tuple[tuple[int, int], ...], logits: bytes) -> TokenLogits:
    """Return the tokens that were read; of a claim that was cut, its first ones."""
    found = tuple(np.frombuffer(logits, dtype=np.float16).tolist())
    return TokenLogits(bounds=bounds if len(bounds) == len(found) else bounds[: len(found)], logits=found)


def _entailments(logits: Logits, reading: EntailmentReading) -> list[Entailment]:
    """Read probabilities; softmax is over the entailment columns alone, or over all of a model that names only one."""
    if not len(logits):
        return []
    named = [c for c in (reading.supports, reading.refutes, reading.neutral) if c is not None]
    used = named if len(named) > 1 else list(range(logits.shape[1]))
    chosen = logits[:, used].astype(np.float64)
    if reading.activation == "sigmoid":
        probabilities = 1 / (1 + np.exp(-np.clip(chosen, -700, 700)))
    else:
        powers = np.exp(chosen - chosen.max(axis=1, keepdims=True))
        probabilities = powers / powers.sum(axis=1, keepdims=True)
    place = {column: i for i, column in enumerate(used)}

    def value(row: Any, column: int | None) -> float | None:
        return None if column is None else float(row[place[column]])

    return [
        Entailment(
            supports=float(row[place[reading.supports]]),
            refutes=value(row, reading.refutes),
            neutral=value(row, reading.neutral),
        )
        for row in probabilities
    ]
