"""The three labels of figure 4: reading them out of a reply, and what they mean here.

A reply that cannot be read is `None`: it becomes no label and no score, is asked once more, and is then counted apart. In
the paper Not Related means that both answers have nothing to do with the question, on its poster also that the LLM did not
answer or that the passage is beside the point: here it is the judge's label, and either way nothing backs the answer.

Left out: asking (`llm.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from groundwire.types import Label, Verdict


class Said(StrEnum):
    """What a judge says of an answer, in the paper's words."""

    YES = "Yes"
    NO = "No"
    NOT_RELATED = "Not Related"


LABELS: Mapping[Said, Label] = {
    Said.YES: Label.SUPPORTED,
    Said.NO: Label.CONTRADICTED,
    Said.NOT_RELATED: Label.NOT_ENOUGH_INFO,
}
"""The one table between the paper's labels and ours."""


class Outcome(StrEnum):
    """How verifying one item ended, in the words of the ledger. A reason that begins with one of these says so."""

    OK = "ok"
    REFUSED = "refused"
    UNPARSEABLE = "unparseable"
    ERROR = "error"
    SKIPPED = "skipped"


_AROUND = "\"'“”‘’«»„`*_.!:() \t\r\n"
_NOT_RELATED = re.compile(r"\bnot[ _-]related\b")
_YES, _NO = re.compile(r"\byes\b"), re.compile(r"\bno\b")
_STATES = "the it they this that these those there because since as answer answer1 answer2 both".replace(" ", "|")
_OPENS = re.compile(rf"(yes|no)(?:$|\s*[^\w\s'’]|[ \t]*\n|\s+(?:{_STATES})\b)")
"""A label that opens a reply: alone, before punctuation or a new line, or before the words that begin a statement.
"No idea" and "Yes Man" are no labels."""


def parse(reply: str) -> Said | None:
    """Return the label that a reply gives, None where it gives none or more than one.

    White space, quotes and a final full stop around it do not count, nor do case and the field's name before it. "Not
    related" is looked for before "no"; a reply with both yes and no in it is none.
    """
    text = reply.strip(_AROUND).casefold().removeprefix("label:").strip(_AROUND)
    rest = _NOT_RELATED.sub(" ", text)
    yes, no = bool(_YES.search(rest)), bool(_NO.search(rest))
    if yes and no:
        return None
    if rest != text:
        return None if yes else Said.NOT_RELATED
    opening = _OPENS.match(text)
    if opening is None:
        return None
    return Said.YES if opening[1] == "yes" else Said.NO


def outcome_of(verdict: Verdict) -> Outcome:
    """Return how a verdict came to its end: what could not be asked, parsed or answered says so in its reason."""
    if verdict.label is not Label.NOT_CHECKABLE:
        return Outcome.OK
    word = (verdict.reason or "").partition(":")[0]
    known = (Outcome.REFUSED, Outcome.UNPARSEABLE, Outcome.ERROR)
    return next((outcome for outcome in known if outcome == word), Outcome.SKIPPED)
