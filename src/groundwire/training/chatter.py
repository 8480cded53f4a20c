"""Fits the regression that tells chatter from statements (`groundwire.idle.chatter`) to sentences written for it.

`written/chatter/*.txt` holds replies of conversations and assistants, a sentence a line, an empty line between replies:

    F It opened in 1998, I think.      states something that a document could back or deny
    O That's so cool!                  states nothing of that kind

Beside them stand the claims of the written documents, all of them statements, many in the tone of a chat. Cross-validated by
reply, the threshold is the least that takes at most `CLAIMS` of these claims and `STATED` of the replies' statements for
chatter.
Left out: reading it at work.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain, compress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from groundwire._optional import require
from groundwire.errors import InputError
from groundwire.idle import chatter
from groundwire.idle.chatter import Chatter, marks
from groundwire.text import sentence_bounds
from groundwire.training.written import borrowed
from groundwire.training.written.documents import load_documents, parts, read_said

SENTENCES = Path(__file__).parent / "written" / "chatter"
SHIPPED = Path(chatter.__file__).with_name("chatter.json")
CLAIMS, STATED = 0.002, 0.01
"""Shares of statements that may be taken for chatter: of the written claims, and of the replies' own."""
RARE, RARE_CLAIM = 4, 20
"""A mark counts from so many replies' sentences on, or so many claims."""
MOST = 30_000
"""Claims that stand beside the replies."""
FOLDS = 5
STRENGTH = 0.4
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
    """Up to `most` claims of the written documents that are one sentence and no answer to a question."""
    said = [one for document in load_documents() for one in document.said]
    for path in sorted(borrowed.CLAIMS.glob("*.txt")):
        said += [read_said(line, 10**6, path) for lines in parts(path) for line in lines[1:]]
    texts = [one.text.text for one in said if one.question is None and len(sentence_bounds(one.text.text)) == 1]
    Random(seed).shuffle(texts)
    return texts[:most]


def fit(told: Sequence[Told], claims: Sequence[str]) -> tuple[Chatter, dict[str, float]]:
    """Fit the regression to both; return it with its cross-validated shares: chatter found, statements and claims lost."""
    read = [marks(one.text) for one in told]
    said = [marks(text) for text in claims]
    fold = np.array([Random(f"{one.reply}").randrange(FOLDS) for one in told])
    part = np.arange(len(said)) % FOLDS
    is_chatter = np.array([one.chatter for one in told])
    held, lost = np.zeros(len(read)), np.zeros(len(said))
    for k in range(FOLDS):
        model = _regress([*compress(read, fold != k)], is_chatter[fold != k], [*compress(said, part != k)])
        held[fold == k] = [model.score(found) for found in compress(read, fold == k)]
        lost[part == k] = [model.score(found) for found in compress(said, part == k)]
    over = [np.quantile(lost, 1 - CLAIMS, method="higher"), np.quantile(held[~is_chatter], 1 - STATED, method="higher")]
    threshold = math.ceil(float(max(over)) * 1000) / 1000
    report = {
        "sentences": float(len(told)),
        "claims": float(len(claims)),
        "chatter_found": float((held[is_chatter] > threshold).mean()),
        "statements_lost": float((held[~is_chatter] > threshold).mean()),
        "claims_lost": float((lost > threshold).mean()),
    }
    return replace(_regress(read, is_chatter, said), threshold=threshold), report


def _regress(read: Sequence[set[str]], is_chatter: Any, said: Sequence[set[str]]) -> Chatter:
    """The regression, without its threshold. Chatter, statements and claims weigh 2 : 1 : 1 in all."""
    linear, extraction = require("sklearn.linear_model", "eval"), require("sklearn.feature_extraction", "eval")
    kept = {mark for mark, n in Counter(chain.from_iterable(read)).items() if n >= RARE}
    kept |= {mark for mark, n in Counter(chain.from_iterable(said)).items() if n >= RARE_CLAIM}
    vectors = extraction.DictVectorizer()
    x = vectors.fit_transform([dict.fromkeys(sorted(found & kept), 1.0) for found in (*read, *said)])
    y = np.r_[is_chatter, np.zeros(len(said), bool)]
    share = np.r_[
        np.where(is_chatter, 2 / is_chatter.sum(), 1 / (~is_chatter).sum()), np.full(len(said), 1 / len(said))
    ]
    model = linear.LogisticRegression(C=STRENGTH, max_iter=1000)
    model.fit(x, y, sample_weight=share * len(read) / 2)
    weights = {str(m): round(float(w), 3) for m, w in zip(vectors.feature_names_, model.coef_[0], strict=True)}
    weights = {mark: weight for mark, weight in weights.items() if abs(weight) >= NOTHING}
    return Chatter(weights=weights, bias=round(float(model.intercept_[0]), 3), threshold=0.0)


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
        "cross_validated": {name: round(value, 4) for name, value in report.items()},
    }
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
