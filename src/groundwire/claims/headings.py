"""Headings: which of an answer's headings stand over a line, and what is read of them before it.

"- Taxis" says the contrary of what it means without "## Not included". Left out: which lines are headings (`groundwire.idle`).
"""

from __future__ import annotations

from groundwire.claims.layout import COLON, rank, title
from groundwire.idle import STOPS
from groundwire.text import content_terms

ANNOUNCING = frozenset(
    "answer article articles below breakdown conclusion context contexts detail details document documents explanation "
    "fact facts find findings following follow follows given highlights information introduction key list main news overview "
    "passage passages point points provided quick short summary takeaways text texts".split()
)
"""Terms of a lead or heading that only announces what follows."""


class Headings:
    """The headings that are open at a line of an answer, the highest first.

    `fresh` says that nothing but fragments stands between the last one and the line.
    """

    __slots__ = ("_open", "fresh")

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []  # their rank, what is read
        self.fresh = False

    def open(self, words: str, *, bold: bool) -> None:
        """Open a heading, and close those that do not stand over it."""
        place, said = rank(words, bold=bold), title(words)
        while self._open and self._open[-1][0] >= place:
            self._open.pop()
        self._open.append((place, f"{said}{'' if said[-1:] in STOPS else ':'} " if says(said) else ""))
        self.fresh = True

    def pass_by(self, *, whole: bool) -> None:
        """Note that a line of text stands here, a `whole` sentence that is no item, or not: what is only led by a colon ends
        with the first."""
        self.fresh = False
        if whole and self._open and self._open[-1][0] == COLON:
            self._open.pop()

    def read(self) -> str:
        """Return what stands before an item: the last heading, and the one over it but a page's title."""
        return "".join(words for place, words in self._open[-2:] if place > 1 or len(self._open) == 1)


def says(words: str) -> bool:
    """Say whether the words of a lead or heading say anything of what follows."""
    return bool(words) and not ANNOUNCING.issuperset(content_terms(words))
