"""R9: a long run at an endpoint of which three replies in ten are wrong, killed again and again.

The run, the server and the kills are those of tests/models/chat/test_resume.py, which is the reduced set.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import suite
from rows import Row

TARGET = "0 lost, 0 doubled, 0 mis-keyed, 0 paid for twice"


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    items, kills = size["items"], size["endpoint_kills"]
    tests = suite.load("models/chat/test_resume.py")
    what = f"{items} items, {tests.SHARE:.0%} of the replies wrong in {len(tests.FAULTS)} ways, {kills} kill -9"
    row = Row(id="R9", part="endpoint", what=what, target=TARGET)
    spread = [items * (kill + 1) // (kills + 1) + kill % 7 for kill in range(kills)]
    came = tests.campaign(work, items=items, kills=spread, limit=max(60, items))
    wanted = {tests.key(f"item {n}"): f"item {n}" for n in range(items)}
    found = {entry.key: entry for entry in came.entries}
    again = set(came.again)
    for key, item in wanted.items():
        entry = found.get(key)
        problem = None
        if entry is None or not entry.final:
            problem = "lost"
        elif came.final[key] != 1:
            problem = "doubled"
        elif entry.record["item"] != item or (entry.status == "ok" and entry.record["text"] != f"answer to {item}"):
            problem = "mis-keyed"
        elif item in again:
            problem = "paid for twice"
        row.count(problem and f"{item}: {problem}")
    for key in found.keys() - wanted.keys():
        row.count(f"{found[key].record}: an item that nobody asked for")
    row.more = {
        "requests": came.requests,
        "wrong replies": came.faults.total(),
        "from the cache after a kill": came.saved,
    }
    row.more |= {f"ended {status}": sum(e.status == status for e in came.entries) for status in ("ok", "refused")}
    yield row
