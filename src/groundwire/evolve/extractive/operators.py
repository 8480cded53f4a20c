"""The six operators: each takes the sentences of its parents and draws those of an offspring, in their order.

What it gives is a first draft, settled by `draft.py`: nothing said twice, nothing leaning on what is not there.
An operator that has nothing to do gives an empty draft. Left out: prompts; these operators ask nobody.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from groundwire.evolve.extractive.clauses import cuts, without
from groundwire.evolve.extractive.draft import Size, loose, settled
from groundwire.evolve.extractive.material import Material, Piece, standing

Draft = list[Piece]

_MOST_CUTS = 3
"""How many parts `compress` takes away at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What every operator works with: the sentences of the sources, how long an answer may be, and its own dice."""

    material: Material
    size: Size
    rng: Random

    def settled(self, pieces: Sequence[Piece], keep: Piece | None = None) -> Draft:
        """Return the draft that the pieces make."""
        return settled(pieces, self.material, self.size, keep)

    def drawn(self, pieces: Sequence[Piece], count: int, sharpness: float = 2.0) -> Draft:
        """Draw up to `count` of the pieces, none repeating another, more salient ones more often; best first by the draw.

        Weighted sampling without replacement by exponential keys (Efraimidis and Spirakis 2006).
        """
        keys = [math.log(1 - self.rng.random()) / (piece.salience * _ease(piece)) ** sharpness for piece in pieces]
        chosen: Draft = []
        for n in sorted(range(len(pieces)), key=lambda n: (-keys[n], n)):
            if not any(pieces[n].repeats(other) for other in chosen):
                chosen.append(pieces[n])
            if len(chosen) >= count:
                break
        return chosen

    def count(self) -> int:
        """Draw how many sentences an offspring is to have."""
        return self.rng.randint(1, self.size.sentences)


def pick(setting: Setting, parents: Sequence[Draft]) -> Draft:
    """Keep the sentences of the parent, or of all sources, that answer the question best."""
    own = standing(parents[0])
    every = standing(setting.material.pieces)
    pool = own if len(own) > 1 and setting.rng.random() < 0.5 else every or own
    return setting.settled(_by_place(setting.drawn(pool, setting.count())))


def drop(setting: Setting, parents: Sequence[Draft]) -> Draft:
    """Take away a sentence that no other leans on; a salient one less often."""
    draft = list(parents[0])
    if len(draft) < 2:
        return []
    free = loose(draft)
    gone = setting.rng.choices(free, [1 / draft[n].salience for n in free])[0]
    return setting.settled([piece for n, piece in enumerate(draft) if n != gone])


def add(setting: Setting, parents: Sequence[Draft]) -> Draft:
    """Bring in a sentence of the sources that the parent does not say; what says least makes room for it."""
    draft = setting.settled(parents[0])
    sound = [piece for piece in setting.material.pieces if piece.sound]
    new = setting.drawn([p for p in sound if not any(p.repeats(other) for other in draft)], 1)
    return setting.settled(_placed(draft, new[0]), keep=new[0]) if new else []


def reorder(setting: Setting, parents: Sequence[Draft]) -> Draft:
    """Put the sentences in the order of the sources, or the best first."""
    draft = setting.settled(parents[0])
    orders = [_by_place(draft), _best_first(draft)]
    setting.rng.shuffle(orders)
    names = [piece.home for piece in draft]
    for order in orders:
        if (new := setting.settled(order)) and [piece.home for piece in new] != names:
            return new
    return []


def crossover(setting: Setting, parents: Sequence[Draft]) -> Draft:
    """Take the best sentences of two parents, saying nothing twice: the first parent's first, or by place."""
    both = standing([*parents[0], *parents[1]])
    chosen = setting.drawn(both, max(2, setting.count()))
    if setting.rng.random() < 0.5:
        return setting.settled(_by_place(chosen))
    return setting.settled([piece for piece in both if any(piece is other for other in chosen)])


def compress(setting: Setting, parents: Sequence[Draft]) -> Draft:
    """Take away up to three parts that sentences can lose; one that holds the question's words less often."""
    draft = setting.settled(parents[0])
    wanted = setting.rng.randint(1, _MOST_CUTS)
    for done in range(wanted + 1):
        options = [(n, place) for n, piece in enumerate(draft) for place in cuts(piece.text)] if done < wanted else []
        if not options:
            return setting.settled(draft) if done else []
        weights = [1 / (0.2 + setting.material.overlap(draft[n].text[slice(*place)])) for n, place in options]
        n, place = setting.rng.choices(options, weights)[0]
        draft[n] = setting.material.changed(draft[n], without(draft[n].text, place))
    return []


def _ease(piece: Piece) -> float:
    """A sentence that leans on another brings it along, and that costs room."""
    return 0.6 if piece.leans else 1.0


def _by_place(pieces: Sequence[Piece]) -> Draft:
    return sorted(pieces, key=lambda piece: (piece.home is None, piece.home or (0, 0)))


def _best_first(pieces: Sequence[Piece]) -> Draft:
    """The best first; a sentence that leans stays behind the one that it stood behind."""
    runs: list[Draft] = []
    for piece in pieces:
        if runs and piece.leans:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return [piece for run in sorted(runs, key=lambda run: -max(p.salience for p in run)) for piece in run]


def _placed(draft: Draft, new: Piece) -> Draft:
    """Put a sentence behind the last one of its source that stands before it there; else at the end."""
    if new.home is None:
        return [*draft, new]
    own = [n for n, p in enumerate(draft) if p.home is not None and p.home[0] == new.home[0]]
    at = next((n for n in own if (draft[n].home or new.home) > new.home), own[-1] + 1 if own else len(draft))
    return [*draft[:at], new, *draft[at:]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """An operator by the name that lineages say, how many parents it takes, and what to say when it found nothing to do."""

    name: str
    arity: int
    draw: Callable[[Setting, Sequence[Draft]], Draft]
    idle: str


OPERATORS = (
    Operator(name="pick", arity=1, draw=pick, idle="there is no other choice of sentences"),
    Operator(name="drop", arity=1, draw=drop, idle="there is no sentence to spare"),
    Operator(name="add", arity=1, draw=add, idle="the sources have no sentence that says more"),
    Operator(name="reorder", arity=1, draw=reorder, idle="there is no other order"),
    Operator(name="crossover", arity=2, draw=crossover, idle="the parents give nothing that is not one of them"),
    Operator(name="compress", arity=1, draw=compress, idle="there is no part that a sentence can surely lose"),
)
