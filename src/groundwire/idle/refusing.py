"""Refusing: one sentence that says only that the speaker does not know or cannot say ("I couldn't find that.").

Stricter than `groundwire.text.refusals`, which judges whole answers: here what is refused has to be an answer, and nothing may
come behind it. What declines speaks of the texts, the question, the answer or the speaker: "I'm afraid the museum is closed.",
"The cause is unknown." and "There is no data cap." say something. A few words that speak of none ("Unknown", "N/A") decline
where nothing else is answered (`declines`). English; every pattern is bounded.
"""

from __future__ import annotations

import re

from groundwire.text import folded_words
from groundwire.text.refusals import straightened

LONGEST = 300
"""Characters: a longer sentence says something."""
STEM = 5
"""The first letters of a word, by which a question's is the same."""
TELLING = frozenset(
    "addre answe avail clear conta cover descr discl discu expla found given inclu indic infor known menti named provi speci "
    "state".split()
)
"""Stems of what texts do, or of what is known: where a question asks for just that, its denial is the answer."""

_ASIDE = r"(?:but|however|oh|ok|okay|well|hmm|sorry|unfortunately|regrettably)"
_SORRY = r"i(?:'m| am)(?: so| very| really)? (?:sorry|afraid)(?:,? but| that)?"
_MODEL = r"as an? (?:ai|artificial intelligence|(?:large )?language model)[^,.]{0,40}|based on [^,.]{0,60}"
_LEAD = re.compile(rf"\A(?:(?:{_ASIDE}|{_SORRY}|{_MODEL}),? ){{0,4}}")
_NOT = r"(?:do not|don't|cannot|can not|can't)"
_UNABLE = rf"(?:{_NOT}|could not|couldn't|did not|didn't|(?: ?am|'m| was) (?:not able|unable) to|wasn't able to)"
_ASKED = r"(?:about|if|whether|who|whose|what|when|where|which|why|how)"
_MATTER = r"(?:information|data|details?|context|knowledge|records?|evidence|answers?)"
_ANY = r"(?:(?:an?|any|access to|definitive|enough|further|more|real-time|relevant|specific|sufficient|that|the) ){0,4}"
_REST = r"\b.{0,200}"
_GIVEN = r"(?:(?:above|given|provided|supplied|retrieved) )?"
_BEHIND = r"(?: (?:above|given|provided|supplied))?"
_TEXTS = (
    rf"(?:(?:(?:(?:the|this|these|your|any of the|either of the) )?{_GIVEN}"
    r"(?:passage|document|context|text|excerpt|source|snippet)s?"
    rf"|(?:the|this|these) {_GIVEN}(?:articles?|paragraphs?)){_BEHIND}"
    r"|(?:the|this) (?:(?:given|provided|supplied|above) information|information (?:given|provided|supplied|above)))"
)
_OUT = rf"(?:(?:in|from|by|within|using|with|(?:solely |only )?based (?:solely |only )?on|according to) {_TEXTS}(?: alone)?)"
"""Where something was looked for."""
_HOW = r"(?:(?:explicitly|specifically|directly|clearly|actually) )?"
_WRITTEN = (
    r"(?:mentioned|stated|specified|discussed|disclosed|described|explained|indicated|addressed|named|known|given|"
    r"provided)"
)
_TOLD = rf"(?:{_WRITTEN}|available|clear)"
_ISNT = r"(?:(?:is|are|was|were) not|(?:is|are|was|were)n't)"
_TO_SAY = r"possible to (?:say|tell|determine|know)"
_UNKNOWN = rf"(?:unknown|unclear|uncertain|not (?:known|clear|certain|{_TO_SAY})|im{_TO_SAY})"
_UNABLE_TO_BE = (
    r"(?:cannot|can't|can not|could not|couldn't) be (?:answered|determined|inferred|known|verified|told|established)"
)
_FEW = r"(?:(?:any|enough|further|sufficient|specific|relevant|this|that|these|those|the|an) ){0,2}"
_NONE = r"(?:no|not enough|insufficient) (?:(?:relevant|specific|further) )?"
_HOLD = (
    r"(?:mention|say|state|specify|indicate|discuss|explain|tell|answer (?:this|that|the|your) question"
    rf"|(?:contain|provide|include|give|have) {_FEW}(?:{_MATTER}|mention|answer))"
)
_HOLDS_NO = (
    rf"(?:(?:contain|provide|include|give|make)s?|has|have) {_NONE}(?:{_MATTER}|mention)"
    rf"|says? nothing (?:about|on|of)|(?:is|are) (?:silent|unclear|not clear) (?:on|as to|{_ASKED})"
)
_ANSWER = r"(?:the answer(?: to (?:the|this|your) question)?|(?:this|that|the requested|such) information)"
_SAID = r"[^,;:]{1,80}"
_DECLINES = [
    re.compile(pattern + r"[ .!]*")
    for pattern in (
        rf"i (?:{_NOT}|could not|couldn't) (?:know|say|tell|recall|remember)(?: (?:for sure|for certain|yet|that|it))?",
        rf"i (?:{_NOT}|could not|couldn't) (?:know|say|tell|recall|remember) (?:{_ASKED}|the answer|anything about){_REST}",
        rf"i ?{_UNABLE} (?:find|locate|access|retrieve) (?:that|this|it|anything)(?: in .{{1,80}})?",
        rf"i ?{_UNABLE} (?:find|locate|access|retrieve) (?:{_ASKED}|any mention|mention|{_ANY}{_MATTER}){_REST}",
        rf"i ?{_UNABLE} (?:answer|determine|verify|comment|help|assist){_REST}",
        rf"i ?{_UNABLE} (?:provide|give|offer)(?: you)?(?: with)? {_ANY}{_MATTER}{_REST}",
        rf"i ?{_UNABLE} (?:provide|give|offer)(?: you)?(?: with)? (?:medical|legal|financial|tax) advice{_REST}",
        rf"i (?:currently |actually )?(?:do not|don't) (?:currently |actually )?have {_ANY}(?:{_MATTER}|access|idea){_REST}",
        rf"i have no (?:{_MATTER}|idea|clue|way of knowing){_REST}",
        rf"i(?:'m| am) (?:not (?:sure|certain|aware)|unsure)(?: (?:of|{_ASKED}){_REST})?",
        rf"{_TEXTS} (?:do|does|did)(?: not|n't) {_HOW}{_HOLD}\b[^,;:]{{0,200}}",
        rf"{_TEXTS} (?:{_HOLDS_NO})\b[^,;:]{{0,200}}",
        rf"{_SAID} {_ISNT} {_HOW}{_TOLD}(?: anywhere)? (?:in|by|from|within) {_TEXTS}",
        rf"(?:{_ANSWER} {_ISNT}|not) (?:{_HOW}(?:{_TOLD}|found|contained|included|present) )?{_OUT}",
        rf"{_ANSWER} {_ISNT} {_HOW}(?:mentioned|stated|specified|given|provided|there)",
        rf"(?:the|this|your) (?:question|answer) (?:{_UNABLE_TO_BE}|cannot be found|can't be found)(?: {_OUT})?",
        rf"(?:(?:it|this|that) )?{_UNABLE_TO_BE} {_OUT}(?: {_ASKED}{_REST})?",
        rf"{_SAID} {_UNABLE_TO_BE} {_OUT}",
        rf"(?:it(?: is|'s|) |it remains )?{_UNKNOWN} {_OUT}(?: {_ASKED}{_REST})?",
        rf"(?:there (?:is|was) )?{_NONE}(?:{_MATTER}|mention)(?: (?:of|about|on|regarding) {_SAID})?"
        rf"(?: (?:is|are|was|were))?(?: (?:found|{_TOLD}))? {_OUT}(?: (?:of|about|on|regarding) {_SAID})?",
        rf"{_NONE}(?:information|mention|answer) (?:is|are) (?:given|provided|included|made)"
        rf"(?: (?:about|on|of|regarding|as to) {_SAID})?",
        r"there (?:is|was) (?:no|not enough|insufficient) (?:information|context|mention|details?) "
        rf"(?:about|on|of|to|in|for|regarding|given|provided|available|here){_REST}",
    )
]
_FROM = re.compile(rf"\A(?:so |thus |therefore )?{_OUT},? ")
_IN_VIEW = re.compile(
    rf"(?:it(?: is|'s) {_UNKNOWN}(?: (?:{_ASKED}|the|an?){_REST})?|it {_UNABLE_TO_BE}(?: {_ASKED}{_REST})?"
    rf"|{_SAID} (?:(?:is|are|was|were) {_UNKNOWN}|{_ISNT} {_HOW}(?:mentioned|stated|specified|discussed|disclosed|explained)"
    rf"|{_UNABLE_TO_BE}))[ .!]*"
)
"""What declines behind "Based on the passage, …"; that something is not available there is said of it."""
_BARE = re.compile(
    r"[\W_]{0,10}(?:unanswerable|unknown|unclear|undetermined|unsure|n/a|no (?:idea|clue|answer)|not sure"
    rf"|no answer (?:is )?(?:found|given|available|possible)|not {_HOW}{_WRITTEN}|(?:it|this|that)(?: is|'s) {_UNKNOWN}"
    rf"|(?:it|this|that) {_ISNT} {_HOW}{_WRITTEN}|(?:(?:it|this|that) )?{_UNABLE_TO_BE}|cannot (?:answer|determine|say|tell)"
    rf"|(?:there is )?{_NONE}(?:information|details|context|answer)(?: (?:given|provided|found))?"
    r"|(?:the )?question (?:is )?unanswerable|don't know|do not know|dunno)[\W_]{0,10}"
)
"""What declines to answer where it is all that is said."""
_GOES_ON = re.compile(r"\b(?:but|though|although|because|since|so|and) ")


def refuses(sentence: str) -> bool:
    """Say whether a sentence does no more than decline to answer, whatever stands beside it."""
    if len(sentence) > LONGEST:
        return False
    words = straightened(sentence)
    rest = _LEAD.sub("", words)
    if _GOES_ON.search(rest):
        return False
    read = _FROM.match(words)
    return any(pattern.fullmatch(rest) for pattern in _DECLINES) or (
        read is not None and _IN_VIEW.fullmatch(words, read.end()) is not None
    )


def declines(answer: str, question: str | None = None) -> bool:
    """Say whether an answer's only sentence declines to answer its question: "Unknown", "Not mentioned in the passage.".

    Where the question asks whether something is known, or said, that it is not is the answer: "Is the cause known? Unknown."
    """
    if len(answer) > LONGEST or (question and TELLING & _stems(answer) & _stems(question)):
        return False
    return refuses(answer) or _BARE.fullmatch(straightened(answer)) is not None


def _stems(text: str) -> set[str]:
    return {word.removeprefix("un")[:STEM] for word in folded_words(text)}
