"""Peers that count words: overlap, ROUGE, and the share of BM25 weight. They need nothing, and are hard to beat on summaries.

Each is a share of what the answer says, so it asks how much of the answer the contexts hold and never how much of the
contexts the answer holds: overlap and the BM25 share by definition, ROUGE by its precision (F1 and recall on request).
All three read the contexts as one text.

Left out: our own lexical judge (`groundwire.judge`), which is not a peer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from groundwire.analysis import Analyzer, analyzer
from groundwire.evals.peers.peer import Opinion, context_of
from groundwire.rouge import Target, tokens
from groundwire.text import folded_words, sentence_bounds
from groundwire.types import Case

SUBSEQUENCE = "L"
NO_WORDS = "the answer holds no word"
NO_TERMS = "the answer holds no term, only words that BM25 leaves out"


@dataclass(frozen=True, slots=True)
class Overlap:
    """The share of the answer's n-grams, each as often as it stands there, that stand somewhere in the contexts.

    Words are case-folded; stop words count. An answer of fewer than `n` words is counted by as many as it has.
    """

    n: int = 1

    @property
    def model(self) -> str:
        """What counts."""
        return {1: "words", 2: "bigrams"}.get(self.n, f"{self.n}-grams")

    def score(self, cases: Sequence[Case]) -> list[Opinion]:
        """Score every case."""
        return [self._opinion(case) for case in cases]

    def _opinion(self, case: Case) -> Opinion:
        words = folded_words(case.answer)
        if not words:
            return Opinion(score=None, reason=NO_WORDS)
        n = min(self.n, len(words))
        # No n-gram runs over the end of a context: they were never one text.
        held = {gram for passage in case.contexts for gram in _ngrams(folded_words(passage.text), n)}
        asked = _ngrams(words, n)
        return Opinion(score=sum(gram in held for gram in asked) / len(asked))


@dataclass(frozen=True, slots=True)
class Rouge:
    """ROUGE-`kind` ("1" to "9", "L") of the answer against the contexts: precision, recall or F1, as `rouge_score` has it.

    An answer in which ROUGE sees no word (none in a-z and 0-9), or none of n words in a row, cannot be scored.
    """

    kind: str = "1"
    measure: Literal["precision", "recall", "f"] = "precision"

    @property
    def model(self) -> str:
        """What counts."""
        return f"rouge-{self.kind} {self.measure}"

    def score(self, cases: Sequence[Case]) -> list[Opinion]:
        """Score every case."""
        return [self._opinion(case) for case in cases]

    def _opinion(self, case: Case) -> Opinion:
        if len(tokens(case.answer)) < (1 if self.kind == SUBSEQUENCE else int(self.kind)):
            return Opinion(score=None, reason=f"the answer holds nothing that ROUGE-{self.kind} counts")
        measured = Target(context_of(case)).score(self.kind, case.answer)
        return Opinion(score=float(getattr(measured, self.measure)))


@dataclass(frozen=True, slots=True)
class Bm25Share:
    """The share of the answer's BM25 weight that the contexts hold: Σ of w_t over the terms that they hold / Σ over all.

    w_t = times the term stands in the answer · ln(1 + (N - n + .5) / (n + .5)), BM25's weight of a query term, where N is
    the number of sentences of the contexts and n how many of them hold it. So a word that stands nowhere weighs most, and
    one that stands in every sentence least. BM25's other half, how often a text holds a term and how long it is, says
    which text is best and not whether the term is backed; it is left out. Terms are those of the index (`english`).
    """

    terms: Callable[[str], list[str]] = field(default_factory=lambda: _english().terms)

    @property
    def model(self) -> str:
        """What counts."""
        return "bm25 weights"

    def score(self, cases: Sequence[Case]) -> list[Opinion]:
        """Score every case."""
        return [self._opinion(case) for case in cases]

    def _opinion(self, case: Case) -> Opinion:
        asked = Counter(self.terms(case.answer))
        if not asked:
            return Opinion(score=None, reason=NO_TERMS)
        holding: Counter[str] = Counter()
        sentences = 0
        for passage in case.contexts:
            for start, end in sentence_bounds(passage.text):
                holding.update(set(self.terms(passage.text[start:end])))
                sentences += 1
        weights = {term: times * _weight(sentences, holding[term]) for term, times in asked.items()}
        held = sum(weight for term, weight in weights.items() if holding[term])
        return Opinion(score=held / sum(weights.values()))


def _english() -> Analyzer:
    return analyzer("english")


def _weight(sentences: int, holding: int) -> float:
    return math.log(1 + (sentences - holding + 0.5) / (holding + 0.5))


def _ngrams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return list(zip(*(words[i:] for i in range(n)), strict=False))
