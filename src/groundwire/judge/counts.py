"""Counts: how many of what a text says ("seven layers"), so that small number words are compared only like with like.

"One" and "two" are often no quantity at all ("one of the", "the two"), and whoever sums up a text counts what it lists. But
where claim and source both count the same things, another count is another statement. Left out: quantities that stand for
themselves (`groundwire.quantities`), and things that are named by two words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from groundwire.quantities import Quantity
from groundwire.text import folded_words, is_stop_word, term

_NEAR = 40  # characters behind a number in which the counted thing begins


def counted(text: str, found: Iterable[Quantity]) -> Iterator[tuple[Quantity, str]]:
    """Yield those of a text's quantities that count something, with the term of what they count (the next word)."""
    for quantity in found:
        if quantity.kind != "number" or quantity.unit:
            continue
        behind = text[quantity.end : quantity.end + _NEAR]
        if behind[:1] not in (" ", "-", "\u00a0"):
            continue
        words = folded_words(behind)
        if words and words[0].isalpha() and not is_stop_word(words[0]):
            yield quantity, term(words[0])


class Counts:
    """What the sources count, and how many."""

    def __init__(self, sources: Iterable[tuple[str, Sequence[Quantity]]]) -> None:
        """Each source with the quantities in it."""
        self._said: dict[str, set[float]] = {}
        for source, found in sources:
            for quantity, thing in counted(source, found):
                self._said.setdefault(thing, set()).add(quantity.value)

    def small(self, claim: str, found: Sequence[Quantity]) -> list[tuple[Quantity, bool]]:
        """Return those of the claim's quantities `found` that are weak and count what the sources count too, and whether any
        has the same count."""
        return [
            (quantity, quantity.value in self._said[thing])
            for quantity, thing in counted(claim, found)
            if quantity.weak and thing in self._said
        ]
