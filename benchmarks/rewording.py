"""A light rewording that keeps what a sentence says: its beginning moved, introduced or left out, asides, a few synonyms.

Nothing here is shared with training. A stretch that has to stay as it is stands as `HELD` while the rest is reworded.
"""

from __future__ import annotations

import re
from random import Random

HELD = "\0"
CONNECTIVE = re.compile(
    r"^(?:However|Moreover|Furthermore|In addition|Additionally|Therefore|Thus|Also|Finally|In fact|For example|For instance"
    r"|As a result|Indeed|Overall|Of course), (?=[a-z])(.)"
)
FRONT = re.compile(
    r"^((?:In|On|At|During|After|Before|Since|By|For|From|With) [^,;:()]{2,50}), "
    r"((?:the|a|an|this|these) (?:(?! and )[^,;:])+)\.$"
)
OPENING = re.compile(r"^(?:The|A|An|This|These|It|There|In|At|For|Most|Many|Some|Its|Their|They|About|When|If) ")
INTRODUCTIONS = ("According to the text, ", "The passage says that ", "We are told that ", "In short, ", "I read that ")
ASIDE = re.compile(r" \([^()\0]{1,80}\)(?=[ ,.])")
PERCENT = re.compile(r"(?<=[\d\0]) ?%(?= [a-z])")
ALIKE = {
    "approximately": "about",
    "roughly": "about",
    "in order to": "to",
    "such as": "like",
    "for example": "for instance",
    "because": "since",
    "whether or not": "whether",
    "is able to": "can",
    "are able to": "can",
    "does not": "doesn't",
    "do not": "don't",
    "did not": "didn't",
    "is not": "isn't",
    "was not": "wasn't",
    "cannot": "can't",
    "it is": "it's",
    "usually": "normally",
    "often": "frequently",
    "begins": "starts",
    "began": "started",
    "purchase": "buy",
    "purchased": "bought",
    "obtain": "get",
    "obtained": "got",
    "requires": "needs",
    "required": "needed",
    "large": "big",
    "entire": "whole",
    "shows": "demonstrates",
    "showed": "demonstrated",
    "especially": "particularly",
    "receive": "get",
    "received": "got",
    "located": "situated",
    "children": "kids",
    "people": "persons",
    "main": "principal",
    "employed": "used",
    "utilized": "used",
}
PHRASE = re.compile(rf"\b(?:{'|'.join(sorted(ALIKE, key=len, reverse=True))})\b")


def reworded(sentence: str, rng: Random) -> str:
    """Reword a sentence; each of the changes that apply is made two times in three."""

    def alike(match: re.Match[str]) -> str:
        return ALIKE[match.group()] if _made(rng) else match.group()

    if _made(rng):
        sentence = CONNECTIVE.sub(lambda match: match[1].upper(), sentence)
    if _made(rng):
        sentence = FRONT.sub(_to_the_end, sentence)
    if _made(rng) and OPENING.match(sentence):
        sentence = rng.choice(INTRODUCTIONS) + sentence[0].lower() + sentence[1:]
    if _made(rng):
        sentence = ASIDE.sub("", sentence)
    if _made(rng):
        sentence = PERCENT.sub(" percent", sentence)
    return PHRASE.sub(alike, sentence)


def _to_the_end(match: re.Match[str]) -> str:
    front, rest = match.groups()
    return f"{rest[0].upper()}{rest[1:]} {front[0].lower()}{front[1:]}."


def _made(rng: Random) -> bool:
    return rng.random() < 2 / 3
