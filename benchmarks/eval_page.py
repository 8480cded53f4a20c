"""The section of docs/speed.md on evaluations, from results/eval.json, which `bench_eval.py` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent / "results" / "eval.json"

EVAL = """
## What an evaluation costs besides the checker

All of `groundwire eval run` but the checker's own work: rows read twice, digests, the ledger, intervals, the report and its
pictures (`benchmarks/bench_eval.py`). Measured beside `{peer}`, in CPU time of one thread, each line a process of its own; rows
have five contexts of five sentences and answers of two. The default recipe takes {default:.0f} ms for such a row. Goal: at most
3 % of that for 10 000 rows, and memory that does not grow with them, which holds but for {grown:.1f} kB a row: intervals need
every score, and the ledger knows where each row's line stands.

| rows | besides the checker | a row | share of the default's time | peak memory |
|--:|--:|--:|--:|--:|
{harness}

Where a file of kept scores has every pair already ({pairs} pairs, {scores:.0f} MB), the model has nothing to do, but the
checker still cuts texts, looks words and numbers up and judges: {own:.2f} ms a pair by the default. Goal: 20 s. {verdict}

| run over kept scores | rows | pairs | besides the checker | in the checker | together |
|---|--:|--:|--:|--:|--:|
{kept}
"""
AGAIN = {
    "same directory": "the same command again: the ledger has every row",
    "new directory": "the default in a new directory",
    "other recipe": "`model-alone` in a new directory, which asks for the same pairs",
}
KEPT_GOAL = 20.0


def section(found: dict[str, Any]) -> str:
    """Return the section on evaluations."""
    one, lines = found["default"]["cpu_ms_a_row"], found["harness"]
    harness = [
        f"| {line['rows']:,} | {line['cpu_s'] - line['checker_cpu_s']:.1f} s | {line['harness_ms_a_row']:.2f} ms "
        f"| {100 * line['harness_ms_a_row'] / one:.2f} % | {line['peak_mb']:.0f} MB |"
        for line in lines
    ]
    kept = {what: found["kept"][what] for what in AGAIN}
    rows = [
        f"| {AGAIN[what]} | {line['rows']:,} | {line['pairs']:,} | {line['cpu_s'] - line['checker_cpu_s']:.1f} s "
        f"| {line['checker_cpu_s']:.1f} s | {line['cpu_s']:.1f} s |"
        for what, line in kept.items()
    ]
    within = [what for what, line in kept.items() if line["cpu_s"] <= KEPT_GOAL]
    missed = [what for what in kept if what not in within]
    told = [f"{verb}: {', '.join(names)}." for verb, names in (("Met", within), ("Missed", missed)) if names]
    before, last = lines[-2:]
    new = kept["new directory"]
    return EVAL.format(
        peer=found["peer"],
        default=one,
        grown=1000 * (last["peak_mb"] - before["peak_mb"]) / (last["rows"] - before["rows"]),
        harness="\n".join(harness),
        pairs=f"{new['pairs']:,}",
        scores=found["kept"]["scores_mb"],
        own=1000 * new["checker_cpu_s"] / new["pairs"],
        verdict=" ".join(told),
        kept="\n".join(rows),
    )
