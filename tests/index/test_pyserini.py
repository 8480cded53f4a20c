"""Lucene's indexes: the adapter over a stand-in for Pyserini, and over Pyserini itself where it and a Java are."""

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.errors import InputError, MissingExtra, MissingIndex, NetworkError, Unavailable, UsageError
from groundwire.index import LocalIndex, PyseriniIndex, check, create_index, open_index
from groundwire.protocols import Retriever
from groundwire.stacks import build
from groundwire.types import Passage

ROWS = [
    {"id": "b", "contents": "A red fox sleeps.", "title": "Foxes"},
    {"id": "a", "contents": "A red fox sleeps."},
    {"id": "c", "text": "The sky is blue."},
]


class Stand:
    """What of Pyserini is used: it ranks by words in common, and keeps how it was asked."""

    asked: tuple[float, float] | None = None

    def __init__(self, place: str) -> None:
        self.stored = {row["id"]: json.dumps(row) for row in ROWS} | {"d": "no JSON but blue"}
        self.num_docs, self.closed = len(self.stored), False
        if "broken" in place:
            raise RuntimeError("JVM exception occurred: no segments* file found\nat java")

    @classmethod
    def from_prebuilt_index(cls, name: str) -> "Stand | None":
        return cls(name) if name == "known" else None

    def set_bm25(self, k1: float, b: float) -> None:
        self.asked = k1, b

    def search(self, query: str, k: int) -> list[SimpleNamespace]:
        scores = {i: sum(word in text.lower() for word in query.split()) for i, text in self.stored.items()}
        return [SimpleNamespace(docid=i, score=s) for i, s in sorted(scores.items(), key=lambda e: -e[1]) if s][:k]

    def doc(self, docid: str | int) -> SimpleNamespace | None:
        docid = list(self.stored)[docid] if isinstance(docid, int) else docid
        text = self.stored.get(docid)
        return None if text is None else SimpleNamespace(docid=lambda: docid, raw=lambda: text, contents=lambda: text)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def lucene(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    monkeypatch.setitem(sys.modules, "pyserini.search.lucene", SimpleNamespace(LuceneSearcher=Stand))
    (tmp_path / "lucene").mkdir()
    return f"pyserini:{tmp_path / 'lucene'}"


def test_it_is_searched_like_any_other(lucene: str) -> None:
    with open_index(lucene) as index:
        stack = build("bm25(k1=0.82,b=0.68)", index)
        assert isinstance(stack, Retriever)
        found = stack.retrieve(["red fox", " ", "blue"], 2)
        assert [[(hit.passage.id, hit.score, hit.by) for hit in hits] for hits in found] == [
            [("a", 2.0, "bm25"), ("b", 2.0, "bm25")],
            [],
            [("c", 1.0, "bm25"), ("d", 1.0, "bm25")],
        ]
        assert index._searcher.asked == (0.82, 0.68)
        assert found[0][1].passage == Passage(id="b", text="A red fox sleeps.", title="Foxes")
        assert index.passage("d").text == "no JSON but blue"
        assert [passage.id for passage in index.passages()] == ["b", "a", "c", "d"]
        assert index.held(["c", "zz"]) == {"c": [Passage(id="c", text="The sky is blue.")]}
        assert index.info().to_dict() == {"address": lucene, "passages": 4}
        assert [build(s, index).name for s in ("bm25", "bm25(lengths=lucene)")] == ["bm25", "bm25"]
    assert check(lucene) == []
    assert open_index("pyserini:known").info().passages == 4


def test_it_is_not_changed_and_says_so(lucene: str) -> None:
    index = open_index(lucene)
    for change in (lambda: index.add([]), lambda: index.remove(["a"]), index.compact, lambda: create_index(lucene)):
        with pytest.raises(UsageError, match="can only be searched"):
            change()


def test_what_cannot_be_asked(lucene: str) -> None:
    index = open_index(lucene)
    with pytest.raises(UsageError, match="Lucene's lengths alone"):
        index.bm25(lengths="accurate")
    with pytest.raises(InputError, match="no k1"):
        index.bm25(k1=0)
    with pytest.raises(InputError, match="0 hits"):
        index.bm25().retrieve(["red"], 0)
    with pytest.raises(InputError, match="no passage 'zz'"):
        index.passage("zz")
    index.close()
    index.close()
    with pytest.raises(Unavailable, match="is closed"):
        index.bm25().retrieve(["red"], 1)


@pytest.mark.parametrize(
    ("place", "error", "why"),
    [
        ("", InputError, "names no index"),
        ("unknown", MissingIndex, "knows no index of this name"),
        ("/nowhere/at/all", MissingIndex, "no such folder"),
        ("./nowhere", MissingIndex, "no such folder"),
    ],
)
def test_what_is_not_there(lucene: str, place: str, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        open_index(f"pyserini:{place}")


def test_what_java_says_is_one_line(lucene: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken").mkdir()
    with pytest.raises(Unavailable, match=r"cannot be opened: JVM exception occurred: no segments\* file found .hint"):
        open_index(f"pyserini:{tmp_path / 'broken'}")
    monkeypatch.setenv("GROUNDWIRE_OFFLINE", "1")
    with pytest.raises(NetworkError, match="may have to be fetched"):
        open_index("pyserini:known")
    assert open_index(lucene).info().passages == 4


def test_without_the_package_or_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from groundwire.index import pyserini

    if find_spec("pyserini") is None:
        with pytest.raises(MissingExtra, match=r"groundwire\[pyserini\]"):
            PyseriniIndex.open(f"pyserini:{tmp_path}")

    def no_java(*_: object) -> Any:
        raise RuntimeError("Unable to find libjvm.so")

    monkeypatch.setattr(pyserini, "require", no_java)
    with pytest.raises(Unavailable, match=r"Java cannot be started: Unable to find libjvm.so .hint: .*JDK 21"):
        PyseriniIndex.open(f"pyserini:{tmp_path}")


def test_lucene_itself_ranks_as_the_local_index(tmp_path: Path) -> None:
    try:
        pytest.importorskip("pyserini.search.lucene", reason="needs pyserini and a JDK 21")
    except Exception as error:
        pytest.skip(f"pyserini finds no Java: {error}")
    (tmp_path / "rows").mkdir()
    rows = [{"id": row["id"], "contents": row.get("contents") or row["text"]} for row in ROWS]
    (tmp_path / "rows" / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = ["-collection", "JsonCollection", "-generator", "DefaultLuceneDocumentGenerator", "-threads", "1"]
    made = ["-input", str(tmp_path / "rows"), "-index", str(tmp_path / "lucene"), "-storeRaw"]
    subprocess.run([sys.executable, "-m", "pyserini.index.lucene", *options, *made], check=True, capture_output=True)
    with open_index(f"pyserini:{tmp_path / 'lucene'}") as theirs, LocalIndex.create(tmp_path / "ours") as ours:
        ours.add(Passage(id=row["id"], text=row["contents"]) for row in rows)
        for spec in ("bm25(lengths=lucene)", "bm25(k1=0.82,b=0.68,lengths=lucene)"):
            queries = ["red foxes", "blue sky", "the"]
            found = [build(spec, index).retrieve(queries, 3) for index in (theirs, ours)]
            a, b = ([[(hit.passage.id, round(hit.score, 5)) for hit in hits] for hits in one] for one in found)
            assert a == b
