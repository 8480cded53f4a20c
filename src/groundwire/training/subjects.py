"""What a run of sentences says of one subject, said of another of its names: every word is there, and it is wrong.

Leaves out: names that the run does not have (`corrupt.entity`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from groundwire.training.clauses import Clause, fit, parse, person_like
from groundwire.training.corrupt import names
from groundwire.training.sample import Marked
from groundwire.training.shapes import antecedent, inside, reported


@dataclass(frozen=True, slots=True)
class Swap:
    """The sentence at a place as a statement, right and wrong, the subject marked in both.

    `operator` says where the subject comes from: "spliced" (it opens the sentence), "resolution" (a pronoun does) or
    "attribution" (it is who said so).
    """

    at: int
    right: Marked
    wrong: Marked
    operator: str


def swapped(sentences: Sequence[str], first: int, rng: Random, *, consecutive: bool = True) -> Swap | None:
    """A statement of the run with another subject of it, the one at `first` where that goes; None where none goes.

    `consecutive` says that each sentence goes on from the one before, so that pronouns can be resolved.
    """
    places = [first, *rng.sample(range(len(sentences)), len(sentences))]
    for at in dict.fromkeys(places):
        if not fit(sentences[at]):
            continue
        for statement, operator in _statements(sentences, at, consecutive):
            clause = parse(statement)
            if clause is None or clause.kind not in ("name", "noun") or _shared(statement, clause):
                continue
            other = _other(sentences, at, statement, clause, rng)
            if other is not None:
                head = (clause.start, clause.start + len(clause.subject))
                wrong = Marked(statement).splice(*head, inside(other) if clause.start else other, mark=True)
                return Swap(at, Marked(statement).mark(*head), wrong, operator)
    return None


def _statements(sentences: Sequence[str], at: int, consecutive: bool) -> Iterator[tuple[str, str]]:
    """The sentence as a statement that opens with a name or a noun, and what it took to make it one."""
    sentence = sentences[at]
    clause = parse(sentence)
    name = antecedent(sentences, at) if consecutive and clause is not None and clause.kind == "pronoun" else None
    if name is not None and clause is not None:
        end = clause.start + len(clause.subject)
        yield sentence[: clause.start] + (inside(name) if clause.start else name) + sentence[end:], "resolution"
    said = reported([Marked(sentence)], 0, Random(3))
    if said is not None and " that " in said.text:
        yield said.text, "attribution"
    if clause is not None:
        yield sentence, "attribution" if SAID.search(clause.verb) else "spliced"


SAID = re.compile(r"\b(?:said|says|stated|argued|claimed|wrote|told|noted|added|explained|announced|believed|thought)$")


SHARED = re.compile(r" (?:also|too|both|each other|together|married|fellow|another) ")


def _shared(statement: str, clause: Clause) -> bool:
    """Whether a statement may as well be true of another: two subjects, few words, or "also", "both", "each other"."""
    few = len(statement.split()) < 7
    return few or " and " in clause.subject or SHARED.search(f" {statement} ") is not None


def _other(texts: Sequence[str], at: int, statement: str, clause: Clause, rng: Random) -> str | None:
    """Another name of the run that reads well as the subject of the statement."""
    subject = clause.subject
    drawn: dict[str, None] = {}
    for i, text in enumerate(texts):
        own = parse(text)
        if own is not None and own.kind == clause.kind and i != at and _agree(own, clause):
            drawn[own.subject] = None
        if clause.kind == "name" and person_like(subject):
            drawn.update(dict.fromkeys(m.group() for m in names(text) if _somebody(text, m)))
    if clause.kind == "noun":
        return next((n for n in sorted(drawn, key=lambda _: rng.random()) if _differ(subject, n, statement)), None)
    joint = " ".join(texts)
    good = [n for n in drawn if _alike(subject, n) and n not in statement and not _same(subject, n, joint)]
    return rng.choice(good) if good else None


def _agree(own: Clause, clause: Clause) -> bool:
    """Whether the subject of one clause can stand before the verb of the other."""
    if own.kind == "noun":
        many, verb = own.subject.split(" of ")[0].endswith("s"), clause.plural
        return verb is None or verb == many
    return own.plural is None or clause.plural is None or own.plural == clause.plural


def _somebody(text: str, match: re.Match[str]) -> bool:
    lead = text[: match.start()].lower()
    if not re.search(r"[a-z,] $", text[: match.start()]) or not person_like(match.group()):
        return False
    return len(match.group().split()) == 2 and not lead.endswith(("the ", "a ", "an ", "in ", '"', "“", "at ", "'"))


_KINDS = """
song single track tune ballad; album LP soundtrack; film movie picture sequel; show series program sitcom season;
book novel story poem; band group duo trio; company firm corporation manufacturer; team club side squad; government
administration cabinet; president; city town village capital; river; lake; school university college; church cathedral
temple; virus disease infection illness pathogen; study paper experiment trial; patients; authors; results; game match;
war battle campaign; court; police; army troops; population; economy; bank; tour; video; tournament league competition;
airport; station; bridge; museum; hospital; ship; aircraft; vaccine; drug; gene; protein; cells; children; workers;
voters; students; teachers; party; union; committee; parliament; minister; judge; prosecutor; king; queen; emperor
"""
KIND_OF = {word: i for i, kind in enumerate(_KINDS.split(";")) for word in kind.split()}
"""Nouns that may stand for one thing share a number; those of two numbers do not."""


def _differ(subject: str, noun: str, statement: str) -> bool:
    """Whether two noun phrases certainly stand for two things."""
    a, b = (re.split(" (?:of|in|for) ", n)[0].split()[-1] for n in (subject, noun))
    if not (subject.lower().startswith("the ") and noun.lower().startswith("the ")) or b in statement:
        return False
    return a in KIND_OF and b in KIND_OF and KIND_OF[a] != KIND_OF[b]


def _alike(subject: str, name: str) -> bool:
    """Whether two names have the same shape: both like a person's, or neither."""
    return (
        person_like(subject) == person_like(name)
        and subject.startswith("The ") == name.startswith("The ")
        and " and " not in name
        and not name.endswith((".", "'s", "’s"))
        and subject.isupper() == name.isupper()
    )


def _same(subject: str, name: str, text: str) -> bool:
    """Whether two names may be one: a shared word, initials, or one as the aside or apposition of the other."""
    a, b = (
        {w.casefold().removesuffix("'s").removesuffix("’s") for w in n.split()} - {"the", "of"} for n in (subject, name)
    )
    if a & b or any(x[:5] == y[:5] for x in a for y in b if min(len(x), len(y)) > 4):
        return True
    short, long = sorted((subject, name), key=len)
    if short.isupper() and "".join(w[0] for w in long.split() if w[0].isupper()).startswith(short[:3]):
        return True
    return any(
        f"{x}{mid}{y}" in text for x, y in ((subject, name), (name, subject)) for mid in (" (", ", ", ' ("', " as ")
    )
