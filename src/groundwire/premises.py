"""Premises: which texts each claim is judged against.

`Combined` and `PerSource` are Provenance's two modes (arXiv 2411.01022, sections 6.2 and 6.3). `Shortlist` is ours: a claim
need not be judged against every window of every source when its words stand in a handful of them (these can be read once more
with what stands around them, `surroundings`); and a claim whose facts stand far apart is also judged against the few sentences
that together hold its words.

Left out: models. Nothing here costs more than looking words up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from groundwire.errors import UnknownName, UsageError
from groundwire.protocols import PremiseBuilder
from groundwire.surroundings import surrounded
from groundwire.text import names, sentence_bounds
from groundwire.text.roots import has_digit, rarity, root, roots
from groundwire.types import Claim, Premise, Source, Span

FLOOR = 0.65
"""The least that a source on a shortlist shares with the claim, as a share of what the best one does."""
NEAR = 0.2
"""The same for the sources whose sentences may be gathered: what completes a fact often shares little of the claim."""
GATHERED = 3
"""How many times as many sources as there are windows may give sentences to gather."""
LINKED, UNNAMED = 300, 410
"""What is shared with the claim (`text.roots.rarity`) by a sentence of another context before it completes what was gathered:
with a name or a number of the claim's (or beside a sentence of that context), and without. At least two things and three,
then, and more of common words: what talks of something else shares these with a claim, seldom its names."""
UNSHARED = 16
"""Sources that a claim is judged against when it shares no word with any: a paraphrase, or another language."""
HALVED = 300
"""Characters (50 words) at which sharing counts half: the longer a text, the more it shares by chance."""
EXAMPLE = "shortlist:3:4"
"""What a hint shows of the form of a shortlist."""


@dataclass(frozen=True, slots=True)
class Combined:
    """All selected sources joined by one space into one premise (Provenance, section 6.2).

    `order` "source" restores the order of the contexts; "score" joins by falling relevance, as experiment 0.1 did.
    """

    order: Literal["source", "score"] = "source"

    def __str__(self) -> str:
        return "combined" if self.order == "source" else "combined:score"

    def build(
        self, claims: Sequence[Claim], sources: Sequence[Source], weights: Sequence[float]
    ) -> list[list[Premise]]:
        """Return one premise for every claim."""
        order = list(range(len(sources)))
        if self.order == "score":
            order.sort(key=lambda i: (-(sources[i].relevance or 0.0), -weights[i], i))
        joined = Premise(
            text=" ".join(sources[i].text for i in order),
            sources=tuple(sources[i] for i in order),
            weights=tuple(weights[i] for i in order),
        )
        return [[joined] for _ in claims]


@dataclass(frozen=True, slots=True)
class PerSource:
    """Each selected source is a premise of its own (Provenance, section 6.3)."""

    def __str__(self) -> str:
        return "per-source"

    def build(
        self, claims: Sequence[Claim], sources: Sequence[Source], weights: Sequence[float]
    ) -> list[list[Premise]]:
        """Return one premise a source for every claim."""
        premises = [_single(source, weight) for source, weight in zip(sources, weights, strict=True)]
        return [premises for _ in claims]


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The `windows` sources that share most with the claim, each also with its neighbours up to `around` words (0: never), and
    one premise of the `sentences` that together cover the claim. A window that stands in the surroundings of a better one
    brings none of its own.

    Sharing is measured by the roots of content words in common, each weighing what it says (`text.roots`), for the source's
    length: a measure of the claim and the source alone, so that further sources cannot change the order of those that were
    there. Sources that share less than `FLOOR` of what the best one shares are not about the claim and are left out.
    """

    windows: int = 4
    sentences: int = 4
    around: int = 0

    def __post_init__(self) -> None:
        if self.windows < 1 or self.sentences < 1 or self.around < 0:
            raise UsageError(
                f"a shortlist needs a window, a sentence and no fewer than 0 words around, got {self}", EXAMPLE
            )

    def __str__(self) -> str:
        around = f":{self.around}" if self.around else ""
        return f"shortlist:{self.windows}:{self.sentences}{around}"

    def build(
        self, claims: Sequence[Claim], sources: Sequence[Source], weights: Sequence[float]
    ) -> list[list[Premise]]:
        """Return the windows of every claim, best first, then the wider ones, and last the gathered sentences.

        A claim that shares no word with any source is judged against the first `UNSHARED` of them, as they are.
        """
        index = _TermIndex(sources)
        return [self._premises(claim, index, weights) for claim in claims]

    def _premises(self, claim: Claim, index: _TermIndex, weights: Sequence[float]) -> list[Premise]:
        terms = roots(claim.text)
        named = _named(claim.text) | {t: t for t in terms if has_digit(t)}
        ranked = index.ranked(terms)
        if not ranked:
            blind = [_single(source, weight) for source, weight in zip(index.sources[:UNSHARED], weights, strict=False)]
            return [*blind, blind[0]]
        best = [i for i, share in ranked if share >= FLOOR][: self.windows]
        near = [i for i, share in ranked if share >= NEAR][: GATHERED * self.windows]
        # Always last and always there, whatever else is on the list: what reads it must not find a window in its place.
        return [*self._windows(best, index, weights), self._gather(terms, named, near, index)]

    def _windows(self, best: Sequence[int], index: _TermIndex, weights: Sequence[float]) -> list[Premise]:
        """Return the windows, best first, then these with what stands around them.

        One that stands in the surroundings of one before it brings none of its own: it is read there.
        """
        wide: list[Premise] = []
        for i in best if self.around else ():
            if not any(_holds(premise.sources[0], index.sources[i]) for premise in wide):
                around = index.wide(i, self.around)
                wide += [_single(around, weights[i])] if around else []
        return [*(_single(index.sources[i], weights[i]) for i in best), *wide]

    def _gather(self, terms: set[str], named: Mapping[str, str], near: Sequence[int], index: _TermIndex) -> Premise:
        """Greedily take the sentence of the `near` sources that covers most of what is still uncovered.

        A sentence of another context than the first one's has to share `LINKED` or `UNNAMED` with the claim: a word in
        common with a text about something else, joined to what is about the claim, reads as if it were said of it.
        """
        candidates = {(s.index, s.span.start): (s, t) for i in near for s, t in index.sentences(i)}
        missing = set(terms)
        taken: list[Source] = []
        while len(taken) < self.sentences:
            gains = {
                key: sum(map(rarity, missing & found))
                for key, (sentence, found) in candidates.items()
                if _completes(sentence, terms & found, named, taken)
            }
            key = max(gains, key=lambda k: (gains[k], -k[0], -k[1]), default=None)
            if key is None or not gains[key]:
                break
            sentence, found = candidates.pop(key)
            missing -= found
            taken.append(sentence)
        taken.sort(key=lambda s: (s.index, s.span.start))
        return Premise(
            text="\n".join(_ended(s.text) for s in taken), sources=tuple(taken), weights=(1 / len(taken),) * len(taken)
        )


def _ended(sentence: str) -> str:
    """Return a sentence with a stop behind it: lines of a list run into each other without."""
    return sentence if not sentence[-1:].isalnum() else f"{sentence}."


def _named(text: str) -> dict[str, str]:
    """Return the terms of a text's names, each with the first name that it is of: words on a line beside each other are one."""
    found: dict[str, str] = {}
    loud = text.isupper()  # where every word is written as a name, neighbours are not one
    name, last = "", 0
    for (start, end), parts in names(text):
        gap = text[last:start]
        name = name if name and gap.isspace() and len(gap.splitlines()) == 1 and not loud else f"@{start}"  # no term
        for part in parts:
            found.setdefault(root(part), name)
        last = end
    return found


def _completes(sentence: Source, shared: set[str], named: Mapping[str, str], taken: Sequence[Source]) -> bool:
    """Whether a sentence that shares these terms with the claim belongs beside those that are taken.

    A name counts once, however many words it has: the United Kingdom alone links nothing.
    """
    contexts = [source.index for source in taken]
    if not contexts or sentence.index == contexts[0]:
        return True
    things: dict[str, int] = {}
    for term in shared:
        name = named.get(term, term)
        things[name] = max(things.get(name, 0), rarity(term))
    linked = named.keys() & shared or sentence.index in contexts
    return sum(things.values()) >= (LINKED if linked else UNNAMED)


def _holds(whole: Source, part: Source) -> bool:
    within = whole.span.start <= part.span.start and part.span.end <= whole.span.end
    return whole.index == part.index and within


def _single(source: Source, weight: float) -> Premise:
    return Premise(text=source.text, sources=(source,), weights=(weight,))


class _TermIndex:
    """Content terms of a case's sources: which sources hold a term, and the sentences inside a source."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self._postings: dict[str, list[int]] = defaultdict(list)
        self._sentences: dict[int, list[tuple[Source, set[str]]]] = {}
        self._places: dict[int, tuple[list[Source], int]] = {}
        self._wide: dict[tuple[int, int], Source | None] = {}
        for i, source in enumerate(sources):
            for term in roots(source.text):
                self._postings[term].append(i)

    def ranked(self, terms: set[str]) -> list[tuple[int, float]]:
        """Return (position, share of what the best source shares) of the sources that share a term, the best first.

        Equal ones stand in their order.
        """
        shared: dict[int, float] = defaultdict(float)
        for term in terms:
            for i in self._postings.get(term, ()):
                shared[i] += rarity(term)
        for i in shared:
            shared[i] /= 1 + len(self.sources[i].text) / HALVED
        most = max(shared.values(), default=1.0)
        return [(i, shared[i] / most) for i in sorted(shared, key=lambda i: (-shared[i], i))]

    def wide(self, i: int, most: int) -> Source | None:
        """Return source i with what stands around it, up to `most` words; None where nothing does."""
        if not self._places:
            self._place()
        if (i, most) not in self._wide:
            self._wide[i, most] = surrounded(*self._places[i], most)
        return self._wide[i, most]

    def _place(self) -> None:
        """Note of every source those of its context, in the order in which they stand there, and its place among them."""
        contexts: dict[int, list[Source]] = defaultdict(list)
        starts = [source.span.start for source in self.sources]
        for i in sorted(range(len(starts)), key=starts.__getitem__):
            beside = contexts[self.sources[i].index]
            self._places[i] = beside, len(beside)
            beside.append(self.sources[i])

    def sentences(self, i: int) -> list[tuple[Source, set[str]]]:
        """Return the sentences of source i as sources of their own, each with its terms."""
        if i not in self._sentences:
            whole = self.sources[i]
            parts = [_part(whole, start, end) for start, end in sentence_bounds(whole.text)]
            self._sentences[i] = [(part, roots(part.text)) for part in parts]
        return self._sentences[i]


def _part(source: Source, start: int, end: int) -> Source:
    """Return the part of a source that stands at these bounds of its text."""
    at = source.span.start
    span = Span(source=source.span.source, start=at + start, end=at + end)
    return Source(index=source.index, span=span, text=source.text[start:end])


def parse(spec: str) -> PremiseBuilder:
    """Make the builder that prints as `spec`: `combined`, `combined:score`, `per-source`, `shortlist:4:4`,
    `shortlist:2:4:160`."""
    kind, *rest = spec.split(":")
    if kind == "shortlist":
        try:
            return Shortlist(*(int(n) for n in rest))
        except (TypeError, ValueError) as error:
            raise UsageError(f"cannot read the numbers in {spec!r}", EXAMPLE) from error
    plain: dict[str, PremiseBuilder] = {
        "combined": Combined(),
        "combined:score": Combined(order="score"),
        "per-source": PerSource(),
    }
    if spec not in plain:
        raise UnknownName("premise mode", spec, [*plain, EXAMPLE])
    return plain[spec]
