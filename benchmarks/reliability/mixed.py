"""R15 over HTTP: many clients ask the same few things and new ones between them; nobody may get another's answer.

One client alone asks each of them first. Then sixteen ask, while new texts keep the models busy, and every answer has to have
the bytes that the one alone got, ids and timings left out. What is asked again is remembered by the server, so this says
nothing of the arithmetic: in fp32 and bf16 a pair's last digits depend on its batch (`tests/models` bound them).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rows import Row
from serving import child, prose
from serving.child import Running
from serving.generator import MARK
from serving.load import NAMES, Load, Record, Request

CLIENTS = 16
LONGEST = 3600
"""Seconds after which no more is asked; a run is over long before."""


def requests() -> list[Request]:
    """Return sixty requests to five routes, each with texts of its own."""
    found = [*prose.checks(20, 11), *prose.checks(10, 12, path="/v1/check/stream")]
    for request in prose.checks(30, 13, claims=1):
        case = json.loads(request["body"])
        for path, body in (
            ("/predict", {"inputs": [[text, case["answer"]] for text in case["contexts"]]}),
            ("/rerank", {"query": case["question"], "texts": case["contexts"]}),
            ("/v1/lettucedetect/spans", case),
        )[len(found) % 3 :][:1]:
            found.append({"path": path, "body": json.dumps(body)})
    for n, request in enumerate(found):
        request["body"] = request["body"].replace(MARK.decode(), f"{n:07d}")
    return found


def rows(calls: int) -> Iterator[Row]:
    """One row: sixteen clients, so many calls each."""
    what = f"{CLIENTS} clients × {calls} mixed calls of 5 routes of the server, against what one client alone gets"
    row = Row(id="R15", part="server", what=what, target="0 errors; 0 differing bytes")
    known = requests()
    new = prose.checks(8, 14, claims=1, passages=1, sentences=2)
    with child.groundwire() as server:
        wanted = [_ask(server, known, calls=1, clients=[{"only": [n]}])[0].digest for n in range(len(known))]
        records = _ask(server, [*known, *new], calls=calls, clients=[{}] * CLIENTS)
    for record in records:
        path = "new texts" if record.which >= len(known) else known[record.which]["path"]
        if record.status == 429:
            row.add("refused, and asked again later")
            continue
        row.add(path)
        if record.status != 200:
            row.count(f"{path}: {NAMES.get(record.status, record.status)}")
        else:
            same = record.which >= len(known) or record.digest == wanted[record.which]
            row.count(None if same else f"{path} differs")
    yield row


def _ask(server: Running, asked: list[Request], *, calls: int, clients: list[dict[str, Any]]) -> list[Record]:
    plan = [{**client, "most": calls} for client in clients]
    return Load(server, asked, seconds=LONGEST, seed=1, digests=True, clients=plan).outcome().records
