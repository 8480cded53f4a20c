"""The other name by which a text calls somebody: a full name where the passage also has the last name alone, and back.

Whoever answers from a text names people as it suits the answer; a checker that asks for the same words would call that
wrong. Both twins of a pair are renamed alike, so that it is no cue. Leaves out: pronouns (`digest`), names of other
people (`corrupt.entity`, `subjects`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from groundwire.training.clauses import person_like
from groundwire.training.corrupt import names
from groundwire.training.lexicon import FUNCTION_WORDS
from groundwire.training.sample import Marked

FULL = re.compile(r"[A-Z][a-z’'-]+ [A-Z][\w’'-]*[a-z]")


def short_forms(passage: str) -> dict[str, str]:
    """Last names that stand alone in the passage, each with the one full name that ends in it."""
    found = [match.group() for match in names(passage)]
    alone = {name for name in found if " " not in name and f"the {name}" not in passage}
    full: dict[str, set[str]] = {}
    for name in found:
        last = name.rsplit(" ", 1)[-1]
        if last in alone and FULL.fullmatch(name) and person_like(name) and last.lower() not in FUNCTION_WORDS:
            full.setdefault(last, set()).add(name)
    return {last: next(iter(wholes)) for last, wholes in full.items() if len(wholes) == 1}


def rename(text: Marked, forms: Mapping[str, str], rng: Random) -> Marked:
    """Call one of those that the text names by the other of their names, where no edit stands in it."""
    spots = []
    for match in re.finditer(FULL.pattern + r"|[A-Z][\w’-]+", text.text):
        name = match.group()
        other = forms.get(name) or (name.rsplit(" ", 1)[-1] if name in forms.values() else None)
        if other and not any(s < match.end() and e > match.start() for s, e in text.spans):
            spots.append((match.span(), other))
    return text.splice(*spot[0], spot[1]) if spots and (spot := rng.choice(spots)) else text
