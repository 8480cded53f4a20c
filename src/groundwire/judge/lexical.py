"""Lexical evidence: what of a claim's wording stands in the sources. No model; linear in the sources and in the claim.

A claim whose words, word pairs, numbers and names all stand in a source is not thereby supported, and a paraphrase may
share none of them; but these signals see swapped numbers and invented names that a small model misses.

Left out: synonyms, embeddings, and any weighing of the signals against each other (`fuse.py`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from groundwire.judge.counts import Counts
from groundwire.quantities import Quantity, QuantityIndex, quantities
from groundwire.text import content_terms, folded_words, has_unspaced, names, term

SIGNALS = (
    "words",
    "words_weighted",
    "bigrams",
    "longest_run",
    "best_window_words",
    "best_window_bigrams",
    "has_numbers",
    "numbers_missing",
    "has_names",
    "names_missing",
)
"""The names of the signals, in the order in which `Lexicon.signals` gives them."""

_HEAVIEST = 12  # letters: a longer word weighs no more


def signals(claim: str, sources: Sequence[str]) -> dict[str, float]:
    """Return the lexical evidence for one claim; see `Lexicon.signals`. For many claims build one `Lexicon`."""
    return Lexicon(sources).signals(claim)


class Lexicon:
    """The words, word pairs and quantities of the sources, to look claims up in."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._term_sources: dict[str, list[int]] = defaultdict(list)
        self._bigram_places: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._starts: list[int] = []  # the place of each source's first word, all sources counted through
        self._sources = sources
        self._quantities: QuantityIndex | None = None
        self._counts: Counts | None = None
        self._found: list[list[Quantity]] | None = None
        place = 0
        for i, source in enumerate(sources):
            self._starts.append(place)
            words = folded_words(source)
            for at, bigram in enumerate(pairwise(words), start=place):
                self._bigram_places[bigram].append(at)
            place += len(words)
            terms = set(map(term, words))
            if has_unspaced(source):
                terms.update(content_terms(source))
            for found in terms:
                self._term_sources[found].append(i)

    def signals(self, claim: str) -> dict[str, float]:
        """Return the lexical evidence for a claim, every value in [0, 1]; a claim without words gives zeros.

        - words: share of its distinct content words (of all its words where it has no content word) in the sources;
          words_weighted: the same, each word weighing its letters; bigrams: share of its distinct pairs of adjacent words
        - longest_run: its longest run of words that stands in one source, as a share of its words
        - best_window_words, best_window_bigrams: the shares within the one source that has most
        - has_numbers: 1 when it has a quantity to look up: one that is not weak, or a small count of what the sources count
          too ("seven layers"); numbers_missing: share of these not in the sources
        - has_names: 1 when it has a name (a capital inside a sentence, or CamelCase or ALL CAPS anywhere);
          names_missing: share of these words not in the sources
        """
        words = folded_words(claim)
        if not words:
            return dict.fromkeys(SIGNALS, 0.0)
        terms, bigrams = _units(claim, words)
        found = {word for word in terms if word in self._term_sources}
        found_bigrams = {bigram for bigram in bigrams if bigram in self._bigram_places}
        numbers = self._looked_up(claim)
        called = {name for _, terms in names(claim) for name in terms}
        return {
            "words": _share(len(found), len(terms)),
            "words_weighted": _share(sum(map(_weight, found)), sum(map(_weight, terms))),
            "bigrams": _share(len(found_bigrams), len(bigrams)),
            "longest_run": _share(self._longest_run(words), len(words)),
            "best_window_words": _share(max(self._held(found).values(), default=0), len(terms)),
            "best_window_bigrams": _share(max(self._paired(found_bigrams).values(), default=0), len(bigrams)),
            "has_numbers": float(bool(numbers)),
            "numbers_missing": _share(sum(not stands for _, stands in numbers), len(numbers)),
            "has_names": float(bool(called)),
            "names_missing": _share(sum(name not in self._term_sources for name in called), len(called)),
        }

    def shares(self, claim: str) -> list[float]:
        """Return for each source the mean share of the claim's words and word pairs in it alone, in [0, 1]."""
        terms, bigrams = _units(claim, folded_words(claim))
        held, paired = self._held(terms), self._paired(bigrams)
        return [(_share(held[i], len(terms)) + _share(paired[i], len(bigrams))) / 2 for i in range(len(self._sources))]

    def _held(self, terms: Iterable[str]) -> Counter[int]:
        """Return how many of the terms each source holds."""
        return Counter(i for word in terms for i in self._term_sources.get(word, ()))

    def _paired(self, bigrams: Iterable[tuple[str, str]]) -> Counter[int]:
        """Return how many of the word pairs each source holds."""
        known = (bigram for bigram in bigrams if bigram in self._bigram_places)
        return Counter(i for bigram in known for i in self._sources_of(bigram))

    def missing(self, claim: str) -> list[tuple[int, int]]:
        """Return where in the claim its numbers and names stand that are in no source: (start, end), numbers first."""
        bounds = [(number.start, number.end) for number, stands in self._looked_up(claim) if not stands]
        return bounds + [
            place for place, terms in names(claim) if not all(name in self._term_sources for name in terms)
        ]

    def _looked_up(self, claim: str) -> list[tuple[Quantity, bool]]:
        """Return the claim's quantities and whether each stands in the sources; weak ones only where both count the same."""
        found = quantities(claim)
        strong = [(quantity, quantity in self._numbers()) for quantity in found if not quantity.weak]
        if len(strong) == len(found):
            return strong
        if self._counts is None:
            self._counts = Counts(zip(self._sources, self._read(), strict=True))
        return strong + self._counts.small(claim, found)

    def _read(self) -> list[list[Quantity]]:
        """The quantities of each source, read once."""
        if self._found is None:
            self._found = [list(quantities(source)) for source in self._sources]
        return self._found

    def _numbers(self) -> QuantityIndex:
        if self._quantities is None:
            self._quantities = QuantityIndex(quantity for found in self._read() for quantity in found)
        return self._quantities

    def _sources_of(self, bigram: tuple[str, str]) -> set[int]:
        return {bisect_right(self._starts, place) - 1 for place in self._bigram_places[bigram]}

    def _longest_run(self, words: Sequence[str]) -> int:
        """Return the length of the longest run of `words` within one source.

        Only places where a pair of the claim stands are visited; the runs of such places go through an automaton of the
        claim (Blumer et al. 1985), so repetitive text costs no more than any other.
        """
        known = {
            bigram: self._bigram_places[bigram] for bigram in set(pairwise(words)) if bigram in self._bigram_places
        }
        if not known:
            return int(any(term(word) in self._term_sources for word in words))
        automaton = _SuffixAutomaton(list(pairwise(words)))
        places = sorted((place, bigram) for bigram, at in known.items() for place in at)
        longest = length = state = 0
        before = -2
        for place, bigram in places:
            if place != before + 1:
                length = state = 0
            state, length = automaton.step(state, length, bigram)
            longest = max(longest, length)
            before = place
        return longest + 1


class _SuffixAutomaton:
    """Recognises every run of adjacent items of a sequence; built and stepped in linear time (Blumer et al. 1985)."""

    def __init__(self, items: Sequence[tuple[str, str]]) -> None:
        self._next: list[dict[tuple[str, str], int]] = [{}]
        self._link = [-1]
        self._length = [0]
        last = 0
        for item in items:
            last = self._extend(last, item)

    def _add(self, length: int, link: int, following: dict[tuple[str, str], int]) -> int:
        self._length.append(length)
        self._link.append(link)
        self._next.append(following)
        return len(self._next) - 1

    def _extend(self, last: int, item: tuple[str, str]) -> int:
        new = self._add(self._length[last] + 1, 0, {})
        state = last
        while state >= 0 and item not in self._next[state]:
            self._next[state][item] = new
            state = self._link[state]
        if state < 0:
            return new
        target = self._next[state][item]
        if self._length[target] == self._length[state] + 1:
            self._link[new] = target
            return new
        copy = self._add(self._length[state] + 1, self._link[target], dict(self._next[target]))
        while state >= 0 and self._next[state].get(item) == target:
            self._next[state][item] = copy
            state = self._link[state]
        self._link[target] = self._link[new] = copy
        return new

    def step(self, state: int, length: int, item: tuple[str, str]) -> tuple[int, int]:
        """Return the state and the length of the longest run of the sequence that ends with `item`."""
        while state and item not in self._next[state]:
            state = self._link[state]
            length = self._length[state]
        following = self._next[state].get(item)
        return (following, length + 1) if following is not None else (0, 0)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _weight(word: str) -> int:
    return min(len(word), _HEAVIEST)


def _units(claim: str, words: Sequence[str]) -> tuple[set[str], set[tuple[str, str]]]:
    """Return the claim's distinct content words (all its words where it has none of these), and its pairs of words."""
    return set(content_terms(claim)) or set(map(term, words)), set(pairwise(words))
