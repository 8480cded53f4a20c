"""Items to judge, and an annotation that is served on this machine while a test runs."""

import http.client
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from groundwire.annotate.book import Book
from groundwire.annotate.desk import Desk
from groundwire.annotate.draw import arranged
from groundwire.annotate.items import Item, Mark, Part, offered
from groundwire.annotate.server import Server


def label_item(n: int, row: str = "Yes", text: str = "Ann won the race.") -> Item:
    return Item(
        item=f"label/{row}/{n}",
        task="label",
        row=row,
        choices=offered("correct", "incorrect"),
        question=f"question {n}?",
        answers=("Ann won.",),
        parts=(Part(title="Context 1", text=text, marks=(Mark(start=0, end=7),)),),
        labels={"verdict": row},
    )


def pair_item(n: int) -> Item:
    return Item(
        item=f"preference/Yes/{n}",
        task="preference",
        row="Yes",
        choices=offered("generated", "reader", "equal"),
        question=f"question {n}?",
        answers=("by the model", "by the reader"),
        labels={},
        order=("generated", "reader"),
    )


ITEMS = arranged([*(label_item(n, row) for row in ("Yes", "No") for n in range(4)), *map(pair_item, range(4))], 0)


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    text: str

    def json(self) -> dict[str, Any]:
        return json.loads(self.text)


@dataclass(frozen=True)
class Site:
    """A served annotation; `ask` sends what a browser would unless told otherwise."""

    address: str
    book: Book
    path: Path

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    def ask(self, method: str, path: str = "", body: bytes | None = None, **headers: str) -> Reply:
        connection = http.client.HTTPConnection(self.host, timeout=10)
        try:
            connection.request(method, urlsplit(self.address).path + path, body, headers)
            reply = connection.getresponse()
            return Reply(reply.status, {k.lower(): v for k, v in reply.getheaders()}, reply.read().decode())
        finally:
            connection.close()

    def judge(self, once: str, **body: Any) -> Reply:
        told = {"name": "Ann", "at": 0, "choice": 0, "seconds": 1.5, "once": once, **body}
        headers = {"Content-Type": "application/json", "Origin": f"http://{self.host}"}
        return self.ask("POST", "judge", json.dumps(told).encode(), **headers)


@pytest.fixture
def items() -> list[Item]:
    return ITEMS


@pytest.fixture
def site(tmp_path: Path, items: list[Item]) -> Iterator[Site]:
    path = tmp_path / "judgements.jsonl"
    with Book(path) as book, Server(Desk(items, book)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield Site(server.address, book, path)
        finally:
            server.shutdown()
            thread.join()
