"""Generated answers, and the populations that they came out of.

Left out: how a population evolves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from groundwire.types.checking import Trace, Verdict
from groundwire.types.noun import Noun
from groundwire.types.texts import Passage, Retrieval


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(Noun):
    """One individual of a population. `id` is the hash of `text`; lineage is data.

    `parents` are the ids of those it was made of, by `operator`, in `generation` (seeds: none, "seed", 0). `passage` is the
    id of the passage that a seed is. `fitness` holds each term by name, and what they come to as "total".
    """

    id: str
    text: str
    parents: tuple[str, ...] = ()
    operator: str = "seed"
    generation: int = 0
    fitness: Mapping[str, float] = field(default_factory=dict)
    passage: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mating(Noun):
    """An offspring that is wanted: the operator, its parents in their order, and the seed of whatever it draws."""

    operator: str
    parents: tuple[Candidate, ...]
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Offspring(Noun):
    """What came of a mating. `text` is None exactly when nothing usable did, and then `reason` says why.

    `broken` says that the call for it failed, so that another try may do better: the LLM neither replied nor declined.
    Calls and tokens are what was paid for it: 0 where no LLM was asked, or its reply was kept from another time.
    """

    text: str | None
    reason: str | None = None
    broken: bool = False
    calls: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation(Noun):
    """One turn of an evolution: what was wanted, what was lost on the way, what it cost, and the best so far.

    `wanted` matings gave `new` candidates; `failed` ones gave nothing usable, `repeated` ones a text that is there already.
    `best` is the id of the best candidate after it, empty where there is none. Seconds are wall clock. Generation 0 is the
    seeds.
    """

    number: int
    wanted: int
    new: int
    failed: int
    repeated: int
    best: str
    calls: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Noun):
    """A generated answer with its sources, its lineage and its verdict: no generated answer leaves unchecked.

    `sources` are the passages that it was grown from, best first, and the contexts of the verdict, whose evidence cites
    them claim by claim. `lineage` is every candidate, best first, `generations` every turn, `stopped` why there was no
    further one. Where nothing was found `text` is empty and `reason` says so. `broken` says that it ended because the calls of
    an LLM failed: the text, if any, is what there was before, and another try may do better.
    """

    question: str
    text: str
    sources: tuple[Passage, ...]
    verdict: Verdict
    lineage: tuple[Candidate, ...] = ()
    generations: tuple[Generation, ...] = ()
    stopped: str | None = None
    reason: str | None = None
    broken: bool = False
    warnings: tuple[str, ...] = ()
    retrieval: Retrieval | None = None
    trace: Trace | None = None
