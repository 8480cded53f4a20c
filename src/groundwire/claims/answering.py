"""Answering: the sentences of an answer that say nothing without its question, put into one sentence with it.

"Karl Voss.", "Yes, it does.", "It was Karl Voss.", "So the answer is 12.": by themselves words of no weight, and as the answer
to a question claims like any other. What answers may stand alone, first, or last, behind the reasons; or it is a list.

Left out: answers that repeat their question, which are read as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.claims.context import Read
from groundwire.claims.prompt import claim_prompt, own_words
from groundwire.idle import (
    COLONS,
    NOTHING_SAID,
    ONLY_ABSTAINS,
    ONLY_POINTS,
    STOPS,
    YES_NO,
    assents,
    declines,
    echoes,
    is_polar,
    is_question,
    nods,
    states,
)
from groundwire.text import unframed, word_bounds

SUBJECTS = frozenset("he she it they his her its their".split())
"""First words of an answer that speaks of what its question names."""
LONGEST = 400
"""The most characters of a question that is put before every item of a list."""
SPOKEN = 25
"""The most words of such an answer."""
_ANNOUNCED = re.compile(
    r"[\s#]{0,80}(?:so,? |therefore,? |thus,? |hence,? )?(?:the )?(?:correct |final |short )?answer"
    r"(?:\s{0,4}:|(?: to (?:the|your|this) question)? (?:is|was|would be):?)\s{1,80}(?=\S)",
    re.IGNORECASE,
)
"""How a bare answer may be announced."""
_POINTED = re.compile(
    r"\s{0,80}(?i:(?:it|this|that)(?: is| was| would be|['’]s)) "
    r"(?=[\d\"“$€£]|[A-Z]|(?i:the|an?|his|her|its|their|about|in|on|at|by) )"
)
"""How else a bare answer may begin; what is no name, number or thing ("It was published in 1953.") is said of it."""
_PARTED = re.compile(r"[:：|#`~=]")
"""What a bare answer has not in it: it has a label, or is a part of something else."""
_PAIRS = {"(": ")", "[": "]", "<": ">", "{": "}", '"': '"', "'": "'", "“": "”", "‘": "’", "`": "`", "*": "*", "_": "_"}
"""Signs that may stand around a bare answer: quotation marks, brackets, those of emphasis."""
NESTED = 4
"""The most pairs that are blanked, one inside the other."""
_TAG = re.compile(r"\s{0,80}<answer>(?=[^<]{1,200}</answer>\s{0,80}$)|(?<=\S)</answer>\s{0,80}$")
_IMPERSONAL = re.compile(
    r"it(?:['’]s|\s(?:is|was|seems|appears|(?:would|can|may|might|must|should)\sbe))\s(?:(?:also|often|not|always|very|\w{2,12}ly)\s)?"
    r"\w{3,20}\s(?:to|that|for|when|if|whether|how)\b",
    re.IGNORECASE,
)
"""How a sentence begins that speaks of nothing the question names: "It is important to drink enough."."""
_ADVISES = re.compile(
    r"\b(?:advi[cs]e|contact|consult|whom|recommend|turn to)|\bwhat (?:should|can|do|must) (?:\w{1,12} ){1,2}do\b|\bwhere\b",
    re.IGNORECASE,
)
_MENTIONS = re.compile(r"\b(?:mention|state|list|specif|say|discuss|contain|include)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answering:
    """Which sentences are put into one with the question: `bare_words` is the most words that an answer without a full stop
    may have to count as bare, `stopped_words` that of one with a full stop. Without `plain` words that only frame an answer
    count as a part of it."""

    bare_words: int
    stopped_words: int
    plain: bool

    def read(self, question: str, reads: Sequence[Read], plain: str) -> list[Read]:
        """Put into one sentence with the question what says nothing without it; `plain` is the answer without markup."""
        if not question.strip():
            return list(reads)
        found = [_as_asked(question, one) for one in reads]
        if len(found) == 1:
            [only] = found
            words = plain[only.start : only.end]
            if declines(words, question):
                return [replace(only, idle=ONLY_ABSTAINS)]
            said = self._alone(question, words, only)
            said_of = {0: said} if said is not None else {}
        else:
            said_of = self._among(question, found, plain)
        for n, said in said_of.items():
            found[n] = _asked(question, found[n], said, plain[found[n].start : found[n].end])
        return found

    def _alone(self, question: str, words: str, only: Read) -> str | None:
        """Return what an only sentence answers, in blanks for the rest of it; None where it is read as it is."""
        if only.idle == ONLY_ABSTAINS:
            return None
        if assents(words):
            return _yes_or_no(words)
        said = self._bare_part(words)
        if said is not None and any(map(str.isalnum, said)):
            return said
        return words if self.is_bare(words) or (is_question(question) and _speaks(words)) else None

    def _among(self, question: str, reads: Sequence[Read], plain: str) -> dict[int, str]:
        """Return what answers among several sentences, by their number: the first that has anything to check, the last, and
        the items of a list that has no lead."""
        found: dict[int, str] = {}
        listing = len(question) <= LONGEST and is_question(question) and not is_polar(question)
        answering = [n for n, one in enumerate(reads) if one.idle is None or _replies(question, one, plain)]
        for n in answering:
            words = plain[reads[n].start : reads[n].end]
            said = None
            if reads[n].listed:
                said = self._item(words) if listing and not reads[n].led else None
            elif n == answering[0]:
                said = self._first(question, words, reads[n])
            elif n == answering[-1]:
                said = self._last(question, words, reads[n])
            if said is not None:
                found[n] = said
        return found

    def _first(self, question: str, words: str, read: Read) -> str | None:
        """What the first of several sentences answers: "Yes. It closes at nine.", "Sydney. It is the largest city."."""
        if read.idle is not None:
            return _yes_or_no(words) if assents(words) else words
        if read.led or not is_question(question):
            return None
        said = self._bare_part(words)
        return words if said is None and _speaks(words) else said

    def _last(self, question: str, words: str, read: Read) -> str | None:
        """What the last of several sentences answers: "…Answer: Sydney", "…So the answer is Sydney.", a bare line."""
        announced = _ANNOUNCED.match(words)
        if read.idle is not None or read.led or not is_question(question):
            return None
        if announced:
            return self._bare_part(words)
        says = _PARTED.search(words) or states(words.strip(" *_")) or (words.rstrip()[-1:] in STOPS and not read.bold)
        return None if says else self._bare_part(words)

    def _item(self, words: str) -> str | None:
        """What an item answers, if it has no label of its own ("Venue: Ghent")."""
        if any(colon in words for colon in COLONS):
            return None
        return words if words.rstrip()[-1:] not in STOPS and self.is_bare(words) else None

    def is_bare(self, answer: str) -> bool:
        """Say whether an answer has so few words that it says nothing without its question."""
        stopped = answer.rstrip()[-1:] in STOPS
        return 0 < len(word_bounds(answer)) <= (self.stopped_words if stopped else self.bare_words)

    def _bare_part(self, words: str) -> str | None:
        """Return the bare answer among words that frame, announce or enclose it, these as blanks; None where there is none."""
        said = words
        if self.plain and words.split(",")[0].strip().lower() not in YES_NO:
            said = unframed(words, least=1)
        for lead in (_ANNOUNCED, _POINTED) if self.plain else (_ANNOUNCED,):
            led = lead.match(said)
            if led and self.is_bare(said[led.end() :]):
                said = " " * led.end() + said[led.end() :]
        if not self.is_bare(said):
            return words if self.is_bare(words) else None
        return _bared(said) if self.plain else said


def _asked(question: str, read: Read, said: str, words: str) -> Read:
    """Put what a sentence of these words says into one with the question.

    Its place begins where that does, for marks to find theirs, and ends where the sentence does if that says anything more.
    """
    first, last = len(said) - len(said.lstrip()), len(said.rstrip())
    more = any(map(str.isalnum, words[last:].replace("</answer>", "")))
    last = len(words.rstrip()) if more else max(first, last)
    text = claim_prompt(question, said)
    own = own_words(text, question, said)
    return replace(read, start=read.start + first, end=read.start + last, text=text, own=own, idle=None)


def _replies(question: str, read: Read, plain: str) -> bool:
    """Say whether a sentence that says nothing by itself is a yes or a no to the question."""
    words = plain[read.start : read.end]
    return read.idle == NOTHING_SAID and is_polar(question) and (assents(words) or echoes(words))


def _bared(said: str) -> str:
    """Return a bare answer with blanks for a tag and the pairs of signs around it."""
    said = _TAG.sub(lambda match: " " * len(match[0]), said)
    for _ in range(NESTED):
        first, last = len(said) - len(said.lstrip()), len(said.rstrip()) - 1
        if last <= first + 1 or _PAIRS.get(said[first]) != said[last]:
            break
        said = said[:first] + " " + said[first + 1 : last] + " " + said[last + 1 :]
    return said


def _yes_or_no(words: str) -> str:
    """Return a yes or a no without what only repeats its question: "Yes, it does."."""
    first, *more = word_bounds(words)
    return (
        words if not more or not nods(words) else " " * first[0] + words[slice(*first)] + " " * (len(words) - first[1])
    )


def _speaks(words: str) -> bool:
    """Say whether a sentence speaks of what the question names: "He studied in Bern."."""
    bounds = word_bounds(words)
    if _IMPERSONAL.match(words.lstrip()):
        return False
    return 0 < len(bounds) <= SPOKEN and words[slice(*bounds[0])].lower() in SUBJECTS


def _as_asked(question: str, read: Read) -> Read:
    """Have it checked that a text does not mention something, or whom to turn to, where just that is asked: there it is the
    answer."""
    answers = read.idle == ONLY_ABSTAINS and is_polar(question) and _MENTIONS.search(question)
    advises = read.idle == ONLY_POINTS and _ADVISES.search(question)
    return replace(read, idle=None) if advises or (answers and _MENTIONS.search(read.text)) else read
