"""The canary: two claims that a model which works tells apart; a server says that it is ready only after that.

Then some work like that to come: the runtime prepares itself for each shape that it sees for the first time, which the
first requests would wait for, and it shows how fast this machine is before the first queue has to be bounded.

Left out: quality. A file that was changed is found by its sha256 before; this finds a runtime that computes nonsense.
"""

from __future__ import annotations

from dataclasses import replace

from groundwire import models
from groundwire.check import CheckPath
from groundwire.errors import CorruptModel
from groundwire.protocols import EntailmentModel, Pair
from groundwire.types import Case, Label, Passage

QUESTION = "When was the bridge opened?"
EVIDENCE = "The bridge over the river was opened to traffic in March 1932, after nine years of work."
TRUE = "The bridge was opened to traffic in March 1932."
FALSE = "The bridge was opened to traffic in March 1957."
THRESHOLD = 0.5
WARM_WORDS = (12, 24, 48, 72, 112)
"""Words of the premises that warm up: windows of the default path have up to 60, gathered sentences more."""


def sing(path: CheckPath) -> None:
    """Check a claim that the evidence supports and one that it contradicts.

    Raises CorruptModel unless the first scores higher; with the built-in model each must also have its label.
    """
    cases = [
        Case(id=f"canary-{n}", question=QUESTION, answer=answer, contexts=(Passage(id="0", text=EVIDENCE),))
        for n, answer in enumerate((TRUE, FALSE))
    ]
    true, false = replace(path, threshold=THRESHOLD).check(cases)
    sound = true.score is not None and false.score is not None and true.score > false.score
    if path.model.name == models.BUILTIN:
        sound = sound and true.label is Label.SUPPORTED and false.label is Label.CONTRADICTED
    if not sound:
        raise CorruptModel(
            f"{path.model.name} does not tell a true claim from a false one: {true.score} and {false.score}",
            f"groundwire models verify {path.model.name}",
        )


def warm(model: EntailmentModel, *, tokens: int) -> None:
    """Let the model read pairs of about so many tokens in all, of several lengths; what it says of them is not looked at."""
    words = EVIDENCE.split()
    pairs: list[Pair] = []
    left = tokens
    while left > 0:
        length = WARM_WORDS[len(pairs) % len(WARM_WORDS)]
        pairs.append((" ".join(words[i % len(words)] for i in range(length)), f"{TRUE} It is bridge {len(pairs)}."))
        left -= length + len(words)
    model.entail(pairs)
