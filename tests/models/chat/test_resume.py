"""R9, reduced: a run over many items against an endpoint that fails, killed again and again."""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

import pytest

from groundwire.cache import Cache
from groundwire.ledger import Entry, Ledger, key_of
from groundwire.testing import Fault, FaultServer

ITEMS, SHARE = 300, 0.3
KILLS = (90, 190, 290)
"""After so many requests at the server, so that a kill comes in the middle of a batch."""
RESUMED = 4
"""Runs that are not killed, at most."""
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


def run(command: list[str], server: FaultServer, requests: int | None, limit: float) -> None:
    """Run to the end, or until the server has had so many requests; then kill."""
    process = subprocess.Popen(command)
    end = monotonic() + limit
    while requests is not None and len(server.exchanges) < requests:
        assert process.poll() is None, "the run ended before it was killed"
        assert monotonic() < end
        sleep(0.001)
    if requests is None:
        assert process.wait(limit) == 0
    else:
        process.kill()
        process.wait()


@dataclass(slots=True, kw_only=True)
class Campaign:
    """What came of a run that was killed and resumed until every item was done."""

    entries: list[Entry]
    final: Counter[str]
    """How many lines say that an item is done, by its key."""
    again: list[str]
    """Prompts that were asked although their answer was in the ledger or the cache."""
    saved: int
    """Replies that a killed run had in its cache and not yet in its ledger."""
    faults: Counter[Fault]
    requests: int


def campaign(folder: Path, *, items: int, kills: Sequence[int], seed: int = 5, limit: float = 60) -> Campaign:
    """Answer `items` prompts at an endpoint of which SHARE of the replies are wrong; kill the run after these requests."""
    rng = random.Random(seed)
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
        command = [sys.executable, "-c", RUN, server.url, str(folder), str(items), MODEL]
        done: set[str] = set()
        for requests in (*kills, *[None] * RESUMED):  # what ended in an error is tried again by the next run
            if len(done) == items:
                break
            asked = len(server.exchanges)
            run(command, server, requests, limit)
            again += [exchange.prompt for exchange in server.exchanges[asked:] if exchange.prompt in done]
            in_ledger, in_cache = recorded(folder)
            done = in_ledger | in_cache
            saved += len(in_cache - in_ledger)
        requests = len(server.exchanges)
    with Ledger(folder / "ledger") as book:
        entries = list(book.entries())
    lines = map(json.loads, (folder / "ledger").read_text().splitlines())
    final = Counter(line["key"] for line in lines if line["status"] != "error")
    return Campaign(entries=entries, final=final, again=again, saved=saved, faults=faults, requests=requests)


@pytest.mark.slow
def test_nothing_is_lost_nothing_is_doubled_and_nothing_is_paid_for_twice(tmp_path: Path) -> None:
    came = campaign(tmp_path, items=ITEMS, kills=KILLS)
    assert came.saved, "no kill came between a reply and its line in the ledger"
    assert len(came.faults) == len(FAULTS), "every fault was met"
    assert {entry.key for entry in came.entries} == {key(f"item {n}") for n in range(ITEMS)}
    assert all(entry.final for entry in came.entries)
    assert all(entry.key == key(entry.record["item"]) for entry in came.entries)
    good = [entry for entry in came.entries if entry.status == "ok"]
    assert all(entry.record["text"] == f"answer to {entry.record['item']}" for entry in good)
    assert set(came.final.values()) == {1}
    assert came.again == []
