"""What docs say of the server's speed, from benchmarks/results/serve.json: nobody types a figure.

    python benchmarks/serve_page.py [PAGE]      the capacity table, between `<!-- capacity -->` and `<!-- /capacity -->`

The section of docs/speed.md is written by `speed_page.py`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from page_text import between, table

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "serve.json"
PAGE = ROOT / "docs" / "serve.md"
BEGIN, END = "<!-- capacity -->\n", "<!-- /capacity -->"

SECTION = """
## The server

`benchmarks/bench_serve.py`: the library, `groundwire serve` and a peer take turns within one run, medians of {rounds} rounds.
The peer is what one writes in an afternoon, a FastAPI route around `CrossEncoder.predict` with one lock, over the same
weights in fp32. A request is one claim against {pairs} sources ({texts}); no claim is asked twice. {clients} clients ask one
request after the other. {cores} cores are shared by the server and the load generator, a process of its own that used
{generator:.2f} of a core; precision `{precision}`.

{table}

A library that is given everything at once does {offline:.1f} pairs/s, and {checks:.1f} checks/s of two claims against three
passages; served, it is {served_checks:.1f} checks/s.{refused}

**Fairness.** {clients} clients, each with a key, of equal demand (2 pairs a request): the one who got most had {equal_most}
answers, the one who got least {equal_least}. With one of them sending {large} pairs at once: {mixed_most} and
{mixed_least} among the others, whose p99 went from {equal_p99:.0f} to {mixed_p99:.0f} ms; the large one had {large_served}
answers.
"""


def section(report: dict[str, Any]) -> str:
    """Return the section of docs/speed.md."""
    full, checks, fair = report["saturation"], report["checks"], report["fairness"]
    equal, mixed = fair["equal"], fair["with_a_large_one"]
    refused = sum(n for status, n in full["server"]["statuses"].items() if status != "200")
    return SECTION.format(
        rounds=report["setting"]["seconds"]["rounds"],
        pairs=full["pairs_a_request"],
        texts=report["setting"]["texts"],
        clients=full["clients"],
        cores=report["setting"]["cores"],
        generator=full["server"]["generator_cores"],
        precision=report["setting"]["precision"],
        table=table(("", "measured", "goal"), goals(report)).rstrip(),
        offline=full["library_pairs_per_second"],
        checks=checks["library_per_second"],
        served_checks=checks["served_per_second"],
        refused=f" {refused} requests were not answered with 200: {full['server']['statuses']}." if refused else "",
        equal_most=equal["most"],
        equal_least=equal["least"],
        large=mixed["large_pairs"],
        mixed_most=mixed["most"],
        mixed_least=mixed["least"],
        equal_p99=equal["p99_ms"],
        mixed_p99=mixed["p99_ms"],
        large_served=mixed["large_served"],
    )


def goals(report: dict[str, Any]) -> list[list[str]]:
    """What was to be reached and what was: rows of words."""
    full, idle, fair = report["saturation"], report["idle"], report["fairness"]
    server, peer = full["server"], full["peer"]
    ratios = [fair[name]["most"] / max(1, fair[name]["least"]) for name in ("equal", "with_a_large_one")]
    return [
        [
            "pairs/s at saturation, of the library's offline rate",
            f"{server['pairs_per_second']:.1f}, {100 * full['share_of_offline']:.0f} %",
            "≥ 85 %",
        ],
        [
            "checks/s at saturation, of the library's offline rate",
            f"{100 * report['checks']['share_of_offline']:.0f} %",
            "",
        ],
        [
            "HTTP over the library, one request at a time, p50",
            f"{idle['overhead_p50_ms']:.1f} ms on {idle['library_p50_ms']:.0f} ms",
            "≤ 5 ms",
        ],
        [
            "pairs/s, times the peer's",
            f"{full['times_the_peer']:.1f} × {peer['pairs_per_second']:.1f}",
            "≥ 4 ×",
        ],
        ["p99 at saturation, of the peer's", f"{_s(server['p99_ms'])} of {_s(peer['p99_ms'])}", "≤ the peer's"],
        [
            "one request at a time, p50, of the peer's",
            f"{idle['server_p50_ms']:.0f} of {idle['peer_p50_ms']:.0f} ms",
            "",
        ],
        ["most and least served of equal clients", f"{ratios[0]:.2f} ×", "≤ 1.5 ×"],
        ["the same beside a client of large requests", f"{ratios[1]:.2f} ×", "≤ 1.5 ×"],
    ]


def _s(ms: float) -> str:
    return f"{ms / 1e3:.1f} s"


def capacity(report: dict[str, Any]) -> str:
    """Return the capacity table."""
    rows = [
        [
            str(row["cores"]),
            f"{row['checks_per_second']:.1f}",
            f"{row['pairs_per_second']:.0f}",
            _s(row["p99_ms"]),
            f"{row['memory_mb']:.0f} MB",
        ]
        for row in report["capacity"]
    ]
    head = ("cores", "checks/s", "pairs/s", f"p99, {report['saturation']['clients']} clients", "memory")
    return (
        f"What one process serves at most (precision `{report['setting']['precision']}`, the load generator on the same"
        f" {report['setting']['cores']} cores; a check is two claims against three passages of four sentences; a pair"
        f" is a claim and a source of 90 tokens in the median; [how](speed.md)):\n\n{table(head, rows)}"
    )


def main(args: Sequence[str]) -> None:
    """Write the table into the page."""
    page = Path(args[0]) if args else PAGE
    report = json.loads(RESULTS.read_text(encoding="utf-8"))
    page.write_text(between(page.read_text(encoding="utf-8"), BEGIN, END, capacity(report)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
