"""Fits the default judge's fusion: a signed logistic regression over the signals of claims that the model has not seen.

The rows are those of the sets and of the written registers that `mixture.toml` keeps whole from the model (`fusion`,
`kept`), held-out minimal pairs, and small worlds drawn anew. Its other validation rows will not do: though held out, they
are of the sets that it was trained on, so they make it look better than it is on what users bring, and overlap worse; but
minimal edits and short everyday sentences stand in no other set, and without them overlap is believed that says nothing. In
one of the sets words in common say almost all, in the written documents their writers saw to it that they say nothing: what
users bring lies between, and nearest to it come answers that were written from memory before anybody saw the passage, what
was told of passages by somebody who saw them with gaps, and what was right of that with one small change. Every group
weighs the same, and so do the two classes within it, so that a probability of one half is the balanced point and no large
set speaks for all.

Left out: the judge that reads the result (`groundwire.judge.fused`), and anything from an evaluation set.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from groundwire import judge, models
from groundwire._optional import require
from groundwire.cases import LABELS
from groundwire.check import CheckPath
from groundwire.errors import InputError
from groundwire.judge import FusedJudge
from groundwire.judge.fused import SCHEMA, Fusion
from groundwire.training.compounds import DOUBLED
from groundwire.training.mixture import Mixture, case_row
from groundwire.training.sources import Row as DataRow
from groundwire.training.sources import read
from groundwire.training.statements.worlds import statements
from groundwire.training.written.borrowed import EDITED, GLIMPSED, RECALLED, REJOINED, borrowed, sets
from groundwire.training.written.documents import load_documents, rows_of
from groundwire.types import Case, Label, Passage

FEATURES: Mapping[str, int] = {
    "backed": +1,
    "refutes": -1,
    "refutes_best": -1,
    "overlap_relevant": +1,
    "numbers_missing": -1,
    "names_missing": -1,
}
"""The signals that the shipped fusion reads, and which way each may count. The rest are in the verdict for whoever wants
them.

The signs are a constraint, not a hope: signals that say nearly the same would otherwise be played off against each other
(+2 for one, -2 for its twin), which fits the sets at hand and misleads on every other. Relevance itself is not among them:
it would go on rising with every word in common, and so speak for a sentence that only a "not" parts from its source.
"""

PARTS: Mapping[str, Mapping[str, int]] = {
    "without the model": {"overlap": +1, "overlap_best": +1, "numbers_missing": -1, "names_missing": -1},
    "without lexical evidence": {"backed": +1, "refutes": -1, "refutes_best": -1},
    "without relevance": {
        "supports": +1,
        "supports_gathered": +1,
        "refutes": -1,
        "refutes_best": -1,
        "overlap": +1,
        "overlap_best": +1,
        "numbers_missing": -1,
        "names_missing": -1,
    },
}
"""Fusions over other signals, which nothing ships: they show what the rest is worth."""

LEFT_OUT = ("digest-", DOUBLED)
"""How the operators of `groundwire.training.digest`, and of two claims in one sentence, are named in the held-out rows. They
are left out: what is edited in a digest is what is edited in minimal pairs, and a second group of it would have the model
believed too much; two claims are two of the written ones."""
FOLDS = 5
NOTHING = 1e-6
"""A signal whose weight is less than this is left out."""
SHIPPED = Path(judge.__file__).with_name("fusion.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One claim's signals with its gold label and the set that it comes from.

    `denied` says of a claim that is not supported whether the evidence denies it; None: it is supported, or that is not known.
    """

    source: str
    signals: dict[str, float]
    supported: bool
    denied: bool | None = None


Labelled = tuple[str, Case, bool]
"""(group, case, supported). The case has a label where all three are told apart."""


def cases_of(rows: Iterable[dict[str, Any]], group: str) -> list[Labelled]:
    """Turn rows of the data format (question, answer, contexts, label, maybe label3) into labelled cases of one group."""
    return [(group, _case(row), bool(row["label"])) for row in rows]


def _case(row: DataRow) -> Case:
    return Case(
        id=str(row["id"]),
        question=row["question"],
        answer=row["answer"],
        contexts=tuple(Passage(id=str(i), text=text) for i, text in enumerate(row["contexts"])),
        label=LABELS[row["label3"]] if row.get("label3") else None,
    )


def fitting_cases(mixture: Mixture, data: Path, work: Path, limit: int) -> list[Labelled]:
    """Return up to `limit` cases of each group: every set that the mixture keeps whole from the model, the minimal pairs of
    single sentences among the held-out validation rows that `prepare` wrote to `work`, small worlds drawn anew, the written
    documents of the registers that the mixture keeps, and over passages that it holds out answers from memory, what was told
    from a glimpse, what was right of that in other words and with a small change, and what puts such a passage together."""
    with (work / "validation.jsonl").open(encoding="utf-8") as handle:
        validation = [json.loads(line) for line in handle]
    groups = {name: list(read(name, data)) for name in mixture.fusion}
    groups["minimal pairs"] = [row for row in validation if row["subset"] and not row["subset"].startswith(LEFT_OUT)]
    drawn = islice(statements(Random(f"{mixture.seed}/fusion")), limit)
    groups["small worlds"] = [case_row(sample, n) for n, sample in enumerate(drawn)]
    groups["written"] = [
        row for document in load_documents() if document.register in mixture.kept for row in rows_of(document)
    ]
    groups["answers from memory"] = list(_from_memory(mixture, data))
    groups["told from a glimpse"] = list(_told(GLIMPSED, mixture, data))
    groups["told anew, changed"] = list(_told(EDITED, mixture, data))
    groups["put together"] = list(_told(REJOINED, mixture, data))
    found: list[Labelled] = []
    for name, rows in groups.items():
        Random(f"{mixture.seed}/{name}").shuffle(rows)
        found += cases_of(rows[:limit], name)
    return found


def _from_memory(mixture: Mixture, data: Path) -> Iterator[DataRow]:
    """Sentences of answers that were written from memory, each with its question, over passages held out from the model."""
    held = _held_out(RECALLED, mixture, data)
    questions = {(name, str(row["id"])): row["question"] for name, rows in held.items() for row in rows}
    for document in borrowed(held, RECALLED):
        for row in rows_of(document):
            yield {**row, "question": questions[document.register, document.topic]}


def _told(folder: Path, mixture: Mixture, data: Path) -> Iterator[DataRow]:
    """What was said of passages held out from the model, with two labels.

    What stands there in place of what the passage says was labelled as left open, or as not backed without more, where others
    call it denied: which of the two it is does not count.
    """
    for document in borrowed(_held_out(folder, mixture, data), folder):
        for row in rows_of(document):
            yield {**row, "label3": None}


def _held_out(folder: Path, mixture: Mixture, data: Path) -> dict[str, list[DataRow]]:
    """The rows that the mixture holds out, by set, of the sets that a folder's claims are on."""
    return {name: [row for row in read(name, data) if mixture.holds_out(row)] for name in sorted(sets(folder))}


def collect(path: CheckPath, labelled: Sequence[Labelled]) -> list[Row]:
    """Run the path and return the signals of every answer that is one claim (of a longer one the guilty claim is unknown)."""
    blank = Fusion(weights={}, bias=0.0, model_sha256="")
    fused = path.judge
    if not isinstance(fused, FusedJudge):
        raise InputError("a fusion is fitted for a path with a fused judge")
    path = replace(path, judge=replace(fused, fusion=blank))
    verdicts = path.check([case for _, case, _ in labelled])
    return [
        Row(source=source, signals=dict(verdict.claims[0].signals), supported=supported, denied=_denied(case.label))
        for (source, case, supported), verdict in zip(labelled, verdicts, strict=True)
        if len(verdict.claims) == 1 and verdict.score is not None
    ]


def _denied(label: Label | None) -> bool | None:
    return None if label in (None, Label.SUPPORTED) else label is Label.CONTRADICTED


def row_weights(rows: Sequence[Row]) -> np.ndarray:
    """Weight [n] of each row: every (set, class) of a set with both classes weighs the same; mean 1."""
    counts = Counter((row.source, row.supported) for row in rows)
    weights = np.array([1 / counts[row.source, row.supported] for row in rows])
    return np.asarray(weights * len(rows) / weights.sum())


def fit(
    rows: Sequence[Row], *, features: Mapping[str, int] = FEATURES, strength: float = 1.0, seed: int = 0
) -> tuple[Fusion, dict[str, float]]:
    """Fit the regression; return it with its cross-validated AUC and calibration error beside those of single signals.

    `features` are the signals that it may read with their signs, `strength` the inverse of the L2 penalty on standardised
    signals. Raises InputError when a class is missing.
    """
    signs = np.array(list(features.values()), float)
    x = np.array([[row.signals[name] for name in features] for row in rows]) * signs
    y = np.array([row.supported for row in rows])
    if y.all() or not y.any():
        raise InputError("a fusion needs rows of both classes")
    scale = np.where(x.std(0) > 1e-9, x.std(0), 1.0)
    weights = row_weights(rows)
    fold = np.random.default_rng(seed).integers(0, FOLDS, len(rows))
    held = np.zeros(len(rows))
    for k in range(FOLDS):
        part, bias = _regress(x[fold != k] / scale, y[fold != k], weights[fold != k], strength)
        held[fold == k] = 1 / (1 + np.exp(-(x[fold == k] / scale @ part + bias)))
    whole, bias = _regress(x / scale, y, weights, strength)
    coefficients = signs * whole / scale
    fusion = Fusion(
        weights={name: round(float(w), 6) for name, w in zip(features, coefficients, strict=True) if abs(w) > NOTHING},
        bias=round(bias, 6),
        model_sha256=models.builtin_sha256(),
    )
    return fusion, _report(rows, y, held, weights)


def _regress(x: np.ndarray, y: np.ndarray, weights: np.ndarray, strength: float) -> tuple[np.ndarray, float]:
    """Fit a logistic regression whose weights are not negative; x [n, d] is scaled. Returns weights [d] and the bias."""
    optimize = require("scipy.optimize", "eval")
    signed = np.where(y, 1.0, -1.0)
    columns = np.hstack([x, np.ones((len(x), 1))])
    penalty = np.r_[np.full(x.shape[1], 1 / strength), 0.0]

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        margin = signed * (columns @ w)
        value = (weights * np.logaddexp(0, -margin)).sum() + 0.5 * (penalty * w * w).sum()
        gradient = columns.T @ (-weights * signed / (1 + np.exp(margin))) + penalty * w
        return float(value), gradient

    bounds = [(0, None)] * x.shape[1] + [(None, None)]
    found = optimize.minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B", bounds=bounds)
    return found.x[:-1], float(found.x[-1])


def _report(rows: Sequence[Row], y: np.ndarray, held: np.ndarray, weights: np.ndarray) -> dict[str, float]:
    metrics = require("sklearn.metrics", "eval")
    single = {name: np.array([row.signals[name] for row in rows]) for name in ("supports", "overlap")}
    sources = np.array([row.source for row in rows])
    report = {"n": float(len(rows)), "ece": calibration_error(held, y, weights)}
    for name, score in {"fused": held, **single}.items():
        report[f"auc_{name}"] = float(metrics.roc_auc_score(y, score, sample_weight=weights))
        for source in sorted(set(sources)):
            here = sources == source
            if 0 < y[here].sum() < here.sum():
                report[f"auc_{name}/{source}"] = float(metrics.roc_auc_score(y[here], score[here]))
    return report


def calibration_error(p: np.ndarray, y: np.ndarray, weights: np.ndarray, bins: int = 10) -> float:
    """Return the weighted expected calibration error of probabilities p [n] for outcomes y [n], in [0, 1]."""
    place = np.minimum((p * bins).astype(int), bins - 1)
    gaps = [
        abs(np.average(p[place == b] - y[place == b], weights=weights[place == b])) * weights[place == b].sum()
        for b in range(bins)
        if (place == b).any()
    ]
    return float(sum(gaps) / weights.sum())


def left_out(rows: Sequence[Row], *, features: Mapping[str, int] = FEATURES) -> dict[str, float]:
    """Return the AUC on each group (by its name) of a fusion that was fitted on the others: what it is worth on new kinds.

    Groups of one class are passed over, and so is the only group.
    """
    metrics = require("sklearn.metrics", "eval")
    found = {}
    for group in sorted({row.source for row in rows}):
        here, others = [r for r in rows if r.source == group], [r for r in rows if r.source != group]
        classes = [row.supported for row in here]
        if others and 0 < sum(classes) < len(classes):
            fusion, _ = fit(others, features=features)
            found[group] = float(metrics.roc_auc_score(classes, [fusion.probability(row.signals) for row in here]))
    return found


def save(
    fusion: Fusion,
    report: Mapping[str, float],
    path: Path,
    *,
    words: Mapping[str, float] | None = None,
    denials: Mapping[str, float] | None = None,
    others: Mapping[str, float] | None = None,
) -> None:
    """Write the fusion as plain JSON, with what it was measured to be worth.

    `words` is the report on `unbacked`, `denials` that on `denied`, `others` what `left_out` says of the same rows.
    """
    data = {
        "schema": SCHEMA,
        "model_sha256": fusion.model_sha256,
        "bias": fusion.bias,
        "weights": dict(fusion.weights),
        "unbacked": fusion.unbacked,
        "unbacked_fitted": {name: round(value, 4) for name, value in (words or {}).items()},
        "denied": fusion.denied,
        "denied_fitted": {name: round(value, 4) for name, value in (denials or {}).items()},
        "cross_validated": {name: round(value, 4) for name, value in report.items()},
        "fitted_on_the_others": {name: round(value, 4) for name, value in (others or {}).items()},
    }
    path.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


def save_parts(rows: Sequence[Row], path: Path) -> None:
    """Fit a fusion to each of `PARTS` and write them, by name, as `save` writes one."""
    found = {}
    for name, features in PARTS.items():
        fusion, report = fit(rows, features=features)
        found[name] = {
            "bias": fusion.bias,
            "weights": dict(fusion.weights),
            "cross_validated": {key: round(value, 4) for key, value in report.items()},
        }
    data = {"schema": SCHEMA, "model_sha256": models.builtin_sha256(), "fusions": found}
    path.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
