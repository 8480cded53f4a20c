"""Spans: which words of the answer an unsupported claim's premises do not back, as views into the answer.

A model that reads tokens has a logit for each token of the claim and each premise. What one premise lacks another may
have, so a word, which is as unbacked as its worst token, is as unbacked as in that of the best premises which backs it best,
and marked from a fitted threshold on. Where the model marks nothing, numbers and names that no premise has are
marked; where there are none of these either, nothing is: then no part of the claim is known to be better backed.

Left out: whether the claim is supported (`fused`), the fitting of the threshold (`groundwire.training.spans`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.judge.lexical import Lexicon
from groundwire.text import is_stop_word, word_bounds
from groundwire.types import Claim, Finding, Span, TokenLogits

PREMISES = 3
"""How many premises, those that support the claim most, may back its words; far ones share tokens by chance."""
BRIDGED = 3
"""The most stop words between two marked words that are marked with them: "in the spring of 1932" is one span."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the answer, as far as a claim goes: (start, end) in the claim's text, and how unbacked it is (log-odds)."""

    start: int
    end: int
    logit: float


def words(claim: Claim, findings: Sequence[Finding]) -> list[Word]:
    """Return the claim's words that are the answer's own, with their logits; empty where no premise was read by token.

    Words that the model did not read are left out.
    """
    best = sorted((f for f in findings if f.tokens), key=lambda f: -f.entailment.supports)[:PREMISES]
    own = _own_words(claim)
    read = [_worst(own, finding.tokens) for finding in best if finding.tokens]
    logits = {place: [one[place] for one in read if place in one] for place in own}
    return [Word(*place, min(each)) for place, each in logits.items() if each]


def _worst(own: Sequence[tuple[int, int]], tokens: TokenLogits) -> dict[tuple[int, int], float]:
    """Return the highest logit of the tokens of each word that one premise was read for."""
    found: dict[tuple[int, int], float] = {}
    first = 0
    for start, end in own:
        while first < len(tokens.bounds) and tokens.bounds[first][1] <= start:
            first += 1
        last = first
        while last < len(tokens.bounds) and tokens.bounds[last][0] < end:
            last += 1
        if first < last:
            found[start, end] = max(tokens.logits[first:last])
    return found


def unbacked(claim: Claim, findings: Sequence[Finding], threshold: float) -> tuple[Span, ...]:
    """Return the words of an unsupported claim that none of its premises backs, as spans of the answer in their order.

    `threshold` is the logit over which a word is marked. Neighbouring marked words are one span, also over a few stop
    words. Empty where nothing sets some of the words apart.
    """
    marked = {(word.start, word.end) for word in words(claim, findings) if word.logit > threshold}
    own = _own_words(claim)
    if not marked:
        missing = Lexicon([finding.premise.text for finding in findings]).missing(claim.text)
        marked = _touched(own, sorted(missing))
    return tuple(_placed(claim, joined) for joined in _joined(claim.text, own, marked))


def _own(claim: Claim) -> tuple[int, int]:
    """Return where in the claim's text the words of its span stand; nowhere for a text that is not these words."""
    if claim.own is not None:
        return claim.own.start, claim.own.end
    return (0, len(claim.text)) if len(claim.text) == claim.span.end - claim.span.start else (0, 0)


def _own_words(claim: Claim) -> list[tuple[int, int]]:
    start, end = _own(claim)
    return [(start + first, start + last) for first, last in word_bounds(claim.text[start:end])]


def _touched(own: Sequence[tuple[int, int]], places: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the words that any of the sorted places overlaps."""
    touched: set[tuple[int, int]] = set()
    at = 0
    for start, end in own:
        while at < len(places) and places[at][1] <= start:
            at += 1
        if at < len(places) and places[at][0] < end:
            touched.add((start, end))
    return touched


def _joined(text: str, own: Sequence[tuple[int, int]], marked: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return (start, end) of the runs of marked words, over at most BRIDGED stop words between two of them."""
    runs: list[tuple[int, int]] = []
    between = BRIDGED + 1
    for start, end in own:
        if (start, end) in marked:
            if between <= BRIDGED:
                runs[-1] = (runs[-1][0], end)
            else:
                runs.append((start, end))
            between = 0
        else:
            between += 1 if is_stop_word(text[start:end]) else BRIDGED + 1
    return runs


def _placed(claim: Claim, bounds: tuple[int, int]) -> Span:
    shift = claim.span.start - _own(claim)[0]
    return Span(source=claim.span.source, start=bounds[0] + shift, end=bounds[1] + shift)
