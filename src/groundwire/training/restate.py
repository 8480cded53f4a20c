"""Edits of what a sentence asserts: negation, certainty, and facts added to it.

Same contract as `corrupt`: pure operators that give an Edit or None. Leaves out: swaps of one value (`corrupt`).
"""

from __future__ import annotations

import re
from random import Random

from groundwire.training.corrupt import (
    Edit,
    Operator,
    Pool,
    date,
    entity,
    number,
    number_word,
    opposite,
    quantifier,
    roles,
    swap,
    unit,
    year,
)
from groundwire.training.lexicon import BASE, PAST
from groundwire.training.sample import NEI, NOT_SUPPORTED, REFUTES, Marked
from groundwire.training.substitute import word

AUXILIARY = re.compile(r"\b(?:is|was|were|are|has|had|have|can|could|will|would|should|did|does|do)\b(?! not\b| n't)")
NEGATED = re.compile(r"\b(is|was|were|are|has|had|have|can|could|will|would|should|did|does|do)( not\b| n't)", re.I)
CONTRACTED = re.compile(r"\b(is|was|were|are|has|had|have|could|would|should|did|does|do)n['’]t\b", re.I)
PAST_VERB = re.compile(r"\b(?:" + "|".join(BASE) + r")\b")
MODAL = re.compile(r"\b(?:may|might|could|can)\b(?= (?!be\b|have\b|not\b)[a-z])|\b(?:may|might|could)(?= be\b)")
HEDGE = re.compile(r"\b(?:allegedly|reportedly|possibly|probably|perhaps|apparently|likely) ")


def negate(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """Add a negation, or take one away."""
    for pattern in (NEGATED, CONTRACTED):
        if match := pattern.search(text):
            return swap(text, *match.span(), match.group(1), "negation")
    spots = list(AUXILIARY.finditer(text))
    if spots and rng.random() < 0.7:
        spot = spots[0] if rng.random() < 0.7 else rng.choice(spots)
        word = spot.group()
        short = "n't" if word not in ("can", "will", "are") else " not"
        tail = rng.choice(
            (" not", " not", short, " never" if word in ("is", "was", "were", "are", "has", "had", "have") else " not")
        )
        return swap(text, *spot.span(), word + tail, "negation")
    return _negate_past(text, rng)


def _negate_past(text: str, rng: Random) -> Edit | None:
    """He won → he did not win / failed to win / never won; only right after a name or a pronoun, where it is a verb."""
    for match in PAST_VERB.finditer(text):
        lead = text[: match.start()].split()
        if not lead or not (lead[-1].lower() in ("he", "she", "they", "it", "who") or lead[-1][:1].isupper()):
            continue
        base = BASE[match.group()]
        return swap(
            text,
            *match.span(),
            rng.choice((f"did not {base}", f"did n't {base}", f"never {match.group()}")),
            "negation",
        )
    return None


def certainty(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """May → will, allegedly → nothing: the claim says more than the evidence does."""
    if match := HEDGE.search(text):
        start, end = match.span()
        plain = Marked(text)
        rest = text[end : end + 12].split(" ")[0]
        after = plain.splice(start, end, "")
        return Edit(plain.mark(start, end - 1), after.mark(start, start + len(rest)), NOT_SUPPORTED, "certainty")
    if match := MODAL.search(text):
        return swap(text, *match.span(), rng.choice(("will", "must", "will certainly")), "certainty", NOT_SUPPORTED)
    return None


def added(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """A qualifying phrase of another passage joins the sentence: nothing in the evidence backs it."""
    if not pool.phrases or not text.rstrip().endswith((".", "!", " .")):
        return None
    phrase = rng.choice(pool.phrases)
    if phrase.casefold() in passage.casefold():
        return None
    end = len(text.rstrip(" .!"))
    spot = end
    commas = [m.start() for m in re.finditer(r",", text[:end]) if m.start() > 20]
    if commas and rng.random() < 0.4:
        spot = rng.choice(commas)
    return _insertion(text, spot, f" {phrase}", "added")


def _insertion(text: str, at: int, new: str, operator: str) -> Edit:
    plain = Marked(text)
    return Edit(plain, plain.splice(at, at, new, mark=True), NEI, operator, "", new)


def appended(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """A whole statement of another passage is joined with "and"."""
    if not pool.sentences or len(text) > 160:
        return None
    other = rng.choice(pool.sentences)
    if other in passage or len(other) > 120:
        return None
    end = len(text.rstrip(" .!"))
    link = rng.choice((", and ", " and ", "; ", ". ", ". "))
    return _insertion(text, end, link + other.rstrip(" ."), "appended")


OPERATORS: dict[str, Operator] = {
    "number": number,
    "number_word": number_word,
    "year": year,
    "date": date,
    "entity": entity,
    "roles": roles,
    "opposite": opposite,
    "unit": unit,
    "quantifier": quantifier,
    "word": word,
    "negation": negate,
    "certainty": certainty,
    "added": added,
    "appended": appended,
}

WEIGHTS = {
    "number": 30.0,
    "number_word": 12.0,
    "year": 15.0,
    "date": 15.0,
    "entity": 5.0,
    "roles": 16.0,
    "opposite": 3.0,
    "unit": 15.0,
    "quantifier": 5.0,
    "word": 4.6,
    "negation": 2.5,
    "certainty": 6.0,
    "added": 2.5,
    "appended": 0.6,
}
"""How often an operator is tried first; those that seldom apply weigh more."""

__all__ = ["NEI", "OPERATORS", "PAST", "REFUTES", "WEIGHTS", "draw_edit"]


def draw_edit(text: str, passage: str, pool: Pool, rng: Random) -> Edit | None:
    """One edit of the sentence by an operator drawn by weight; None where none applies."""
    names = sorted(WEIGHTS, key=lambda name: rng.random() ** (1 / WEIGHTS[name]), reverse=True)
    for name in names:
        edit = OPERATORS[name](text, passage, pool, rng)
        if edit is not None:
            return edit
    return None
