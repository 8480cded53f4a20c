"""Claims: what in an answer is checked, each with its exact place in the answer.

`PromptClaim` is Provenance's (arXiv 2411.01022, section 3.3): the whole answer, put into one sentence with its question.
`SentenceClaims` is ours: every sentence is a claim of its own, so that the verdict can say which one is not backed.

Left out: rewriting claims so that they stand alone; what cannot be read alone is read behind its context, as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from string import Formatter

from groundwire.errors import UsageError
from groundwire.idle import (
    COLONS,
    MARKER,
    NOTHING_SAID,
    ONLY_ABSTAINS,
    ONLY_ASKED,
    ONLY_CHATS,
    ONLY_CITES,
    ONLY_NAMES,
    STOPS,
    YES_NO,
    Voices,
    asks,
    assents,
    cites,
    echoes,
    is_polar,
    is_source,
    lists_sources,
    surely_chats,
    why_idle,
)
from groundwire.text import content_terms, sentence_bounds, unframed, unmarked, windows, word_bounds
from groundwire.types import Case, Claim, Span

TEMPLATE = "The answer to question {question} is {answer}."
"""Provenance, section 3.3."""

APPENDIX_TEMPLATE = "The answer to the question {question} is {answer}."
"""Provenance, appendix A: the wording of the preliminary experiments 0.1 to 0.3."""

ANSWER = "answer"
"""The source name of every span that points into an answer."""

CLAIM = "claim"
"""The source name of a span that points into the text of a claim."""

ONLY_LEADS = "nothing to check: it only leads into a list, whose items are checked behind it"
PRONOUNS = frozenset("he she it they this that these those his her its their him them".split())
"""First words of a sentence that may say next to nothing without the one before it."""
ANNOUNCING = frozenset(
    "answer article articles below context contexts detail details document documents explanation fact facts find findings "
    "following follow follows given highlights information key list main news overview passage passages point points provided "
    "quick short summary takeaways text texts".split()
)
"""Terms of a lead that only announces what follows."""
FEW = 2
"""The most content terms of a sentence led by a pronoun that is read behind the sentence before it."""
NEAR = 400
"""The most characters of leads that an item is read behind: more would leave no room for the item and its evidence."""
_ITEM = re.compile(r"(?:[-*+•◦▪●–—‣·]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+(?=\S)")
"""What marks a line as the item of a list."""
_ANSWERED = re.compile(
    r"\s{0,80}(?:so,? |therefore,? |thus,? )?(?:the )?(?:correct |final |short )?answer"
    r"(?:\s{0,4}:|(?: to (?:the|your|this) question)? (?:is|was|would be):?)\s{1,80}(?=\S)",
    re.IGNORECASE,
)
"""How a bare answer may be announced."""
_NOTED = re.compile(r"(?:\[\^?\d{1,3}\]|【\d[^】\n]{0,40}】)[:.]?[ \t]+(?=[A-Z\"“]|https?:)")
"""How a source is numbered in a list of them."""
_SOURCES = re.compile(
    r"\b(?:which|what|list|name|cite|give|how many)\b.{0,30}\b(?:sources|references|citations)\b", re.IGNORECASE
)
"""What a question asks for: then a list of them is no list of what was read."""
_MENTIONS = re.compile(r"\b(?:mention|state|list|specif|say|discuss|contain|include)", re.IGNORECASE)
_BOLD = re.compile(r"(\*\*|__)[^*_\n]{1,200}\1\s*")
"""A line that is bold from one end to the other."""
INITIAL = "a."
"""The mark of an item that may as well be somebody's initial: "A. Lincoln won."."""
_FIGURES, _LETTERS = re.compile(r"\d+"), re.compile(r"[A-Za-z]")


def claim_prompt(question: str | None, answer: str, *, template: str = TEMPLATE, strip_period: bool = True) -> str:
    """Put a question and an answer into one sentence; without a question the answer stands alone.

    `strip_period` drops one final full stop of the answer, since the template brings its own.
    """
    if not question or not question.strip():
        return answer
    answer = answer.strip()
    if strip_period and answer.endswith("."):
        answer = answer[:-1]
    return template.format(question=question.strip(), answer=answer)


def own_words(text: str, question: str | None, answer: str, *, template: str = TEMPLATE) -> Span:
    """Return where in a claim prompt's `text` the answer's words stand, without the white space around them.

    What the template puts before them is not the answer's, nor what comes after. Empty, at 0, where a template does not
    hold the answer as it is.
    """
    words = answer.strip()
    if not question or not question.strip():
        start = len(answer) - len(answer.lstrip())
    else:
        start = _before_answer(template, question.strip())
    end = start + len(words)
    if text[start:end] != words:
        end -= 1  # the final full stop was dropped
    held = text[start:end] == words[: max(0, end - start)]
    return Span(source=CLAIM, start=start, end=end) if held else Span(source=CLAIM, start=0, end=0)


def _before_answer(template: str, question: str) -> int:
    """Return the length of what a filled template puts before the answer; that of the whole where no answer stands."""
    length = 0
    for literal, field, _, _ in Formatter().parse(template):
        length += len(literal)
        if field == "answer":
            break
        length += len(question) if field == "question" else 0
    return length


def _trimmed(text: str) -> tuple[int, int]:
    start = len(text) - len(text.lstrip())
    return start, max(start, len(text.rstrip()))


@dataclass(frozen=True, slots=True)
class PromptClaim:
    """One claim an answer: the claim prompt over the whole of it."""

    template: str = TEMPLATE
    strip_period: bool = True

    def __post_init__(self) -> None:
        try:
            self.template.format(question="", answer="")
        except (KeyError, IndexError, ValueError) as error:
            raise UsageError(f"the template {self.template!r} cannot be filled", f"for example {TEMPLATE!r}") from error

    def split(self, cases: Sequence[Case]) -> list[list[Claim]]:
        """Return one claim for each case; its span is the whole answer without the white space around it."""
        return [[self._claim(case)] for case in cases]

    def _claim(self, case: Case) -> Claim:
        start, end = _trimmed(case.answer)
        text = claim_prompt(case.question, case.answer, template=self.template, strip_period=self.strip_period)
        span = Span(source=ANSWER, start=start, end=end)
        idle = None if any(c.isalnum() for c in case.answer) else NOTHING_SAID
        own = own_words(text, case.question, case.answer, template=self.template)
        return Claim(id=f"{case.id}#0", text=text, span=span, question=case.question, idle=idle, own=own)


@dataclass(frozen=True, slots=True)
class SentenceClaims:
    """One claim a sentence; a bare short answer to a question ("111", "In 1997.") becomes the claim prompt.

    `bare_words` is the most words that an answer without a full stop may have to count as bare, `stopped_words` that of
    one with a full stop. A "sentence" of more than `longest` words is cut there: it would leave no room for evidence. With
    `plain` neither markup is read nor words that only frame what is said (`unmarked`, `unframed`); spans are as written.
    """

    bare_words: int = 8
    stopped_words: int = 3
    longest: int = 150
    plain: bool = True

    def split(self, cases: Sequence[Case]) -> list[list[Claim]]:
        """Return each case's claims in the order of the answer."""
        return [self._claims(case) for case in cases]

    def _claims(self, case: Case) -> list[Claim]:
        bounds, plain = list(self._bounds(case.answer)), unmarked(case.answer) if self.plain else case.answer
        if len(bounds) == 1 and (case.question or "").strip():
            [line] = _lines(case.answer, plain, bounds)
            start = line.begins(listed=False)
            words = self._said(plain[start : line.end])
            if self._needs_question(words):
                first, last = _trimmed(words)
                text = claim_prompt(case.question, words)
                return [_claim(case, 0, (start + first, start + last), text, own_words(text, case.question, words))]
        read = [_as_asked(case.question or "", one) for one in _in_context(case, plain, bounds, self._unframed)]
        if len(read) > 1:
            place, _, _, idle = read[0]
            words = plain[slice(*place)]
            if self._answers_first(case.question or "", words, idle):
                text = claim_prompt(case.question, words)
                read[0] = (place, text, own_words(text, case.question, words), None)
        return _not_all_guessed([_claim(case, n, *one) for n, one in enumerate(read)])

    def _answers_first(self, question: str, words: str, idle: str | None) -> bool:
        """Say whether the first of several sentences answers the question and says nothing without it: "Yes. It closes at
        nine.", "Sydney. It is the largest city."."""
        if idle is None:
            return asks(question) and self._is_bare(words)
        return idle == NOTHING_SAID and is_polar(question) and (assents(words) or echoes(words))

    def _unframed(self, sentence: str) -> str:
        return unframed(sentence) if self.plain else sentence

    def _said(self, sentence: str) -> str:
        """Return the words of an only sentence that answer the question: a bare answer may be framed or announced."""
        said = sentence
        if self.plain and sentence.split(",")[0].strip().lower() not in YES_NO:
            said = unframed(sentence, least=1)
        announced = _ANSWERED.match(said)
        if announced and self._is_bare(said[announced.end() :]):
            said = " " * announced.end() + said[announced.end() :]
        return said if self._is_bare(said) and any(map(str.isalnum, said)) else sentence

    def _needs_question(self, answer: str) -> bool:
        """Say whether an answer of one sentence says nothing without its question: a bare one, "Yes, you can do that."."""
        return self._is_bare(answer) or assents(answer)

    def _bounds(self, answer: str) -> Iterator[tuple[int, int]]:
        for start, end in sentence_bounds(answer):
            for first, last in windows(answer[start:end], size=self.longest, overlap=0):
                yield start + first, start + last

    def _is_bare(self, answer: str) -> bool:
        stopped = answer.rstrip()[-1:] in STOPS
        return 0 < len(word_bounds(answer)) <= (self.stopped_words if stopped else self.bare_words)


def _claim(case: Case, n: int, place: tuple[int, int], text: str, own: Span | None, idle: str | None = None) -> Claim:
    span = Span(source=ANSWER, start=place[0], end=place[1])
    return Claim(id=f"{case.id}#{n}", text=text, span=span, question=case.question, idle=idle, own=own)


def _as_asked(question: str, read: Read) -> Read:
    """Have it checked that a text does not mention something, where just that is asked: there it is the answer."""
    place, text, own, idle = read
    answers = idle == ONLY_ABSTAINS and is_polar(question) and _MENTIONS.search(question) and _MENTIONS.search(text)
    return (place, text, own, None) if answers else read


def _not_all_guessed(claims: list[Claim]) -> list[Claim]:
    """Have claims checked that are only taken for chatter, or are a yes or a no by another word, where nothing else of the
    answer would be: that takes surety."""
    if not all(claim.idle for claim in claims):
        return claims
    return [replace(claim, idle=None) if _is_guessed(claim) else claim for claim in claims]


def _is_guessed(claim: Claim) -> bool:
    if claim.idle == ONLY_CHATS:
        return not surely_chats(claim.text)
    return claim.idle == NOTHING_SAID and echoes(claim.text)


Read = tuple[tuple[int, int], str, Span | None, str | None]
"""(place in the answer, text that is judged, where the place's own words stand in it, why there is nothing to check)."""


Mark = tuple[int, str]
"""How an item is marked: the white space before it on its line, and its mark, the same for all items of one list."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence of an answer as the layout shows it: its place, what it is marked with as an item, and where words begin.

    `indent` is the white space before it on its line; None: it does not begin a line. `begun` says that it is the number of an
    item that has no words: an answer that was cut there.
    """

    start: int
    end: int
    indent: int | None
    mark: Mark | None
    first: int
    begun: bool = False

    def begins(self, *, listed: bool) -> int:
        """Where what is read begins; what may be an initial is one unless it is `listed`: read behind a lead."""
        return self.first if listed or (self.mark and self.mark[1] != INITIAL) else self.start


def _lines(written: str, answer: str, bounds: Sequence[tuple[int, int]]) -> Iterator[_Line]:
    """Lay out the sentences of an answer; `written` is the answer with its markup, which is a part of what is marked."""
    last, count, opened = 0, 0, False
    for start, end in bounds:
        gap = (answer[last:start] + "x").splitlines()
        indent = len(gap[-1]) - 1 if len(gap) > 1 or not last else None
        at = start + _trimmed(answer[start:end])[0]
        item, number = (None, None) if indent is None else (_ITEM.match(answer, at, end), MARKER.match(answer, at, end))
        mark = (indent, _LETTERS.sub("a", _FIGURES.sub("0", item[0].rstrip()))) if item and indent is not None else None
        begun = number is not None and number.end() == end and int(number[1]) == count + 1 and (count > 0 or opened)
        count = int(number[1]) if number and (item or begun) else count
        yield _Line(start, end, indent, mark, _unblanked(written, item) if item else start, begun)
        last, opened = end, _opens(answer[start:end])


def _unblanked(written: str, item: re.Match[str]) -> int:
    """Return where an item begins behind its mark: with the markup of its first words, if it has any."""
    first = item.end()
    while first > item.start() and not written[first - 1].isspace():
        first -= 1
    return first


def _in_context(
    case: Case, answer: str, bounds: Sequence[tuple[int, int]], read: Callable[[str], str]
) -> Iterator[Read]:
    """Read each sentence of an answer; an item of a list behind its lead, a short one led by a pronoun behind its neighbour.

    A lead may be an item itself ("1. Founders:"): what follows is read behind it, up to the next item marked as it is.
    `answer` is the case's without markup, in which the `bounds` are; `read` takes off a sentence what frames it.
    """
    voices = Voices([passage.text for passage in case.contexts])
    leads: dict[Mark | None, str] = {}  # the lists that are open, outermost first: how the lead is marked, what is read
    level, before, citing = 0, "", False
    wanted = _SOURCES.search(case.question or "") is not None
    lines = list(_lines(case.answer, answer, bounds))
    for line, after in zip(lines, [*lines, None][1:], strict=True):
        if line.mark is None and line.indent is not None and line.indent <= level:
            leads.clear()  # neither an item nor the rest of one
        while line.mark and line.mark in leads:
            leads.popitem()
        context = next(reversed(leads.values()), "") if line.mark else ""
        start = line.begins(listed=bool(context))
        words = answer[start : line.end]
        level = line.mark[0] if line.mark else level
        listed = line.mark is not None or line.indent is None or _NOTED.match(case.answer, line.start) is not None
        citing = citing if listed else lists_sources(words)
        if line.begun or (not wanted and _names_source(words, citing, line.indent is not None)):
            yield (start, line.end), words, None, ONLY_NAMES if line.begun else ONLY_CITES
            continue
        if after and (after.mark or after.begun) and _opens(words):
            leads.pop(line.mark, None)  # what is opened last stands last
            leads[line.mark], before = _led(context, words, answer[line.first : line.end]), ""
            yield (start, line.end), words, None, ONLY_LEADS
            continue
        if line.mark and leads:
            idle = ONLY_ASKED if asks(words) else None
        else:
            apart = _BOLD.fullmatch(case.answer, start, line.end) is not None
            idle = why_idle(words, last=after is None, apart=apart, voices=voices)
        words = read(words)
        behind = context or (before + " " if before and _leans(words) else "")
        if behind and not idle:
            yield (start, line.end), *_behind(behind, words), None
        else:
            yield (start, line.end), words, None, idle
        if idle not in (ONLY_CHATS, ONLY_ABSTAINS):  # what is said aside takes nobody's name away
            before = "" if idle else context + words


def _opens(words: str) -> bool:
    """Say whether words have a colon behind them, as what opens a list."""
    return words.rstrip().endswith(COLONS)


def _names_source(words: str, citing: bool, begins: bool) -> bool:
    """Say whether words only name a source, by themselves or in a list of them, or stand over such a list.

    What does not begin its line is a part of a source: its title.
    """
    return cites(words) or (citing and (not begins or lists_sources(words) or is_source(words)))


def _led(context: str, words: str, lead: str) -> str:
    """Return what items are read behind: what stands before their lead, and the lead, if its words say anything."""
    whole = context if ANNOUNCING.issuperset(content_terms(words)) else context + lead
    return _near(whole) + " " if whole else ""


def _near(context: str) -> str:
    """Return the end of a context, from a word on, of at most NEAR characters."""
    if len(context) <= NEAR:
        return context
    return context[-NEAR:].partition(" ")[2] or context[-NEAR:]


def _behind(context: str, words: str) -> tuple[str, Span]:
    """Return the words behind their context, and where they stand there."""
    return context + words, Span(source=CLAIM, start=len(context), end=len(context) + len(words))


def _leans(sentence: str) -> bool:
    """Say whether a sentence says next to nothing without the one before it ("He retired.")."""
    words = word_bounds(sentence)
    return bool(words) and sentence[slice(*words[0])].lower() in PRONOUNS and len(content_terms(sentence)) <= FEW
