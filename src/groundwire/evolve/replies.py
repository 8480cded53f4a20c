"""From what a model replied to a text that can stand in a population, or to nothing.

`bare` is what the published scripts do: strip, and line breaks become blanks. `cleaned` takes off what models put around a
text (thoughts, "Here is the rewritten passage:", quotes, code fences, an offer of more help, marks of our own fences), cuts
what goes round in circles, and gives nothing for a reply that repeats its prompt or declines. Both are linear in the reply:
no more than `READ` characters of it are looked at, and every pattern is bounded.

Left out: whether a text is true (the fitness and the verdict), and phrases of other languages than English: in those an
introduction stays, and a refusal is an offspring that scores low.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evolve.wording import NOTICED
from groundwire.text import sentence_bounds, word_bounds
from groundwire.text.refusals import asserts_nothing

READ = 20_000
"""Characters of a reply that are read."""
LONGEST = 4_000
"""Characters of an offspring at most: it is cut behind the last sentence that ends before. A passage has some 350."""
TURNS = 4
"""A run of words that follows on itself so often is a loop."""

_SHORTEST_LOOP = 8  # words beyond the first turn: "no, no, no, no" is none
_LONGEST_TURN = 40  # words
_TELLING = 3  # words: a sentence of so many that is there already adds nothing

_THINKING = re.compile(r"\s*<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT = ("</think>", "</thinking>", "</thought>", "</reasoning>")
_MARK = re.compile(r"\[(?:BEGIN|END)\s[0-9a-f]{8,64}\]", re.IGNORECASE)
_BLOCK = re.compile(r"\A```[\w-]{0,20}\n(.*)\n```\Z", re.DOTALL)
_FIELDS = re.compile(
    r"\A[\s*_#]*(?:query|question)\s?:.{0,2000}?\b(?:document|passage)\s?\d?\s?:", re.DOTALL | re.IGNORECASE
)

_NOUN = r"(?:passage|document|text|version|summary|answer|response|rewrite|rewriting|revision|paragraph)s?"
_KIND = (
    r"(?:the|an?|my|your|one|final|new|short|concise|brief|combined|merged|improved|better|edited|revised|rewritten|"
    r"re-written|rephrased|summari[sz]ed|updated|possible)"
)
_INTRODUCTION = re.compile(
    r"\A[\s*_#>]*(?:(?:sure|certainly|of course|absolutely|okay|ok|understood|yes|great)\b(?: thing)?[!,.]?\s+)?"
    rf"(?:(?:(?:here(?:'s|’s| is| are)|below is|the following is|i have|i've|i’ve)\b[^\n:]{{0,120}}?\b{_NOUN}\b[^\n:]{{0,160}}"
    rf"|(?:{_KIND}\s+){{0,4}}{_NOUN}(?:\s[12])?(?: is (?:as follows|below))?[*_]{{0,3}}\s?"
    r"):[*_]{0,3}(?=\s|[\"“«「]|\Z)\s*"
    rf"|(?:{_KIND}\s+){{1,4}}{_NOUN}[*_]{{0,3}} ?\n ?\n\s*)",
    re.IGNORECASE,
)
_COURTESY = re.compile(r"\A(?:sure|certainly|of course|absolutely|understood)(?: thing)?[!.]\s+", re.IGNORECASE)
_FAREWELL = re.compile(
    r"\(?(?:please )?(?:let me know\b|feel free to\b|i hope (?:this|that)\b|is there anything else\b|would you like me\b"
    r"|do you want me\b|i can also\b|(?:please )?note:? (?:that )?(?:i|this (?:rewrite|version|summary))\b)",
    re.IGNORECASE,
)
_LACKS = re.compile(
    rf"\A(?:unfortunately,? |i'm sorry,? but |sorry,? but )?(?:the|this|these|neither|none of the|both) "
    rf"(?:given |provided )?{_NOUN} (?:(?:do|does|did) not|don't|doesn't|don’t|doesn’t)(?: \w+)? "
    r"(?:contain|mention|provide|specify|state|say|include|answer|address|give)\b",
    re.IGNORECASE,
)
"""A remark on the passages in place of an answer."""
_QUOTES = {
    "**": "**",
    '"': '"',
    "“": "”",
    "„": "“",
    "«": "»",
    "»": "«",
    "「": "」",
    "『": "』",
    "'": "'",
    "‘": "’",
    "`": "`",
}
_ENDS = re.compile(r"[.!?…。！？｡।॥؟۔።៕][\"'”’»）)\]」』*_]{0,4}\Z")


def bare(reply: str) -> str:
    """Return a reply as the published scripts keep it, at most `READ` characters."""
    return reply[:READ].strip().replace("\n", " ").strip()


def cleaned(reply: str, sayings: Sequence[str] = ()) -> str:
    """Return the text that a reply holds on one line, at most `LONGEST` characters; empty when there is none.

    `sayings` are sentences of the prompt in small letters: a reply with a line that begins with one repeats its prompt.
    """
    text = _thoughtless(reply)[:READ]
    if _repeats(text, sayings):
        return ""
    text = _without_loops(_unwrapped(_MARK.sub(" ", text).strip()))
    text = " ".join(text.split())
    if not word_bounds(text) or asserts_nothing(text) or _lacks(text):
        return ""
    return _bounded(text)


def whole_sentences(text: str) -> str:
    """Return `text` without a last sentence that breaks off; a text of one sentence stays as it is."""
    bounds = sentence_bounds(text)
    if len(bounds) < 2 or _ENDS.search(text.rstrip()):
        return text
    return text[: bounds[-2][1]]


def _thoughtless(reply: str) -> str:
    """Return what stands behind the thoughts that some models send along; nothing when it is nothing but thoughts."""
    small = reply.lower() if "</" in reply else ""
    ends = [at + len(mark) for mark in _THOUGHT if (at := small.rfind(mark)) >= 0]
    text = reply[max(ends, default=0) :]
    return "" if _THINKING.match(text) else text


def _repeats(text: str, sayings: Sequence[str]) -> bool:
    """Say whether the text has the notice, the fields, or as the beginning of a line a sentence of its prompt."""
    lines = "\n".join(" ".join(line.split()) for line in text.casefold().splitlines())
    if any(noticed in lines for noticed in NOTICED) or _FIELDS.match(text):
        return True
    said = "|".join(re.escape(saying) for saying in sayings)
    return bool(said) and re.search(rf"^[\W_]{{0,8}}(?:{said}) ?(?:[.:]|$)", lines, re.MULTILINE) is not None


def _lacks(text: str) -> bool:
    """Say whether the text only remarks that the passages hold no answer."""
    return _LACKS.match(text) is not None and len(sentence_bounds(text)) <= 2


def _unwrapped(text: str) -> str:
    """Take off what stands around the text, layer by layer."""
    for _ in range(4):
        before = text
        block = _BLOCK.match(text)
        text = block[1].strip() if block else text
        text = _COURTESY.sub("", _INTRODUCTION.sub("", text, count=1), count=1)
        text = _without_farewell(_unquoted(text.strip()))
        if text == before:
            break
    return text


def _unquoted(text: str) -> str:
    """Take off quotes that hold the whole text and nothing quoted inside it."""
    opening = "**" if text.startswith("**") else text[:1]
    closing = _QUOTES.get(opening)
    if closing is None or len(text) < 2 * len(opening) or not text.endswith(closing):
        return text
    inner = text[len(opening) : -len(closing)]
    return text if opening in inner or closing in inner else inner.strip()


def _without_farewell(text: str) -> str:
    bounds = sentence_bounds(text)
    kept = len(bounds)
    while kept > 1 and _FAREWELL.match(text, *bounds[kept - 1]):
        kept -= 1
    return text if kept == len(bounds) else text[: bounds[kept - 1][1]]


def _without_loops(text: str) -> str:
    """Leave out sentences that were there before, and cut behind the last one that ends before words go round."""
    text = _without_repeats(text)
    start = _loop(text)
    if start is None:
        return text
    ended = [end for _, end in sentence_bounds(text) if end <= start]
    return text[: ended[-1]] if ended else ""


def _without_repeats(text: str) -> str:
    seen: set[tuple[str, ...]] = set()
    kept: list[str] = []
    at = dropped = 0
    for start, end in sentence_bounds(text):
        words = tuple(_words(text[start:end]))
        if len(words) >= _TELLING and words in seen:
            dropped += 1
        else:
            kept.append(text[at:end])  # with the gap before it: not every script has blanks there
        seen.add(words)
        at = end
    return whole_sentences("".join(kept)) if dropped else text


def _words(text: str) -> list[str]:
    return [text[start:end].casefold() for start, end in word_bounds(text)]


def _loop(text: str) -> int | None:
    """Return where a run of words begins that follows on itself `TURNS` times or more, or None."""
    bounds = word_bounds(text)
    words = _words(text)
    firsts = []
    for turn in range(1, min(_LONGEST_TURN, len(words) // TURNS) + 1):
        wanted, run = max((TURNS - 1) * turn, _SHORTEST_LOOP), 0
        for at in range(len(words) - turn):
            run = run + 1 if words[at] == words[at + turn] else 0
            if run == wanted:
                firsts.append(bounds[at - run + 1][0])
                break
    return min(firsts, default=None)


def _bounded(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    head = text[:LONGEST]
    ended = [end for _, end in sentence_bounds(text) if end <= LONGEST]
    if ended:
        return head[: ended[-1]]
    blank = head.rfind(" ")
    return head[:blank] if blank > 0 else head
