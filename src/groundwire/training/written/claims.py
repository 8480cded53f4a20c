"""Samples of written documents: each claim beside the sentences that decide it, as much around them as a checker reads.

What a claim is read against varies as it does in use: the deciding sentences alone, a window that holds them, the whole
document (of a long one, as much as the model reads), any of these with something of another document, or the sentences that
a checker gathers for it. Now and then what decides is taken out, or a part of it, and what is left does not back the claim.
Left out: the documents and their form (`documents`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from groundwire.training.claims import prompt_marked
from groundwire.training.compounds import DOUBLED
from groundwire.training.rewrite import register
from groundwire.training.sample import NEI, NOT_SUPPORTED, SUPPORTS, UNKNOWN, Marked, Sample
from groundwire.training.spellings import spelled_otherwise
from groundwire.training.written.compounds import joined
from groundwire.training.written.documents import Document, Said
from groundwire.training.written.gathered import gathered

SOURCE = "written"
WINDOWS = (60, 100, 160)
"""Words of a window: the checker's windows, between, and those with their surroundings."""
MOST = 250
"""Words of a document from which on it is long: about as many as the trainer's pairs hold."""
BARE = 8
"""An answer of at most so many words says nothing without its question."""
ALONE, WHOLE, ASIDE, MISSING = 0.2, 0.3, 0.15, 0.2
"""Shares of the claims that are read against their sentences alone, and against the whole document; of those that have a
sentence of another document beside them; and how many come once more without the sentences that decide."""
GATHERED = 0.2
"""Share of the claims that are read against what the checker gathers for them, where that holds what backs them."""
DOUBLE = 0.6
"""Share of the claims that come once more joined to another of their document."""
WIDE, PARTLY = 3, 0.2
"""From so many deciding sentences on a right claim is a wide one; the share of these that come once more against a window
around one of them, which does not back the rest."""
LACKING = "missing"
"""How samples without the sentences that decide, or without some of them, are called."""
RESPELLED = 0.3
"""Share of the claims, and of what they are read against, whose figures are written otherwise."""


def written(documents: Sequence[Document], rng: Random) -> Iterator[Sample]:
    """Samples without end, round by round: every claim of every document once a round, each time read against other text."""
    claims = [(document, said) for document in documents for said in document.said]
    while claims:
        rng.shuffle(claims)
        for document, said in claims:
            text = spoken(said, rng)
            picked = gathered(document, text.text) if rng.random() < GATHERED else []
            if picked and (said.label != SUPPORTS or set(said.at) <= set(picked)):
                yield _of_gathered(document, said, picked, text, rng)
                continue
            yield _sample(_evidence(document, said, documents, rng), text, said.label, 1.0)
            # As long as any: of a length that only they had, their label could be told by it.
            most = rng.choice((*WINDOWS, MOST))
            double = joined(document, said, rng) if rng.random() < DOUBLE else None
            if double is not None:
                beside = _evidence(document, double, documents, rng)
                yield _sample(beside, spoken(double, rng), double.label, 1.0, operator=DOUBLED)
            if said.label == SUPPORTS and len(said.at) >= WIDE and rng.random() < PARTLY:
                near = dict(_around(document.sentences, [rng.choice(said.at)], WINDOWS[0], rng))
                if not set(said.at) <= near.keys():
                    yield _sample(" ".join(near.values()), text, NOT_SUPPORTED, UNKNOWN, operator=LACKING)
            rest = [s for place, s in _around(document.sentences, said.at, most, rng) if place not in said.at]
            if rest and rng.random() < MISSING:
                label = NEI if said.label == NEI else NOT_SUPPORTED
                yield _sample(" ".join(rest), text, label, UNKNOWN, operator=LACKING)


def _of_gathered(document: Document, said: Said, picked: Sequence[int], text: Marked, rng: Random) -> Sample:
    """A claim against the sentences that were gathered for it; where those that deny it are not among them, others may."""
    evidence = _told([document.sentences[place] for place in picked], rng)
    if set(said.at) <= set(picked):
        return _sample(evidence, text, said.label, 1.0)
    return _sample(evidence, text, NEI if said.label == NEI else NOT_SUPPORTED, UNKNOWN, operator=LACKING)


def _told(parts: Sequence[str], rng: Random) -> str:
    """The evidence as one text, now and then with its figures written otherwise."""
    text = " ".join(parts)
    return spelled_otherwise(Marked(text), rng).text if rng.random() < RESPELLED else text


def spoken(said: Said, rng: Random) -> Marked:
    """The claim as it is judged: an answer that says little by itself inside the claim prompt, others as they are."""
    text = said.text
    if said.question is not None and (len(text.text.split()) <= BARE or rng.random() < 0.2):
        prompt = prompt_marked(said.question, text.text)
        [(start, end)] = prompt.spans
        return Marked(prompt.text, tuple((start + a, min(start + b, end)) for a, b in text.spans))
    if rng.random() < RESPELLED:
        text = spelled_otherwise(text, rng)
    return register(text, rng) if rng.random() < 0.25 else text


def _evidence(document: Document, said: Said, others: Sequence[Document], rng: Random) -> str:
    """What the claim is read against; the sentences that decide are always in it, in the order of the document."""
    draw = rng.random()
    if draw < ALONE:
        parts = [document.sentences[place] for place in said.at]
    else:
        most = MOST if draw < ALONE + WHOLE else rng.choice(WINDOWS)
        parts = [sentence for _, sentence in _around(document.sentences, said.at, most, rng)]
    if rng.random() < ASIDE:
        stranger = rng.choice(rng.choice(others).sentences)
        parts.insert(rng.choice((0, len(parts))), stranger)
    return _told(parts, rng)


def _around(sentences: Sequence[str], at: Sequence[int], most: int, rng: Random) -> list[tuple[int, str]]:
    """The sentences at `at` and as many of those next to them as fit into `most` words, in order, each with its place."""
    taken = set(at)
    words = sum(len(sentences[place].split()) for place in taken)
    while len(taken) < len(sentences):
        near = {p for place in taken for p in (place - 1, place + 1) if 0 <= p < len(sentences)} - taken
        place = rng.choice(sorted(near))
        words += len(sentences[place].split())
        if words > most:
            break
        taken.add(place)
    return [(place, sentences[place]) for place in sorted(taken)]


def _sample(evidence: str, claim: Marked, label: int, relevance: float, operator: str = "") -> Sample:
    """The finished sample; where the deciding sentences are missing it is not known which words still are backed."""
    spans = () if label == SUPPORTS else claim.spans or None
    return Sample(
        evidence=evidence,
        claim=claim.text,
        label=label,
        relevance=relevance,
        spans=None if operator == LACKING else spans,
        source=SOURCE,
        operator=operator,
    )
