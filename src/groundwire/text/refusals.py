"""Refusals and questions back ("I don't have access to that", "Could you clarify?"): answers that assert nothing.

Huo, Arabzadeh and Clarke (arXiv 2306.13781) count them as Not Related, and no answer can be grown from one. An answer is one
only as a whole: "I have no recent figures, but in 2020 it was five million" says something that can be checked. Linear time:
every pattern is bounded. Left out: languages other than English.
"""

from __future__ import annotations

import re

from groundwire.text.sentences import sentence_bounds

LONGEST = 2_000
"""Characters: a longer answer says something, whatever else it says."""

_VERB = r"(?:have|know|understand|possess|recall|recognize|recognise)"
_ABOUT = r"(?:information|context|details|detail|data|knowledge|specifics|background)"
_DECLINES = re.compile(
    rf"\b(?:i|we) (?:(?:do not|don't|currently don't|currently do not) (?:currently |actually )?{_VERB}"
    rf"|(?:cannot|can't|can not|could not|couldn't|am unable|'m unable|am not able|'m not able|are unable|was unable)\b"
    rf"|(?:would |will )?need (?:some |a bit |a little )?(?:more|further|additional) {_ABOUT}"
    rf"|(?:am|'m) (?:sorry|afraid|not (?:sure|certain|aware|familiar))"
    rf"|have no (?:access|{_ABOUT}|way|idea))"
    rf"|\bi(?:'m|'ve) (?:sorry|afraid|unable|not (?:able|sure|certain|aware|familiar)|no (?:access|idea))"
    rf"|\bas an? (?:ai|artificial intelligence|(?:large )?language model)\b"
    rf"|\b(?:could|can|would|will) you (?:please |kindly )?"
    rf"(?:clarify|specify|provide|give|tell|explain|rephrase|share|be|say)\b"
    rf"|\bplease (?:clarify|specify|provide|give|tell|rephrase|share|be more|let me know)\b"
    rf"|\b(?:more|further|additional) {_ABOUT} (?:is|are|would be) (?:needed|required|necessary|helpful)"
    rf"|\b(?:it is|it's) (?:unclear|not clear) (?:what|which|who|to)\b"
    rf"|\bthere is (?:no|not enough|insufficient|not sufficient) {_ABOUT}\b"
    rf"|\bthe (?:question|query) (?:is|seems|appears) (?:\w+ )?(?:unclear|incomplete|ambiguous|vague)"
)
_COURTESY = re.compile(
    r"(?:(?:i(?:'m| am)? )?(?:sorry|apologi[sz]e|apologies)|my apologies|unfortunately|thank you|thanks|feel free|"
    r"i(?:'d| would| can)? (?:recommend|suggest|advise|be happy|be glad)|you (?:can|may|could|might|should) (?:want to )?"
    r"(?:check|consult|contact|visit|try|ask|search|look|refer|reach)|please|(?:it is|it's) best to)\b"
)
_GOES_ON = re.compile(r"\b(?:but|however|though|although|that said|nevertheless|nonetheless)\b[,:]? +\w+(?: +\w+){2}")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'"})


def asserts_nothing(answer: str) -> bool:
    """Say whether an answer only declines to answer or asks what is meant: each sentence does, or is courtesy around it."""
    if len(answer) > LONGEST:
        return False
    declined = False
    for start, end in sentence_bounds(answer):
        sentence = straightened(answer[start:end])
        declines = _DECLINES.search(sentence) is not None
        if declines and _says_more(sentence):
            return False
        if not declines and not sentence.endswith("?") and not _COURTESY.match(sentence):
            return False
        declined = declined or declines
    return declined


def straightened(text: str) -> str:
    """Return a text in small letters, with straight apostrophes and single spaces, as patterns of words are written."""
    return " ".join(text.translate(_QUOTES).lower().split())


def _says_more(sentence: str) -> bool:
    """Say whether something follows the refusal in its own sentence ("…, but in 2020 it was five million")."""
    more = _GOES_ON.search(sentence)
    if more is None:
        return False
    rest = sentence[more.start() :]
    return _DECLINES.search(rest) is None and not rest.endswith("?") and " if you " not in rest
