"""The server under load: against the library's offline rate, against a one-lock peer, and how fairly it shares.

    python benchmarks/bench_serve.py            # about seven minutes on two cores that nobody else uses
    python benchmarks/bench_serve.py --quick    # a minute or two: does it run, and roughly what does it say

Library, server and peer take turns within one run; medians. The library is the built-in model's `entail` in this process, the
server `groundwire serve` as it comes, the peer `serving.peer` (the same weights) with the allocator settings that suit it. A
request is one claim against five sources of lognormal length, as in `bench_check`, and no claim is ever asked twice. The load
generator is a process of its own on the same cores; what it used is in the results. Written to results/serve.json;
`serve_page.py` makes the section of docs/speed.md and the table of docs/serve.md.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import socket
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import bench_check
from bench_check import Pair, Texts
from serving import child, load, prose
from serving.child import Running
from serving.generator import MARK
from serving.load import Outcome, Request, percentile

HERE = Path(__file__).resolve().parent
CLIENTS, SOURCES, LARGE = 64, 5, 32
KEYS = [f"client-of-the-bench-{n:04d}" for n in range(CLIENTS)]
FULL = {
    "rounds": 3,
    "library": 8,
    "served": 12,
    "peer": 20,
    "idle": 60,
    "fair": 25,
    "cases": 10,
    "warm": 3,
    "pool": 150,
}
QUICK = {"rounds": 1, "library": 2, "served": 4, "peer": 8, "idle": 6, "fair": 6, "cases": 3, "warm": 1, "pool": 20}


def main() -> None:
    options = arguments()
    size = QUICK if options.quick else FULL
    target = options.output or HERE / "results" / f"serve{'_quick' if options.quick else ''}.json"
    report: dict[str, Any] = json.loads(target.read_text(encoding="utf-8")) if options.parts != list(PARTS) else {}
    texts = Texts(options.data, options.seed)
    sides = Sides(options.threads, texts, size)
    with sides:
        sides.warm()
        report["setting"] = {**setting(options, texts), "seconds": size}
        for part in options.parts:
            report[part] = PARTS[part](sides, size)
    target.write_text(json.dumps(report, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=2))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="short: a try, no figure to publish")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of the peer and the library")
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data", help="for real passages")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="the rest is kept as it was")
    parser.add_argument("--output", type=Path)
    return parser.parse_args()


class Sides(ExitStack):
    """The three sides, open as long as this is, and the requests that all of them get."""

    def __init__(self, threads: int, texts: Texts, size: dict[str, int]) -> None:
        super().__init__()
        from groundwire.models import hub, loading

        self.requests = [pairs_request(texts, SOURCES) for _ in range(size["pool"])]
        self.large = [pairs_request(texts, LARGE, short=True) for _ in range(8)]
        self.small = [pairs_request(texts, 2, short=True) for _ in range(size["pool"])]
        self.checks = prose.checks(size["pool"], 1)
        self.model = loading.open_pair_model(hub.resolve("mini"), threads=threads)
        self.server = self.enter_context(child.groundwire(keys=KEYS))
        self.peer = self.enter_context(child.peer(threads, bench_check.ALLOCATOR, free_port()))
        self._size, self._seed = size, 10
        self._number = 9_900_000

    def clients(self, **plan: Any) -> list[dict[str, Any]]:
        """Each with a key of its own, which the server shares its work out by."""
        return [{"key": key, **plan} for key in KEYS]

    def seed(self) -> int:
        """Another one each time, so that no number is written into two texts."""
        self._seed += 1
        return self._seed

    def fresh(self, request: Request) -> list[Pair]:
        """The pairs of a request, with a number that no request had."""
        self._number += 1
        return [tuple(pair) for pair in json.loads(numbered(request["body"], self._number))["inputs"]]

    def offline(self, seconds: float, per_call: int = 40) -> float:
        """Pairs a second of the library, given many at once."""
        pairs, started, n = 0, time.perf_counter(), 0
        while time.perf_counter() - started < seconds:
            batch = [pair for i in range(per_call) for pair in self.fresh(self.requests[(n + i) % len(self.requests)])]
            self.model.entail(batch)
            pairs, n = pairs + len(batch), n + per_call
        return pairs / (time.perf_counter() - started)

    def warm(self) -> None:
        """Let each side see the shapes that will come."""
        seconds = self._size["warm"]
        self.offline(seconds)
        load.closed(self.server, self.requests, self.clients(), seconds=seconds, seed=self.seed())
        load.closed(self.peer, self.requests, 4, seconds=seconds, seed=self.seed())


def pairs_request(texts: Texts, sources: int, *, short: bool = False) -> Request:
    """One claim against so many sources, /predict; `short` takes a sentence of each."""
    claim = f"{texts.claim()} {MARK.decode()}"
    found = [texts.claim() if short else texts.source() for _ in range(sources)]
    body = json.dumps({"inputs": [[source, claim] for source in found], "truncate": True})
    return {"path": "/predict", "body": body, "pairs": sources}


def numbered(body: str, number: int) -> str:
    return body.replace(MARK.decode(), f"{number:07d}")


def pairs_of(request: Request) -> float:
    return float(request["pairs"])


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def idle(sides: Sides, size: dict[str, int]) -> dict[str, Any]:
    """One request at a time, the same texts to library and server by turns, and some to the peer."""
    asking = {name: Asking(side, key) for name, side, key in (("s", sides.server, KEYS[0]), ("p", sides.peer, None))}
    times: dict[str, list[float]] = {"library": [], "server": [], "peer": []}
    for n in range(size["idle"]):
        request = sides.requests[n % len(sides.requests)]
        sides.fresh(request)
        body = numbered(request["body"], sides._number)
        pairs = [tuple(pair) for pair in json.loads(body)["inputs"]]
        turns: list[tuple[str, Callable[[], object]]] = [
            ("library", lambda pairs=pairs: sides.model.entail(pairs)),
            ("server", lambda body=body: asking["s"].ask(body)),
        ]
        turns = turns[:: 1 if n % 2 else -1]
        if n % 3 == 0:
            turns.append(("peer", lambda body=body: asking["p"].ask(body)))
        for name, call in turns:
            started = time.perf_counter()
            call()
            times[name].append(1e3 * (time.perf_counter() - started))
    both = zip(times["server"], times["library"], strict=True)
    return {
        **{f"{name}_p50_ms": statistics.median(found) for name, found in times.items()},
        "overhead_p50_ms": statistics.median(a - b for a, b in both),
        "requests": size["idle"],
    }


class Asking:
    """A client that keeps its connection."""

    def __init__(self, server: Running, key: str | None) -> None:
        self._connection = HTTPConnection(server.host, server.port, timeout=120)
        self._headers = {"content-type": "application/json", **({"x-api-key": key} if key else {})}

    def ask(self, body: str) -> bytes:
        self._connection.request("POST", "/predict", body.encode(), self._headers)
        answer = self._connection.getresponse()
        said = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status}: {said[:200]!r}")
        return said


def saturation(sides: Sides, size: dict[str, int]) -> dict[str, Any]:
    """Pairs a second of library, server and peer by turns, the latter two under as many closed clients as there are."""
    library: list[float] = []
    outcomes: dict[str, list[Outcome]] = {"server": [], "peer": []}
    for _ in range(size["rounds"]):
        library.append(sides.offline(size["library"]))
        for name, side, clients in (
            ("server", sides.server, sides.clients()),
            ("peer", sides.peer, [{}] * CLIENTS),
        ):
            seconds, seed = size["served" if name == "server" else "peer"], sides.seed()
            outcomes[name].append(load.closed(side, sides.requests, clients, seconds=seconds, seed=seed))
    served, theirs = (side_report(outcomes[name], size[key]) for name, key in (("server", "served"), ("peer", "peer")))
    offline = statistics.median(library)
    return {
        "clients": CLIENTS,
        "pairs_a_request": SOURCES,
        "library_pairs_per_second": offline,
        "server": served,
        "peer": theirs,
        "share_of_offline": served["pairs_per_second"] / offline,
        "times_the_peer": served["pairs_per_second"] / (theirs["pairs_per_second"] or math.inf),
        "p99_of_the_peers": served["p99_ms"] / theirs["p99_ms"],
    }


def side_report(outcomes: Sequence[Outcome], seconds: float) -> dict[str, Any]:
    """Median rate after the start and before the end, latencies of all that was asked, over the rounds."""
    start = seconds / 5
    latencies = sorted(x for outcome in outcomes for x in outcome.latencies())
    statuses: dict[str, int] = {}
    for outcome in outcomes:
        for name, n in outcome.statuses().items():
            statuses[name] = statuses.get(name, 0) + n
    return {
        "pairs_per_second": statistics.median(o.rate(start, seconds, pairs_of) for o in outcomes),
        "p50_ms": 1e3 * percentile(latencies, 50),
        "p99_ms": 1e3 * percentile(latencies, 99),
        "statuses": statuses,
        "generator_cores": statistics.median(outcome.cpu_share for outcome in outcomes),
    }


def checks(sides: Sides, size: dict[str, int]) -> dict[str, Any]:
    """Whole checks a second (a question, two claims, three passages), of the library and served, by turns."""
    from groundwire import recipes
    from groundwire.cases import case_of

    checker = recipes.build("default")
    library: list[float] = []
    served: list[Outcome] = []
    for _ in range(size["rounds"]):
        started, done = time.perf_counter(), 0
        while time.perf_counter() - started < size["cases"]:
            batch = []
            for request in sides.checks[done % len(sides.checks) :][:32]:
                sides._number += 1
                batch.append(json.loads(numbered(request["body"], sides._number)))
            checker.check([case_of(n, row) for n, row in enumerate(batch)])
            done += len(batch)
        library.append(done / (time.perf_counter() - started))
        plan = sides.clients()
        served.append(load.closed(sides.server, sides.checks, plan, seconds=size["cases"], seed=sides.seed()))
    rate = statistics.median(o.rate(size["cases"] / 5, size["cases"]) for o in served)
    latencies = sorted(x for outcome in served for x in outcome.latencies())
    return {
        "library_per_second": statistics.median(library),
        "served_per_second": rate,
        "share_of_offline": rate / statistics.median(library),
        "p99_ms": 1e3 * percentile(latencies, 99),
    }


def fairness(sides: Sides, size: dict[str, int]) -> dict[str, Any]:
    """Clients of equal demand, and the same with one among them whose every request has the most items."""
    seconds, requests = size["fair"], [*sides.small, *sides.large]
    small = list(range(len(sides.small)))
    large = list(range(len(sides.small), len(requests)))
    equal = load.closed(sides.server, requests, sides.clients(only=small), seconds=seconds, seed=sides.seed())
    plan = sides.clients(only=small)
    plan[0] = {"key": KEYS[0], "only": large}
    mixed = load.closed(sides.server, requests, plan, seconds=seconds, seed=sides.seed())
    counts, others = equal.served(CLIENTS), mixed.served(CLIENTS)
    theirs = sorted(r.seconds for r in mixed.records if r.client == 0 and r.status == 200)
    alone = sorted(r.seconds for r in mixed.records if r.client and r.status == 200)
    return {
        "clients": CLIENTS,
        "equal": {"least": min(counts), "most": max(counts), "p99_ms": 1e3 * percentile(equal.latencies(), 99)},
        "with_a_large_one": {
            "least": min(others[1:]),
            "most": max(others[1:]),
            "p99_ms": 1e3 * percentile(alone, 99),
            "large_served": others[0],
            "large_pairs": LARGE,
            "small_pairs": 2,
            "large_p99_ms": 1e3 * percentile(theirs, 99) if theirs else None,
            "statuses": mixed.statuses(),
        },
    }


def capacity(sides: Sides, size: dict[str, int]) -> list[dict[str, Any]]:
    """What one process serves on one core and on all, as an operator would plan by; checks, and pairs."""
    cores = sorted(os.sched_getaffinity(0))
    rows = []
    for n in sorted({1, len(cores)}):
        with child.groundwire(keys=KEYS, cores=set(cores[:n])) as server:
            start = server.memory
            load.closed(server, sides.checks, sides.clients(), seconds=size["warm"], seed=sides.seed())
            rows.append(_capacity(server, sides, size, n) | {"memory_at_start_mb": start / 2**20})
    return rows


def _capacity(server: Running, sides: Sides, size: dict[str, int], cores: int) -> dict[str, Any]:
    seconds = size["cases"]
    full = load.closed(server, sides.checks, sides.clients(), seconds=seconds, seed=sides.seed())
    pairs = load.closed(server, sides.requests, sides.clients(), seconds=seconds, seed=sides.seed())
    return {
        "cores": cores,
        "checks_per_second": full.rate(seconds / 5, seconds),
        "pairs_per_second": pairs.rate(seconds / 5, seconds, pairs_of),
        "p99_ms": 1e3 * percentile(full.latencies(), 99),
        "memory_mb": server.memory / 2**20,
    }


def setting(options: argparse.Namespace, texts: Texts) -> dict[str, Any]:
    from groundwire.models import hub, loading

    model = loading.open_pair_model(hub.resolve("mini"))
    return {**bench_check.setting(options, model.logits, texts), "cores": len(os.sched_getaffinity(0))}


PARTS: dict[str, Callable[[Sides, dict[str, int]], Any]] = {
    "idle": idle,
    "saturation": saturation,
    "checks": checks,
    "fairness": fairness,
    "capacity": capacity,
}


if __name__ == "__main__":
    main()
