"""Claims that compress, merge and re-order several sentences of longer prose, and their twins that the prose does not back.

A group is one run of four to nine sentences, a claim that it backs, and one or two that it does not: an edited fact, the
subject of one sentence with what another says, a detail of another passage, or the same claim over prose that lacks it.
Where a claim is edited, half of the groups are turned around (the edited wording stands in the evidence), and both
classes pass through the same shapes and frames. Leaves out: single sentences over short windows (`prose`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from groundwire.training.clauses import compress, joined, parse, sound
from groundwire.training.corrupt import Pool
from groundwire.training.frames import framed
from groundwire.training.nearest import Nearest
from groundwire.training.passages import Passage, usable
from groundwire.training.restate import added, draw_edit
from groundwire.training.rewrite import synonyms, tokenised
from groundwire.training.sample import NEI, NOT_SUPPORTED, SUPPORTS, UNKNOWN, Marked, Sample
from groundwire.training.shapes import LOOSE_SHAPES, SHAPES, draw_shape, shaped
from groundwire.training.spellings import spelled_otherwise
from groundwire.training.subjects import swapped

WORDS = (80, 140)
LONGEST = 900
"""Characters of evidence: what fits beside a claim of three sentences."""
GLUED = re.compile(r"[a-z]{3}[A-Z][a-z]{2}|\b[Ll]og in\b|\b[Cc]ookies\b")
"""What is left of a web page's furniture."""
CAPITAL = re.compile(r"\b[A-Z]\w*")
"""Words with a capital: no rewording may touch a name."""
SHUFFLED = ("foolmetwice-retrieved-dev",)
"""Sets whose passages are loose sentences, where no sentence goes on from the one before it."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of sentences [start, end) of a passage, and the place in it of the sentence that the claim is about."""

    passage: Passage
    sentences: tuple[str, ...]
    at: int

    @property
    def text(self) -> str:
        """The run as evidence."""
        return " ".join(self.sentences)

    def put(self, at: int, sentence: str) -> Run:
        """The run with another sentence at a place; "" takes the sentence out."""
        parts = [*self.sentences[:at], sentence, *self.sentences[at + 1 :]]
        return Run(self.passage, tuple(parts), self.at)

    def marked(self, **put: Marked) -> list[Marked]:
        """The sentences as marked texts, those of `put` ("_3" for place 3) in their places."""
        return [put.get(f"_{i}", Marked(s)) for i, s in enumerate(self.sentences)]


def digests(found: Sequence[Passage], pool: Pool, rng: Random) -> Iterator[Sample]:
    """Samples without end, group by group, from passages drawn at random; none where no passage is long enough."""
    near = Nearest(found)
    fit = [(p, i) for p in found for i, s in enumerate(p.sentences) if usable(s) and not GLUED.search(s)]
    fit = [(p, i) for p, i in fit if len(p.sentences) >= 3 and sum(len(s.split()) for s in p.sentences) >= 50]
    given = True
    while fit and given:
        rng.shuffle(fit)
        given = False
        for passage, at in fit:
            for sample in _group(run_around(passage, at, rng), found, near, pool, rng):
                given = True
                yield sample


def run_around(passage: Passage, at: int, rng: Random) -> Run:
    """Up to nine sentences around one, of 80 to 140 words where the passage has them."""
    limit = rng.randint(*WORDS)
    parts = passage.sentences
    start, end = at, at + 1
    while end - start < 9 and end - start < len(parts):
        before = start > 0 and (end == len(parts) or rng.random() < 0.5)
        grown = (start - 1, end) if before else (start, end + 1)
        text = " ".join(parts[slice(*grown)])
        if len(text.split()) > limit or len(text) > LONGEST:
            break
        start, end = grown
    return Run(passage, parts[start:end], at - start)


def _group(run: Run, found: Sequence[Passage], near: Nearest, pool: Pool, rng: Random) -> Iterator[Sample]:
    among = LOOSE_SHAPES if run.passage.source in SHUFFLED else tuple(SHAPES)
    drawn = draw_shape(run.marked(), rng, among) if len(run.sentences) >= 3 else None
    if drawn is None:
        return
    shape, at = drawn
    run = replace(run, at=at)
    kind = rng.random()
    if kind < 0.86:
        subjects = _subjects(run, rng) if kind < 0.7 else []
        yield from subjects or _edited(run, shape, pool, rng)
    else:
        yield from _foreign(run, shape, found, pool, rng)
    if rng.random() < 0.3:
        yield from _without(run, shape, near, rng)


def _backed(run: Run, shape: str, rng: Random, evidence: Run | None = None) -> Iterator[Sample]:
    claim = shaped(shape, run.marked(), run.at, rng)
    if claim is not None:
        yield _sample(evidence or run, claim, SUPPORTS, shape, rng)


def _sample(run: Run, claim: Marked, label: int, operator: str, rng: Random, relevance: int = 1) -> Sample:
    """The finished sample: light rewording and a frame for the claim, now and then the evidence in another register."""
    for step, share in ((synonyms, 0.12), (spelled_otherwise, 0.15)):
        if rng.random() < share:
            other = step(claim, rng)
            claim = other if CAPITAL.findall(other.text) == CAPITAL.findall(claim.text) else claim
    claim = framed(claim, rng)
    evidence = " ".join(s for s in run.sentences if s)
    if rng.random() < 0.04:
        evidence = tokenised(Marked(evidence)).text
    return Sample(
        evidence=evidence,
        claim=claim.text,
        label=label,
        relevance=relevance,
        spans=() if label == SUPPORTS else claim.spans or None,
        source=run.passage.source,
        operator=f"digest-{operator}",
    )


def _edited(run: Run, shape: str, pool: Pool, rng: Random) -> Iterator[Sample]:
    """One fact of one sentence is another one: before the claim is made, so that it is made the same way."""
    places = [run.at]
    if shape in ("merged", "paired") and run.at + 1 < len(run.sentences):
        places.append(run.at + 1)
    at = rng.choice(places)
    edit = draw_edit(run.sentences[at], run.text, pool, rng)
    if edit is None or (edit.operator in ("appended", "added") and shape == "merged"):
        yield from _backed(run, shape, rng)
        return
    rest = " ".join(s for i, s in enumerate(run.sentences) if i != at)
    turned = rng.random() < 0.5 and edit.operator not in ("certainty",)
    if turned and edit.operator in ("entity", "roles") and any(part and part in rest for part in (edit.old, edit.new)):
        turned = False
    changed = run.put(at, edit.after.text)
    evidence = changed if turned else run
    yield from _backed(evidence, shape, rng)
    if turned and edit.operator in ("added", "appended"):
        yield from _backed(run, shape, rng, evidence)
        return
    side = {f"_{at}": edit.before if turned else edit.after}
    wrong = shaped(shape, run.marked(**side), run.at, rng)
    if wrong is not None and wrong.spans:
        relevance = 1 if edit.label != NEI else UNKNOWN
        yield _sample(evidence, wrong, edit.label, edit.operator, rng, relevance)


def _subjects(run: Run, rng: Random) -> list[Sample]:
    """What one sentence says of its subject is said of another name of the run: spliced, resolved or credited wrongly."""
    swap = swapped(run.sentences, run.at, rng, consecutive=run.passage.source not in SHUFFLED)
    if swap is None:
        return []
    good, wrong, evidence = swap.right, swap.wrong, run
    if rng.random() < 0.5:
        evidence, good, wrong = run.put(swap.at, wrong.text), wrong, good
    tail = _second(run, swap.at, rng)
    result = []
    for text, label in ((good, SUPPORTS), (wrong, NOT_SUPPORTED)):
        claim = compress(text, rng)
        if tail is not None:
            claim = joined(claim, " ", tail)
        if sound(claim.text) and claim.spans:
            result.append(_sample(evidence, claim if label else Marked(claim.text), label, swap.operator, rng))
    return result


def _second(run: Run, at: int, rng: Random) -> Marked | None:
    """Now and then another sentence of the run, to stand behind the claim as in a summary."""
    fit = [
        s
        for i, s in enumerate(run.sentences)
        if i != at and usable(s) and (c := parse(s)) and c.kind in ("name", "noun")
    ]
    if not fit or rng.random() < 0.6:
        return None
    text = compress(Marked(rng.choice(fit)), rng, 0.95)
    return text if len(text.text.split()) <= 25 else None


def _foreign(run: Run, shape: str, found: Sequence[Passage], pool: Pool, rng: Random) -> Iterator[Sample]:
    """A phrase or a whole sentence of another passage joins the claim; half of the time it joins the evidence too."""
    good = shaped(shape, run.marked(), run.at, rng)
    if good is None:
        return
    if rng.random() < 0.4:
        edit = added(good.text, run.text, pool, rng)
        if edit is not None and len(good.text.split()) < 45:
            yield _sample(run, good, SUPPORTS, shape, rng)
            yield _sample(run, edit.after, NEI, "added", rng, UNKNOWN)
        return
    strange = _strange(run, found, rng)
    if strange is None:
        return
    extra = compress(Marked(strange), rng, 0.9)
    first = compress(Marked(run.sentences[run.at]), rng, 0.9) if shape in ("paired", "several") else good
    both = [joined(first, " ", extra), joined(extra, " ", first)]
    claim = both[rng.random() < 0.3]
    own = _second(run, run.at, Random(rng.random()))
    if rng.random() < 0.5 and len(run.text) + len(strange) < LONGEST:
        at = rng.randrange(len(run.sentences) + 1)
        parts = (*run.sentences[:at], strange, *run.sentences[at:])
        yield _sample(Run(run.passage, parts, run.at), Marked(claim.text), SUPPORTS, "paired", rng)
        return
    yield _sample(run, joined(first, " ", own) if own else good, SUPPORTS, shape, rng)
    start = len(first.text) + 1 if claim is both[0] else 0
    yield _sample(run, Marked(claim.text).mark(start, start + len(extra.text)), NEI, "foreign", rng, UNKNOWN)


def _strange(run: Run, found: Sequence[Passage], rng: Random) -> str | None:
    """A sentence of another passage that opens with its subject."""
    for _ in range(8):
        other = rng.choice(found)
        sentence = rng.choice(other.sentences)
        clause = parse(sentence)
        known = other.sentences[0] in run.passage.sentences or sentence in run.text
        if clause and clause.kind in ("name", "noun") and usable(sentence) and not known and len(sentence.split()) < 26:
            return sentence
    return None


def _without(run: Run, shape: str, near: Nearest, rng: Random) -> Iterator[Sample]:
    """The claim over prose that does not tell it: its own passage without a sentence of it, or a near passage."""
    claim = shaped(shape, run.marked(), run.at, rng)
    sentence = run.sentences[run.at]
    if claim is None:
        return
    if rng.random() < 0.5:
        if run.sentences.count(sentence) == 1:
            yield _sample(run.put(run.at, ""), claim, NEI, "removed", rng, UNKNOWN)
        return
    found = near.to(claim.text, sentence, run.passage, rng)
    if found is not None:
        passage, at, share = found
        whole = Marked(claim.text).mark(0, len(claim.text))
        yield _sample(run_around(passage, at, rng), whole, NEI, "near", rng, 0 if share < 0.4 else UNKNOWN)
