"""Refusing: one sentence that says only that the speaker does not know or cannot say ("I couldn't find that.").

Stricter than `groundwire.text.refusals`, which judges whole answers: here what is refused has to be an answer, and nothing may
come behind it. "I'm afraid the museum is closed." and "There is no data cap." say something. English; every pattern is bounded.
"""

from __future__ import annotations

import re

from groundwire.text.refusals import straightened

LONGEST = 300
"""Characters: a longer sentence says something."""

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
_TEXTS = (
    r"(?:(?:the|this|these|your|any of the|either of the) )?(?:given |provided |supplied |retrieved )?"
    r"(?:passage|document|context|text|excerpt|source|snippet)s?"
)
_HOLD = (
    r"(?:mention|say|state|specify|indicate|discuss|explain|tell"
    rf"|(?:contain|provide|include|give) (?:any |enough |further |sufficient |specific |the )?(?:{_MATTER}|mention|answer))"
)
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
        rf"i(?:'m| am) not (?:sure|certain|aware)(?: (?:of|{_ASKED}){_REST})?",
        rf"(?:{_TEXTS}) (?:do|does|did)(?: not|n't) (?:explicitly |specifically |directly |clearly )?{_HOLD}\b[^,;:]{{0,200}}",
        rf"[^,;:]{{1,80}} (?:is|are) not (?:explicitly |specifically |directly )?(?:mentioned|stated|specified|discussed) "
        rf"(?:in|by) (?:{_TEXTS})",
        r"there (?:is|was) (?:no|not enough|insufficient) (?:information|context|mention|details?) "
        rf"(?:about|on|of|to|in|for|regarding|given|provided|available|here){_REST}",
    )
]
_GOES_ON = re.compile(r"\b(?:but|though|although|because|since|so|and) ")


def refuses(sentence: str) -> bool:
    """Say whether a sentence does no more than decline to answer."""
    if len(sentence) > LONGEST:
        return False
    rest = _LEAD.sub("", straightened(sentence))
    return _GOES_ON.search(rest) is None and any(pattern.fullmatch(rest) for pattern in _DECLINES)
