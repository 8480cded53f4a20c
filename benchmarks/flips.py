"""One changed number: how many of such flips are caught, and how often the unchanged sentence is rejected.

    python benchmarks/flips.py [--data DIR] [--pairs N] [--seed S] [--result FILE]

Sentences with a number are taken from running text that the model has not seen (`SOURCES`, evaluation only; no label of
theirs is used), at most one a passage and as many of each kind of number. The evidence is the sentence with neighbours.
A pair is the sentence, lightly reworded (`rewording.py`), and the same with one number changed (`number_flips.py`).

Measured is the whole check path of `default` and of `model-alone`, beside a plain count: the share of the numbers of the
sentence that stand in the evidence. Writes benchmarks/results/flips.json.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from number_flips import KINDS, Number, changed, is_prose, numbers
from rewording import HELD, reworded

from groundwire import __version__, models, recipes
from groundwire.evals.bootstrap import Bootstrap
from groundwire.evals.metrics import Rows, plain, weighted_auc, weighted_caught
from groundwire.judge.lexical import signals
from groundwire.text import sentence_bounds
from groundwire.types import Case, Passage

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "benchmarks" / "results" / "flips.json"
SOURCES = ("ir/msmarco-dl19-pool", "ir/cisi", "check/summedits", "check/expertqa-claims")
RECIPES = {"default": "default", "alone": "model-alone"}
COUNT = "numbers"
ALARMS = 0.05
THRESHOLD = 0.5
SHORTEST, LONGEST = 3, 8
"""Sentences of the evidence."""


@dataclass(frozen=True)
class Flip:
    """A sentence and the same with one number changed, both reworded; the evidence backs the first alone."""

    source: str
    kind: str
    change: str
    evidence: str
    kept: str
    flipped: str


def texts(data: Path, source: str) -> Iterator[str]:
    """Yield the distinct passages of a source."""
    folder, name = source.split("/")
    path = data / folder / (f"{name}.jsonl.gz" if folder == "check" else f"{name}/corpus.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        yield from dict.fromkeys(
            chain.from_iterable(row["contexts"] if "contexts" in row else [row["text"]] for row in rows)
        )


def made(data: Path, count: int, seed: int) -> list[Flip]:
    """Make at most `count` flips from the sources in turn, no more than a fifth of one kind of number."""
    shuffled = []
    for source in SOURCES:
        passages = sorted(texts(data, source))
        Random(f"{seed}/{source}").shuffle(passages)
        shuffled.append([(source, passage) for passage in passages])
    flips: list[Flip] = []
    kinds, changes = Counter[str](), Counter[str]()
    for source, passage in filter(None, chain.from_iterable(zip_longest(*shuffled))):
        wanted = [kind for kind in KINDS if kinds[kind] * len(KINDS) < count]
        if not wanted:
            break
        flip = flip_of(source, passage, wanted, changes, Random(f"{seed}/{passage}"))
        if flip:
            flips.append(flip)
            kinds[flip.kind] += 1
            changes[flip.change] += 1
    return flips


def flip_of(source: str, passage: str, kinds: Sequence[str], changes: Counter[str], rng: Random) -> Flip | None:
    """Make a flip of a sentence of a passage, of these kinds; None where none has a number that can be changed.

    Of the changes that fit, the one is taken that was made least often so far (`changes`).
    """
    bounds = sentence_bounds(passage)
    if len(bounds) < SHORTEST:
        return None
    prose = [place for place, (start, end) in enumerate(bounds) if is_prose(passage[start:end])]
    spots = [(place, number) for place in prose for number in numbers(passage[slice(*bounds[place])])]
    spots = [(place, number) for place, number in spots if number.kind in kinds]
    if not spots:
        return None
    place, number = rng.choice(spots)
    sentence = passage[slice(*bounds[place])]
    evidence = _around(passage, bounds, place, rng)
    fit = changed(number, sentence, evidence, rng)
    if not fit:
        return None
    change = min(fit, key=lambda name: (changes[name], name))
    return _pair(source, sentence, number, change, fit[change], evidence, rng.random())


def _around(passage: str, bounds: Sequence[tuple[int, int]], place: int, rng: Random) -> str:
    """Return the sentence at `place` with neighbours, SHORTEST to LONGEST sentences in all."""
    size = min(rng.randint(SHORTEST, LONGEST), len(bounds))
    first = rng.randint(max(0, place - size + 1), min(place, len(bounds) - size))
    return passage[bounds[first][0] : bounds[first + size - 1][1]]


def _pair(source: str, sentence: str, number: Number, name: str, new: str, evidence: str, seed: float) -> Flip:
    """Reword the sentence around the number, which stays in its place, and put in the old and the new one."""
    around = reworded(sentence[: number.start] + HELD + sentence[number.end :], Random(seed))
    kept, flipped = (around.replace(HELD, text) for text in (number.text, new))
    return Flip(source, number.kind, name, evidence, kept, flipped)


def cases(flips: Sequence[Flip]) -> list[Case]:
    """Return two cases a flip: the unchanged sentence and the changed one."""
    return [
        Case(id=f"{n}.{side}", question=None, answer=answer, contexts=(Passage(id="0", text=flip.evidence),))
        for n, flip in enumerate(flips)
        for side, answer in enumerate((flip.kept, flip.flipped))
    ]


def scores(flips: Sequence[Flip]) -> dict[str, np.ndarray]:
    """Return the scores [n, 2] of unchanged and changed sentences by system; NaN where one could not be checked."""
    asked = cases(flips)
    found = {
        name: [np.nan if verdict.score is None else verdict.score for verdict in recipes.build(spec).check(asked)]
        for name, spec in RECIPES.items()
    }
    found[COUNT] = [1 - signals(case.answer, [case.contexts[0].text])["numbers_missing"] for case in asked]
    return {name: np.reshape(values, (-1, 2)) for name, values in found.items()}


def threshold_of(kept: np.ndarray) -> float:
    """Return the highest score that rejects at most `ALARMS` of the unchanged sentences."""
    return float(max((t for t in kept if (kept < t).mean() <= ALARMS), default=0.0))


def measure(flips: Sequence[Flip], table: np.ndarray) -> dict[str, Any]:
    """Measure one system: [n, 2] scores of unchanged and changed sentences; intervals are over pairs."""
    bootstrap, pairs = Bootstrap(), np.repeat(np.arange(len(flips)), 2)
    rows = Rows.of([True, False] * len(flips), table.reshape(-1))
    metrics = {"caught": weighted_caught(ALARMS), "auc": weighted_auc}
    threshold = threshold_of(table[:, 0])
    caught = plain(metrics["caught"], rows)
    assert caught is None or abs(caught - (table[:, 1] < threshold).mean()) < 1e-9
    groups: dict[str, list[int]] = defaultdict(list)
    for n, flip in enumerate(flips):
        for group in ("all", flip.kind, flip.change, flip.source):
            groups[group].append(n)
    return {
        "threshold": threshold,
        **{name: figure.to_dict() for name, figure in bootstrap.figures(metrics, rows, list(pairs)).items()},
        "by": {name: _shares(table[groups[name]], threshold, bootstrap) for name in sorted(groups)},
    }


def _shares(table: np.ndarray, threshold: float, bootstrap: Bootstrap) -> dict[str, Any]:
    """Return the shares caught and falsely alarmed at the threshold of all and at the default one, and ranked rightly."""
    kept, flipped = table.T
    shares = {
        "caught": flipped < threshold,
        "alarms": kept < threshold,
        "caught_at_default": flipped < THRESHOLD,
        "alarms_at_default": kept < THRESHOLD,
        "ranked": (kept > flipped) + (kept == flipped) / 2,
    }
    return {"n": len(table), **{name: bootstrap.mean(share).to_dict() for name, share in shares.items()}}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure how many changed numbers are caught")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the public sets")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--result", type=Path, default=RESULT)
    parser.add_argument("--show", type=Path, help="also write the pairs with their scores there, to be read")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    flips = made(options.data, options.pairs, options.seed)
    found = scores(flips)
    whole = np.all([np.isfinite(table).all(axis=1) for table in found.values()], axis=0)
    left_out = len(flips) - int(whole.sum())
    flips = [flip for flip, there in zip(flips, whole, strict=True) if there]
    found = {name: table[whole] for name, table in found.items()}
    result = {
        "version": __version__,
        "model_sha256": models.builtin_sha256(),
        "date": datetime.now(UTC).date().isoformat(),
        "seed": options.seed,
        "pairs": len(flips),
        "not_checkable": left_out,
        "verbatim": sum(flip.kept in flip.evidence for flip in flips),
        "alarms": ALARMS,
        "kinds": dict(Counter(flip.kind for flip in flips)),
        "changes": dict(Counter(flip.change for flip in flips)),
        "sources": dict(Counter(flip.source for flip in flips)),
        "bootstrap": {"resamples": 1000, "level": 0.95, "resampled": "pairs"},
        "systems": {name: measure(flips, table) for name, table in found.items()},
    }
    options.result.write_text(json.dumps(result, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    if options.show:
        rows = [asdict(f) | {s: table[n].tolist() for s, table in found.items()} for n, f in enumerate(flips)]
        options.show.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for name, system in result["systems"].items():
        shares = {key: round(share["value"], 3) for key, share in system["by"]["all"].items() if key != "n"}
        print(f"{name:8} threshold {system['threshold']:.3f} {shares}")


if __name__ == "__main__":
    main()
