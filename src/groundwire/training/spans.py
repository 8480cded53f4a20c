"""Fits the logit from which a word of an unsupported claim counts as not backed, on claims whose wrong words are known.

Two groups that weigh the same: the held-out share of human-marked claims, and held-out minimal pairs, whose edits are
known to the letter. The threshold is the one with the highest mean F1 of words. A claim in which nothing is marked counts
as that here, not as marked in whole, as the evaluation reads it: a threshold so low that something is always marked
would mark what is not known. Left out: the marking itself (`groundwire.judge.spans`), and anything from an evaluation set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np

from groundwire.check import CheckPath
from groundwire.errors import InputError
from groundwire.judge import FusedJudge
from groundwire.judge.spans import unbacked
from groundwire.judge.threshold import answer_of
from groundwire.protocols import Aggregator
from groundwire.text import word_bounds
from groundwire.training.metrics import f1
from groundwire.training.mixture import Mixture, load_samples
from groundwire.training.sample import Sample
from groundwire.training.sources import group_key, held_out, read
from groundwire.types import Case, Claim, ClaimVerdict, Finding, Label, Passage, Span

HUMAN = "wice-tokens-train"
PAIRS = "minimal pairs"
WITHOUT = frozenset(("", "unrelated", "instead", "tokens", "wrong_passage", "digest-near"))
"""Operators whose samples have no edited words: all of the claim is wrong, or it comes of the human-marked set."""
MOST = 600
"""The most minimal pairs: enough to place a threshold."""
GRID = tuple(float(x) for x in np.arange(-4.0, 4.01, 0.25))

Grouped = tuple[str, Case]
"""(group, case with gold spans)."""


def span_cases(mixture: Mixture, data: Path, work: Path, limit: int = MOST) -> list[Grouped]:
    """Return up to `limit` cases with gold spans of each group; `work` is where `prepare` wrote the held-out samples."""
    rows = [row for row in read(HUMAN, data) if held_out(group_key(row), mixture.validation_share)]
    human = [_case(row["id"], row["answer"], row["contexts"], row["spans"]) for row in rows]
    return [(HUMAN, case) for case in human[:limit]] + [(PAIRS, case) for case in pair_cases(mixture, work, limit)]


def pair_cases(mixture: Mixture, work: Path, limit: int) -> list[Case]:
    """Return up to `limit` held-out minimal pairs, the side that is not supported, with the edit as gold span."""
    samples = [s for s in load_samples(work / "training" / "validation.jsonl") if _is_pair(s)]
    Random(f"{mixture.seed}/spans").shuffle(samples)
    return [_case(f"pair-{i}", s.claim, [s.evidence], s.spans or ()) for i, s in enumerate(samples[:limit])]


def _is_pair(sample: Sample) -> bool:
    return bool(sample.spans) and sample.operator not in WITHOUT


def _case(name: str, answer: str, contexts: Sequence[str], spans: Sequence[Sequence[int]]) -> Case:
    return Case(
        id=name,
        answer=answer,
        contexts=tuple(Passage(id=str(i), text=text) for i, text in enumerate(contexts)),
        spans=tuple(Span(source="answer", start=span[0], end=span[1]) for span in spans),
    )


@dataclass(frozen=True, slots=True)
class _Kept:
    """A judge that marks nothing and keeps what it was given, whatever the fusion would say."""

    aggregate: Aggregator
    found: list[tuple[Claim, Sequence[Finding]]]

    def judge(self, claim: Claim, findings: Sequence[Finding], threshold: float) -> ClaimVerdict:
        """Keep a claim with its findings."""
        self.found.append((claim, findings))
        return ClaimVerdict(claim=claim, label=Label.NOT_ENOUGH_INFO, score=0.0)

    def answer(self, verdicts: Sequence[ClaimVerdict], threshold: float) -> tuple[Label, float]:
        """Join the claims as every judge does."""
        return answer_of(verdicts, self.aggregate, threshold)


@dataclass(frozen=True, slots=True)
class Doubted:
    """A claim with a gold span, its findings, and its group; `gold` marks the words of `bounds` (in the answer)."""

    group: str
    claim: Claim
    findings: Sequence[Finding]
    bounds: Sequence[tuple[int, int]]
    gold: Sequence[bool]

    def marks(self, threshold: float) -> list[bool]:
        """Say which words are marked."""
        spans = unbacked(self.claim, self.findings, threshold)
        return [_overlaps(word, spans) for word in self.bounds]


def collect(path: CheckPath, cases: Sequence[Grouped]) -> list[Doubted]:
    """Run the path; return every claim that holds a gold span, the fusion's verdict on it aside."""
    fused = path.judge
    if not isinstance(fused, FusedJudge):
        raise InputError("the threshold of spans is fitted for a path with a fused judge")
    kept = _Kept(fused.aggregate, [])
    replace(path, judge=kept).check([case for _, case in cases])
    by_id = {case.id: (group, case) for group, case in cases}
    found: list[Doubted] = []
    for claim, findings in kept.found:
        group, case = by_id[claim.id.rpartition("#")[0]]
        bounds = [word for word in word_bounds(case.answer) if _overlaps(word, [claim.span])]
        gold = [_overlaps(word, case.spans) for word in bounds]
        if any(gold):
            found.append(Doubted(group, claim, findings, bounds, gold))
    return found


def fit(rows: Sequence[Doubted]) -> tuple[float, dict[str, float]]:
    """Return the threshold with the highest mean F1 over the groups, and the F1 and number of claims of each group.

    Of equal ones the highest, which marks least. Raises InputError without rows.
    """
    if not rows:
        raise InputError("the threshold of spans needs claims with known spans", "run the step prepare first")
    groups = {group: [row for row in rows if row.group == group] for group in dict.fromkeys(r.group for r in rows)}
    means = [float(np.mean([_word_f1(members, t) for members in groups.values()])) for t in GRID]
    best = max(zip(means, GRID, strict=True))[1]
    report = {f"word_f1/{name}": _word_f1(members, best) for name, members in groups.items()}
    return best, report | {f"n_spans/{name}": float(len(members)) for name, members in groups.items()}


def _word_f1(rows: Sequence[Doubted], threshold: float) -> float:
    predicted = [mark for row in rows for mark in row.marks(threshold)]
    return f1(predicted, [mark for row in rows for mark in row.gold]) or 0.0


def _overlaps(word: tuple[int, int], spans: Sequence[Span]) -> bool:
    return any(span.start < word[1] and word[0] < span.end for span in spans)
