"""Prose and windows of it: sentences worth a claim, evidence windows around them, distractors, and the lending pool.

Leaves out: what is done to a sentence (`corrupt`, `restate`, `rewrite`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from groundwire.text import sentence_bounds
from groundwire.training.corrupt import Pool, names
from groundwire.training.sources import SPACE, Row, normal, row_contexts
from groundwire.training.vocabulary import Vocabulary

PHRASE = re.compile(
    r" ((?:in|at|by|for|with|after|before|during|from|since|because of|due to|under|near|across) "
    r"(?:[\w'-]+ ){0,6}[\w'-]+)(?=[.,])"
)
MARKUP = re.compile(r"https?://|www\.|\(meta data\)|##|\||\{|<|=|@|DOI|doi|\bet al\b.*\bet al\b")


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of prose and its sentences, with the name of the set that it comes from."""

    source: str
    sentences: tuple[str, ...]


def sentences(text: str) -> list[str]:
    """The sentences of a text, white space normalised."""
    return [SPACE.sub(" ", text[s:e]).strip() for s, e in sentence_bounds(text)]


def usable(sentence: str) -> bool:
    """Whether a sentence can stand as a claim: whole, of common length, without markup."""
    count = len(sentence.split())
    whole = sentence[:1].isupper() and sentence.rstrip("\"”'’").endswith((".", " ."))
    return 6 <= count <= 42 and whole and not MARKUP.search(sentence)


def passages(rows: Iterable[Row], source: str, rng: Random, per_document: int = 12) -> list[Passage]:
    """Distinct passages of a set's rows; a long document gives up to `per_document` runs of 12 sentences."""
    found, seen = [], set()
    for row in rows:
        text = " ".join(row_contexts(row))
        key = normal(text)[:400]
        if key in seen:
            continue
        seen.add(key)
        parts = [s for s in sentences(text) if s and not MARKUP.search(s)]
        runs = [tuple(parts[at : at + 12]) for at in range(0, len(parts), 12)]
        found += [Passage(source, run) for run in rng.sample(runs, min(per_document, len(runs))) if len(run) > 0]
    return found


def pool_of(found: Sequence[Passage], words: Vocabulary | None = None, limit: int = 20_000) -> Pool:
    """What these passages lend to others: names, qualifying phrases, short sentences, and the words given along."""
    lent_names: dict[str, None] = {}
    phrases: dict[str, None] = {}
    short: dict[str, None] = {}
    for passage in found:
        for sentence in passage.sentences:
            if not usable(sentence):
                continue
            lent_names.update(dict.fromkeys(m.group() for m in names(sentence)))
            phrases.update(dict.fromkeys(m.group(1).strip() for m in PHRASE.finditer(sentence)))
            if len(sentence) < 110:
                short[sentence] = None
    return Pool(list(lent_names)[:limit], list(phrases)[:limit], list(short)[:limit], words)


def window(passage: Passage, first: int, last: int, rng: Random) -> tuple[int, int]:
    """A run of sentences [start, end) that holds [first, last) and grows to one to six sentences, 30 to 120 words."""
    limit = rng.choice((30, 50, 70, 90, 120))
    start, end = first, last
    words = sum(len(s.split()) for s in passage.sentences[start:end])
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4, 5))):
        before = start > 0 and (end == len(passage.sentences) or rng.random() < 0.5)
        at = start - 1 if before else end
        if not 0 <= at < len(passage.sentences) or words + len(passage.sentences[at].split()) > limit:
            break
        words += len(passage.sentences[at].split())
        start, end = (at, end) if before else (start, at + 1)
    return start, end


def surround(evidence: str, others: Sequence[Passage], rng: Random, limit: int = 130) -> str:
    """The evidence with one to four sentences of another passage before or after it, within `limit` words."""
    passage = rng.choice(others)
    count = rng.choice((1, 1, 2, 2, 3, 4))
    at = rng.randrange(max(1, len(passage.sentences) - count + 1))
    extra = " ".join(passage.sentences[at : at + count])
    if len(evidence.split()) + len(extra.split()) > limit or normal(extra) in normal(evidence):
        return evidence
    return f"{extra} {evidence}" if rng.random() < 0.5 else f"{evidence} {extra}"


def focus(contexts: Sequence[str], claim: str, limit: int = 110) -> str:
    """The contexts joined; where they exceed `limit` words, the sentences nearest to the claim's words, in order.

    A sentence's neighbours lend it part of their score, so that what is kept reads on.
    """
    joined = " ".join(contexts)
    if len(joined.split()) <= limit:
        return SPACE.sub(" ", joined).strip()
    parts = [s for context in contexts for s in sentences(context)]
    wanted = {w for w in re.findall(r"\w+", claim.lower()) if len(w) > 2}
    own = [len(wanted & set(re.findall(r"\w+", part.lower()))) for part in parts]
    score = [own[i] + 0.4 * sum(own[max(0, i - 1) : i + 2]) for i in range(len(parts))]
    kept: set[int] = set()
    words = 0
    for i in sorted(range(len(parts)), key=lambda i: (-score[i], i)):
        size = len(parts[i].split())
        if words + size <= limit or not kept:
            kept.add(i)
            words += size
    return " ".join(parts[i] for i in sorted(kept))
