import gzip
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from groundwire.corpus import KINDS, documents, feeds
from groundwire.corpus.kinds import kind_by_content, kind_by_name
from groundwire.errors import InputError, MissingExtra, NetworkError, UnknownName
from groundwire.types import Document

ROW = '{"id": "a", "text": "One."}\n'

Stdin = Callable[[bytes], None]


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Stdin:
    def give(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))

    return give


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.jsonl", "jsonl"),
        ("a.ndjson.gz", "jsonl"),
        ("corpus.jsonl", "beir"),
        ("corpus.jsonl.gz", "beir"),
        ("collection.tsv", "msmarco"),
        ("collection.tsv.gz", "msmarco"),
        ("a.tsv", "tsv"),
        ("a.TXT", "text"),
        ("a.md", "markdown"),
        ("A.HTML", "html"),
        ("a.pdf", "pdf"),
        ("copyright", ""),
        ("README.Debian", ""),
        ("changelog.Debian.gz", ""),
        ("NEWS.2.0", ""),
        ("a.png", None),
        ("a.json", None),
        ("a.tar.gz", None),
    ],
)
def test_a_name_says_a_kind_none_or_one_that_is_not_read(name: str, kind: str | None) -> None:
    assert kind_by_name(name) == kind


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b'{"id": 1}', "jsonl"),
        (b'\xef\xbb\xbf \n{"id": 1}', "jsonl"),
        (b"<!DOCTYPE html>", "html"),
        (b"%PDF-1.7\n\x00", "pdf"),
        (b"plain {words}", "text"),
        (b"", "text"),
        (b"a\x00b", None),
        (b"\x89PNG\r\n\x1a\n\x00", None),
    ],
)
def test_first_bytes_say_a_kind(head: bytes, kind: str | None) -> None:
    assert kind_by_content(head) == kind


def test_every_kind_can_be_read() -> None:
    assert [feeds(__file__, format=kind)[0].name for kind in KINDS] == [Path(__file__).name] * len(KINDS)


def test_a_folder_is_walked_in_order_and_what_is_left_out_is_told(tmp_path: Path) -> None:
    corpus = tmp_path / "notes"
    write(corpus / "b.txt", "B.")
    write(corpus / "a.md", "# Title\nA.")
    write(corpus / "sub" / "c.html", "<title>T</title><p>C.")
    write(corpus / "rows.jsonl", ROW + '{"text": "Two."}')
    write(corpus / ".hidden" / "x.txt", "no")
    write(corpus / ".hidden.txt", "no")
    write(corpus / "picture.png", b"\x89PNG\x00")
    write(corpus / "data", b"\x00\x01")
    write(corpus / "LICENSE", "Free.")
    left_out: list[tuple[str, str]] = []
    found = list(documents(corpus, warn=lambda path, why: left_out.append((Path(path).name, why))))
    expected = ["notes/LICENSE", "notes/a.md", "notes/b.txt", "a", "notes/rows.jsonl:2", "notes/sub/c.html"]
    assert [document.id for document in found] == expected
    assert [document.title for document in found] == [None, "Title", None, None, None, "T"]
    assert left_out == [("data", "no text"), ("picture.png", "unknown kind")]
    assert list(documents(corpus)) == found


def test_a_folder_named_by_a_dot_is_named_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "notes" / "a.txt", "A.")
    monkeypatch.chdir(tmp_path / "notes")
    assert [document.id for document in documents(".")] == ["notes/a.txt"]


def test_of_a_folder_in_the_layout_of_beir_only_the_corpus_is_read(tmp_path: Path) -> None:
    write(tmp_path / "all" / "cacm" / "corpus.jsonl.gz", gzip.compress(b'{"_id": 7, "title": "T", "text": ""}\n'))
    write(tmp_path / "all" / "cacm" / "queries.jsonl", '{"_id": "q", "text": "?"}')
    write(tmp_path / "all" / "cacm" / "qrels" / "test.tsv", "q\td\t1")
    (feed,) = feeds(tmp_path / "all")
    assert feed.passages
    assert list(feed.documents()) == [Document(id="7", text="", title="T")]


def test_links_back_and_to_nowhere_are_told(tmp_path: Path) -> None:
    write(tmp_path / "notes" / "sub" / "a.txt", "A.")
    os.symlink(tmp_path / "notes", tmp_path / "notes" / "sub" / "again")
    os.symlink(tmp_path / "gone", tmp_path / "notes" / "gone.txt")
    told: list[str] = []
    assert len(list(documents(tmp_path / "notes", warn=lambda _, why: told.append(why)))) == 1
    assert told == ["a link that leads nowhere", "a link back to a folder above it"]


def test_a_file_that_is_named_may_have_any_name_as_long_as_it_is_text(tmp_path: Path) -> None:
    assert list(documents(write(tmp_path / "main.c", "int x;"))) == [Document(id="main.c", text="int x;")]
    assert [d.id for d in documents(write(tmp_path / "rows", ROW))] == ["a"]
    assert [d.id for d in documents(write(tmp_path / "rows.json", ROW))] == ["a"]
    with pytest.raises(InputError, match="no text"):
        list(documents(write(tmp_path / "a.out", b"\x7fELF\x00")))


def test_format_overrides_the_name_and_is_checked(tmp_path: Path) -> None:
    path = write(tmp_path / "notes" / "a.md", ROW)
    assert [d.id for d in documents(path, format="jsonl")] == ["a"]
    assert [d.text for d in documents(path.parent, format="text")] == [ROW]
    with pytest.raises(UnknownName, match="did you mean"):
        feeds(path, format="json")


@pytest.mark.parametrize("data", [ROW.encode(), gzip.compress(ROW.encode())])
def test_standard_input_holds_rows(stdin: Stdin, data: bytes) -> None:
    stdin(data)
    assert [document.id for document in documents("-")] == ["a"]


def test_standard_input_holds_a_text(stdin: Stdin) -> None:
    stdin(b"Some words.\n")
    assert list(documents("-")) == [Document(id="stdin", text="Some words.\n")]
    stdin(b"1\tOne.\n")
    assert [document.id for document in documents("-", format="tsv")] == ["1"]


def test_what_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*gone\.jsonl: No such file"):
        list(documents(tmp_path / "gone.jsonl"))


def test_how_much_of_a_file_is_read_is_known(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl.gz", gzip.compress(ROW.encode() * 1000, mtime=0))
    (feed,) = feeds(path)
    assert feed.size == path.stat().st_size
    assert feed.read() == 0
    for _ in feed.documents():
        assert 0 < feed.read() <= feed.size
    assert feed.read() == feed.size


class Row(NamedTuple):
    doc_id: str
    title: str
    text: str
    url: str


def fake_ir_datasets(rows: Callable[[], Any]) -> Any:
    collection = SimpleNamespace(has_docs=lambda: True, docs_iter=rows)
    return SimpleNamespace(load=lambda name: {"tiny": collection}[name])


def test_collections_of_ir_datasets_are_read_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", fake_ir_datasets(lambda: iter([Row("1", "T", "Text.", "u")])))
    (feed,) = feeds("ir_datasets:tiny")
    assert feed.passages
    assert list(feed.documents()) == [Document(id="1", text="Text.", title="T", meta={"url": "u"})]
    with pytest.raises(InputError, match="no collection 'other'"):
        list(documents("ir_datasets:other"))


def test_a_collection_that_cannot_be_fetched_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Any:
        raise OSError("no route to host")

    monkeypatch.setitem(sys.modules, "ir_datasets", fake_ir_datasets(fail))
    with pytest.raises(NetworkError, match="no route to host"):
        list(documents("ir_datasets:tiny"))


def test_without_ir_datasets_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(MissingExtra, match=r"groundwire\[ir\]"):
        list(documents("ir_datasets:tiny"))
