"""Idle sentences: what in an answer asserts nothing that evidence could back, and why.

Courtesy, questions, headings, saying that one does not know, and chatter: remarks ("That is so cool.") and a speaker's own
tastes and life ("I love that one!"). A sentence that says anything besides ("I think it opened in 1998.") is not idle; where
it is unclear, the sentence is checked. English.

Left out: lists and their leads (`groundwire.claims`), and how chatter is told (`groundwire.chatter`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.chatter import shipped
from groundwire.text import content_terms, folded_words
from groundwire.text.refusals import asserts_nothing

NOTHING_SAID = "nothing to check: it says nothing that evidence could back"
ONLY_ASKED = "nothing to check: a question asserts nothing"
ONLY_NAMES = "nothing to check: it only names what follows"
ONLY_CHATS = "nothing to check: a remark, or of the speaker alone, which evidence could not back"
ONLY_ABSTAINS = "nothing to check: it says that the speaker does not know"

ASSENT = frozenset(("yes", "no", "ok", "okay", "sure", "yeah"))
"""Words that say something only together with what they answer, which the claim prompt puts beside them."""
REPLIES = frozenset(("not really", "not exactly", "not quite", "not at all"))
"""The same, of several words."""
GREETING = frozenset("feel glad good great happy hello hey hi hope sorry thank thanks welcome".split())
"""First words of a sentence that may be nothing but courtesy."""
COURTESY = ASSENT | GREETING.union(
    "anything ask asking assist assistance else excellent free further help helpful know let need please question".split()
)
"""Terms of courtesy: a sentence of no others asserts nothing, if it greets or speaks of the two who talk."""
TALKERS = frozenset("i me you we us".split())
ASKING = frozenset(
    "who whom whose what which when where why how do does did is are was were can could would will should shall may might "
    "have has had any anything".split()
)
"""First words of a sentence that asks; a question that is only hung on ("..., wasn't it?") asserts what stands before."""
HEADING = 2
"""The most content terms of a heading."""

OPENING = ASSENT | frozenset(("but", "however", "oh", "unfortunately", "well"))
"""Words that may stand before a refusal."""
DECLINING = frozenset(("i", "as", "sorry", "please"))
"""First words of a sentence that declines to answer."""
TURNING = frozenset("and as because but since so that though when where which while who whose".split())
"""Words after which a sentence may come to say something."""

MARKER = re.compile(r"\(?\d{1,3}[.)]")
"""A number that an item of a list begins with, and no item."""
SPEAKER = re.compile(r"\b(?:[Ii]|[Ww]e|[Mm]y|[Oo]ur|[Mm]e|[Uu]s)\b")
"""A speaker's words for themselves."""

SURE = 2.0
"""Log-odds over the threshold from which a sentence is chatter beyond doubt."""


def why_idle(sentence: str, *, last: bool, contexts: Sequence[str] = ()) -> str | None:
    """Return why a sentence of an answer has nothing to check, or None where it has.

    `last` says that no other sentence follows: a heading has something behind it. What somebody says of themselves ("I have a
    dog.") may stand in `contexts` that somebody tells, and is checked against these.
    """
    terms = content_terms(sentence)
    reply = sentence.strip(" .!").lower()
    if all(term in ASSENT for term in terms) or reply in REPLIES or MARKER.fullmatch(sentence):
        return NOTHING_SAID
    if _is_polite(sentence, terms):
        return NOTHING_SAID
    if asks(sentence):
        return ONLY_ASKED
    if not last and _heads(sentence):
        return ONLY_NAMES
    if _abstains(sentence):
        return ONLY_ABSTAINS
    return ONLY_CHATS if shipped().is_chatter(sentence) and not _is_told(sentence, contexts) else None


def surely_chats(sentence: str) -> bool:
    """Say whether a sentence is chatter beyond doubt."""
    return shipped().is_chatter(sentence, SURE)


def asks(sentence: str) -> bool:
    """Say whether a sentence is a question, not one that is only hung on to a statement."""
    words = sentence.lower().split(maxsplit=3)
    return sentence.endswith("?") and words[0].strip("¿\"'") in ASKING and words[:3] != ["did", "you", "know"]


def _is_polite(sentence: str, terms: list[str]) -> bool:
    """Say whether a sentence is nothing but courtesy: "Hello!", "I hope this helps.", "Let me know if you need more help."."""
    if not all(term in COURTESY for term in terms):
        return False
    words = folded_words(sentence)
    return words[0] in GREETING or not TALKERS.isdisjoint(words)


def _heads(sentence: str) -> bool:
    """Say whether a sentence is a short heading of markdown ("## Overview") or ends in a colon ("Here is what I found:")."""
    words = sentence.lstrip("# 0123456789.)").rstrip("*_ ")
    marked = sentence.startswith("#") or words.endswith((":", "："))
    figures = any(c.isdigit() for c in words)
    return marked and not figures and words[-1:] not in ".!?…。！？؟۔।" and len(content_terms(words)) <= HEADING


def _is_told(sentence: str, contexts: Sequence[str]) -> bool:
    """Say whether somebody speaks of themselves both in the sentence and in the contexts."""
    return SPEAKER.search(sentence) is not None and any(SPEAKER.search(text) for text in contexts)


def _abstains(sentence: str) -> bool:
    """Say whether the speaker does no more than decline; an aside ("..., and I can't say I blame her") is not enough."""
    words = folded_words(sentence)
    while words and words[0] in OPENING:
        words = words[1:]
    begun = words[0] in DECLINING if words else False
    given = "there" in words[:1] and TURNING.isdisjoint(words)
    return (begun or given) and asserts_nothing(sentence)
