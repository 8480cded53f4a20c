"""Reasons: why a sentence of an answer has nothing to check.

Courtesy, questions, headings, saying that one does not know, and chatter: remarks ("That is so cool.") and a speaker's own
tastes and life ("I love that one!"). A sentence that says anything besides ("I think it opened in 1998.") is not idle; where
it is unclear, the sentence is checked. English.

Left out: lists, their leads and which lines stand in a list of sources (`groundwire.claims`), how refusals (`refusing`) and
chatter (`chatter`) are told.
"""

from __future__ import annotations

import re

from groundwire.idle.chatter import shipped
from groundwire.idle.refusing import refuses
from groundwire.idle.voices import Voices
from groundwire.text import content_terms, folded_words, is_stop_word

NOTHING_SAID = "nothing to check: it says nothing that evidence could back"
ONLY_ASKED = "nothing to check: a question asserts nothing"
ONLY_NAMES = "nothing to check: it only names what follows"
ONLY_CHATS = "nothing to check: a remark, or of the speaker alone, which evidence could not back"
ONLY_CITES = "nothing to check: it only names a source"
ONLY_ABSTAINS = "nothing to check: it says that the speaker does not know"

ASSENT = frozenset(("yes", "no", "ok", "okay", "sure", "yeah"))
"""Words that say something only together with what they answer, which the claim prompt puts beside them."""
ECHOES = frozenset(
    "yep yup nope nah indeed absolutely certainly definitely exactly totally true right correct agreed".split()
)
"""Words that alone, or among ASSENT, say no more than a yes or a no: "Absolutely, yes." (but "They agreed." says more)."""
YES_NO = frozenset(("yes", "no"))
"""What answers a question by itself: "No, except for guide dogs."."""
REPLIES = frozenset(("not really", "not exactly", "not quite", "not at all"))
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
VERBS = frozenset("do does did is are was were can will should have has had".split())
"""Verbs that a question begins with, whatever it asks for."""
ASKING = VERBS | frozenset(
    "who whom whose what which when where why how could would shall may might any anything".split()
)
"""First words of a sentence that asks; a question that is only hung on ("..., wasn't it?") asserts what stands before."""
POLAR = VERBS | {"must"}
"""First words of a question for a yes or a no; those of a polite request are left out."""
ASSERTING = re.compile(
    r"(?:(?:can|could|would) you (?:believe|imagine)|(?:have|had) you (?:heard|noticed|seen)|d(?:o|id) you know|"
    r"(?:are|were) you aware|who (?:knew|would have (?:thought|guessed))|how \w{2,20} is it|"
    r"is(?:n['’]t| it not) it \w{2,20}) that\b(?! \w+\s*\?)",
    re.IGNORECASE,
)
"""How a question begins that tells what it seems to ask."""
_NAMED = r"(?:\s(?:[A-Z][\w.'’-]{0,30}|all|team|there|everyone|and|or|both)){0,4}"
LETTER = re.compile(
    rf"(?i:dear|hi|hello|hey|good (?:morning|afternoon|evening)){_NAMED}\s?[,!]"
    r"|(?i:(?:with )?(?:(?:best|kind|warm|warmest) )?(?:regards|wishes)|best|(?:yours )?(?:sincerely|faithfully|truly)|cheers"
    rf"|(?:many )?thanks|respectfully),(?:\s?\n)?{_NAMED}"
)
"""How a letter begins and ends: "Dear Mr. Hale,", "Best,⏎Tom"."""
HEADING = 2
"""The most content terms of a heading that is not written as a title."""
TITLE = 5
"""The most words of a title that are no stop words: "Background and Early Life"."""
STATES = re.compile(
    r"\b(?:am|is|are|was|were|has|have|had|does|did|will|would|can|could|may|might|must|not|no|never|none|nobody|nothing|"
    r"\w{2,20}ed|fell|rose|won|lost|grew|died|left|made|sank|beat|quit|hit|met|sold|bought|built|broke|began|became|went|came|"
    r"saw|took|gave|got|said|told|found|kept|led|paid|ran|sent|shut|spent|stood|cut|rises|falls|wins|loses|denies|says|gains|"
    r"drops|grows|dies|leaves)\b|n['’]t\b",
    re.IGNORECASE,
)
"""What makes a sentence of a line in bold, or of a title."""
STOPS = ".!?…。！？؟۔।"
"""What a sentence ends with, and a heading or a bare answer does not."""
TABLE = re.compile(r"\|[^\n]{1,2000}+\n[ \t]{0,20}\|?[ \t]{0,20}:?-[|:\s-]{1,2000}+")
"""The names of a table's columns, with the line under them."""
COLONS = (":", "：")
"""What a heading, or what leads into a list, may end with."""
MARKER = re.compile(r"\(?(\d{1,3})[.)]")
"""A number that an item of a list begins with, and no item."""
CITING = re.compile(
    r"[\s#>-]{0,20}(?:sources?(?:\(s\))?|references?|citations?|works cited|bibliography|further reading|links|footnotes)"
    r"(?: used)?\s{0,20}[:：]?\s{0,20}",
    re.IGNORECASE,
)
"""A line that a list of sources stands under."""
_PLACE = r"https?://|\bpp?\.\s?\d|\w\.(?:pdf|docx?|html?|md|txt|csv|xlsx?|pptx?)\b"
SOURCED = re.compile(
    r"[\s#>-]{0,20}(?:sources?|references?|citations?|evidence|relevant passages?|footnotes?)(?:\(s\)| used)?\s{0,5}[:：]"
    r"(?:(?:[\s\d\[\](),;&.–-]|and|passages?|documents?|docs?|contexts?|chunks?|texts?|articles?){0,200}"
    rf"|.{{0,300}}(?:{_PLACE}).{{0,300}})",
    re.IGNORECASE,
)
"""A sentence that names its source: an address, a file, a page, a passage by its number."""
FILED = re.compile(
    r"\w\.[a-z]{2,4}[\"'”’)]{0,2} (?:is|was|are|were|has|had|have|does|did|will|can|could|must)\b", re.IGNORECASE
)
"""A file that something is said of."""
ADDRESSED = re.compile(rf"{_PLACE}|\w\.(?:com|org|gov)\b|\((?:19|20)\d\d\)", re.IGNORECASE)
"""What names a source: an address, a page, a file, a year in brackets."""
SHARED = re.compile(
    r"[\s*+•-]{0,5}[^:\n]{1,80}:\s{0,5}[$€£]?\d[\d.,]{0,20}\s?(?:%|percent|per cent)?\s{0,5}\.?", re.IGNORECASE
)
"""A name and its figure, as in a list of what something is made of."""
ADDRESS = re.compile(r"[\s:.)–-]{0,40}https?://\S{1,2000}\s{0,40}", re.IGNORECASE)
SURE = 2.5
"""Log-odds over the threshold from which a sentence is chatter beyond doubt."""


def why_idle(sentence: str, *, last: bool, apart: bool = False, voices: Voices | None = None) -> str | None:
    """Return why a sentence of an answer has nothing to check, or None where it has.

    `last` says that no other sentence follows: a heading, or the number of an item, has something behind it. `apart` says that
    its line is set apart as a heading is, in bold from one end to the other. What somebody says of themselves ("I miss my old
    school.") is checked where the contexts, of which `voices` are, say so in the same words or are told by such a speaker.
    """
    terms = content_terms(sentence)
    reply = sentence.strip(" .!").lower()
    if all(term in ASSENT for term in terms) or reply in REPLIES or echoes(sentence) or _is_polite(sentence, terms):
        return NOTHING_SAID
    if asks(sentence):
        return ONLY_ASKED
    if not last and (_heads(sentence, apart) or MARKER.fullmatch(sentence) or TABLE.fullmatch(sentence)):
        return ONLY_NAMES
    if refuses(sentence):
        return ONLY_ABSTAINS
    return ONLY_CHATS if shipped().is_chatter(sentence) and not (voices and voices.share(sentence)) else None


def lists_sources(line: str) -> bool:
    """Say whether a line only stands over a list of sources: "## References", "Sources:"."""
    return CITING.fullmatch(line) is not None


def cites(sentence: str) -> bool:
    """Say whether a sentence only names its source: "Source: annual report, p. 3", an address."""
    if ADDRESS.fullmatch(sentence):
        return True
    return SOURCED.fullmatch(sentence) is not None and not FILED.search(sentence)


def is_source(line: str) -> bool:
    """Say whether a line of a list of sources may be one: no statement, no share of a whole ("Solar: 40%")."""
    stated = line.rstrip()[-1:] in STOPS and STATES.search(line) is not None
    return bool(ADDRESSED.search(line)) or not (stated or SHARED.fullmatch(line))


def assents(sentence: str) -> bool:
    """Say whether a sentence answers yes or no and says nothing more by itself: "No, it is not."."""
    words = folded_words(sentence)
    return bool(words) and words[0] in YES_NO and NODDING.issuperset(content_terms(sentence))


def echoes(sentence: str) -> bool:
    """Say whether a sentence is a yes or a no by another word: "Absolutely!", "Correct, yes."."""
    words = set(folded_words(sentence))
    return not words.isdisjoint(ECHOES) and words <= ECHOES | ASSENT


def surely_chats(sentence: str) -> bool:
    """Say whether a sentence is chatter beyond doubt."""
    return shipped().is_chatter(sentence, SURE)


def asks(sentence: str) -> bool:
    """Say whether a sentence is a question, not one that is only hung on to a statement."""
    words = sentence.lower().split(maxsplit=3)
    told = words[:3] == ["did", "you", "know"] or ASSERTING.match(sentence)
    return sentence.rstrip().endswith("?") and words[0].strip("¿\"'") in ASKING and not told


def is_polar(question: str) -> bool:
    """Say whether a question wants a yes or a no, and not from the one who is asked: "Is it open on Mondays?"."""
    words = folded_words(question)
    return question.rstrip().endswith("?") and bool(words) and words[0] in POLAR and "you" not in words[:3]


def _is_polite(sentence: str, terms: list[str]) -> bool:
    """Say whether a sentence is nothing but courtesy: "Hello!", "I hope this helps.", "Let me know if you need more help.",
    the first or last line of a letter."""
    if LETTER.fullmatch(sentence.strip()):
        return True
    if not all(term in COURTESY for term in terms):
        return False
    words = folded_words(sentence)
    return words[0] in GREETING or not TALKERS.isdisjoint(words)


def _heads(sentence: str, apart: bool) -> bool:
    """Say whether a sentence is a heading: short or a title, and marked as one ("## Overview") or behind it a colon."""
    words = sentence.lstrip("# 0123456789.)").rstrip("*_ ")
    marked = apart or sentence.startswith("#") or words.endswith(COLONS)
    if not marked or any(c.isdigit() for c in words) or words[-1:] in STOPS:
        return False
    short = len(content_terms(words)) <= HEADING and not (apart and STATES.search(words))
    return short or (_titled(words) and not STATES.search(words))


def _titled(words: str) -> bool:
    """Say whether all words but stop words are capitalised, and few."""
    named = [word for word in words.split() if not is_stop_word(word)]
    return len(named) <= TITLE and all(word[:1].isupper() or not word[:1].isalpha() for word in named)
