"""Context: what is read of each sentence of an answer, behind which words, and why some have nothing to check.

An item says little without the lead of its list, and it may say the contrary of what it means without its heading ("## Not
included"). A short sentence led by a pronoun says nothing without the one before it.

Left out: what only the question completes (`answering`), and rewriting: what cannot be read alone is read behind its context,
as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from groundwire.claims.headings import Headings, says
from groundwire.claims.layout import PICTURE, Line, Mark, is_bold, lines, opens, title
from groundwire.claims.prompt import CLAIM
from groundwire.idle import (
    NOTHING_SAID,
    ONLY_ABSTAINS,
    ONLY_ASKED,
    ONLY_CHATS,
    ONLY_CITES,
    ONLY_NAMES,
    ONLY_POINTS,
    STOPS,
    Voices,
    asks,
    cites,
    heads,
    is_polar,
    is_question,
    is_source,
    lists_sources,
    states,
    why_idle,
)
from groundwire.text import content_terms, word_bounds
from groundwire.types import Case, Span

ONLY_LEADS = "nothing to check: it only leads into a list, whose items are checked behind it"
PRONOUNS = frozenset("he she it they this that these those his her its their him them".split())
"""First words of a sentence that may say next to nothing without the one before it."""
FEW = 2
"""The most content terms of a sentence led by a pronoun that is read behind the sentence before it."""
NEAR = 400
"""The most characters of leads that an item is read behind: more would leave no room for the item and its evidence."""
FRAGMENT = 12
"""The most words of a line without a stop that is read behind the heading above it."""
_WANTED = re.compile(
    r"\W{0,5}(?:who|whose|when|where|which|(?:in|at|on|by|for) wh(?:at|om|ich)|how (?:many|much|long|far|old|often))\b",
    re.IGNORECASE,
)
"""A question for a name, a time, a place or a number."""
_NOTED = re.compile(r"(?:\[\^?\d{1,3}\]|【\d[^】\n]{0,40}】)[:.]?[ \t]+(?=[A-Z\"“]|https?:)")
"""How a source is numbered in a list of them."""
_SOURCES = re.compile(
    r"\b(?:which|what|list|name|cite|give|how many)\b.{0,30}\b(?:sources|references|citations)\b", re.IGNORECASE
)
"""What a question asks for: then a list of them is no list of what was read."""


@dataclass(frozen=True, slots=True)
class Read:
    """What is read of a sentence: its place in the answer, the text that is judged, where the place's own words stand in it
    (None: it is these words), and why there is nothing to check. `listed`: it is an item; `led`: it has a lead; `bold`: its
    line is bold from one end to the other."""

    start: int
    end: int
    text: str
    own: Span | None = None
    idle: str | None = None
    listed: bool = False
    led: bool = False
    bold: bool = False


def in_context(case: Case, plain: str, bounds: Sequence[tuple[int, int]], read: Callable[[str], str]) -> list[Read]:
    """Read each sentence of a case's answer; an item of a list behind its lead, a short one led by a pronoun behind its
    neighbour.

    A lead may be an item itself ("1. Founders:"): what follows is read behind it, up to the next item marked as it is.
    `plain` is the answer without markup, in which the `bounds` are; `read` takes off a sentence what frames it.
    """
    reader = _Reader(case, plain, read)
    laid = list(lines(case.answer, plain, bounds))
    return [reader.read(line, after) for line, after in zip(laid, [*laid, None][1:], strict=True)]


class _Reader:
    """What is known of an answer up to a sentence: the leads and headings that are open, and the sentence before."""

    __slots__ = (
        "before",
        "case",
        "citing",
        "heads",
        "leads",
        "level",
        "plain",
        "unframed",
        "voices",
        "wanted",
    )

    def __init__(self, case: Case, plain: str, unframed: Callable[[str], str]) -> None:
        self.case, self.plain, self.unframed = case, plain, unframed
        self.voices = Voices([passage.text for passage in case.contexts])
        # The lists that are open, outermost first: the lead's mark, what is read.
        self.leads: dict[Mark | None, str] = {}
        self.heads = Headings()
        self.level, self.before, self.citing = 0, "", False
        self.wanted = _SOURCES.search(case.question or "") is not None

    def read(self, line: Line, after: Line | None) -> Read:
        """Read the next sentence; `after` is the one behind it."""
        context = self._context(line)
        start = line.begins(listed=bool(context))
        words = self.plain[start : line.end]
        self.level = line.mark[0] if line.mark else self.level
        bold = is_bold(self.case.answer, start, line.end)
        found = Read(start, line.end, words, listed=line.mark is not None, led=bool(context), bold=bold)
        listed = line.mark is not None or line.indent is None or _NOTED.match(self.case.answer, line.start) is not None
        self.citing = self.citing if listed else lists_sources(words)
        if line.begun or (not self.wanted and _names_source(words, self.citing, line.indent is not None)):
            return replace(found, idle=ONLY_NAMES if line.begun else ONLY_CITES)
        if after and self._leads(line, after, words, bold):
            self.leads.pop(line.mark, None)  # what is opened last stands last
            lead = self.plain[line.first : line.end].strip()
            over = context or ("" if states(lead.rstrip(":： ")) else self.heads.read())
            self.leads[line.mark] = _led(over, words, lead)
            self.before = ""
            return replace(found, idle=ONLY_LEADS)
        return self._said(found, line, after, context)

    def _context(self, line: Line) -> str:
        """Return what a line is read behind: the leads of its list, or the headings over an item or a fragment."""
        if line.mark is None and line.indent is not None and line.indent <= self.level:
            self.leads.clear()  # neither an item nor the rest of one
        while line.mark and line.mark in self.leads:
            self.leads.popitem()
        if line.mark:
            return next(reversed(self.leads.values()), "") or _near(self.heads.read())
        words = self.plain[line.start : line.end]
        stopped = words.rstrip("*_ ")[-1:] in (*STOPS, "|") or words[:1] == "|"
        short = line.indent is not None and self.heads.fresh and not stopped and len(word_bounds(words)) <= FRAGMENT
        return _near(self.heads.read()) if short and not opens(words) else ""

    def _leads(self, line: Line, after: Line, words: str, bold: bool) -> bool:
        """Say whether words lead into a list: a colon behind them, or an item in bold over items of its own."""
        if not (after.mark or after.begun):
            return False
        deeper = line.mark is not None and after.mark is not None and after.mark[0] > line.mark[0]
        return (opens(words) and not words.startswith("#")) or (bold and deeper and heads(words, apart=True))

    def _said(self, found: Read, line: Line, after: Line | None, context: str) -> Read:
        answers = self._answers(found, line, after)
        if not answers and self._opens_part(found, line, after):
            asked = asks(title(found.text))
            self.heads.open(found.text, bold=found.bold)
            self.leads.clear()
            self.before = ""
            return replace(found, idle=ONLY_ASKED if asked else ONLY_NAMES)
        idle = self._why_idle(found.text, line, after, found.bold and not answers, context)
        words = self.unframed(found.text)
        behind = context or (self.before + " " if self.before and _leans(words) else "")
        if idle not in (ONLY_CHATS, ONLY_ABSTAINS, ONLY_POINTS):  # what is said aside takes nobody's name away
            self.before = "" if idle else context + words
        if line.mark or not context:
            self.heads.pass_by(whole=line.mark is None)
        if behind and not idle:
            text, own = _behind(behind, words)
            return replace(found, text=text, own=own)
        return replace(found, text=words, idle=idle)

    def _opens_part(self, found: Read, line: Line, after: Line | None) -> bool:
        """Say whether a line is a heading of what follows."""
        pictured = found.bold and line.mark and line.mark[1] == PICTURE and after and after.mark != line.mark
        if after is None or line.indent is None or (line.mark and not pictured):
            return False
        asked = (found.bold or found.text.startswith("#")) and asks(title(found.text))
        return asked or heads(found.text, apart=found.bold)

    def _answers(self, found: Read, line: Line, after: Line | None) -> bool:
        """Say whether a line in bold that begins an answer may be all of it, and no heading."""
        first = found.bold and not line.start and after is not None and not after.mark
        return first and _answers(self.case.question or "", title(found.text))

    def _why_idle(self, words: str, line: Line, after: Line | None, apart: bool, context: str) -> str | None:
        """Return why there is nothing to check; an item behind its lead is whatever it says, but for a question."""
        if line.mark and context and self.leads:
            return ONLY_ASKED if asks(words) else None
        idle = why_idle(words, last=after is None, apart=apart, voices=self.voices)
        if context and (idle == ONLY_CHATS or (idle == NOTHING_SAID and context.endswith("? "))):
            return None  # what it is said of stands in the heading
        return idle


def _names_source(words: str, citing: bool, begins: bool) -> bool:
    """Say whether words only name a source, by themselves or in a list of them, or stand over such a list.

    What does not begin its line is a part of a source: its title.
    """
    return cites(words) or (citing and (not begins or lists_sources(words) or is_source(words)))


def _led(context: str, words: str, lead: str) -> str:
    """Return what items are read behind: what stands before their lead, and the lead, if its words say anything."""
    if not says(words):
        return context
    return _near(context + (lead if opens(lead) else f"{title(lead)}:")) + " "


def _near(context: str) -> str:
    """Return the end of a context, from a word on, of at most NEAR characters."""
    if len(context) <= NEAR:
        return context
    return context[-NEAR:].partition(" ")[2] or context[-NEAR:]


def _behind(context: str, words: str) -> tuple[str, Span]:
    """Return the words behind their context, and where they stand there."""
    return context + words, Span(source=CLAIM, start=len(context), end=len(context) + len(words))


def _answers(question: str, words: str) -> bool:
    """Say whether words at the head of an answer may be what the question asks for, and not what follows is about."""
    asked = content_terms(question)
    wanted = is_polar(question) or (is_question(question) and _WANTED.match(question) is not None)
    return wanted and says(words) and not set(content_terms(words)) <= set(asked)


def _leans(sentence: str) -> bool:
    """Say whether a sentence says next to nothing without the one before it ("He retired.")."""
    words = word_bounds(sentence)
    return bool(words) and sentence[slice(*words[0])].lower() in PRONOUNS and len(content_terms(sentence)) <= FEW
