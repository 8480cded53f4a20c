"""Fitness: relevance to the question, plus what the sources say of the text.

    f = scale(relevance) + weight * ROUGE-n F1(target, text) + support * mean claim score + asked * words of the question
      + brief * brevity

Source: GAuGE (Kulkarni et al. 2024, arXiv 2409.00085), section 3: a candidate is to answer the question, by a cross-encoder,
and to stay with the seed passages, by ROUGE. The target is the seeds' texts joined by one space, and does not change while a
question evolves. As run by its authors: relevance is ELECTRA's raw logit, the weight (their lambda) 10, n is 1 or 2, words
are stemmed. Without the ROUGE term (weight 0) it is Gen2IR's fitness.

The last three terms are ours. Overlap rewards copying and misses a "not", so a checker judges the text against the seeds, claim
by claim. The mean counts the claims that have a score: what asserts nothing ("Of course.") is neither for nor against. A text
that cannot be checked (no claim in it, or the checker failed on it) is supported by nothing: 0. It must not be better than
one that was read and found unsupported; what it says instead is for the verdict on the answer to tell. Brevity is 1 for a
text of no words and falls by a hundredth with each, to 0: of two texts that say as much the shorter one is the better answer.
The words of the question that stand in the text, each weighing its letters, see what a small model of relevance misses, as
BM25 does beside it when passages are ranked.

Left out: who is scored when (the loop), texts that were scored before (the models remember), titles of the seeds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from groundwire.errors import CorruptModel, InputError, UnknownName, UsageError
from groundwire.evolve.scale import SCALES, Normalize, Scale, scale
from groundwire.protocols import Checker, Measure, RelevanceScorer
from groundwire.rouge import KINDS, Target
from groundwire.text import content_terms, word_bounds
from groundwire.types import Case, Passage, Verdict

LONGEST = 100
"""Words from which on a text is not brief at all."""
HEAVIEST = 12
"""Letters: a longer word of the question weighs no more."""
LAMBDA = 10.0
"""The weight of the ROUGE term beside ELECTRA's raw logit, as its authors ran it."""


@dataclass(frozen=True, slots=True)
class WeightedFitness:
    """The weighted sum of up to five terms; fills the role Fitness. A term whose weight is 0 is not computed.

    `weight` is that of ROUGE-`rouge` ("1" to "9" or "L"; None: no such term), in [0, 1] times the weight. `support` is that
    of the `checker`'s claim scores, in [0, 1] too, `asked` that of the question's words in the text, `brief` that of brevity,
    likewise. `normalize` and `floor` say on what
    scale relevance stands beside them (`groundwire.evolve.scale`). Raises UsageError and UnknownName for what cannot be.
    """

    relevance: RelevanceScorer
    weight: float = LAMBDA
    rouge: str | None = "1"
    normalize: Normalize = "none"
    checker: Checker | None = None
    support: float = 0.0
    floor: float = 0.0
    asked: float = 0.0
    brief: float = 0.0

    def __post_init__(self) -> None:
        if self.rouge is not None and self.rouge not in KINDS:
            raise UnknownName("kind of ROUGE", str(self.rouge), KINDS)
        if self.normalize not in SCALES:
            raise UnknownName("scale", str(self.normalize), SCALES)
        for name in ("weight", "support", "floor", "asked", "brief"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise UsageError(f"{name} is a finite number of 0 or more, got {value}", f"{name}=0 leaves it out")
        if self.support and self.checker is None:
            raise UsageError("support is weighed and there is no checker", "support=0")

    @property
    def name(self) -> str:
        """The sum as it is computed: `electra+10*rouge2`, `zscore(mini:cosine)+2*rouge1+1*support(default)`."""
        told = [self.relevance.name]
        if self.normalize != "none":
            floor = f",floor={_number(self.floor)}" if self.floor else ""
            told = [f"{self.normalize}({self.relevance.name}{floor})"]
        if self.overlaps is not None:
            told.append(f"{_number(self.weight)}*rouge{self.overlaps}")
        if self.judges is not None:
            told.append(f"{_number(self.support)}*support({self.judges.name})")
        if self.asked:
            told.append(f"{_number(self.asked)}*asked")
        if self.brief:
            told.append(f"{_number(self.brief)}*brevity")
        return "+".join(told)

    @property
    def overlaps(self) -> str | None:
        """The kind of ROUGE that is computed, None where none is."""
        return self.rouge if self.weight else None

    @property
    def judges(self) -> Checker | None:
        """The checker that is asked, None where none is."""
        return self.checker if self.support else None

    def of(self, question: str, seeds: Sequence[Passage], pool: Sequence[float]) -> Measure:
        """Return the measure for a question: `seeds` best first, `pool` the raw scores of all passages ranked for it.

        Raises InputError without seeds, and for a pool that is read and holds what is not a finite number.
        """
        if not seeds:
            raise InputError("a fitness is grounded in seeds, and there is none", "an answer needs a passage at least")
        return _Weighing(
            fitness=self,
            question=question,
            seeds=tuple(seeds),
            asked={term: min(len(term), HEAVIEST) for term in content_terms(question)} if self.asked else {},
            scale=scale(pool, self.normalize, floor=self.floor),
            target=Target(" ".join(seed.text for seed in seeds) if self.overlaps is not None else ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighing:
    """The fitness for one question; fills the role Measure."""

    fitness: WeightedFitness
    question: str
    seeds: tuple[Passage, ...]
    asked: Mapping[str, int]
    scale: Scale
    target: Target

    def score(self, texts: Sequence[str]) -> list[Mapping[str, float]]:
        """Return each text's raw "relevance", its "rouge", "support", "asked" and "brevity" where weighed, and the "total".

        Equal texts are scored once, all of them as one batch. Raises CorruptModel for a scorer that returns something
        else than one finite number a pair.
        """
        once = list(dict.fromkeys(texts))
        if not once:
            return []
        scored = dict(zip(once, self._terms(once), strict=True))
        return [dict(scored[text]) for text in texts]

    def _terms(self, texts: Sequence[str]) -> list[dict[str, float]]:
        weighted = self.fitness
        found: list[dict[str, float]] = [{"relevance": score} for score in self._relevance(texts)]
        totals = [self.scale.of(terms["relevance"]) for terms in found]
        if weighted.overlaps is not None:
            for i, text in enumerate(texts):
                found[i]["rouge"] = self.target.score(weighted.overlaps, text).f
                totals[i] += weighted.weight * found[i]["rouge"]
        if weighted.judges is not None:
            for i, supported in enumerate(self._support(weighted.judges, texts)):
                found[i]["support"] = supported
                totals[i] += weighted.support * supported
        if weighted.asked:
            for i, text in enumerate(texts):
                found[i]["asked"] = self._asked(text)
                totals[i] += weighted.asked * found[i]["asked"]
        if weighted.brief:
            for i, text in enumerate(texts):
                found[i]["brevity"] = brevity(text)
                totals[i] += weighted.brief * found[i]["brevity"]
        return [{**terms, "total": total} for terms, total in zip(found, totals, strict=True)]

    def _relevance(self, texts: Sequence[str]) -> list[float]:
        scorer = self.fitness.relevance
        scores = [float(score) for score in scorer.score([(self.question, text) for text in texts])]
        if len(scores) != len(texts):
            raise CorruptModel(f"{scorer.name} returned {len(scores)} scores for {len(texts)} pairs", "check its code")
        if not all(map(math.isfinite, scores)):
            raise CorruptModel(f"{scorer.name} returned a score that is not a finite number", "check the model")
        return scores

    def _asked(self, text: str) -> float:
        """Return the share of the question's words that stand in the text, in [0, 1]; 0 for a question without any."""
        held = set(content_terms(text))
        return sum(n for term, n in self.asked.items() if term in held) / max(1, sum(self.asked.values()))

    def _support(self, checker: Checker, texts: Sequence[str]) -> list[float]:
        """Return each text's mean claim score over the seeds, in [0, 1]."""
        question = self.question.strip() or None
        cases = [Case(id=str(i), answer=t, contexts=self.seeds, question=question) for i, t in enumerate(texts)]
        return [_mean(verdict) for verdict in checker.check(cases)]


def brevity(text: str) -> float:
    """Return how brief a text is, in [0, 1]: 1 without words, 0 from `LONGEST` words on."""
    return max(0.0, 1.0 - len(word_bounds(text)) / LONGEST)


def _mean(verdict: Verdict) -> float:
    """Return the mean score of the claims that have one, the answer's own where none has, 0 where it has none either."""
    if verdict.score is None:
        return 0.0
    scores = [claim.score for claim in verdict.claims if claim.score is not None]
    return fmean(scores) if scores else verdict.score


def _number(value: float) -> str:
    """Write a weight so that it can be read back: 10, 0.5."""
    return repr(float(value)).removesuffix(".0")
