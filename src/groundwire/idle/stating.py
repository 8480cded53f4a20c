"""Stating: whether the words of a line without a stop plainly state something, a subject and then a finite verb.

There is no parser here: verbs are told by their form and by the words around them. "The museum was closed in 1990", "Copper
conducts heat" and "Founded in 1932" state something; "Not included", "What helps" and "Common side effects" name it. Where a
form may be either ("Prices increased by half") it counts as a verb.

Left out: languages other than English, and verbs in the plural that are written like nouns ("Kids eat free").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from groundwire.text import is_stop_word

NUMBERED = (
    "section|clause|article|part|chapter|step|appendix|annex|schedule|paragraph|item|rule|figure|table|phase|day|week|month|"
    "year|quarter|exhibit|lesson|unit|stage|option|level|type|tier|class|volume|book|act|scene|round|question|example|case|"
    "group|plan|version|page|tip|reason|method|no|§§?"
)
"""What a part of a text or a plan is called before its number."""
_NUMBERED = re.compile(rf"(?:(?:{NUMBERED})\s{{0,3}})?(?:[\dIVX][\w.:–-]{{0,12}}|[A-Z])", re.IGNORECASE)
"""What stands before the colon of a heading that has a number: "Step 2", "Option A", "1989"."""
_INNER = re.compile(r"[:：]\s{1,10}(?=\S)|\s[–—-]\s{1,10}(?=[^\n]{0,40}\d)")
"""A colon inside a line, or a dash with a figure behind it."""
_ASIDE = re.compile(r"\([^()]{0,100}\)")
_TOKEN = re.compile(r"[^\W\d_][\w'’-]{0,40}|[$€£]?\d[\w.,:%–-]{0,20}|[,;]")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_DENIED = re.compile(r"n['’]t\Z")

_SPEAKERS = frozenset("i you he she it they we there".split())
_CUTTING = _SPEAKERS | frozenset(
    "what who whom whose which how why when where whether that if because while until unless".split()
)
"""What begins a clause inside of what only names: "What helps", "Things you should know"."""
_RELATIVES = frozenset(("who", "which", "that"))
_DENYING = frozenset("no none nobody nothing never".split())
_AUXILIARIES = frozenset(
    "am is are was were has have had does did would could should shall cannot will can may might must do".split()
)
_NOUNS_TOO = frozenset("will can may might must do".split())
"""Auxiliaries that may be other words as well: a verb has to follow."""
_BETWEEN = frozenset(
    "during without within against via per since vs versus towards toward across around near like behind among along despite "
    "except including plus upon throughout onto".split()
)
_ADVERBS = frozenset("also then later soon now still even always often already finally".split())
_ADJECTIVES = frozenset("other best least less well not next last first second third main key new old".split())
_ONES = frozenset("both everyone everybody someone somebody others".split())
"""Subjects that are stop words or no nouns."""
_OBJECTS = frozenset("a an the his her its their my your our this these those no him them".split())
_PAST = frozenset(
    "fell rose won lost grew left made sank beat quit hit met sold bought built broke began became went came saw took gave got "
    "said told found kept led paid ran sent shut spent stood cut held brought caught chose drew drove flew forgot fought knew "
    "meant read sang sat shot spoke struck taught thought threw wore wrote".split()
)
_NO_PAST = frozenset("speed seed need weed feed breed deed bed shed hundred indeed red bleed greed aged med".split())
_VERBS = frozenset(
    "accuse achieve admit adopt agree allow appear apply argue arise arrive ask assert become begin believe belong bind "
    "bring come confirm consist contain continue contribute create decide demonstrate deny depend describe destroy die "
    "differ discover emerge enjoy enter establish exist explain express fail fall find focus follow get give go grow happen "
    "help hope improve include indicate induce insist introduce involve join keep know lack learn lie lose lower maintain "
    "make meet occur operate own pay perform prefer prevent produce promote propose protect prove provide put raise reach "
    "receive recommend reduce refer reflect refuse remain represent require respond reveal say seem sell send serve "
    "specialise specialize spend stay suffer suggest take teach tell tend think try understand vary want warn win write".split()
)
"""Verbs that seldom are nouns, so that their forms of the present are verbs beside any subject."""
_MANY = frozenset("children people men women data".split())


def states(words: str) -> bool:
    """Say whether words that end without a stop state something: of a subject, or of what a colon stands behind."""
    inner = _INNER.search(words)
    if inner:
        head, tail = words[: inner.start()].strip(), words[inner.end() :]
        names = _NUMBERED.fullmatch(head) or tail.split(" ", 1)[0].lower() in _CUTTING
        return states(tail) if names else True
    tokens = _TOKEN.findall(_ASIDE.sub(" ", words))
    if not tokens:
        return False
    first, figures = tokens[0].lower().replace("’", "'").partition("'")[0], any(map(str.isdigit, words))
    if first in _DENYING or _speaks(tokens):
        return True
    if first in _CUTTING and first != "that":
        return "," in tokens and has_verb(tokens[tokens.index(",") + 1 :])
    return (figures and _is_past(tokens[0])) or has_verb(tokens)


def _speaks(tokens: Sequence[str]) -> bool:
    """Say whether words, or those behind a comma or a year, begin with a pronoun that something is said of: "It's full"."""
    starts = [0, *(n + 1 for n, word in enumerate(tokens) if word == "," or _YEAR.fullmatch(word))]
    return any(
        tokens[n].lower().replace("’", "'").partition("'")[0] in _SPEAKERS
        and tokens[n + 1].lower() not in ("and", "or", ",")
        for n in starts
        if n + 1 < len(tokens)
    )


def has_clause(words: str) -> bool:
    """Say whether words that name something hold a clause: "drugs that kill cats", "drugs the company withdrew"."""
    tokens = [token.lower() for token in _TOKEN.findall(words)]
    beside = any(not _is_small(one) and one.isalpha() and other in _OBJECTS for one, other in pairwise(tokens))
    return beside or not _CUTTING.isdisjoint(tokens) or has_verb(tokens)


def has_verb(tokens: Sequence[str]) -> bool:
    """Say whether one of a line's words, before a clause inside of it, is the verb of those before; or there are two."""
    end = next((n for n, word in enumerate(tokens) if n and word.lower() in _CUTTING and word != "I"), len(tokens))
    padded = [*tokens, "", ""]
    verbs = [n for n in range(1, len(tokens)) if _is_verb(padded[:n], padded[n], padded[n + 1], padded[n + 2])]
    if end < len(tokens) and padded[end].lower() in _RELATIVES and _is_past(padded[end + 1]):
        return any(n != end + 1 for n in verbs)  # "people who worked with them are ill"
    return bool(verbs) and (verbs[0] < end or len(verbs) > 1 or tokens[verbs[0] - 1] == ",")


def _is_verb(before: Sequence[str], word: str, after: str, then: str) -> bool:
    """Say whether a word is a finite verb: of the words before it, with the two after it."""
    low = word.lower()
    if low in _AUXILIARIES or _DENIED.search(low):
        if low in _NOUNS_TOO and (
            not after[:1].isalpha() or (_is_small(after) and after.lower() not in ("not", "also", "be"))
        ):
            return False
        return before[-1].lower() not in ("to", "the", "a", "an", "of", "your", "since", "in")
    if before[-1] == "," and len(before) > 2:  # "Williams, 33, won her first"
        return _is_past(word) and (_is_object(after) or after[:1].isupper())
    if not _is_subject(before):
        return False
    if _is_past(word) and len(before) == 1 and before[0].lower().endswith("ing"):
        return False  # "Getting started"
    if _is_past(word):  # but "Documents required", "Data collected by the app"
        by = after == "by" and (then.lower() in _OBJECTS or then[:1].isupper())
        return not (_is_many(before[-1]) and (by or not after))
    return _is_present(before[-1], word, after, then)


def _is_present(subject: str, word: str, after: str, then: str) -> bool:
    """Say whether a word is a verb of the present: "conducts electricity", "pay 9 euros"."""
    low = word.lower()
    if _base(low) in _VERBS and low not in _VERBS:
        return bool(after) and (word.islower() or word.istitle())
    if not word.islower():
        return False
    if low in _VERBS:
        return _is_many(subject) and bool(after)
    if _is_third(low) and not _is_many(subject):
        named = after[:1].isupper() or subject.lower().endswith("ly")
        return named or _is_object(after) or _is_figure(then) or (_is_content(after) and not _leads_on(after))
    return _is_many(subject) and _is_content(word) and not (_leads_on(low) or low.endswith("s")) and _is_object(after)


def _base(low: str) -> str:
    """Return a verb without the ending of its third person."""
    for ending, base in (("ies", "y"), ("ies", "ie"), ("es", ""), ("s", "")):
        if low.endswith(ending) and low.removesuffix(ending) + base in _VERBS:
            return low.removesuffix(ending) + base
    return low


def _is_small(word: str) -> bool:
    return is_stop_word(word) or word.lower() in _BETWEEN


def _is_subject(before: Sequence[str]) -> bool:
    """Say whether the last of some words may be a subject: no article, preposition or adjective; or an adverb behind one."""
    last = before[-1]
    if (last.lower().endswith("ly") or last.lower() in _ADVERBS) and len(before) > 1:
        last = before[-2]
    low = last.lower()
    return low in _ONES or (
        last[:1].isalpha() and not _is_small(last) and low not in _ADJECTIVES and not low.endswith("ly")
    )


def _is_past(word: str) -> bool:
    """Say whether a word is written like a verb of the past: "closed", "fell", but not "LED" or "Air-cooled"."""
    low = word.lower()
    if "-" in word or word.isupper() or low in _NO_PAST:
        return False
    return low in _PAST or (len(low) > 3 and low.endswith("ed"))


def _is_third(low: str) -> bool:
    return len(low) > 3 and low.endswith("s") and not low.endswith(("ss", "us", "is", "'s", "’s"))


def _is_many(word: str) -> bool:
    return word.lower() in _MANY or _is_third(word.lower())


def _is_object(word: str) -> bool:
    return word.lower() in _OBJECTS or _is_figure(word)


def _is_figure(word: str) -> bool:
    return any(map(str.isdigit, word)) and not _YEAR.fullmatch(word)


def _is_content(word: str) -> bool:
    return word.islower() and word.isalpha() and not _is_small(word)


def _leads_on(word: str) -> bool:
    return word.endswith(("ing", "ed"))
