"""The scoreboard's rows on load, durability, faults and attacks, at size → results/reliability.json and docs/reliability.md.

    python benchmarks/reliability [--size small | medium | full] [--only R5 …] [--work DIR]

Each row runs in a process of its own and takes the place of what the results said of it. Exit code 1 when a row fails.
On a machine that lets nobody mount or trace, R8 and R5 say what they did instead.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))  # for `serving`

import page
from rows import Row

from groundwire import __version__

ROWS = {
    "R1": "held",
    "R2": "overload",
    "R3": "ending",
    "R5": "kills",
    "R7": "damage",
    "R8": "disk",
    "R9": "endpoint",
    "R11": "openapi",
    "R14": "injection",
    "R15": "sharing",
    "R16": "leaving",
    "R20": "doors",
    "R21": "canary",
    "R24": "hostile",
}
FULL = {
    "batches": 20,
    "kills": 3000,
    "stride": 1,
    "passages": 8000,
    "flips": 2000,
    "cuts": 200,
    "items": 10_000,
    "endpoint_kills": 20,
    "nli_items": 20,
    "processes": 8,
    "calls": 2000,
    "base": 10,
    "held": 600,
    "overload": 60,
    "terms": 500,
    "drops": 2000,
    "cancelled": 1000,
    "described": 20_000,
    "raw": 5000,
    "every": 1,
}
"""How much of everything: times, or seconds for `base` (each look at an idle and a full server), `held`, `overload`; of doors,
secrets and hostile texts one in `every`."""
MEDIUM = {**FULL, "batches": 6, "kills": 600, "passages": 4000, "flips": 300, "cuts": 100, "items": 2000, "calls": 200}
MEDIUM |= {"base": 5, "held": 120, "overload": 30, "terms": 60, "described": 4000, "raw": 1000, "every": 3}
SMALL = {**MEDIUM, "batches": 4, "kills": 20, "stride": 7, "flips": 50, "cuts": 20, "items": 200, "endpoint_kills": 2}
SMALL |= {"nli_items": 5, "processes": 4, "calls": 50, "base": 3, "held": 20, "overload": 10, "terms": 10}
SMALL |= {"drops": 200, "cancelled": 100, "described": 400, "raw": 200, "every": 20}
SIZES = {"small": SMALL, "medium": MEDIUM, "full": FULL}
ALLOWED = {("R14", "entailment"): 0.01}
"""The share of failures that a row's target allows, where it is not 0."""
MEMORY = Path(
    "/dev/shm"
)  # a kill takes nothing from the page cache: what is in memory is as good as a disk, and faster


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--size", choices=SIZES, default="medium")
    parser.add_argument("--only", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW")
    parser.add_argument("--work", type=Path, default=MEMORY if MEMORY.is_dir() else None, help="for scratch folders")
    parser.add_argument("--row", choices=ROWS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.row:
        _measure(args.row, args.size, args.work)
        return 0
    failed = [name for name in args.only if not _run(name, args)]
    page.PAGE.write_text(page.page(json.loads(page.RESULTS.read_text(encoding="utf-8"))), encoding="utf-8")
    return int(bool(failed))


def _run(name: str, args: argparse.Namespace) -> bool:
    """Measure one id in its own process and put its rows into the results; say whether all reached their target."""
    command = [sys.executable, str(Path(__file__).parent), "--row", name, "--size", args.size]
    command += ["--work", str(args.work)] if args.work else []
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    _keep(name, found)
    return done.returncode == 0 and all(map(_reached, found))


def _reached(row: dict[str, Any]) -> bool:
    return bool(row["n"]) and row["failures"] <= ALLOWED.get((row["id"], row["part"]), 0) * row["n"]


def _keep(name: str, found: list[dict[str, Any]]) -> None:
    old = json.loads(page.RESULTS.read_text(encoding="utf-8")) if page.RESULTS.is_file() else {"rows": []}
    rows = [row for row in old["rows"] if row["id"] != name] + found
    page.RESULTS.write_text(json.dumps({"rows": rows}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _measure(name: str, size: str, work: Path | None) -> None:
    rows: Callable[[Path, dict[str, int]], Iterator[Row]] = import_module(ROWS[name]).rows
    setting = {
        "groundwire": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
    }
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="groundwire-", dir=work) as folder:
        for order, row in enumerate(rows(Path(folder), SIZES[size])):
            row.seconds = time.perf_counter() - started
            print(json.dumps({**row.to_dict(), "size": size, "order": order, "setting": setting}), flush=True)
            print(f"{name} {row.part}: {row.n} trials, {row.failures} failures, {row.seconds:.0f} s", file=sys.stderr)
            for example in row.examples:
                print(f"    {example}", file=sys.stderr)
            started = time.perf_counter()


if __name__ == "__main__":
    sys.exit(main())
