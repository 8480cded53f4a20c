"""Reasons: why a sentence of an answer has nothing to check.

Courtesy, questions, headings, what only announces, cautions or points elsewhere, saying that one does not know, and chatter:
remarks ("That is so cool.") and a speaker's own tastes and life ("I love that one!"). A sentence that says anything besides ("I
think it opened in 1998.") is not idle; where it is unclear, the sentence is checked. English.

Left out: lists, their leads and which lines stand in a list of sources (`groundwire.claims`); how each kind is told, which has
a file of its own, but for courtesy.
"""

from __future__ import annotations

import re

from groundwire.idle.announcing import announces
from groundwire.idle.asking import asks
from groundwire.idle.chatter import shipped
from groundwire.idle.headings import heads
from groundwire.idle.pointing import points
from groundwire.idle.refusing import refuses
from groundwire.idle.voices import Voices
from groundwire.text import content_terms, folded_words

NOTHING_SAID = "nothing to check: it says nothing that evidence could back"
ONLY_ASKED = "nothing to check: a question asserts nothing"
ONLY_NAMES = "nothing to check: it only names what follows"
ONLY_CHATS = "nothing to check: a remark, or of the speaker alone, which evidence could not back"
ONLY_CITES = "nothing to check: it only names a source"
ONLY_ABSTAINS = "nothing to check: it says that the speaker does not know"
ONLY_POINTS = "nothing to check: it only says what the answer is not, or where to turn to"

ASSENT = frozenset(("yes", "no", "ok", "okay", "sure", "yeah"))
"""Words that say something only together with what they answer, which the claim prompt puts beside them."""
ECHOES = frozenset(
    "yep yup nope nah indeed absolutely certainly definitely exactly totally true right correct agreed".split()
)
"""Words that alone, or among ASSENT, say no more than a yes or a no: "Absolutely, yes." (but "They agreed." says more)."""
YES_NO = frozenset(("yes", "no"))
"""What answers a question by itself: "No, except for guide dogs."."""
REPLIES = frozenset(("not really", "not exactly", "not quite", "not at all", "not entirely", "not necessarily"))
"""The same, of several words."""
NODDING = ASSENT | frozenset("not never aren can cannot couldn didn doesn don hasn haven isn wasn weren won".split())
"""Terms of a yes or a no that leans on its question."""
GREETING = frozenset("feel glad good great happy hello hey hi hope sorry thank thanks welcome".split())
"""First words of a sentence that may be nothing but courtesy."""
COURTESY = ASSENT | GREETING.union(
    "anything ask asking assist assistance else excellent free further help helpful know let need please question".split()
)
"""Terms of courtesy: a sentence of no others asserts nothing, if it greets or speaks of the two who talk."""
TALKERS = frozenset("i me you we us".split())
_NAMED = r"(?:\s(?:[A-Z][\w.'’-]{0,30}|all|team|there|everyone|and|or|both)){0,4}"
LETTER = re.compile(
    rf"(?i:dear|hi|hello|hey|good (?:morning|afternoon|evening)){_NAMED}\s?[,!]"
    r"|(?i:(?:with )?(?:(?:best|kind|warm|warmest) )?(?:regards|wishes)|best|(?:yours )?(?:sincerely|faithfully|truly)|cheers"
    rf"|(?:many )?thanks|respectfully),(?:\s?\n)?{_NAMED}"
)
"""How a letter begins and ends: "Dear Mr. Hale,", "Best,⏎Tom"."""
TABLE = re.compile(
    r"\|[^\n]{1,2000}+\n[ \t]{0,20}\|?[ \t]{0,20}:?-[|:\s-]{1,2000}+"
    r"|[^\n|]{1,200}+\|[^\n]{1,2000}+\n[ \t]{0,20}:?-{1,200}+[ \t]{0,20}:?[ \t]{0,20}\|[|:\s-]{0,2000}+"
)
"""The names of a table's columns, with the line under them."""
MARKER = re.compile(r"\(?(\d{1,3})[.)]")
"""A number that an item of a list begins with, and no item."""
_NODS = re.compile(
    r"\W{0,10}(?:yes|no)(?:,?\s(?:i|you|he|she|it|we|they|there|that|this|those|these|one)\s(?:(?:am|is|are|was|were|do|does|did|has"
    r"|have|had|can|could|will|would|should|must|may|might)(?:\snot|n['’]t)?|cannot|can['’]t|won['’]t))?\W{0,10}",
    re.IGNORECASE,
)
"""A yes or a no that only repeats what was asked: "No, it does not."; "No, only some of them." says more."""
SURE = 2.5
"""Log-odds over the threshold from which a sentence is chatter beyond doubt."""


def why_idle(sentence: str, *, last: bool, apart: bool = False, voices: Voices | None = None) -> str | None:
    """Return why a sentence of an answer has nothing to check, or None where it has.

    `last` says that no other sentence follows: a heading, or the number of an item, has something behind it. `apart` says that
    its line is set apart as a heading is, in bold from one end to the other. What somebody says of themselves ("I miss my old
    school.") is checked where the contexts, of which `voices` are, say so in the same words or are told by such a speaker.
    """
    if _says_nothing(sentence):
        return NOTHING_SAID
    if asks(sentence):
        return ONLY_ASKED
    if not last and (heads(sentence, apart=apart) or announces(sentence) or _begins(sentence)):
        return ONLY_NAMES
    if refuses(sentence):
        return ONLY_ABSTAINS
    if points(sentence):
        return ONLY_POINTS
    return ONLY_CHATS if shipped().is_chatter(sentence) and not (voices and voices.share(sentence)) else None


def assents(sentence: str) -> bool:
    """Say whether a sentence answers yes or no and says nothing more by itself: "No, it is not."."""
    words = folded_words(sentence)
    return bool(words) and words[0] in YES_NO and NODDING.issuperset(content_terms(sentence))


def nods(sentence: str) -> bool:
    """Say whether a sentence is a yes or a no that at most repeats its question: "Yes.", "No, it is not."."""
    return _NODS.fullmatch(sentence) is not None


def echoes(sentence: str) -> bool:
    """Say whether a sentence is a yes or a no by another word: "Absolutely!", "Correct, yes."."""
    words = set(folded_words(sentence))
    return not words.isdisjoint(ECHOES) and words <= ECHOES | ASSENT


def surely_chats(sentence: str) -> bool:
    """Say whether a sentence is chatter beyond doubt."""
    return shipped().is_chatter(sentence, SURE)


def _says_nothing(sentence: str) -> bool:
    """Say whether a sentence is a yes or a no, or nothing but courtesy."""
    terms = content_terms(sentence)
    if all(term in ASSENT for term in terms) or sentence.strip(" .!").lower() in REPLIES or echoes(sentence):
        return True
    return nods(sentence) or _is_polite(sentence, terms)


def _is_polite(sentence: str, terms: list[str]) -> bool:
    """Say whether a sentence is nothing but courtesy: "Hello!", "I hope this helps.", "Let me know if you need more help.",
    the first or last line of a letter."""
    if LETTER.fullmatch(sentence.strip()):
        return True
    if not all(term in COURTESY for term in terms):
        return False
    words = folded_words(sentence)
    return words[0] in GREETING or not TALKERS.isdisjoint(words)


def _begins(sentence: str) -> bool:
    """Say whether a sentence is the number of an item, or the names of a table's columns."""
    return MARKER.fullmatch(sentence) is not None or TABLE.fullmatch(sentence) is not None
