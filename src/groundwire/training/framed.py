"""Frames: what models and people put around a claim, and pages around a text, that changes nothing of what is said.

"According to passage 2, …", "However, …", "3. …", ", as mentioned above.", a slip of the keyboard; a title and an address above
the evidence, tags, a word that is broken at the end of a line. A model that never met them takes a number in a frame for a
figure without a source, and scores the same sentence now above its threshold and now below it. Labels stay as they are; what
stands in a frame counts as backed. Applied to claims of all labels alike, and to evidence.

Left out: signs of markup, which no model is shown (`groundwire.text.markup`), and everything that says more or less than
the claim did (`corrupt`, `restate`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from groundwire.claims import TEMPLATE
from groundwire.training.clauses import small
from groundwire.training.sample import UNKNOWN, Marked, Sample

CLAIMS, EVIDENCE = 0.3, 0.12
"""The shares of claims and of evidence that are framed."""

OF_THE_EVIDENCE = (
    "According to the {given}, |According to {one}, |Based on the {given}, |Based on {one}, |As stated in the {given}, |"
    "As mentioned in {one}, |In the {given}, |In {one}, |From the {given}, |Per the {given}, |The {single} states that |"
    "The {single} mentions that |The {single} says that |{One} states that |{One} mentions that |{One} says: |"
    "The {single} makes clear that |It is stated in the {given} that |As per {one}, |Judging by the {given}, |"
    "From {one} we learn that |The answer, according to {one}, is that "
).split("|")
FOLLOWING_ON = (
    "However, |Additionally, |Moreover, |Furthermore, |In addition, |Also, |In summary, |To sum up, |In conclusion, |Overall, |"
    "In short, |In fact, |Notably, |Importantly, |Interestingly, |Specifically, |For example, |For instance, |First, |"
    "Second, |Next, |Finally, |Besides, |That said, |It is worth noting that |It should be noted that |Note that |"
    "It is important to note that |Keep in mind that |To answer your question, |In other words, |On the other hand, "
).split("|")
SPOKEN = (
    "Yes, |Yeah, |Sure, |Well, |Oh, |Okay, |So, |Actually, |I think |I believe |I know that |I heard that |As far as I know, |"
    "Right, |You see, |Of course, |Did you know that |Fun fact: |I read that |Apparently, |From what I know, |Haha, |Hmm, "
).split("|")
MARKS = "- |* |• |1. |2. |3) |(a) |b) |iv. |Answer: |A: |Final answer: |Key point: |Summary: |Response: |> ".split("|")
TAILS = (
    ", as mentioned in the {given}|, as stated in {one}|, according to the {given}|, according to {one}| ({one})|"
    " (source: {one})|, as noted above|, as shown in the {given}| (see {one})|, I think|, right|, you know|, per {one}"
).split("|")
SINGLE = (
    "context|provided context|given context|passage|given passage|text|provided text|document|provided document|article|"
    "information provided|provided information|excerpt|source|information above|material"
).split("|")
GIVEN = [*SINGLE, "sources", "search results", "passages", "retrieved documents", "provided passages"]
ONE = (
    "passage {}|document {}|source {}|context {}|text {}|paragraph {}|excerpt {}|chunk {}|result {}|passage [{}]".split(
        "|"
    )
)
ABOVE = (
    "Title: {title}\n|{title}\n\n|# {title}\n\n|Passage {n}: |passage {n}:|[{n}] |Document {n}\n|Source: {title}\nContent: |"
    "Title: {title}\nURL: https://www.example.org/{n}\n|<title>{title}</title>\n|Context {n}:\n|({n}) |Chunk {n}/40: "
).split("|")
TITLES = "Overview|Background|About|Introduction|News|Summary|Details|History|Notes|Report|Article|Results".split("|")
ASKED = TEMPLATE.partition("{")[0]
"""How the claim prompt begins: what frames an answer stands inside of it, and is taken off before."""
LINE = 60
SLIPPED = re.compile(r"\b[a-z]{6,}\b")
ENDS = re.compile(r"(?<=[.!?]) (?=[A-Z])")

Frame = Callable[[Marked, Random], Marked]


def framed(found: Iterable[Sample], rng: Random) -> Iterator[Sample]:
    """Give the samples in their order, a share of their claims and of their evidence in a frame.

    Questions, which are asked for relevance alone, stay as they are, and so do answers in the claim prompt.
    """
    for sample in found:
        if sample.label == UNKNOWN or sample.claim.startswith(ASKED):
            yield sample
            continue
        claim = Marked(sample.claim, sample.spans or ())
        if rng.random() < CLAIMS:
            claim = rng.choices(tuple(OF_CLAIMS), tuple(OF_CLAIMS.values()))[0](claim, rng)
        evidence = sample.evidence
        if rng.random() < EVIDENCE:
            evidence = rng.choice(OF_TEXTS)(evidence, rng)
        spans = None if sample.spans is None else claim.spans
        yield replace(sample, claim=claim.text, spans=spans, evidence=evidence)


def _named(pattern: str, rng: Random) -> str:
    one = rng.choice(ONE).format(rng.randint(1, 9))
    return pattern.format(given=rng.choice(GIVEN), single=rng.choice(SINGLE), one=one, One=one[:1].upper() + one[1:])


def _led(leads: Sequence[str]) -> Frame:
    def frame(claim: Marked, rng: Random) -> Marked:
        return small(claim).prefix(_named(rng.choice(leads), rng))

    return frame


def _listed(claim: Marked, rng: Random) -> Marked:
    return claim.prefix(rng.choice(MARKS))


def _tailed(claim: Marked, rng: Random) -> Marked:
    end = len(claim.text.rstrip(" .!"))
    return claim.splice(end, len(claim.text), _named(rng.choice(TAILS), rng) + ".")


def _ended(claim: Marked, rng: Random) -> Marked:
    end = len(claim.text.rstrip(" .!"))
    return claim.splice(end, len(claim.text), rng.choice(("", "!", "...", ";", " .")))


def _slipped(claim: Marked, rng: Random) -> Marked:
    """One long common word that no edit has touched, two of its letters exchanged, one lost or one doubled."""
    places = [m.span() for m in SLIPPED.finditer(claim.text)]
    places = [(s, e) for s, e in places if all(e <= first or s >= last for first, last in claim.spans)]
    if not places:
        return claim
    start, end = rng.choice(places)
    at = rng.randrange(start + 1, end - 2)
    one, two = claim.text[at], claim.text[at + 1]
    return claim.splice(at, at + 2, rng.choice((two + one, one, one + one + two)))


OF_CLAIMS: dict[Frame, float] = {
    _led(OF_THE_EVIDENCE): 4,
    _led(FOLLOWING_ON): 4,
    _led(SPOKEN): 3,
    _listed: 2,
    _tailed: 3,
    _ended: 2,
    _slipped: 3,
}
"""The frames of claims, and how often one is taken before another."""


def _labelled(text: str, rng: Random) -> str:
    above = rng.choice(ABOVE).format(title=rng.choice(TITLES), n=rng.randint(1, 9))
    return above + text


def _tagged(text: str, rng: Random) -> str:
    opened, closed = rng.choice((("<p>", "</p>"), ("<li>", "</li>"), ("<div>", "</div>"), ("- ", ""), ("> ", "")))
    return "\n".join(f"{opened}{part}{closed}" for part in ENDS.split(text))


def _as_json(text: str, rng: Random) -> str:
    name = rng.choice(("text", "content", "passage", "page_content"))
    return json.dumps({"title": rng.choice(TITLES), name: text, "score": round(rng.random(), 2)}, ensure_ascii=False)


def _broken(text: str, rng: Random) -> str:
    """Lines of a page, whose last word may go on in the next one."""
    lines, line = [""], 0
    for word in text.split(" "):
        line += len(word) + 1
        if line > LINE and len(word) >= 8 and word.isalpha() and rng.random() < 0.5:
            at = len(word) // 2
            lines[-1] += word[:at] + "-"
            lines.append(word[at:] + " ")
            line = len(word) - at
        elif line > LINE:
            lines[-1] += word
            lines.append("")
            line = 0
        else:
            lines[-1] += word + " "
    return "\n".join(lines).rstrip()


OF_TEXTS: tuple[Callable[[str, Random], str], ...] = (_labelled, _labelled, _tagged, _as_json, _broken)
