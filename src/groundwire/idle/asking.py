"""Asking: which sentences are questions that assert nothing, and which only look like questions.

"What's your favourite?", "Oh, which one did you get?", "Ever been there?" ask; "Ann won, didn't she?", "Did you know that Ann
won?" and "Isn't Paris the capital?" tell. Left out: what is asked. English; every pattern is bounded.
"""

from __future__ import annotations

import re

from groundwire.text import folded_words, names

VERBS = frozenset("do does did is are was were can will should have has had".split())
"""Verbs that a question begins with, whatever it asks for."""
ASKING = VERBS | frozenset(
    "am who whom whose what which when where why how could would shall may might any anything anyone".split()
)
"""First words of a sentence that asks; a question that is only hung on ("..., wasn't it?") asserts what stands before."""
POLAR = VERBS | {"must"}
"""First words of a question for a yes or a no; those of a polite request are left out."""
ELLIPTIC = frozenset("ever got need want care mind interested ready curious".split())
"""First words of a question that leaves out its verb and whom it asks: "Ever been there?"."""
SHORT = 10
"""The most words of such a question."""
_IRREGULAR = {"can't": "can", "won't": "will", "shan't": "shall"}
_MARKS = re.compile(
    r"(?:[^\w\n]|_){0,20}(?:\d{1,3}[.)]\s{1,5}(?:[^\w\n]|_){0,20})?"
    r"(?:(?:(?:and|but|or|so|also|then|plus)(?: (?:also|then))?,?|by the way,?|btw,?|just curious,?"
    r"|(?:oh|ok|okay|well|hmm|hm|wow|cool|nice|great|yes|yeah|no|sure|right|anyway|now|interesting|haha|hey|hi|ah|really|true"
    r"|in that case|speaking of which|out of curiosity|in other words|if so),)\s{1,5}){0,3}[\"'“‘¿(]{0,3}",
    re.IGNORECASE,
)
"""What may stand before the first word of a question: the mark of a heading or an item, an emoji, words that lead to it."""
_WH = "who|whom|whose|what|which|when|where|why|how|if|whether|any|anything|anyone"
_AUX = r"(?:is|are|was|were|has|have|had|can|could|will|would)\b"
_WITHOUT_THAT = re.compile(
    rf"d(?:o|id)(?:n['’]t)? you know (?:(?:he|she|it|they|we|there|this)(?:['’](?:s|re|ve|d|ll)\b| (?:{_AUX}|\w{{3,20}}ed\b))"
    rf"|(?!(?:{_WH})\b)[^\s?,]{{1,40}}(?: (?!(?:{_WH}|that)\b)[^\s?,]{{1,40}}){{0,8}}? {_AUX})",
    re.IGNORECASE,
)
"""What "Do you know" begins that tells: a whole clause."""
ASSERTING = re.compile(
    r"(?:(?:can|could|would) you (?:believe|imagine)|(?:have|had)(?:n['’]t)? you (?:heard|noticed|seen)|"
    r"d(?:o|id)(?:n['’]t)? you know|(?:are|were)(?:n['’]t)? you aware|who (?:knew|would have (?:thought|guessed))|"
    r"how \w{2,20} is it|is(?:n['’]t| it not) it \w{2,20}) that\b(?! \w+\s*\?)",
    re.IGNORECASE,
)
"""How a question begins that tells what it seems to ask."""
_NEGATIVE = re.compile(
    r"(?:is|are|was|were|does|do|did|has|have|had|can|wo|could|would|should)n['’]t (\w+)", re.IGNORECASE
)
_POINTING = frozenset("that this it these those there he she they".split())
_ADDRESSED = frozenset("you we i your anyone anybody".split())


def asks(sentence: str) -> bool:
    """Say whether a sentence is a question, not one that is only hung on to a statement or tells what it seems to ask."""
    question = _question(sentence)
    if not question or question.lower().startswith("did you know "):
        return False
    told = ASSERTING.match(question) or _WITHOUT_THAT.match(question) or _implies(question)
    return not told and _begins_as_one(question)


def is_question(text: str) -> bool:
    """Say whether a text that wants an answer, as a user's does, is one question: it may imply what it asks."""
    question = _question(text)
    return bool(question) and _begins_as_one(question)


def _question(sentence: str) -> str:
    """Return a sentence with a question mark from its first word on; nothing where it has none."""
    if not sentence.rstrip("\"'”’*_) \t\n").endswith("?"):
        return ""
    lead = _MARKS.match(sentence)
    return sentence[lead.end() if lead else 0 :].rstrip()


def _begins_as_one(question: str) -> bool:
    """Say whether the first word is one that a question begins with, in full, shortened ("What's", "Isn't") or left over."""
    first = question.split(maxsplit=1)[0].lower().replace("’", "'").strip("\"'?,")
    verb = _IRREGULAR.get(first, first.removesuffix("n't").partition("'")[0])
    short = "," not in question and len(question.split(maxsplit=SHORT)) <= SHORT
    return verb in ASKING or (first in ELLIPTIC and short) or question.lower() in ("you?", "how come?")


def _implies(question: str) -> bool:
    """Say whether a question with a not implies a fact: "Isn't Paris the capital?", but not "Isn't that amazing?"."""
    negative = _NEGATIVE.match(question)
    if negative is None or negative[1].lower() in _ADDRESSED:
        return False
    rest = question[negative.end() :]
    return negative[1].lower() not in _POINTING or bool(names("x " + rest)) or any(map(str.isdigit, rest))


def is_polar(question: str) -> bool:
    """Say whether a question wants a yes or a no, and not from the one who is asked: "Is it open on Mondays?"."""
    words = folded_words(question)
    return question.rstrip().endswith("?") and bool(words) and words[0] in POLAR and "you" not in words[:3]
