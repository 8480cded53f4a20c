"""The breeder that asks nobody: a generation out of the sentences of the sources.

Source of the loop that it serves: GAuGE (arXiv 2409.00085), section 3; the operators are ours. Left out: what makes a
draft readable (`draft.py`), and which offspring is worth keeping (the fitness).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from groundwire.errors import UnknownName, UsageError
from groundwire.evolve.extractive.draft import Size, text_of
from groundwire.evolve.extractive.material import Material, Piece
from groundwire.evolve.extractive.operators import OPERATORS, Setting
from groundwire.types import Mating, Offspring, Passage

_BY_NAME = {operator.name: operator for operator in OPERATORS}
_TRIES = 4
"""How often a mating draws anew when its offspring is one of its parents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractiveBreeder:
    """Breeds by picking, dropping, adding, reordering, joining and shortening sentences; no model is called.

    An offspring has at most `sentences` sentences and, unless it is a single one, `words` words. Equal matings over equal
    sources give equal offspring. Raises UsageError unless both are 1 or more.
    """

    sentences: int = 4
    words: int = 80

    def __post_init__(self) -> None:
        if self.sentences < 1 or self.words < 1:
            raise UsageError(
                f"an answer needs room, got {self.sentences} sentences and {self.words} words", "extractive:4:80"
            )

    @property
    def name(self) -> str:
        """The breeder as its spec string."""
        return "extractive" if (self.sentences, self.words) == (4, 80) else f"extractive:{self.sentences}:{self.words}"

    @property
    def arities(self) -> Mapping[str, int]:
        """Its operators by name, with how many parents each takes."""
        return MappingProxyType({operator.name: operator.arity for operator in OPERATORS})

    def breed(self, question: str, matings: Sequence[Mating], sources: Sequence[Passage]) -> list[Offspring]:
        """Return what came of each mating; one that found nothing new to say has no text and a reason ("skipped: ...").

        Raises UnknownName for an operator that is none of `arities`, UsageError for a mating with too few parents.
        """
        material = Material(question, sources)
        read: dict[str, list[Piece]] = {}
        for mating in matings:
            for parent in mating.parents:
                if parent.text not in read:
                    read[parent.text] = material.read(parent.text)
        return [self._offspring(mating, material, read) for mating in matings]

    def _offspring(self, mating: Mating, material: Material, read: Mapping[str, list[Piece]]) -> Offspring:
        if mating.operator not in _BY_NAME:
            raise UnknownName("operator", mating.operator, _BY_NAME)
        operator = _BY_NAME[mating.operator]
        if len(mating.parents) < operator.arity:
            raise UsageError(
                f"{operator.name} needs {operator.arity} parents, got {len(mating.parents)}", "pick needs one"
            )
        size = Size(sentences=self.sentences, words=self.words)
        rng = Random(mating.seed)  # noqa: S311 - draws that have to repeat, not secrets
        setting = Setting(material=material, size=size, rng=rng)
        parents = [read[parent.text] for parent in mating.parents]
        said = {" ".join(parent.text.split()) for parent in mating.parents}
        for _ in range(_TRIES):
            text = text_of(operator.draw(setting, parents))
            if text and " ".join(text.split()) not in said:
                return Offspring(text=text)
        return Offspring(text=None, reason=f"skipped: {operator.idle}")
