"""Making, opening, adding, removing: what is kept, what is counted, and every error that a user can meet."""

import errno
import json
import os
import random
import resource
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import CorruptIndex, InputError, MissingIndex, Unavailable, UnknownName, UsageError
from groundwire.index import LocalIndex, check, state
from groundwire.types import Passage, Span

Maker = Callable[..., LocalIndex]


def passage(key: str, text: str = "some words", document: str | None = None) -> Passage:
    origin = Span(source=document, start=0, end=len(text)) if document else None
    return Passage(id=key, text=text, origin=origin)


def ids(index: LocalIndex) -> list[str]:
    return sorted(passage.id for passage in index.passages())


def test_a_passage_comes_back_as_it_was(made: Maker) -> None:
    given = [
        Passage(id="a", text="line\nbreak \x00 \ud800 é 漢"),
        Passage(
            id="b", text="", title="Title", origin=Span(source="doc", start=3, end=9), meta={"url": "x", "n": [1, None]}
        ),
        Passage(id="\ud83d", text="half a pair for an id"),
    ]
    index = made(given)
    assert list(index.passages()) == given
    assert [index.passage(p.id) for p in given] == given
    assert list(LocalIndex.open(index.folder).passages()) == given


def test_added_is_on_the_disk_and_counted(made: Maker) -> None:
    index = made()
    done = index.add([passage("a", "cat", "d1"), passage("b", "cat", "d1"), passage("c", "dog cat")])
    assert done.to_dict() == {"added": 3, "duplicates": 1, "skipped": 0, "replaced": 0}
    info = LocalIndex.open(index.folder).info()
    assert (info.passages, info.documents, info.segments, info.tokens, info.terms) == (3, 2, 1, 4, 2)
    assert info.bytes == sum(p.stat().st_size for p in index.folder.iterdir() if p.suffix in {".postings", ".passages"})
    assert json.loads(json.dumps(info.to_dict()))["analyzer"] == "simple"


def test_unique_drops_what_has_the_title_and_text_of_another(made: Maker) -> None:
    index = made({"a": "cat"})
    done = index.add([passage("b", "cat"), passage("c", "dog"), passage("d", "dog")], unique=True)
    assert (done.added, done.duplicates) == (1, 2)
    assert ids(index) == ["a", "c"]
    index.remove(["a"])
    assert index.add([passage("e", "cat")], unique=True).added == 1


def test_an_id_that_is_there_is_named(made: Maker) -> None:
    index = made({"a": "cat"})
    with pytest.raises(InputError, match="'a' is in the index already"):
        index.add([passage("a", "dog")])
    with pytest.raises(InputError, match="'b' is given twice"):
        index.add([passage("b"), passage("b")])
    assert index.passage("a").text == "cat"


def test_existing_ids_are_skipped_or_replaced_when_asked(made: Maker) -> None:
    index = made({"a": "cat", "b": "dog"})
    assert index.add([passage("a", "new"), passage("c")], existing="skip").skipped == 1
    assert index.passage("a").text == "cat"
    done = index.add([passage("a", "old"), passage("a", "new"), passage("d")], existing="replace")
    assert (done.added, done.replaced) == (2, 1)
    assert index.passage("a").text == "new"
    assert ids(index) == ["a", "b", "c", "d"]
    with pytest.raises(UnknownName):
        index.add([], existing="merge")


def test_a_replaced_passage_may_come_in_a_later_batch(made: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.index.writer._BATCH", 2)
    index = made()
    index.add([passage("a", "1"), passage("b"), passage("a", "2"), passage("c"), passage("a", "3")], existing="replace")
    assert index.passage("a").text == "3"
    assert index.info().passages == 3


def test_removing_takes_passages_and_whole_documents(made: Maker) -> None:
    index = made(
        [passage("a", "cat one", "d1"), passage("b", "cat two", "d1"), passage("c", "cat", "d2"), passage("d", "x")]
    )
    assert index.remove(["d1", "d", "unknown", "d"]) == 3
    assert index.remove(["a"]) == 0
    info = index.info()
    assert (info.passages, info.documents, info.deleted, info.tokens, info.terms) == (1, 1, 3, 1, 1)
    with pytest.raises(InputError, match="no passage 'a'"):
        index.passage("a")
    index.compact()
    assert index.info().deleted == 0
    assert ids(index) == ["c"]
    index.remove(["c"])
    assert index.info().segments == 0


def test_many_small_additions_leave_few_segments(made: Maker) -> None:
    index = made()
    texts = {f"p{i}": f"word{i} common" for i in range(60)}
    for key, text in texts.items():
        index.add([passage(key, text)])
    assert index.info().segments <= 6
    assert ids(index) == sorted(texts)
    assert check(index.folder) == []
    assert {hit.passage.id for hit in index.bm25().retrieve(["common"], 100)[0]} == set(texts)


def test_pages_hold_every_passage_once_in_the_order_of_the_index(made: Maker) -> None:
    index = made()
    for batch in range(3):
        index.add(Passage(id=f"{batch}-{n}", text=f"text {n}") for n in range(9 - 3 * batch))
    index.remove(["0-0", "0-4", "1-5"])
    every = list(index.passages())
    assert len(every) == 15
    for size in (1, 4, 7, 100):
        pages = [index.page(offset, size) for offset in range(0, 15, size)]
        assert [passage for page in pages for passage in page] == every
    assert index.page(15, 5) == index.page(0, 0) == []


def test_a_full_buffer_is_committed_and_a_long_run_goes_on_where_it_was(
    made: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.index.build.FULL_TOKENS", 40)
    monkeypatch.setattr("groundwire.index.writer._BATCH", 4)
    given = [passage(f"p{i}", f"alpha beta gamma w{i}") for i in range(100)]

    def broken():
        yield from given[:70]
        raise KeyboardInterrupt

    index, safe = made(), []
    with pytest.raises(KeyboardInterrupt):
        index.add(broken(), progress=safe.append)
    again = LocalIndex.open(index.folder)
    assert again.info().passages == safe[-1] >= 60
    done = again.add(given, existing="skip")
    assert (done.added, done.skipped) == (100 - safe[-1], safe[-1])
    assert ids(again) == sorted(p.id for p in given)


def test_a_passage_of_ten_megabytes(made: Maker) -> None:
    rng = random.Random(1)
    text = " ".join(f"w{rng.randrange(5000)}" for _ in range(1_700_000))
    index = made({"big": text, "small": "w1 w2"})
    assert len(text) > 9e6
    assert index.passage("big").text == text
    assert {key for key, _ in index.bm25().rank(["w1 w3"], 2)[0]} == {"small", "big"}


def test_what_is_no_passage_is_refused(made: Maker) -> None:
    index = made()
    for wrong in ({"id": "a"}, Passage(id="", text="x"), Passage(id=3, text="x"), Passage(id="a", text=None)):
        with pytest.raises(InputError):
            index.add([wrong])
    assert index.info().passages == 0


def test_a_missing_index_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(MissingIndex, match=r"no such folder.*groundwire index add"):
        LocalIndex.open(tmp_path / "nowhere")
    with pytest.raises(MissingIndex, match=r"has no index\.json"):
        LocalIndex.open(tmp_path)
    with pytest.raises(MissingIndex):
        check(tmp_path)


@pytest.mark.parametrize("text", ['{"name": "a web site"}', '{\n  "kind": "other"\n}\n', "[1]"])
def test_a_foreign_folder_is_no_index(tmp_path: Path, text: str) -> None:
    (tmp_path / "index.json").write_text(text)
    with pytest.raises((MissingIndex, CorruptIndex), match=r"something else|damaged"):
        LocalIndex.open(tmp_path)
    with pytest.raises(UsageError, match="holds an index already"):
        LocalIndex.create(tmp_path)


def test_nothing_is_made_where_something_is(tmp_path: Path, made: Maker) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(UsageError, match=r"not empty: it holds letter\.txt"):
        LocalIndex.create(tmp_path)
    with pytest.raises(UsageError, match="holds an index already"):
        LocalIndex.create(made().folder)
    with pytest.raises(UnknownName):
        LocalIndex.create(tmp_path / "new", analyzer="klingon")
    assert not (tmp_path / "new").exists()


def test_a_newer_index_is_refused(made: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.index.manifest.SCHEMA", 2)
    index = made({"a": "cat"})
    monkeypatch.undo()
    with pytest.raises(Unavailable, match=r"newer version \(schema 2; this one reads 1\).*upgrade"):
        LocalIndex.open(index.folder)


def test_one_process_writes_at_a_time(made: Maker) -> None:
    index = made({"a": "cat"})
    from groundwire import durable

    with durable.single_writer(index.folder / "index.lock"):
        with pytest.raises(Unavailable, match="another process is writing"):
            index.add([passage("b")])
        assert index.bm25().rank(["cat"], 1)[0][0][0] == "a"


def test_threads_of_one_process_wait_for_each_other(made: Maker) -> None:
    index = made()
    failed: list[BaseException] = []

    def work(n: int) -> None:
        try:
            for i in range(5):
                index.add([passage(f"{n}-{i}", f"common w{n}")])
                index.bm25().rank(["common"], 3)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert index.info().passages == 20


def test_a_reader_keeps_its_state_while_another_writes(made: Maker) -> None:
    index = made({"a": "cat", "b": "cat"})
    reader = LocalIndex.open(index.folder)
    retriever = reader.bm25()
    index.remove(["a"])
    index.add([passage("c", "cat")])
    index.compact()
    assert ids(reader) == ["a", "b"]
    assert [key for key, _ in retriever.rank(["cat"], 5)[0]] == ["a", "b"]
    reader.refresh()
    assert [key for key, _ in retriever.rank(["cat"], 5)[0]] == ["b", "c"]


def test_opening_starts_anew_when_the_writer_takes_files_away(made: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    index = made({"a": "cat"})
    index.add([passage("b")])
    open_, calls = state.renewed, []

    def late(*given: object) -> state.State:
        calls.append(1)
        if len(calls) == 1:
            LocalIndex.__dict__["compact"](index)
        return open_(*given)

    monkeypatch.setattr(state, "renewed", late)
    assert ids(LocalIndex.open(index.folder)) == ["a", "b"]


def test_a_closed_index_says_so(made: Maker) -> None:
    with made({"a": "cat"}) as index:
        pass
    index.close()
    with pytest.raises(Unavailable, match="is closed"):
        index.info()


def refuse(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    open_ = os.open

    def refused(path: object, flags: int, *rest: int, **more: int) -> int:
        if flags & os.O_WRONLY or flags & os.O_RDWR:
            raise OSError(number, os.strerror(number))
        return open_(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", refused)


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_a_read_only_folder_is_named_and_can_be_read(
    made: Maker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: int
) -> None:
    index = made({"a": "cat"})
    refuse(monkeypatch, number)
    with pytest.raises(Unavailable, match=r"cannot write .*index\.lock"):
        index.add([passage("b")])
    assert ids(LocalIndex.open(index.folder)) == ["a"]
    with pytest.raises(Unavailable, match="cannot write"):
        LocalIndex.create(tmp_path / "other")


def test_a_full_disk_leaves_the_index_as_it_was(made: Maker) -> None:
    index = made({"a": "cat"})
    before = {p.name: p.read_bytes() for p in index.folder.iterdir()}
    rng = random.Random(2)
    given = [passage(f"p{i}", " ".join(f"{rng.random()}" for _ in range(40))) for i in range(200)]
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    import signal

    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(Unavailable, match=r"cannot write .*\.p(ostings|assages): File too large"):
            index.add(given)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    after = {p.name: p.read_bytes() for p in index.folder.iterdir()}
    assert {name: after[name] for name in before} == before
    assert ids(LocalIndex.open(index.folder)) == ids(index) == ["a"]
    index.add(given)
    assert check(index.folder) == []
    assert index.info().passages == 201


@pytest.mark.parametrize("name", ["fsync", "replace"])
@pytest.mark.parametrize("nth", [0, 1, 2, 3])
def test_a_failing_disk_leaves_the_index_as_it_was(
    made: Maker, monkeypatch: pytest.MonkeyPatch, name: str, nth: int
) -> None:
    index = made({"a": "cat", "b": "dog"})
    real, calls = getattr(os, name), []

    def failing(*given: object) -> None:
        calls.append(1)
        if len(calls) > nth:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(*given)

    monkeypatch.setattr(os, name, failing)

    def change() -> None:
        index.add([passage("a", "new"), passage("c")], existing="replace")
        index.remove(["b"])
        index.compact()

    with pytest.raises(Unavailable, match="Input/output error"):
        change()
    monkeypatch.undo()
    again = LocalIndex.open(index.folder)
    assert ids(again) in (["a", "b"], ["a", "b", "c"], ["a", "c"])
    again.add([passage("z")])
    assert check(index.folder) == []
