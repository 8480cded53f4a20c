"""Samples of small worlds: some facts of a scene told in any order, and claims on them and on what is not told.

For each sample of one class there is one of another over the same evidence, with the same words. What a dropped fact would
have decided is open, whatever else is told. Left out: the scenes.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from groundwire.training.rewrite import contract, register
from groundwire.training.sample import NEI, REFUTES, SUPPORTS, UNKNOWN, Marked, Sample
from groundwire.training.statements.facts import Scene
from groundwire.training.statements.scenes import load_scenes

SOURCE = "statements"
ASIDE = 0.3
"""Share of the groups in which something of another scene is told too."""
DROPPED = 0.4
"""Chance of each fact that it is not told."""


def statements(rng: Random) -> Iterator[Sample]:
    """Samples without end, scene by scene."""
    frames = load_scenes()
    while True:
        frame, other = rng.sample(frames, 2)
        aside = rng.choice(other.draw(rng).facts).says if rng.random() < ASIDE else ()
        yield from _group(frame.draw(rng), aside, rng)


def _group(scene: Scene, aside: tuple[str, ...], rng: Random) -> Iterator[Sample]:
    facts = list(scene.facts)
    told = [fact for fact in facts if rng.random() > DROPPED] or [rng.choice(facts)]
    if rng.random() < 0.5:
        rng.shuffle(told)
    parts = [rng.choice(fact.says if not at else fact.says + fact.then) for at, fact in enumerate(told)]
    if aside:
        parts.insert(rng.choice((0, len(parts))), rng.choice(aside))
    evidence = " ".join(parts)
    for fact in told:
        yield _sample(evidence, rng.choice(fact.true), SUPPORTS, rng)
        yield _sample(evidence, rng.choice(fact.false), REFUTES, rng)
    silent = [fact for fact in facts if fact not in told]
    for fact in rng.sample(silent, min(2, len(silent))):
        yield _sample(evidence, rng.choice(fact.true + fact.false), NEI, rng)
    if len(silent) < 2:
        yield _sample(evidence, rng.choice(scene.open), NEI, rng)


def _sample(evidence: str, claim: str, label: int, rng: Random) -> Sample:
    """The finished sample; which words of a claim are not backed is known only where all are."""
    text = Marked(claim)
    for step, share in ((contract, 0.2), (register, 0.3)):
        if rng.random() < share:
            text = step(text, rng)
    return Sample(
        evidence=evidence,
        claim=text.text,
        label=label,
        relevance=UNKNOWN if label == NEI else 1,
        spans=() if label == SUPPORTS else None,
        source=SOURCE,
    )
