import json
import os
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from groundwire.annotate.book import Book, Judgement, annotator, now
from groundwire.annotate.export import FIELDS, csv_text, json_lines, rows
from groundwire.annotate.items import Item
from groundwire.annotate.standing import alphas, counts, differing, final, open_after, pairs
from groundwire.errors import InputError, UsageError
from groundwire.evals.papers.huo2023 import people


def said(item: Item, name: str, judgement: str | None, *, adjudicated: bool = False) -> Judgement:
    return Judgement(
        item=item.item,
        annotator=name,
        protocol=item.task,
        judgement=judgement,
        seconds=2.0,
        at=now(),
        order=item.order,
        adjudicated=adjudicated,
    )


@pytest.fixture
def judged(tmp_path: Path, items: list[Item]):
    """Ann and Bo differ on items 1 and 2; Bo's mind changed on item 0, and item 2 was decided."""
    with Book(tmp_path / "judgements.jsonl") as book:
        told = [
            (0, "Ann", "correct"),
            (1, "Ann", "correct"),
            (2, "Ann", "correct"),
            (3, "Ann", "incorrect"),
            (0, "Bo", "incorrect"),
            (1, "Bo", "incorrect"),
            (2, "Bo", "unsure"),
            (3, "Bo", "incorrect"),
            (0, "Bo", "correct"),
        ]
        for n, (at, name, judgement) in enumerate(told):
            assert book.write(f"{n}", said(items[at], name, judgement))
        book.write("decided", said(items[2], "Cy", "incorrect", adjudicated=True))
        yield book


def test_the_last_word_counts_and_nothing_is_taken_out(judged: Book, items: list[Item], tmp_path: Path) -> None:
    assert judged.said(items[0].item)["Bo"].judgement == "correct"
    judged.write("back", said(items[0], "Bo", None))
    assert list(judged.said(items[0].item)) == ["Ann"]
    assert len(judged) == 11
    assert len((tmp_path / "judgements.jsonl").read_text().splitlines()) == 11


def test_what_is_sent_again_is_written_once(judged: Book, items: list[Item]) -> None:
    assert not judged.write("0", said(items[0], "Ann", "incorrect"))
    assert judged.said(items[0].item)["Ann"].judgement == "correct"


def test_a_book_opens_as_it_was_closed(tmp_path: Path, items: list[Item]) -> None:
    path = tmp_path / "judgements.jsonl"
    with Book(path) as book:
        for n, item in enumerate(items):
            book.write(str(n), said(item, "Ann", item.choices[n % 3]))
        before = list(book.standing())
        with pytest.raises(UsageError, match="another run is writing"):
            Book(path)
    with path.open("ab") as file:
        file.write(b'{"key":"torn')
    with Book(path) as book:
        assert list(book.standing()) == before
    path.write_text("hello\n")
    with pytest.raises(InputError, match="no line of a ledger"):
        Book(path)


def test_many_write_at_once(tmp_path: Path, items: list[Item]) -> None:
    path = tmp_path / "judgements.jsonl"
    with Book(path) as book, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: book.write(f"{n}", said(items[n % 12], f"P{n % 8}", "correct")), range(200)))
        assert len(book) == 200
    with Book(path) as book:
        assert len(book) == 200


def test_differences_and_what_holds_in_the_end(judged: Book, items: list[Item]) -> None:
    assert differing(items, judged) == [1, 2]
    ends = [final(item, judged) for item in items[:5]]
    assert ends == [("correct", False), None, ("incorrect", True), ("incorrect", False), None]
    assert sum(counts(items, judged).values(), start=Counter()) == {"correct": 1, "incorrect": 2}


def test_agreement_by_task(judged: Book, items: list[Item]) -> None:
    (pair,) = pairs(items, judged)
    assert (pair.task, pair.one, pair.other, pair.n, pair.agreed) == (items[0].task, "Ann", "Bo", 4, 0.5)
    assert pair.kappa.value == pytest.approx((8 - 5) / (16 - 5))
    (alpha,) = alphas(items, judged)
    assert alpha.n == 4
    assert alpha.alpha.value == pytest.approx(1 - 7 * 4 / (4 * 4 + 3 * 5 + 1 * 7))


def test_the_first_open_item_goes_round(items: list[Item]) -> None:
    done = {items[n].item for n in (0, 1, 4)}
    assert open_after(items, lambda item: item.item in done, -1) == 2
    assert open_after(items, lambda item: item.item in done, 3) == 5
    assert open_after(items, lambda item: item.item not in done, 4) == 0
    assert open_after(items, lambda _: True, 4) is None
    assert open_after(items, lambda item: item.item in done, len(items)) == 2


def test_the_papers_tables_read_what_is_exported(judged: Book, items: list[Item]) -> None:
    text = json_lines(rows(items, judged))
    assert {"item", "annotator", "protocol", "judgement", "seconds", "at"} <= set(json.loads(text.splitlines()[0]))
    assert people.read(text.splitlines(), "x") == {items[0].item: "correct", items[3].item: "incorrect"}
    ended = json_lines(rows(items, judged, final_only=True))
    assert people.read(ended.splitlines(), "x") == {
        items[0].item: "correct",
        items[2].item: "incorrect",
        items[3].item: "incorrect",
    }
    assert [json.loads(line)["annotator"] for line in ended.splitlines()] == ["majority", "adjudicated", "majority"]


def test_csv_holds_no_formula(tmp_path: Path, items: list[Item]) -> None:
    with Book(tmp_path / "judgements.jsonl") as book:
        book.write("0", said(items[0], "=cmd()", "correct"))
        head, line = csv_text(rows(items, book)).splitlines()
    assert head == ",".join(FIELDS)
    assert ",'=cmd()," in line


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 41, "\u202eabc", "majority", "Adjudicated", "\ud800"])
def test_names(name: str) -> None:
    assert annotator(" Zoë 🙂 ".replace("🙂", "B")) == "Zoë B"
    with pytest.raises(InputError):
        annotator(name)


_CHILD = """
import sys, uuid
from groundwire.annotate.book import Book, Judgement, now
with Book(sys.argv[1]) as book:
    n = 0
    while True:
        once = uuid.uuid4().hex
        book.write(once, Judgement(item=f"i{n}", annotator="Ann", protocol="label", judgement="correct", seconds=1.0, at=now()))
        print(f"i{n}", flush=True)
        n += 1
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "judgements.jsonl"
    for wanted in (1, 7, 40):
        path.unlink(missing_ok=True)
        child = subprocess.Popen([sys.executable, "-c", _CHILD, str(path)], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        told = [child.stdout.readline().strip() for _ in range(wanted)]
        os.kill(child.pid, signal.SIGKILL)
        told += child.stdout.read().split()
        child.stdout.close()
        child.wait()
        with Book(path) as book:
            kept = [line.item for line in book.standing()]
        assert kept[: len(told)] == told
        assert len(kept) <= len(told) + 1
