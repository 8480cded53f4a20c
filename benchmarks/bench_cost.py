"""How the cost of one check grows: contexts 1…1 000 and answer sentences 1…200 → results/cost.json and docs/cost.png.

    python benchmarks/bench_cost.py [--recipe R] [--quick]

Every measured case has texts of its own, so nothing that was scored before is remembered. Texts are made from a small
vocabulary with a seed: cost depends on lengths and counts, not on sense. Each point is the median of several cases.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from groundwire import __version__, recipes
from groundwire.protocols import Checker
from groundwire.types import Case, Passage

ROOT = Path(__file__).resolve().parent.parent
CONTEXTS = (1, 3, 10, 30, 100, 300, 1000)
SENTENCES = (1, 2, 5, 10, 20, 50, 100, 200)
FIXED_SENTENCES, FIXED_CONTEXTS = 3, 10
CONTEXT_SENTENCES = 5

SUBJECTS = [
    "The harbour",
    "The council",
    "A museum",
    "The river",
    "An engineer",
    "The library",
    "The company",
    "A village",
]
VERBS = ["opened", "rebuilt", "measured", "crossed", "described", "supplied", "closed", "replaced"]
OBJECTS = ["the northern bridge", "a small observatory", "two grain mills", "the old railway", "its main archive"]
ENDINGS = ["in the spring of {n}", "after {n} days of rain", "for about {n} families", "with {n} new workers"]


def sentence(rng: random.Random) -> str:
    ending = rng.choice(ENDINGS).format(n=rng.randrange(3, 100_000))
    return f"{rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(OBJECTS)} {ending}."


def text(rng: random.Random, sentences: int) -> str:
    return " ".join(sentence(rng) for _ in range(sentences))


def made(seed: int, contexts: int, sentences: int) -> Case:
    rng = random.Random(seed)
    passages = tuple(Passage(id=str(i), text=text(rng, CONTEXT_SENTENCES)) for i in range(contexts))
    return Case(id=str(seed), answer=text(rng, sentences), contexts=passages)


def point(checker: Checker, contexts: int, sentences: int, repeats: int) -> dict[str, Any]:
    """Measure one size: median seconds, and how many pairs were judged."""
    seconds, pairs = [], 0
    for repeat in range(repeats):
        case = made(repeat + 1_000 * contexts + 10_000_000 * sentences, contexts, sentences)
        start = time.perf_counter()
        [verdict] = checker.check([case])
        seconds.append(time.perf_counter() - start)
        stages = verdict.trace.stages if verdict.trace else ()
        pairs = sum(stage.items for stage in stages if stage.name == "entail")
    return {
        "contexts": contexts,
        "sentences": sentences,
        "seconds": statistics.median(seconds),
        "pairs": pairs,
        "repeats": repeats,
    }


def exponent(points: Sequence[dict[str, Any]], axis: str) -> float:
    """Return the slope of log seconds over log size in the upper half of the sizes; 1 is linear."""
    upper = points[len(points) // 2 :]
    x = [math.log(p[axis]) for p in upper]
    y = [math.log(p["seconds"]) for p in upper]
    return statistics.linear_regression(x, y).slope


def draw(result: dict[str, Any], path: Path) -> None:
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), constrained_layout=True)
    panels = (
        ("contexts", f"contexts (answer of {FIXED_SENTENCES} sentences)"),
        ("sentences", f"answer sentences ({FIXED_CONTEXTS} contexts)"),
    )
    for ax, (axis, label) in zip(axes, panels, strict=True):
        points = result[axis]
        x, y = [p[axis] for p in points], [p["seconds"] for p in points]
        ax.plot(x, [y[-1] * value / x[-1] for value in x], color="0.65", linestyle="--", label="linear")
        ax.plot(x, y, color="#1f6f8b", marker="o", markersize=4, label="measured")
        ax.set(xscale="log", yscale="log", xlabel=label, ylabel="seconds a check")
        for scale in (ax.xaxis, ax.yaxis):
            scale.set_major_formatter("{x:g}")
        ax.set_title(f"growth at the upper end: n^{result['exponents'][axis]:.2f}", fontsize=10)
        ax.grid(which="major", color="0.9")
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(frameon=False, fontsize=9)
    figure.savefig(path, dpi=150)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how the cost of a check grows")
    parser.add_argument("--recipe", default="default")
    parser.add_argument("--quick", action="store_true", help="one case a point, and no sizes above 100")
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results" / "cost.json")
    parser.add_argument("--picture", type=Path, default=ROOT / "docs" / "cost.png")
    options = parser.parse_args()
    most, repeats = (100, 1) if options.quick else (1000, 3)
    checker = recipes.build(options.recipe)
    checker.check([made(0, 2, 2)])  # the first check also loads and compiles
    contexts = [point(checker, n, FIXED_SENTENCES, repeats) for n in CONTEXTS if n <= most]
    sentences = [point(checker, FIXED_CONTEXTS, n, repeats) for n in SENTENCES if n <= most]
    result = {
        "recipe": options.recipe,
        "version": __version__,
        "processor": platform.processor() or platform.machine(),
        "contexts": contexts,
        "sentences": sentences,
        "exponents": {"contexts": exponent(contexts, "contexts"), "sentences": exponent(sentences, "sentences")},
    }
    options.results.parent.mkdir(parents=True, exist_ok=True)
    options.results.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    draw(result, options.picture)
    for p in (*contexts, *sentences):
        print(f"contexts {p['contexts']:5}  sentences {p['sentences']:4}  pairs {p['pairs']:6}  {p['seconds']:8.3f} s")


if __name__ == "__main__":
    main()
