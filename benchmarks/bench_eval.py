"""What `eval run` costs besides the checker: time and memory by number of rows, and runs over kept scores → results/eval.json.

    python benchmarks/bench_eval.py [--quick]        then: python benchmarks/speed_page.py

The harness is the whole of `Run.execute` (reading rows twice, digests, ledger, intervals, report, pictures) less the time
inside `Checker.check`. It is measured beside a quick real peer, so that it can be seen at all, and set against the time that
the default recipe takes for such a row. Every measurement is a process of its own; CPU seconds are those of one thread, and
wall seconds mean something on a quiet machine only.

For the runs over kept scores a runtime that makes logits up fills the file of scores: what is measured is what a run does when
the model has nothing to do. Texts are made, with a seed, as in `bench_cost`; rows are as long as those of common sets (five
contexts of five sentences, answers of two: nine pairs each).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from bench_cost import made

from groundwire import __version__, recipes
from groundwire.cli.running import built, opened
from groundwire.evals.runs import Config, Data, Run
from groundwire.evals.runs.run import cpu
from groundwire.models import loading
from groundwire.protocols import Checker
from groundwire.types import Case, Verdict

RESULTS = Path(__file__).resolve().parent / "results" / "eval.json"
PEER = "peer:overlap"
ROWS = (1_000, 10_000, 100_000)
PAIRS = 100_000
CONTEXTS, SENTENCES = 5, 2
WARM, TIMED = 4, 64


class Watched:
    """A checker whose time is counted apart."""

    def __init__(self, checker: Checker) -> None:
        self.checker, self.name, self.threshold = checker, checker.name, checker.threshold
        self.model = getattr(checker, "model", None)
        self.relevance = getattr(checker, "relevance", None)
        self.cpu = self.wall = 0.0
        self.pairs = 0

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        begun, started = time.process_time(), time.perf_counter()
        verdicts = self.checker.check(cases)
        self.cpu += time.process_time() - begun
        self.wall += time.perf_counter() - started
        stages = verdicts[0].trace.stages if verdicts and verdicts[0].trace else ()
        self.pairs += sum(stage.items for stage in stages if stage.name == "entail")
        return verdicts


class MadeUp:
    """A runtime that gives any logits, at no cost."""

    streams = 1

    def __init__(self, real: Any) -> None:
        self.precision = real.precision

    def run(self, arrays: Any) -> Any:
        return self.run_with_tokens(arrays)[0]

    def run_with_tokens(self, arrays: Any) -> tuple[Any, Any]:
        ids = next(iter(arrays.values()))
        rng = np.random.default_rng(int(ids.sum()))
        return rng.normal(size=(len(ids), 8)).astype(np.float32), rng.normal(size=ids.shape).astype(np.float32)


def cases(count: int) -> Iterator[Case]:
    return (made(n, CONTEXTS, SENTENCES) for n in range(count))


def rows_file(path: Path, count: int) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for n, case in enumerate(cases(count)):
            row = {"id": case.id, "answer": case.answer, "contexts": [p.text for p in case.contexts], "label": n % 2}
            file.write(json.dumps(row) + "\n")
    return path


def run(folder: Path, rows: Path, spec: str, scores: Path | None) -> dict[str, Any]:
    """Do a run, and say what it cost inside and outside of the checker; opening a model is in neither."""
    checker = Watched(built(spec))

    config = Config(data=(Data(name="made", path=str(rows)),), checkers=(spec,))
    begun, started = time.process_time(), time.perf_counter()
    found = Run.create(folder, config).execute(opened, lambda _: checker, scores=scores)
    cpu_s, wall_s = time.process_time() - begun, time.perf_counter() - started
    n = found["cells"][0]["n"]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {
        "rows": n,
        "pairs": checker.pairs,
        "cpu_s": round(cpu_s, 3),
        "wall_s": round(wall_s, 3),
        "checker_cpu_s": round(checker.cpu, 3),
        "harness_ms_a_row": round(1000 * (cpu_s - checker.cpu) / n, 4),
        "harness_wall_ms_a_row": round(1000 * (wall_s - checker.wall) / n, 4),
        "peak_mb": round(peak / 1e6, 1),
    }


def default() -> dict[str, Any]:
    """Time the default recipe on such rows, each text new to it."""
    checker = Watched(recipes.build("default"))
    checker.check(list(cases(WARM)))
    checker.cpu = checker.wall = checker.pairs = 0
    checker.check([made(10**6 + n, CONTEXTS, SENTENCES) for n in range(TIMED)])
    return {
        "rows": TIMED,
        "pairs_a_row": checker.pairs / TIMED,
        "cpu_ms_a_row": round(1000 * checker.cpu / TIMED, 2),
        "wall_ms_a_row": round(1000 * checker.wall / TIMED, 2),
    }


def child(*args: str) -> dict[str, Any]:
    """Measure in a process of its own."""
    done = subprocess.run([sys.executable, __file__, "--child", *args], check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])  # type: ignore[no-any-return]


def measured(args: Sequence[str]) -> dict[str, Any]:
    """Do what a child is asked for: `default`, or `run FOLDER ROWS SPEC [SCORES [fill]]`."""
    if args[0] == "default":
        return default()
    if args[-1] == "fill":
        real = loading.open_backend
        loading.open_backend = lambda *given, **more: MadeUp(real(*given, **more))  # type: ignore[assignment,return-value]
    return run(Path(args[1]), Path(args[2]), args[3], Path(args[4]) if len(args) > 4 else None)


def kept(folder: Path, pairs: int, pairs_a_row: float) -> dict[str, Any]:
    """Run over scores that are there: in another directory, and again in the same one."""
    rows = rows_file(folder / "kept.jsonl", round(pairs / pairs_a_row))
    scores = str(folder / "scores.db")
    child("run", str(folder / "fill"), str(rows), "default", scores, "fill")
    again = {"new directory": "new", "same directory": "new", "other recipe": "other"}
    specs = {"other recipe": "model-alone"}
    found = {
        what: child("run", str(folder / place), str(rows), specs.get(what, "default"), scores)
        for what, place in again.items()
    }
    return {"scores_mb": round(os.path.getsize(scores) / 1e6, 1), **found}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what eval run costs")
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measured(options.child)))
        return
    share = 10 if options.quick else 1
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        one = child("default")
        harness = []
        for count in ROWS:
            rows = rows_file(folder / f"{count}.jsonl", count // share)
            harness.append(child("run", str(folder / f"run{count}"), str(rows), PEER))
            print(harness[-1], flush=True)
        again = kept(folder, PAIRS // share, one["pairs_a_row"])
    found = {"version": __version__, "cpu": cpu(), "peer": PEER, "default": one, "harness": harness, "kept": again}
    options.results.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({"default": one, "kept": again}, indent=1))


if __name__ == "__main__":
    main()
