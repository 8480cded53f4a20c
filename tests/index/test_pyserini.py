"""Lucene's indexes: the adapter over a stand-in for Pyserini, and over Pyserini itself where it and a Java are."""

import itertools
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.errors import InputError, MissingExtra, MissingIndex, NetworkError, Unavailable, UsageError
from groundwire.index import LocalIndex, PyseriniIndex, check, create_index, open_index
from groundwire.protocols import Retriever
from groundwire.stacks import build
from groundwire.types import Hit, Passage

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
    with pytest.raises(Unavailable, match=r"Pyserini cannot be started: Unable to find libjvm.so .hint: .*JDK 21"):
        PyseriniIndex.open(f"pyserini:{tmp_path}")


@pytest.fixture
def built(tmp_path: Path) -> Callable[[Iterable[Passage]], str]:
    """Build an index of Lucene with Anserini and return its address; skip where Pyserini or a Java is not there."""
    try:
        pytest.importorskip("pyserini.search.lucene", reason="needs the package pyserini and a JDK 21")
    except Exception as error:
        pytest.skip(f"pyserini is here and cannot be used: {error}")

    def build(passages: Iterable[Passage]) -> str:
        (tmp_path / "rows").mkdir()
        rows = ({"id": p.id, "contents": f"{p.title} {p.text}" if p.title else p.text} for p in passages)
        (tmp_path / "rows" / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        options = ["-collection", "JsonCollection", "-generator", "DefaultLuceneDocumentGenerator", "-threads", "1"]
        made = ["-input", str(tmp_path / "rows"), "-index", str(tmp_path / "lucene"), "-storeRaw"]
        run = [sys.executable, "-m", "pyserini.index.lucene", *options, *made]
        subprocess.run(run, check=True, capture_output=True)
        return f"pyserini:{tmp_path / 'lucene'}"

    return build


def both(theirs: str, ours: LocalIndex, spec: str, queries: Sequence[str], k: int) -> tuple[list[list[Hit]], ...]:
    """Return what Lucene and the local index find."""
    with open_index(theirs) as lucene:
        return build(spec, lucene).retrieve(queries, k), build(spec, ours).retrieve(queries, k)


SPECS = ("bm25(lengths=lucene)", "bm25(k1=0.82,b=0.68,lengths=lucene)")
ROUNDED = 1e-4
"""Anserini rounds scores to four digits, and then takes a millionth off for every tie."""


@pytest.mark.parametrize("spec", SPECS)
def test_lucene_itself_ranks_as_the_local_index(built, made, spec: str) -> None:
    rows = [Passage(id=row["id"], text=row.get("contents") or row["text"]) for row in ROWS]
    queries = ["red foxes", "blue sky", "the"]
    theirs, ours = both(built(rows), made(rows, analyzer="english"), spec, queries, 3)
    assert [[hit.passage for hit in hits] for hits in theirs] == [[hit.passage for hit in hits] for hits in ours]
    for mine, lucene in zip(itertools.chain(*ours), itertools.chain(*theirs), strict=True):
        assert lucene.score == pytest.approx(mine.score, abs=ROUNDED)


@pytest.mark.parametrize("spec", SPECS)
def test_lucene_itself_finds_the_same_ten_of_a_collection(built, made, collection, spec: str) -> None:
    passages, queries, _ = collection("cacm")
    theirs, ours = both(built(passages), made(passages, analyzer="english"), spec, list(queries.values()), 10)
    assert len(ours) == 64
    for mine, lucene in zip(ours, theirs, strict=True):
        assert [hit.passage.id for hit in lucene] == [hit.passage.id for hit in mine]
        assert [hit.score for hit in lucene] == pytest.approx([hit.score for hit in mine], abs=ROUNDED)
