"""Rewording that keeps the meaning, and noise of register: applied to both classes alike, so that neither is a cue.

Every function takes and gives a Marked text. Leaves out: how figures are written (`spellings`), and edits that change what
is said (`corrupt`, `restate`).
"""

from __future__ import annotations

import re
from random import Random

from groundwire.training.corrupt import like
from groundwire.training.lexicon import SYNONYMS
from groundwire.training.sample import Marked
from groundwire.training.spellings import spelled_otherwise

LEAD = re.compile(
    r"^(?:(?:In|On|At|After|Before|During|Since|By|For|With|Following|From|Until|As of|Between) [^,.;]{3,60}|"
    r"However|Moreover|Furthermore|Additionally|In addition|Therefore|Thus|Also|Then|Later|Finally|"
    r"Meanwhile|Currently|Today|Recently), (?=\w)"
)
TRAIL = re.compile(
    r",? (?:which|who|where|while|although|because|including|such as|as well as|whereas|so that) [^.;]*(?=[.;]?\s*$)"
)
ASIDE = re.compile(r" \([^()]{1,120}\)")
APPOSITION = re.compile(r", (?:a|an|the|who|which|also) [^,.;()]{5,70},")
CONTRACTION = re.compile(r"\b(is|was|were|are|has|had|have|could|would|should|did|does|do) not\b")
WORD = re.compile(r"[A-Za-z]+")
ARTICLE = re.compile(r"\b[Aa]n? $")
"""Before a word whose synonym may want the other article."""

OPENERS = (
    "Yes, I think",
    "Yes,",
    "Well,",
    "I believe",
    "Did you know that",
    "I read that",
    "Sure!",
    "Actually,",
    "As far as I know,",
    "I heard that",
    "That's right,",
    "I'm not sure, but I think",
    "Oh yes!",
    "It says that",
    "According to the text,",
    "The passage says that",
    "The article states that",
    "In short,",
    "Good question.",
)
CLOSERS = (
    "I love that!",
    "Isn't that interesting?",
    "Have you heard of it?",
    "Pretty cool.",
    "What do you think?",
    "I hope this helps.",
    "That's all I know.",
    "It is really something.",
)


def _capital(text: Marked) -> Marked:
    first = text.text[:1]
    return text.splice(0, 1, first.upper()) if first.islower() else text


def _decapital(text: Marked) -> Marked:
    """Lower the first letter where the first word is a common one, not a name."""
    match = re.match(
        r"(?:The|A|An|In|On|It|He|She|They|There|This|These|His|Her|Their|Its|At|After|As|For|When|While|Some|Many)\b",
        text.text,
    )
    return text.splice(0, 1, text.text[0].lower()) if match else text


def drop_lead(text: Marked, rng: Random) -> Marked:
    """Leave out a leading adverbial, or move it to the end."""
    match = LEAD.match(text.text)
    if not match or len(text.text) - match.end() < 25 or any(s < match.end() for s, _ in text.spans):
        return text
    phrase = match.group()[:-2]
    rest = _capital(text.splice(0, match.end(), ""))
    if " " in phrase and rng.random() < 0.5:
        end = len(rest.text.rstrip(" ."))
        return rest.splice(end, end, " " + phrase[0].lower() + phrase[1:])
    return rest


def drop_trail(text: Marked, rng: Random) -> Marked:
    """Leave out a trailing clause, an aside in brackets, or an apposition, where no edit stands in it."""
    for pattern, new in ((TRAIL, ""), (ASIDE, ""), (APPOSITION, " ")):
        match = pattern.search(text.text)
        if match and match.start() > 20 and not any(s < match.end() and e > match.start() for s, e in text.spans):
            return text.splice(*match.span(), new)
    return text


def synonyms(text: Marked, rng: Random) -> Marked:
    """Put synonyms for up to three unmarked words; a capital may be part of a name ("New York City")."""
    spots = [
        m for m in WORD.finditer(text.text) if m.group() in SYNONYMS and not ARTICLE.search(text.text[: m.start()])
    ]
    spots = [m for m in spots if not any(s < m.end() and e > m.start() for s, e in text.spans)]
    for match in sorted(rng.sample(spots, min(3, len(spots))), key=lambda m: -m.start()):
        text = text.splice(*match.span(), like(match.group(), rng.choice(SYNONYMS[match.group()])))
    return text


def contract(text: Marked, rng: Random) -> Marked:
    """Was not → wasn't."""
    for match in reversed(list(CONTRACTION.finditer(text.text))):
        text = text.splice(match.end(1), match.end(), "n't")
    return text


def tokenised(text: Marked) -> Marked:
    """Punctuation set apart and brackets spelled, as older corpora have it."""
    text = text.substitute(re.compile(r"(?<=\w)n['’]t\b"), " n't")
    for pattern, new in (
        (r"(?<=\w)(?=[,;:?!](?: |$))", " "),
        (r"(?<=[\w)\"])(?=\.$)", " "),
        (r"\(", "-LRB- "),
        (r"\)", " -RRB-"),
    ):
        text = text.substitute(re.compile(pattern), new)
    return text.substitute(re.compile(r"(?<=\w)(?='s\b)"), " ")


def lowered(text: Marked) -> Marked:
    """The text in lower case (letters whose lower form has another length keep theirs, so that spans stay true)."""
    return Marked("".join(c.lower() if len(c.lower()) == 1 else c for c in text.text), text.spans)


def reword(text: Marked, rng: Random) -> Marked:
    """A light rewrite of a claim that the evidence licenses: clauses dropped or moved, synonyms, other formats."""
    for step, share in (
        (drop_lead, 0.35),
        (drop_trail, 0.4),
        (synonyms, 0.35),
        (spelled_otherwise, 0.25),
        (contract, 0.15),
    ):
        if rng.random() < share:
            text = step(text, rng)
    return text


def register(text: Marked, rng: Random) -> Marked:
    """Noise of register: dialogue, tokenised, lower case, quoted; most texts stay as they are."""
    kind = rng.random()
    if kind < 0.14:
        text = _decapital(text).prefix(rng.choice(OPENERS) + " ")
        if rng.random() < 0.3:
            text = text.splice(len(text.text), len(text.text), " " + rng.choice(CLOSERS))
    elif kind < 0.22:
        text = tokenised(text)
    elif kind < 0.26:
        text = lowered(tokenised(text))
    elif kind < 0.31:
        text = lowered(text)
    elif kind < 0.33:
        text = text.splice(len(text.text), len(text.text), '"').prefix('"')
    elif kind < 0.38:
        end = len(text.text.rstrip(" ."))
        text = text.splice(end, len(text.text), "")
    return text
