"""R9, reduced: a run over many items against an endpoint that fails, killed again and again."""

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import monotonic, sleep

import pytest

from groundwire.cache import Cache
from groundwire.ledger import Ledger, key_of
from groundwire.testing import Fault, FaultServer

ITEMS, SHARE = 300, 0.3
KILLS = (90, 190, 290)
"""After so many requests at the server, so that a kill comes in the middle of a batch."""
MODEL = "test-model"
FAULTS = tuple(Fault)
RUN = """
import sys
from groundwire.cache import Cache
from groundwire.ledger import Ledger, key_of
from groundwire.models.chat import Chat, Policy

url, folder, items, model = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
policy = Policy(attempt=0.15, call=30, first_wait=0.002, retries=3, reserve=10_000, failures=1000)
with Ledger(folder + "/ledger") as ledger, Cache(folder + "/cache") as cache:
    with Chat(model, base_url=url, cache=cache, policy=policy, limit=100_000) as chat:
        todo = [f"item {n}" for n in range(items)]
        todo = [item for item in todo if ledger.done(key_of({"item": item, "model": model})) is None]
        for start in range(0, len(todo), 10):
            batch = todo[start : start + 10]
            for item, reply in zip(batch, chat.complete(batch), strict=True):
                kind = (reply.reason or "").partition(":")[0] if reply.status == "error" else None
                record = {"item": item, "text": reply.text}
                ledger.write(key_of({"item": item, "model": model}), reply.status, record, kind=kind)
"""


def key(item: str) -> str:
    return key_of({"item": item, "model": MODEL})


def recorded(folder: Path) -> tuple[set[str], set[str]]:
    """Return the items that a run had done: by its ledger, and by the replies in its cache."""
    with Ledger(folder / "ledger") as ledger, Cache(folder / "cache") as cache:
        items = {entry.record["item"] for entry in ledger.entries() if entry.final}
        with cache._used() as connection:
            values = [row[0] for row in connection.execute("SELECT value FROM kept")]
    return items, {json.loads(value)["text"].removeprefix("answer to ") for value in values}


def run(command: list[str], server: FaultServer, requests: int | None) -> None:
    """Run to the end, or until the server has had so many requests; then kill."""
    process = subprocess.Popen(command)
    end = monotonic() + 60
    while requests is not None and len(server.exchanges) < requests:
        assert process.poll() is None, "the run ended before it was killed"
        assert monotonic() < end
        sleep(0.001)
    if requests is None:
        assert process.wait(60) == 0
    else:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_nothing_is_lost_nothing_is_doubled_and_nothing_is_paid_for_twice(tmp_path: Path) -> None:
    rng = random.Random(5)
    ledger = tmp_path / "ledger"
    again: list[str] = []
    saved = 0
    faults: Counter[Fault] = Counter()

    def fault(number: int, prompt: str) -> Fault | None:
        if rng.random() >= SHARE:
            return None
        chosen = rng.choice(FAULTS)
        faults[chosen] += 1
        return chosen

    with FaultServer(lambda prompt: f"answer to {prompt}", faults=fault) as server:
        command = [sys.executable, "-c", RUN, server.url, str(tmp_path), str(ITEMS), MODEL]
        done: set[str] = set()
        for requests in (*KILLS, None, None, None, None):  # what ended in an error is tried again by the next run
            if len(done) == ITEMS:
                break
            asked = len(server.exchanges)
            run(command, server, requests)
            again += [exchange.prompt for exchange in server.exchanges[asked:] if exchange.prompt in done]
            in_ledger, in_cache = recorded(tmp_path)
            done = in_ledger | in_cache
            saved += len(in_cache - in_ledger)
    assert saved, "no kill came between a reply and its line in the ledger"
    with Ledger(ledger) as book:
        entries = list(book.entries())
    assert len(faults) == len(FAULTS), "every fault was met"
    assert {entry.key for entry in entries} == {key(f"item {n}") for n in range(ITEMS)}
    assert all(entry.final for entry in entries)
    assert all(entry.key == key(entry.record["item"]) for entry in entries)
    good = [entry for entry in entries if entry.status == "ok"]
    assert all(entry.record["text"] == f"answer to {entry.record['item']}" for entry in good)
    final = Counter(
        line["key"] for line in map(json.loads, ledger.read_text().splitlines()) if line["status"] != "error"
    )
    assert set(final.values()) == {1}
    assert again == []
