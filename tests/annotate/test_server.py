import json
import re
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from uuid import uuid4

import pytest

from groundwire.annotate.book import Book
from groundwire.annotate.desk import LONGEST, Desk
from groundwire.annotate.items import Item
from groundwire.annotate.server import MOST_BODY, Server
from groundwire.errors import Unavailable

from .conftest import Site, label_item


def once() -> str:
    return uuid4().hex


def test_a_judgement_is_on_the_disk_before_the_reply(site: Site, items: list[Item]) -> None:
    reply = site.judge(once(), at=1, choice=1)
    assert (reply.status, reply.json()) == (200, {"next": "?name=Ann&at=3", "here": "?name=Ann&at=2"})
    record = json.loads(site.path.read_text())["record"]
    assert (record["item"], record["judgement"]) == (items[1].item, items[1].offered[1][1])
    assert record["seconds"] == 1.5
    assert record["order"] == list(items[1].order)


def test_it_goes_on_at_the_first_open_item(site: Site) -> None:
    for at in (0, 1, 3):
        site.judge(once(), at=at)
    assert 'data-at="2"' in site.ask("GET", "?name=Ann").text
    assert 'data-at="0"' in site.ask("GET", "?name=Bo").text
    for at in range(12):
        site.judge(once(), at=at)
    assert "All 12 items are judged." in site.ask("GET", "?name=Ann").text


def test_two_browsers_lose_nothing(site: Site, items: list[Item]) -> None:
    def work(name: str) -> None:
        for at in range(len(items)):
            assert site.judge(once(), name=name, at=at, choice=at % 3).status == 200

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, ["Ann", "Bo", "Cy", "Ann"]))
    assert len(site.book) == 4 * len(items)
    assert all(set(site.book.said(item.item)) == {"Ann", "Bo", "Cy"} for item in items)
    assert len(site.path.read_text().splitlines()) == 4 * len(items)


def test_a_request_that_is_sent_again_counts_once(site: Site) -> None:
    press = once()
    assert site.judge(press).json() == site.judge(press).json()
    assert len(site.book) == 1


def test_taking_back_opens_the_item(site: Site, items: list[Item]) -> None:
    site.judge(once())
    assert site.judge(once(), choice=None).status == 200
    assert site.book.said(items[0].item) == {}
    assert 'data-at="0"' in site.ask("GET", "?name=Ann").text


def test_adjudication_is_of_what_differs(site: Site, items: list[Item]) -> None:
    for name, choice in (("Ann", 0), ("Bo", 1)):
        site.judge(once(), name=name, choice=choice)
        site.judge(once(), name=name, at=1, choice=0)
    page = site.ask("GET", "?name=Cy&adjudicate=1").text
    assert 'data-at="0"' in page
    assert "<bdi>Ann</bdi>" in page
    assert "<bdi>Ann</bdi>" not in site.ask("GET", "?name=Cy&at=1").text
    assert site.judge(once(), name="Cy", at=1, adjudicate=True).status == 400
    assert site.judge(once(), name="Cy", choice=1, adjudicate=True).status == 200
    decided = site.book.decided(items[0].item)
    assert decided is not None
    assert decided.judgement == items[0].offered[1][1]
    assert "Nothing is left to adjudicate." in site.ask("GET", "?name=Cy&adjudicate=1").text
    overview = site.ask("GET", "?name=Cy&view=standing").text
    assert "1 item, 0 undecided" in overview
    final = [json.loads(line) for line in site.ask("GET", "export?form=jsonl&final=1").text.splitlines()]
    assert [row["annotator"] for row in final] == ["adjudicated", "majority"]


def test_pages_name_no_choice_of_a_pair(site: Site, items: list[Item]) -> None:
    at = next(n for n, item in enumerate(items) if item.order)
    page = site.ask("GET", f"?name=Ann&at={at + 1}").text
    main = page[page.index("<main") : page.index("<script")]
    assert "A is better" in main
    assert "generated" not in main
    assert "reader" not in main.replace("by the reader", "")


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": 3},
        {"name": "majority"},
        {"at": 12},
        {"at": -1},
        {"at": "../../etc/passwd"},
        {"at": True},
        {"choice": 9},
        {"choice": "correct"},
        {"seconds": "1"},
        {"seconds": None},
        {"once": "../x"},
        {"once": "A" * 32},
        {"once": None},
    ],
)
def test_what_is_no_judgement_is_refused(site: Site, change: dict[str, object]) -> None:
    reply = site.judge(**{"once": once()} | change)
    assert reply.status == 400
    assert reply.json()["error"]
    assert len(site.book) == 0


def test_seconds_are_kept_in_bounds(site: Site, items: list[Item]) -> None:
    for at, seconds in enumerate((1e300, -5, 10**400)):
        assert site.judge(once(), at=at, seconds=seconds).status == 200
    found = [site.book.said(items[at].item)["Ann"].seconds for at in range(3)]
    assert found == [LONGEST, 0, LONGEST]
    headers = {"Content-Type": "application/json", "Origin": f"http://{site.host}"}
    body = f'{{"name":"Ann","at":0,"choice":0,"seconds":NaN,"once":"{once()}"}}'.encode()
    assert site.ask("POST", "judge", body, **headers).status == 400


def test_only_this_servers_own_page_may_judge(site: Site) -> None:
    body = json.dumps({"name": "Ann", "at": 0, "choice": 0, "seconds": 1, "once": once()}).encode()
    good = {"Content-Type": "application/json", "Origin": f"http://{site.host}"}
    wrong = [
        ({"Origin": "https://example.com"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Host": "example.com"}, 404),
        ({"Content-Length": "no"}, 411),
        ({"Content-Length": str(MOST_BODY + 1)}, 413),
    ]
    for change, status in wrong:
        assert site.ask("POST", "judge", body, **good | change).status == status, change
    assert site.ask("POST", "judge", body, **{"Content-Type": "application/json"}).status == 403
    assert site.ask("POST", "judge", b"[" * 9000, **good).status == 400
    assert site.ask("POST", "judge", b"[]", **good).status == 400
    assert site.ask("POST", "judge", b"\xff", **good).status == 400
    assert site.ask("POST", "", body, **good).status == 404
    assert len(site.book) == 0


def test_nothing_is_said_without_the_token(site: Site) -> None:
    token = site.address.rstrip("/").rpartition("/")[2]
    assert len(token) >= 32
    elsewhere = Site(site.address.replace(token, "x" * len(token)), site.book, site.path)
    for path in ("", "export", "../", "%2e%2e/"):
        reply = elsewhere.ask("GET", path)
        assert (reply.status, reply.text) == (404, "There is nothing here.\n")
    assert elsewhere.judge(once()).status == 404
    assert site.ask("GET", "../../../../etc/passwd").status == 404
    assert site.ask("GET", "judgements.jsonl").status == 404
    assert site.ask("GET", "?name=Ann", Host="evil.example:80").status == 404


def test_an_address_that_asks_for_nothing_is_an_error(site: Site) -> None:
    for query in ("?name=Ann&at=0", "?name=Ann&at=13", "?name=Ann&at=²", "?name=majority", "?name=" + "a" * 41):
        assert site.ask("GET", query.replace("²", "%C2%B2")).status == 400, query
    assert site.ask("GET", "?" + "&".join(f"a{n}=1" for n in range(20))).status == 404


def test_headers_let_nothing_in(site: Site) -> None:
    headers = site.ask("GET", "?name=Ann").headers
    policy = headers["content-security-policy"]
    for rule in ("default-src 'none'", "connect-src 'self'", "form-action 'none'", "frame-ancestors 'none'"):
        assert rule in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "same-origin"


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\x00\x1b[31m \ud800 \"'`&"


def test_hostile_texts_are_texts(tmp_path: Path) -> None:
    item = label_item(1, HOSTILE, HOSTILE)
    hostile = Item(
        **{name: getattr(item, name) for name in item.__slots__} | {"question": HOSTILE, "answers": (HOSTILE,)}
    )
    with Book(tmp_path / "judgements.jsonl") as book:
        desk = Desk([hostile], book)
        name = "<b onclick=x>'\"&amp;"
        for who, choice in ((name, 0), ("Bo", 1)):
            desk.judge({"name": who, "at": 0, "choice": choice, "seconds": 1, "once": once()})
        for fields in (
            {"name": name, "at": "1"},
            {"name": name, "view": "standing"},
            {"name": name, "adjudicate": "1"},
            {"name": name},
            {},
        ):
            page = desk.page(fields)
            tags = Tags(page).found
            assert sum(tag == "script" for tag, _ in tags) == 1
            assert not any(tag in ("img", "b") and attrs for tag, attrs in tags)
            assert not any(key.startswith("on") for _, attrs in tags for key in attrs)
            assert not re.search("[\u202e\x00\x1b\ud800]", page)


def test_a_port_that_is_taken_is_said(site: Site, items: list[Item]) -> None:
    port = int(site.host.rpartition(":")[2])
    with pytest.raises(Unavailable, match="cannot serve on port"):
        Server(Desk(items, site.book), port)
