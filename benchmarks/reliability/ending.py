"""R3: SIGTERM under load, again and again: whoever was let in gets a whole answer, and the process ends with 0.

Each trial is a server of its own under eight clients, checks and streams mixed; the signal comes at a random moment. An
answer is whole when HTTP says so; a stream's last event has to be its verdict too. 503 is an answer, and a connection that is
refused was never let in. Two trials run at a time, for a server that starts or ends leaves most of its cores free.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rows import Row
from serving import child, prose
from serving.generator import CUT, LATE, REFUSED
from serving.load import NAMES, Load, Outcome

CLIENTS, AT_ONCE = 8, 2
STREAMS = [{**one, "ends": "event: verdict"} for one in prose.checks(10, 4, path="/v1/check/stream")]
REQUESTS = [*prose.checks(30, 3, claims=1), *STREAMS]
LONGEST = 30.0


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    del work
    row = Row(
        id="R3",
        part="SIGTERM",
        what=f"{size['terms']} SIGTERMs at a random moment, {CLIENTS} clients asking all the time",
        target="0 requests cut; exit code 0",
    )
    row.more = {"answered": 0, "refused with 503": 0, "connections refused": 0, "most seconds to the end, in tenths": 0}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for outcome, code, seconds in pool.map(_trial, range(size["terms"])):
            _count(row, outcome, code, seconds)
    yield row


def _trial(n: int) -> tuple[Outcome, int | None, float]:
    rng = random.Random(n)
    with child.groundwire() as server:
        plan = {"seconds": LONGEST, "seed": n % 90, "clients": [{} for _ in range(CLIENTS)], "most_patient": 0.05}
        load = Load(server, REQUESTS, **plan)
        time.sleep(0.5 + 1.5 * rng.random())
        server.terminate()
        began = time.monotonic()
        code = server.ended()
        return load.outcome(), code, time.monotonic() - began


def _count(row: Row, outcome: Outcome, code: int | None, seconds: float) -> None:
    for record in outcome.records:
        if record.status in (CUT, LATE):
            row.count(f"{NAMES[record.status]} {record.seconds:.3f} s after it was asked")
        elif record.status in (200, 503, REFUSED):
            row.count(None)
            names = {200: "answered", 503: "refused with 503", REFUSED: "connections refused"}
            row.add(names[record.status])
        else:
            row.count(f"status {record.status}")
    row.count(None if code == 0 else f"exit code {code}")
    tenths = "most seconds to the end, in tenths"
    row.more[tenths] = max(row.more[tenths], round(10 * seconds))
