"""Claims and relevance pairs from questions and answers.

A right answer becomes a claim through the claim prompt ("The answer to question Q is A.") and, where a simple rule
holds, through a declarative sentence; a wrong one of the same kind, from the passage or another question, takes its
place. Leaves out: prose without questions (`prose`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from groundwire.training.corrupt import MONTH, NUMBER, YEAR, names
from groundwire.training.distractors import Distractors
from groundwire.training.lexicon import NUMBER_WORDS, PAST
from groundwire.training.passages import focus
from groundwire.training.rewrite import register
from groundwire.training.sample import NEI, REFUTES, SUPPORTS, UNKNOWN, Marked, Sample, Spans
from groundwire.training.sources import Row, normal

NO_ANSWER = "CANNOTANSWER"
BE = re.compile(r"^(?:what|who|which) (is|was|are|were) ((?:the|a|an|his|her|their|its|[A-Z]).{3,80})$", re.I)
WHO = re.compile(
    r"^who (?!is |was |are |were |did |does |do |else |also |has |have |had )([a-z]+(?:ed|s)? .{3,90})$", re.I
)
WHICH = re.compile(
    r"^(?:what|which) [a-z]+ "
    r"(won|is|was|has|had|led|made|founded|began|became|released|produced|defeated|beat) (.{3,90})$",
    re.I,
)
WHEN = re.compile(r"^when (was|were|is) (.{3,60}) ([a-z]+(?:ed|en|t|ne|de|lt|nd|ht|rn))$", re.I)
DID = re.compile(r"^(when|where|who|what) did (.{3,60}?) (" + "|".join(PAST) + r")(?: (.{2,60}))?$", re.I)
MANY = re.compile(r"^how many (.{3,40}) (are|were|is|was) (.{3,60})$", re.I)


def claim_prompt(question: str, answer: str) -> str:
    """The literal claim prompt of Provenance (§3); one trailing period of the answer is taken off."""
    return prompt_marked(question, answer).text


def prompt_marked(question: str, answer: str) -> Marked:
    """The claim prompt with the answer marked."""
    lead = f"The answer to question {question.strip()} is "
    body = answer.strip()
    body = body[:-1] if body.endswith(".") else body
    return Marked(f"{lead}{body}.", ((len(lead), len(lead) + len(body)),))


def declarative(question: str, answer: str) -> Marked | None:
    """The question and its answer as one statement with the answer marked, or None where no rule is safe."""
    plain, body = question.strip().rstrip("?").strip(), answer.strip().rstrip(".")
    if not plain or not body or len(body.split()) > 12:
        return None
    subject = body[:1].upper() + body[1:]
    if match := BE.match(plain):
        return _filled(f"{_upper(match[2])} {match[1]} ", body)
    if match := WHICH.match(plain):
        return _filled("", subject, f" {match[1]} {match[2]}")
    if match := WHO.match(plain):
        return _filled("", subject, f" {match[1]}")
    if match := WHEN.match(plain):
        return _filled(f"{_upper(match[2])} {match[1]} {match[3]} ", _timed(body))
    if match := MANY.match(plain):
        return _filled("", subject, f" {match[1]} {match[2]} {match[3]}")
    if match := DID.match(plain):
        return _did(match, body)
    return None


def _did(match: re.Match[str], body: str) -> Marked:
    asked, subject, verb, rest = (
        match[1].lower(),
        _upper(match[2]),
        PAST[match[3].lower()],
        f" {match[4]}" if match[4] else "",
    )
    if asked == "when":
        return _filled(f"{subject} {verb}{rest} ", _timed(body))
    if asked == "where":
        place = body if re.match(r"(?:in|at|on|near|from|to)\b", body, re.I) else f"in {body}"
        return _filled(f"{subject} {verb}{rest} ", place)
    return _filled(f"{subject} {verb} ", body, rest)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _timed(body: str) -> str:
    if re.match(r"(?:in|on|at|after|before|during|since|from|between|by|until|around)\b", body, re.I):
        return body
    return f"on {body}" if MONTH.match(body) and re.search(r"\d", body[:14]) else f"in {body}"


def _filled(lead: str, body: str, tail: str = "") -> Marked:
    return Marked(f"{lead}{body}{tail}.", ((len(lead), len(lead) + len(body)),))


def kind(answer: str) -> str:
    """The answer's kind: date, number, name or phrase; a wrong answer is drawn from the same kind."""
    if MONTH.search(answer) or YEAR.fullmatch(answer.strip()):
        return "date"
    words = answer.split()
    if len(words) <= 4 and (NUMBER.search(answer) or words[0].lower() in NUMBER_WORDS):
        return "number"
    if len(words) <= 5 and all(w[:1].isupper() or w in ("of", "the", "and", "de", "von") for w in words):
        return "name"
    return "phrase"


def rivals(answer: str, context: str) -> list[str]:
    """Spans of the same kind in the same passage that share no word with the answer."""
    sort = kind(answer)
    if sort == "date":
        found = YEAR.findall(context) + re.findall(MONTH.pattern + r" \d{1,2}(?:, \d{4})?", context)
    elif sort == "number":
        found = [m.group() for m in NUMBER.finditer(context) if not YEAR.fullmatch(m.group())]
    elif sort == "name":
        found = [m.group() for m in names(context)]
    else:
        found = re.findall(r"(?<=[,.;] )[a-z][\w' -]{8,50}(?=[,.;])", context)
    own = set(re.findall(r"\w+", answer.lower()))
    return [f for f in dict.fromkeys(found) if not own & set(re.findall(r"\w+", f.lower()))]


class AnswerBook:
    """Answers by kind, to draw a wrong one from another question."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.by_kind: dict[str, list[str]] = {}
        for row in rows:
            for answer in row["answers"][:1]:
                if answer.strip() and answer != NO_ANSWER and len(answer) < 80:
                    self.by_kind.setdefault(kind(answer), []).append(answer)

    def wrong(self, row: Row, rng: Random) -> tuple[str, str] | None:
        """A wrong answer of the same kind and where it is from ("passage" or "other"); None where none is safe."""
        answer = row["answers"][0]
        near = rivals(answer, row["context"])
        if near and rng.random() < 0.7:
            return rng.choice(near), "passage"
        right = {normal(a) for a in row["answers"]}
        for other in rng.sample(self.by_kind.get(kind(answer), []), min(10, len(self.by_kind.get(kind(answer), [])))):
            if not any(normal(other) in r or r in normal(other) for r in right):
                return other, "other"
        return None


def _shape(question: str, answer: str, rng: Random) -> Marked:
    stated = declarative(question, answer) if rng.random() < 0.6 else None
    if stated is not None:
        return register(stated, rng)
    if rng.random() < 0.12:
        lead = f"{question.strip().rstrip('?')}? "
        return Marked(lead + answer, ((len(lead), len(lead) + len(answer)),))
    return prompt_marked(question, answer)


def qa_claims(rows: Sequence[Row], rng: Random) -> Iterator[Sample]:
    """For an answered question a supported claim and its wrong twin; for an unanswerable one, a claim without evidence."""
    book = AnswerBook(rows)
    everything = [a for answers in book.by_kind.values() for a in answers]
    for row in rows:
        question, answer = row["question"], row["answers"][0] if row["answers"] else ""
        if not question or not answer.strip():
            continue
        if answer == NO_ANSWER:
            yield _sample(row, prompt_marked(question, rng.choice(everything)), NEI, "unanswerable")
            continue
        if answer in ("yes", "no"):
            other = "no" if answer == "yes" else "yes"
            yield _sample(row, prompt_marked(question, answer), SUPPORTS, "yes_no")
            yield _sample(row, prompt_marked(question, other), REFUTES, "yes_no")
            continue
        if len(answer.split()) > 25 or normal(answer) not in normal(row["context"]):
            continue
        yield _sample(row, _shape(question, answer, rng), SUPPORTS, "answer")
        drawn = book.wrong(row, rng)
        if drawn is not None:
            label = (
                REFUTES
                if drawn[1] == "passage" and kind(answer) != "phrase"
                else NEI
                if drawn[1] == "other"
                else REFUTES
            )
            yield _sample(row, _shape(question, drawn[0], rng), label, f"wrong_{drawn[1]}")


def _sample(row: Row, claim: Marked, label: int, operator: str) -> Sample:
    answer = row["answers"][0]
    evidence = focus(
        [row["context"]],
        f"{row['question']} {answer if answer != NO_ANSWER else ''} {claim.text}",
        rng_limit(row["id"]),
    )
    spans: Spans | None = () if label == SUPPORTS else claim.spans
    relevance = 1 if label != NEI else UNKNOWN
    return Sample(
        evidence=evidence,
        claim=claim.text,
        label=label,
        relevance=relevance,
        spans=spans,
        source=row["dataset"],
        operator=operator,
    )


def rng_limit(row_id: str) -> int:
    """Words of evidence for a row, fixed by its id, so that right and wrong answers see the same passage length."""
    return (50, 70, 90, 120)[sum(row_id.encode()) % 4]


def relevance_pairs(rows: Sequence[Row], rng: Random) -> Iterator[Sample]:
    """(passage, question): 1 for its own; 0 for another part of the document, or for another question's passage.

    Of the others' passages half are the one among some that shares most words with the question: what a retriever brings.
    """
    others = Distractors([focus([row["context"]], row["question"] or "", 70) for row in rows])
    for row in rows:
        question = row["question"]
        if not question:
            continue
        own = focus([row["context"]], f"{question} {' '.join(row['answers'][:1])}", rng.choice((30, 60, 90)))
        if row["answers"] and row["answers"][0] != NO_ANSWER:
            yield _relevance(row, own, question, 1)
        far = _far_part(row, own) if rng.random() < 0.35 else ""
        far = far or others.instead(question, row["context"], rng, hard=rng.random() < 0.7) or ""
        if far:
            yield _relevance(row, far, question, 0)


def _far_part(row: Row, own: str) -> str:
    """A part of the same document without the answer: 90 words that lie outside of what was kept as evidence."""
    words = row["context"].split()
    answer = normal(row["answers"][0]) if row["answers"] else ""
    for at in range(max(0, len(words) - 90), -1, -90):
        part = " ".join(words[at : at + 90])
        if answer and answer not in normal(part) and normal(part[:60]) not in normal(own) and len(words) > 160:
            return part
    return ""


def _relevance(row: Row, passage: str, question: str, value: int) -> Sample:
    return Sample(
        evidence=passage,
        claim=question.strip(),
        label=UNKNOWN,
        relevance=value,
        source=row["dataset"],
        operator="relevance",
    )
