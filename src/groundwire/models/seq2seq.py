"""Rerankers that answer with a word: monoT5 judges a passage, duoT5 says which of two is the better one.

monoT5 (Nogueira et al. 2020, arXiv 2003.06713) reads "Query: q Document: d Relevant:" and its score is log P(true), by
softmax over the words true and false alone. duoT5 (Pradeep et al. 2021, arXiv 2101.05667) reads a query with two documents
and gives P(document 0 is the more relevant one). The prompt's end is never cut, each input ends with its own </s>, padding
is masked, so that no score depends on the others of its batch; probabilities are summed as probabilities. Left out: which
passages are compared (the caller's), and aggregations of pairs other than the symmetric sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from groundwire.errors import CorruptModel
from groundwire.models.batching import TOKEN_BUDGET
from groundwire.models.execution import Direct, Execution
from groundwire.models.hftokenizer import Frame
from groundwire.models.pairing import Ids, TokenPair, arrays

if TYPE_CHECKING:
    from groundwire.models.backend import Backend, Logits
    from groundwire.models.config import Config
    from groundwire.models.hftokenizer import HubTokenizer
    from groundwire.models.memory import ScoreMemory
    from groundwire.models.pair import PairModel
    from groundwire.protocols import Pair

TRUE, FALSE = 0, 1
"""Columns of the two words in what the exported file gives."""


class MonoT5:
    """Fills the role RelevanceScorer. Safe for any number of threads; what was scored is remembered."""

    def __init__(self, pair: PairModel) -> None:
        """Read a pair model's two logits as true and false."""
        self.name, self.identity, self.precision = pair.name, pair.identity, pair.precision
        self._pair = pair

    def remember_in(self, memory: ScoreMemory) -> ScoreMemory:
        """Remember in this memory from now on, and return the one before."""
        return self._pair.remember_in(memory)

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """Score (query, passage) pairs: log P(true), at most 0. A long passage is cut at its end."""
        return _log_true(self._pair.logits(pairs)).tolist() if pairs else []

    def truncated(self, pairs: Sequence[Pair]) -> list[bool]:
        """Say of which pairs the passage was cut."""
        return self._pair.truncated(pairs)


@dataclass(frozen=True, slots=True)
class _Read:
    """The ids of a query and of the texts, and the tokens that there are for all three of a comparison."""

    query: Ids
    texts: list[Ids]
    room: int | None


@dataclass(frozen=True, slots=True, eq=False)
class _Comparing:
    """The kind of comparisons of one model: one gives P(document 0 is the more relevant one)."""

    name: str
    max_length: int | None
    frame: Frame
    backend: Backend
    budget: int

    @property
    def streams(self) -> int:
        return self.backend.streams

    def run(self, items: Sequence[TokenPair], width: int) -> list[float]:
        logits = self.backend.run(arrays(items, width, self.frame))
        if logits.shape != (len(items), 2) or not np.isfinite(logits).all():
            raise CorruptModel(f"{self.name}: model gave a non-finite number, or not two a comparison")
        chances: list[float] = np.exp(_log_true(logits)).tolist()
        return chances


class DuoT5:
    """Compares passages two by two. Safe for any number of threads. `identity` is the sha256 of its manifest."""

    def __init__(
        self,
        config: Config,
        tokenizer: HubTokenizer,
        backend: Backend,
        *,
        identity: str = "",
        budget: int = TOKEN_BUDGET,
        execution: Execution | None = None,
    ) -> None:
        self.name, self.identity, self.precision = config.name, identity, backend.precision
        self._tokenizer, self._max_length = tokenizer, config.max_length
        if len(tokenizer.around) != 4:
            raise CorruptModel(f"{config.name}: the prompt does not take a query and two documents")
        before, between, self._middle, after = (np.array(part, dtype=np.int64) for part in tokenizer.around)
        frame = Frame(before=tuple(before), between=tuple(between), after=tuple(after), types=(0, 0, 0, 0, 0))
        self._around = sum(map(len, tokenizer.around))
        self._kind = _Comparing(config.name, config.max_length, frame, backend, budget)
        self._execution = Direct() if execution is None else execution

    def prefer(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score texts by the symmetric sum over all ordered pairs, s_i = Σ_{j≠i} (p_ij + 1 − p_ji), in [0, 2(n − 1)].

        p_ij is the probability that text i is more relevant than text j; n texts take n(n − 1) comparisons. Equal texts
        are compared with each other too. Raises CorruptModel when the model gives a number that is not finite.
        """
        n = len(texts)
        found = dict(zip(permutations(range(n), 2), self.compare(query, texts), strict=True))
        return [sum(found[i, j] + 1 - found[j, i] for j in range(n) if j != i) for i in range(n)]

    def compare(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the probability that text i is more relevant than text j, for i, j of itertools.permutations.

        Where a comparison is too long, each text may have half of what the query leaves, and what one does not need.
        """
        read = self._read(query, texts)
        items = [self._join(read, i, j) for i, j in permutations(range(len(texts)), 2)]
        return self._execution.run(self._kind, items)

    def truncated(self, query: str, texts: Sequence[str]) -> list[bool]:
        """Say which texts are cut in any of their comparisons."""
        read = self._read(query, texts)
        cut = [False] * len(texts)
        for i, j in permutations(range(len(texts)), 2):
            cut[i] = cut[i] or _share(read, i, j)[0] < len(read.texts[i])
        return cut

    def _read(self, query: str, texts: Sequence[str]) -> _Read:
        ids = {text: np.array(self._tokenizer.encode(text), dtype=np.int64) for text in {query, *texts}}
        room = None if self._max_length is None else max(0, self._max_length - self._around)
        return _Read(ids[query][:room], [ids[text] for text in texts], room)

    def _join(self, read: _Read, i: int, j: int) -> TokenPair:
        first, second = _share(read, i, j)
        joined = np.concatenate([read.texts[i][:first], self._middle, read.texts[j][:second]])
        length = self._around - len(self._middle) + len(read.query) + len(joined)
        return TokenPair(read.query, joined, length, truncated=first + second < len(read.texts[i]) + len(read.texts[j]))


def _share(read: _Read, i: int, j: int) -> tuple[int, int]:
    """Return how many tokens of texts i and j are read beside each other."""
    first, second = len(read.texts[i]), len(read.texts[j])
    if read.room is None or len(read.query) + first + second <= read.room:
        return first, second
    left = read.room - len(read.query)
    return min(first, max(left // 2, left - second)), min(second, max(left // 2, left - first))


def _log_true(logits: Logits) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return log P(true) of each row, [n], by softmax over the two words."""
    chosen = logits.astype(np.float64)
    found: np.ndarray[tuple[int], np.dtype[np.float64]] = -np.logaddexp(0, chosen[:, FALSE] - chosen[:, TRUE])
    return found
