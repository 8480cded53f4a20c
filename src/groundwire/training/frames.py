"""How a claim is spoken: bare, in a register, or inside a turn of a dialogue; for both classes alike.

Leaves out: rewording (`rewrite.reword`) and what a claim says (`shapes`, `digest`).
"""

from __future__ import annotations

from random import Random

from groundwire.training.clauses import parse, small
from groundwire.training.rewrite import CLOSERS, OPENERS, register
from groundwire.training.sample import Marked

SPOKEN = 0.16
"""The share of claims that come as a turn of a dialogue, besides those that `register` frames."""

LEADS = (
    "I think",
    "I believe",
    "From what I remember,",
    "If I recall correctly,",
    "Hmm, as far as I can tell,",
    "Oh, I know this one!",
    "I don't know much about it, but I read that",
    "Great question!",
    "I was just reading about that:",
    "Haha, yes!",
    "I'm a big fan!",
    "To be honest,",
    "My friend told me that",
    "You know,",
)
TAILS = (", right?", ", I think.", ", as far as I know.", ", if I remember well.", ", you know.", ", I believe.", "!")
AFTER = (
    "I'd love to learn more about it.",
    "Do you like it too?",
    "I always found that fascinating.",
    "I should read more about that.",
    "What about you?",
    "Anything else you would like to know?",
    "That is what I found.",
)
ECHOES = ("You asked about {}.", "What about {}?", "{}?", "I love talking about {}!", "Oh, {}!", "Tell me about {}?")


def framed(text: Marked, rng: Random) -> Marked:
    """The claim as it is said."""
    return spoken(text, rng) if rng.random() < SPOKEN else register(text, rng)


def spoken(text: Marked, rng: Random) -> Marked:
    """The claim inside a chatty turn: an echo of the question, words of one's own before it, a tag or more after it."""
    clause = parse(text.text)
    kind = rng.random()
    result = text
    if rng.random() < 0.4:
        result = _tag(result, rng.choice(TAILS))
    elif rng.random() < 0.5:
        result = _behind(result, rng.choice((*AFTER, *CLOSERS)))
    if kind < 0.2 and clause is not None and clause.kind == "name":
        return result.prefix(rng.choice(ECHOES).format(clause.subject) + " ")
    if kind < 0.85:
        return small(result).prefix(rng.choice((*LEADS, *OPENERS)) + " ")
    return result


def _tag(text: Marked, tail: str) -> Marked:
    end = len(text.text.rstrip(" ."))
    return text.splice(end, len(text.text), tail)


def _behind(text: Marked, words: str) -> Marked:
    return text.splice(len(text.text), len(text.text), " " + words)
