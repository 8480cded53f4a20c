import gzip
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.cli import adding
from groundwire.index import LocalIndex, MilvusIndex, open_index
from groundwire.types import Passage

Run = Callable[..., Any]
ROWS = [{"id": f"d{n}", "text": f"Passage number {n} speaks of harbour {n * n}."} for n in range(5)]


def write(path: Path, rows: Iterable[dict[str, Any]] = ROWS) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def index(tmp_path: Path) -> str:
    return str(tmp_path / "index")


@pytest.fixture(params=["folder", "milvus"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an index may be made: in a folder, and in a file of milvus-lite."""
    if request.param == "folder":
        return str(tmp_path / "index")
    pytest.importorskip("pymilvus", reason="needs the extra milvus")
    pytest.importorskip("milvus_lite", reason="needs the extra milvus")
    return f"milvus:{tmp_path / 'index.db'}"


@pytest.fixture
def rows(tmp_path: Path) -> str:
    return write(tmp_path / "rows.jsonl")


def passages(index: str) -> dict[str, str]:
    with open_index(index) as opened:
        return {passage.id: passage.text for passage in opened.passages()}


def test_a_corpus_is_added_and_found_again(run: Run, rows: str, place: str) -> None:
    ran = run("index", "add", rows, "--to", place)
    assert ran.code == 0
    said = json.loads(ran.out)
    assert {k: said[k] for k in ("documents", "added", "skipped", "duplicates", "conflicts")} == {
        "documents": 5,
        "added": 5,
        "skipped": 0,
        "duplicates": 0,
        "conflicts": 0,
    }
    assert said["index"]["passages"] == said["index"]["documents"] == 5
    assert passages(place) == {row["id"]: row["text"] for row in ROWS}
    info = json.loads(run("index", "info", place, "--json").out)
    assert (info["passages"], info["documents"], info["analyzer"]) == (5, 5, "english")


def test_documents_are_cut_and_lead_back_to_their_source(run: Run, tmp_path: Path, index: str) -> None:
    text = "<p>One more sentence of six words. " * 40
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.html").write_text(f"<title>T</title>{text}", encoding="utf-8")
    assert run("index", "add", str(tmp_path / "notes"), "--to", index, "--words", "60").code == 0
    with LocalIndex.open(Path(index)) as opened:
        pieces = list(opened.passages())
    assert [piece.id for piece in pieces] == [f"notes/a.html#{n}" for n in range(1, 5)]
    assert {piece.title for piece in pieces} == {"T"}
    assert all(piece.origin and piece.origin.source == "notes/a.html" for piece in pieces)


def test_rows_that_are_passages_stay_whole_unless_asked(run: Run, tmp_path: Path) -> None:
    long = [{"_id": "d", "text": "A sentence of five words. " * 50}]
    for name, options, count in (
        ("corpus.jsonl", (), 1),
        ("corpus.jsonl", ("--words", "100"), 3),
        ("other.jsonl", (), 3),
        ("other.jsonl", ("--words", "0"), 1),
    ):
        folder = str(tmp_path / f"{name}{count}")
        run("index", "add", write(tmp_path / name, long), "--to", folder, *options)
        assert len(passages(folder)) == count


def test_what_is_there_is_skipped(run: Run, rows: str, place: str, tmp_path: Path) -> None:
    run("index", "add", rows, "--to", place)
    more = write(tmp_path / "more.jsonl", [*ROWS, {"id": "new", "text": "Something else."}])
    said = json.loads(run("index", "add", more, "--to", place).out)
    assert (said["added"], said["skipped"], said["index"]["passages"]) == (1, 5, 6)


def test_an_interrupted_run_goes_on_where_it_was(
    run: Run, rows: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding, "BATCH_PASSAGES", 2)
    backend: Any = MilvusIndex if place.startswith("milvus:") else LocalIndex
    whole, taken = backend.add, 0

    def add(self: Any, given: Iterable[Passage], **options: Any) -> Any:
        nonlocal taken
        if taken == 1:
            raise KeyboardInterrupt
        taken += 1
        return whole(self, given, **options)

    monkeypatch.setattr(backend, "add", add)
    ran = run("index", "add", rows, "--to", place)
    assert ran.code == 130
    assert ran.err == "interrupted: 2 passages are in the index; call it again to go on\n"
    assert len(passages(place)) == 2
    monkeypatch.setattr(backend, "add", whole)
    said = json.loads(run("index", "add", rows, "--to", place).out)
    assert (said["added"], said["skipped"], said["index"]["passages"]) == (3, 2, 5)


@pytest.mark.parametrize("batch", [2, 100])
def test_an_id_that_stands_for_other_words_is_named(
    run: Run, place: str, tmp_path: Path, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding, "BATCH_PASSAGES", batch)
    path = write(tmp_path / "rows.jsonl", [*ROWS, {"id": "d1", "text": "Other words."}, {"id": "x", "text": "Last."}])
    ran = run("index", "add", path, "--to", place)
    assert ran.code == 2
    assert "document 'd1' is in the index already, with other words or cut in another way (hint: --replace" in ran.err
    assert json.loads(ran.out)["conflicts"] == 1
    assert passages(place) == {**{row["id"]: row["text"] for row in ROWS}, "x": "Last."}
    said = json.loads(run("index", "add", path, "--to", place, "--replace").out)
    assert said["replaced"] > 0
    assert (said["conflicts"], said["index"]["passages"]) == (0, 6)
    assert passages(place)["d1"] == "Other words."


@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 1), (3, 2), (2, 3)])
def test_a_document_that_changed_is_replaced_as_a_whole(
    run: Run, place: str, tmp_path: Path, before: int, after: int
) -> None:
    path, sentence = tmp_path / "a.txt", "A sentence of five words. "
    path.write_text(sentence * before, encoding="utf-8")
    run("index", "add", str(path), "--to", place, "--words", "5")
    path.write_text(sentence * after, encoding="utf-8")
    assert run("index", "add", str(path), "--to", place, "--words", "5").code == (2 if before != 2 else 0)
    run("index", "add", str(path), "--to", place, "--words", "5", "--replace")
    assert len(passages(place)) == after


def test_duplicates_are_reported_and_dropped_when_asked(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", [*ROWS, {**ROWS[0], "id": "again"}])
    kept = json.loads(run("index", "add", path, "--to", str(tmp_path / "a")).out)
    dropped = json.loads(run("index", "add", path, "--to", str(tmp_path / "b"), "--unique").out)
    assert (kept["added"], kept["duplicates"]) == (6, 1)
    assert (dropped["added"], dropped["duplicates"]) == (5, 1)


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_added(run: Run, tmp_path: Path, index: str) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"text": "A."}\nnot JSON\n', encoding="utf-8")
    (folder / "b.txt").write_bytes(b"\xff")
    (folder / "c.txt").write_text("C.", encoding="utf-8")
    (folder / "d.png").write_bytes(b"\x89PNG")
    ran = run("index", "add", str(folder), "--to", index)
    assert ran.code == 2
    assert "a.jsonl, line 2: invalid JSON" in ran.err
    assert "b.txt: not UTF-8 text (byte 1 of the file)" in ran.err
    assert "files left out: 1 (unknown kind: .png)" in ran.err
    said = json.loads(ran.out)
    assert said["unreadable"] == ["notes/a.jsonl", "notes/b.txt"]
    assert said["left_out"] == [{"path": str(folder / "d.png"), "why": "unknown kind"}]
    assert set(passages(index)) == {"notes/a.jsonl:1", "notes/c.txt"}


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_corpus_is_an_error_and_leaves_nothing(run: Run, tmp_path: Path, place: str, text: str) -> None:
    (tmp_path / "rows.jsonl").write_text(text, encoding="utf-8")
    ran = run("index", "add", str(tmp_path / "rows.jsonl"), "--to", place)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: no document in ")
    assert not Path(place.removeprefix("milvus:")).exists()


def test_a_corpus_without_a_word_is_an_error(run: Run, tmp_path: Path, index: str) -> None:
    (tmp_path / "note.txt").write_text("\n")
    for corpus, told in ((str(tmp_path / "note.txt"), str(tmp_path / "note.txt")), ("-", "standard input")):
        ran = run("index", "add", corpus, "--to", index)
        assert (ran.code, ran.out, Path(index).exists()) == (2, "", False)
        assert ran.err.startswith(f"error: no document with a word in {told} (hint: ")


def test_an_empty_folder_is_an_error(run: Run, tmp_path: Path, index: str) -> None:
    (tmp_path / "notes").mkdir()
    ran = run("index", "add", str(tmp_path / "notes"), "--to", index)
    assert (ran.code, Path(index).exists()) == (2, False)
    assert ran.err.startswith("error: no file to read in ")


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("gone.jsonl",), 2, "cannot read gone.jsonl: No such file or directory"),
        (("-", "-"), 2, "standard input (-) can be read only once"),
        (("-", "--format", "doc"), 2, "'doc' is not one of"),
        (("-", "--analyzer", "klingon"), 2, "unknown analyzer 'klingon'"),
    ],
)
def test_what_is_asked_wrongly_is_said_in_one_line(
    run: Run, index: str, args: tuple[str, ...], code: int, message: str
) -> None:
    ran = run("index", "add", *args, "--to", index, stdin=b"words")
    assert (ran.code, ran.err.count("\n")) == (code, 1)
    assert message in ran.err


def test_a_folder_that_holds_something_else_is_refused_before_anything_is_read(
    run: Run, rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reads(*_: object) -> None:
        raise AssertionError("the corpus was read")

    monkeypatch.setattr(adding.Adder, "feed", reads)
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "letter.txt").write_text("Dear all")
    ran = run("index", "add", rows, "--to", str(tmp_path / "taken"))
    assert (ran.code, ran.out) == (2, "")
    assert "is not empty: it holds letter.txt (hint: name a new folder for the index)" in ran.err
    assert sorted(path.name for path in (tmp_path / "taken").iterdir()) == ["letter.txt"]


def test_an_index_keeps_its_analyzer(run: Run, rows: str, place: str) -> None:
    run("index", "add", rows, "--to", place, "--analyzer", "simple")
    assert json.loads(run("index", "info", place).out)["analyzer"] == "simple"
    assert run("index", "add", rows, "--to", place).code == 0
    ran = run("index", "add", rows, "--to", place, "--analyzer", "english")
    assert ran.code == 2
    assert "was made with the analyzer simple, not english" in ran.err


def test_standard_input_is_a_corpus(run: Run, index: str) -> None:
    data = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
    assert run("index", "add", "-", "--to", index, stdin=gzip.compress(data)).code == 0
    assert len(passages(index)) == 5


def test_passages_and_documents_are_removed(run: Run, tmp_path: Path, place: str) -> None:
    long = {"id": "long", "text": "A sentence of five words. " * 4}
    run("index", "add", write(tmp_path / "rows.jsonl", [*ROWS, long]), "--to", place, "--words", "10")
    assert json.loads(run("index", "remove", place, "d0", "long", "gone").out) == {"removed": 3, "passages": 4}
    assert json.loads(run("index", "remove", place, "-", stdin=b"d1\nd2\n").out) == {"removed": 2, "passages": 2}
    ran = run("index", "remove", place, "gone")
    assert (ran.code, ran.out) == (2, "")
    assert "has no passage and no document 'gone'" in ran.err
    assert set(passages(place)) == {"d3", "d4"}


def test_compact_leaves_one_segment(run: Run, rows: str, index: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adding, "BATCH_PASSAGES", 2)
    run("index", "add", rows, "--to", index)
    run("index", "remove", index, "d0")
    said = json.loads(run("index", "compact", index).out)
    assert (said["passages"], said["segments"]) == (4, 1)
    assert said["segments_before"] >= 1
    assert len(passages(index)) == 4


def files(folder: str) -> Iterator[Path]:
    return (path for path in sorted(Path(folder).iterdir()) if path.is_file() and path.stat().st_size > 200)


def test_check_finds_a_changed_byte(run: Run, rows: str, index: str) -> None:
    run("index", "add", rows, "--to", index)
    assert json.loads(run("index", "check", index).out) == {"index": index, "ok": True, "problems": []}
    path = next(path for path in files(index) if path.suffix != ".json")
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)
    ran = run("index", "check", index)
    assert ran.code == 3
    assert path.name in ran.out + ran.err


@pytest.mark.parametrize("verb", ["info", "compact", "check"])
def test_a_missing_index_is_unavailable(run: Run, place: str, verb: str) -> None:
    ran = run("index", verb, place)
    assert (ran.code, ran.out) == (3, "")
    what = "file" if place.startswith("milvus:") else "folder"
    assert ran.err == (
        f"error: {place} holds no index: there is no such {what} (hint: groundwire index add CORPUS --to {place})\n"
    )
    assert not Path(place.removeprefix("milvus:")).exists()


@pytest.mark.parametrize("verb", ["add", "info", "check"])
def test_what_is_something_else_stays_as_it_is(run: Run, rows: str, place: str, verb: str) -> None:
    path = Path(place.removeprefix("milvus:"))
    path.write_text("not ours", encoding="utf-8")
    ran = run("index", "add", rows, "--to", place) if verb == "add" else run("index", verb, place)
    assert (ran.code, ran.out) == (3, "")
    assert f"{place} holds no index: it" in ran.err
    assert "(hint: name another place for the index)" in ran.err
    assert path.read_text(encoding="utf-8") == "not ours"


def test_an_index_is_checked_compacted_and_searched_wherever_it_is(run: Run, rows: str, place: str) -> None:
    run("index", "add", rows, "--to", place)
    assert json.loads(run("index", "check", place).out) == {"index": place, "ok": True, "problems": []}
    said = json.loads(run("index", "compact", place).out)
    assert (said["passages"], {"bytes", "bytes_before"} <= said.keys()) == (5, True)
    found = run("search", "which harbours?", "--index", place, "-k", "2")
    assert (found.code, [json.loads(line)["rank"] for line in found.out.splitlines()]) == (0, [1, 2])
    none = run("search", "zeppelin", "--index", place)
    assert (none.code, none.out, none.err) == (0, "", "no hits: no passage holds a word of the query\n")
    good = run("verify", "", "Passage number 3 speaks of harbour 9.", "--index", place, "--stack", "bm25")
    assert (good.code, json.loads(good.out)["verdict"]) == (0, "supported")


def test_an_address_that_is_none_and_a_server_that_is_away(run: Run) -> None:
    for address, code, says in (
        ("milvus:nonsense", 2, "is no address of a Milvus index"),
        ("milvus:http://user:secret@host", 2, "may hold no name, password"),
        ("", 2, "an index is named by a folder or an address"),
    ):
        for command in (("info",), ("check",), ("remove", "x")):
            ran = run("index", command[0], address, *command[1:])
            assert (ran.code, says in ran.err, "secret" in ran.err) == (code, True, False)
    pytest.importorskip("pymilvus", reason="needs the extra milvus")
    ran = run("search", "x", "--index", "milvus:http://127.0.0.1:9")
    assert (ran.code, "milvus:http://127.0.0.1:9 does not answer" in ran.err) == (3, True)


def test_on_a_terminal_results_are_drawn(run: Run, rows: str, index: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    def lines(*args: str) -> list[str]:
        return [" ".join(line.split()) for line in re.sub("\x1b.*?m", "", run("index", *args).out).splitlines()]

    added = lines("add", rows, "--to", index)
    assert re.fullmatch(r"read 5 documents in \d+\.\d s, [\d ]+ passages a second", added[0])
    assert added[1] == "added 5 passages"
    assert added[2].startswith("index 5 passages of 5 documents, 2.")
    assert "skipped 5 passages that the index had already" in lines("add", rows, "--to", index)
    assert {"analyzer english", "passages 5", "segments 1"} <= set(lines("info", index))
    assert lines("check", index) == [f"{index}: everything is as it was written"]
    assert lines("remove", index, "d0") == ["removed 1", "passages 4"]
    assert json.loads(run("index", "info", index, "--json").out)["passages"] == 4


def test_a_title_that_is_hostile_is_harmless_on_the_terminal(run: Run, tmp_path: Path, index: str) -> None:
    path = tmp_path / "a\x1b[31m.txt"
    path.write_bytes(b"\xff")
    ran = run("index", "add", str(path), "--to", index)
    assert ran.code == 2
    assert "\x1b" not in ran.err


def test_the_shared_collection_comes_in_whole(run: Run, shared_data: Path, index: str) -> None:
    said = json.loads(run("index", "add", str(shared_data / "ir" / "cacm"), "--to", index).out)
    assert (said["index"]["passages"], said["index"]["terms"], said["index"]["tokens"]) == (3204, 6110, 113_867)
