"""Fits the regression that tells chatter from statements (`groundwire.idle.chatter`) to sentences written for it.

`written/chatter/*.txt` holds replies of conversations and assistants, a sentence a line, an empty line between replies:

    F It opened in 1998, I think.      states something that a document could back or deny
    O That's so cool!                  states nothing of that kind

Beside them stand the claims of the written documents, all of them statements, many in the tone of a chat; but for those that a
speaker's own document keeps from being taken for chatter whatever they look like (`groundwire.idle.voices`). Words are of one
kind whose vectors, the built-in model's, lie together. Cross-validated by reply, the threshold is the least that takes at most
`CLAIMS` of these claims and `STATED` of the replies' statements for chatter.
Left out: reading it at work.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain, compress, islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from groundwire import models
from groundwire._optional import require
from groundwire.errors import InputError
from groundwire.idle import Voices, chatter
from groundwire.idle.chatter import Chatter
from groundwire.text import folded_words, sentence_bounds
from groundwire.training.written import borrowed
from groundwire.training.written.documents import Said, load_documents, parts, read_said

SENTENCES = Path(__file__).parent / "written" / "chatter"
SHIPPED = Path(chatter.__file__).with_name("chatter.json")
CLAIMS, STATED = 0.002, 0.005
"""Shares of statements that may be taken for chatter: of the written claims, and of the replies' own."""
RARE, RARE_CLAIM = 4, 20
"""A mark counts from so many replies' sentences on, or so many claims."""
MOST = 30_000
"""Claims that stand beside the replies."""
SEEN, KINDS = 3, 50
"""A word is known that stands in so many of all sentences; so many kinds of words there are."""
FOLDS = 5
STRENGTH = 1.0
"""The inverse of the L2 penalty."""
NOTHING = 0.03
"""A mark that weighs less is left out."""


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence, whether it is chatter, and the reply that it stands in."""

    text: str
    chatter: bool
    reply: int


def read_told(folder: Path = SENTENCES) -> list[Told]:
    """The labelled sentences of a folder's files. Raises InputError where a line is none of the form."""
    found: list[Told] = []
    reply = 0
    for path in sorted(folder.glob("*.txt")):
        reply += 1
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.strip():
                reply += 1
            elif line[:2] in ("F ", "O ") and line[2:].strip():
                found.append(Told(line[2:].strip(), line[0] == "O", reply))
            else:
                raise InputError(f"{path}: {line!r} is no labelled sentence", "the form stands in training/chatter.py")
    return found


def statements(most: int, seed: int = 0) -> list[str]:
    """Up to `most` claims of the written documents that are one sentence, no answer to a question, and not guarded by the
    voice of their own document (those on the sets' passages, whose text is not at hand, never are)."""
    said: list[tuple[Said, Voices]] = []
    for document in load_documents():
        told = Voices([" ".join(document.sentences)])
        said += [(one, told) for one in document.said]
    for path in sorted(borrowed.CLAIMS.glob("*.txt")):
        said += [(read_said(line, 10**6, path), Voices()) for lines in parts(path) for line in lines[1:]]
    single = [
        (one.text.text, told) for one, told in said if one.question is None and len(sentence_bounds(one.text.text)) == 1
    ]
    Random(seed).shuffle(single)
    free = (text for text, told in single if not told.share(text))
    return list(islice(free, most))


def kinds_of(sentences: Iterable[str]) -> dict[str, int]:
    """The kind, below `KINDS`, of each word that stands in `sentences` at least `SEEN` times. Raises InputError where there
    are fewer words than kinds."""
    cluster = require("sklearn.cluster", "eval")
    seen = Counter(chain.from_iterable(map(folded_words, sentences)))
    words = sorted(word for word, n in seen.items() if n >= SEEN and word.isascii())
    if len(words) < KINDS:
        raise InputError(f"{len(words)} words are no {KINDS} kinds", "fit it to more sentences")
    vectors = models.load_encoder(models.BUILTIN).encode(words, query=False)
    found = cluster.KMeans(KINDS, n_init=2, random_state=0).fit_predict(np.asarray(vectors))
    return {word: int(kind) for word, kind in zip(words, found, strict=True)}


def in_lines(kinds: Mapping[str, int]) -> list[str]:
    """The words of every kind, a line each, in their order: what `groundwire.idle.chatter.by_word` reads."""
    lines: list[list[str]] = [[] for _ in range(1 + max(kinds.values(), default=-1))]
    for word, kind in sorted(kinds.items()):
        lines[kind].append(word)
    return [" ".join(words) for words in lines]


def fit(told: Sequence[Told], claims: Sequence[str], kinds: Mapping[str, int]) -> tuple[Chatter, dict[str, float]]:
    """Fit the regression to both; return it with its cross-validated shares: chatter found, statements and claims lost."""
    blank = Chatter(weights={}, bias=0.0, threshold=0.0, kinds=kinds)
    read, said = [_Read.of(blank, one.text) for one in told], [_Read.of(blank, text) for text in claims]
    fold = np.array([Random(f"{one.reply}").randrange(FOLDS) for one in told])
    part = np.arange(len(said)) % FOLDS
    is_chatter = np.array([one.chatter for one in told])
    held, lost = np.zeros(len(read)), np.zeros(len(said))
    for k in range(FOLDS):
        model = _regress(blank, [*compress(read, fold != k)], is_chatter[fold != k], [*compress(said, part != k)])
        held[fold == k] = [min(model.scores(found.whole, found.parts)) for found in compress(read, fold == k)]
        lost[part == k] = [min(model.scores(found.whole, found.parts)) for found in compress(said, part == k)]
    over = [np.quantile(lost, 1 - CLAIMS, method="higher"), np.quantile(held[~is_chatter], 1 - STATED, method="higher")]
    threshold = math.ceil(float(max(over)) * 1000) / 1000
    report = {
        "sentences": float(len(told)),
        "claims": float(len(claims)),
        "chatter_found": float((held[is_chatter] > threshold).mean()),
        "statements_lost": float((held[~is_chatter] > threshold).mean()),
        "claims_lost": float((lost > threshold).mean()),
    }
    return replace(_regress(blank, read, is_chatter, said), threshold=threshold), report


@dataclass(frozen=True, slots=True)
class _Read:
    """The marks of a sentence and of each of its clauses."""

    whole: set[str]
    parts: list[set[str]]

    @classmethod
    def of(cls, model: Chatter, sentence: str) -> _Read:
        whole, parts = model.read_all(sentence)
        return cls(whole, list(parts))


def _regress(blank: Chatter, read: Sequence[_Read], is_chatter: Any, said: Sequence[_Read]) -> Chatter:
    """The regression, without its threshold. Chatter, statements and claims weigh 2 : 1 : 1 in all."""
    linear, extraction = require("sklearn.linear_model", "eval"), require("sklearn.feature_extraction", "eval")
    kept = {mark for mark, n in _counted(read).items() if n >= RARE}
    kept |= {mark for mark, n in _counted(said).items() if n >= RARE_CLAIM}
    vectors = extraction.DictVectorizer()
    x = vectors.fit_transform([dict.fromkeys(sorted(found.whole & kept), 1.0) for found in (*read, *said)])
    y = np.r_[is_chatter, np.zeros(len(said), bool)]
    share = np.r_[
        np.where(is_chatter, 2 / is_chatter.sum(), 1 / (~is_chatter).sum()), np.full(len(said), 1 / len(said))
    ]
    model = linear.LogisticRegression(C=STRENGTH, max_iter=1000)
    model.fit(x, y, sample_weight=share * len(read) / 2)
    weights = {str(m): round(float(w), 3) for m, w in zip(vectors.feature_names_, model.coef_[0], strict=True)}
    weights = {mark: weight for mark, weight in weights.items() if abs(weight) >= NOTHING}
    return replace(blank, weights=weights, bias=round(float(model.intercept_[0]), 3))


def _counted(read: Sequence[_Read]) -> Counter[str]:
    return Counter(chain.from_iterable(found.whole for found in read))


def digest(told: Sequence[Told]) -> str:
    """What tells labelled sentences from others."""
    return sha256(json.dumps([[one.text, one.chatter, one.reply] for one in told]).encode()).hexdigest()


def save(fitted: Chatter, report: dict[str, float], told: Sequence[Told], path: Path = SHIPPED) -> None:
    """Write the regression as plain JSON, with what it was fitted to (`told`) and was measured to be worth."""
    data = {
        "sentences_sha256": digest(told),
        "bias": fitted.bias,
        "threshold": fitted.threshold,
        "weights": dict(sorted(fitted.weights.items())),
        "kinds": in_lines(fitted.kinds),
        "cross_validated": {name: round(value, 4) for name, value in report.items()},
    }
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
