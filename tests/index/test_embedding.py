"""Encoding an index: only what is missing, in pieces that stay, and nothing of another model's or another version's."""

import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import CorruptIndex, Unavailable, UnknownName, UsageError
from groundwire.index import LocalIndex, check, embedding
from groundwire.testing import WordVectors, WordWeights
from groundwire.types import Passage

Maker = Callable[..., LocalIndex]
TEXTS = {f"p{i:03d}": f"word{i % 7} text{i} of some words" for i in range(60)}


def vectors_of(index: LocalIndex) -> dict[str, object]:
    (found,) = [facts for facts in index.info().vectors if facts["kind"] == "dense"]
    return found


def test_only_passages_without_vectors_are_encoded(made: Maker) -> None:
    index, model = made(TEXTS), WordVectors()
    done = index.embed(model)
    assert (done.encoded, done.skipped, done.kind, done.size, done.identity) == (60, 0, "dense", 16, "1")
    assert sorted(model.encoded) == sorted(TEXTS.values())
    index.add([Passage(id="new", title="A title", text="a text"), Passage(id="long", text="x " * 200)])
    model.encoded.clear()
    again = index.embed(model)
    assert (again.encoded, again.skipped, again.cut) == (2, 60, 1)
    assert sorted(model.encoded) == ["A title a text", "x " * 200]
    assert index.embed(model).encoded == 0
    assert vectors_of(index)["passages"] == 62
    assert LocalIndex.open(index.folder).embed(model).encoded == 0


def test_progress_says_how_many_of_how_many(made: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "_AT_ONCE", 25)
    said: list[tuple[int, int]] = []
    made(TEXTS).embed(WordVectors(), progress=lambda *given: said.append(given))
    assert said == [(25, 60), (50, 60), (60, 60)]


def test_rows_stay_with_their_passages(made: Maker) -> None:
    """Adding, removing, replacing and merging in any order: what is found is what a new index finds."""
    rng = random.Random(4)
    index, words = made(), {}
    models = (WordVectors(), WordWeights())
    for step in range(60):
        new = {f"p{rng.randrange(80)}": f"w{rng.randrange(9)} s{step} n{n}" for n in range(rng.randrange(1, 6))}
        index.add((Passage(id=key, text=text) for key, text in new.items()), existing="replace")
        words |= new
        gone = rng.sample(sorted(words), min(len(words), rng.randrange(3)))
        index.remove(gone)
        words = {key: text for key, text in words.items() if key not in gone}
        if rng.random() < 0.3:
            index.embed(models[rng.randrange(2)])
        if rng.random() < 0.1:
            index.compact()
        if step % 20 == 19:
            for model in models:
                index.embed(model)
            fresh = made(words, folder=f"fresh{step}")
            for model in models:
                fresh.embed(model)
            queries = [f"w{n} s{step}" for n in range(9)]
            assert index.dense(models[0]).rank(queries, 7) == fresh.dense(models[0]).rank(queries, 7)
            assert index.sparse(models[1]).rank(queries, 7) == fresh.sparse(models[1]).rank(queries, 7)
            assert check(index.folder) == []


def test_models_stand_beside_each_other(made: Maker) -> None:
    index = made(TEXTS)
    one, two, terms = WordVectors("one"), WordVectors("two", size=5), WordWeights()
    for model in (one, two, terms):
        index.embed(model)
    assert [(facts["model"], facts["kind"], facts["size"]) for facts in index.info().vectors] == [
        ("one", "dense", 16),
        ("two", "dense", 5),
        ("word-weights", "sparse", None),
    ]
    assert index.dense(one).rank(["word1"], 3) != index.dense(two).rank(["word1"], 3)
    with pytest.raises(UsageError, match=r"vectors of one and two .hint: say whose: dense.model=one"):
        index.dense()


def test_what_is_not_there_is_said_with_the_command_that_makes_it(made: Maker) -> None:
    index = made(TEXTS)
    with pytest.raises(Unavailable, match=r"no dense vectors .hint: groundwire index embed .* --model MODEL"):
        index.dense()
    index.embed(WordVectors("one"))
    with pytest.raises(Unavailable, match=r"no dense vectors of two, but of one .hint: .* --model two"):
        index.dense("two")
    with pytest.raises(Unavailable, match="no sparse vectors of"):
        index.sparse("one")
    retriever = index.dense(WordVectors("one"))
    index.add([Passage(id="x", text="new"), Passage(id="y", text="new too")])
    with pytest.raises(
        Unavailable, match=r"2 of 62 passages of .* have no vector of one .hint: groundwire index embed"
    ):
        retriever.retrieve(["new"], 1)
    index.remove(["y"])
    index.embed(WordVectors("one"))
    assert retriever.rank(["new"], 1)[0][0][0] == "x"


def test_a_changed_model_is_an_error_until_all_is_encoded_anew(made: Maker) -> None:
    index = made(TEXTS)
    index.embed(WordVectors())
    changed = WordVectors(identity="2", size=9)
    for attempt in (index.embed, index.dense):
        with pytest.raises(Unavailable, match=r"another version of word-vectors .sha256 1, and here is 2.*--again"):
            attempt(changed)
    with pytest.raises(UsageError, match="keeps the vectors of word-vectors as float32"):
        index.embed(WordVectors(), storage="int8")
    assert index.embed(changed, again=True, storage="int8").encoded == 60
    assert (vectors_of(index)["storage"], vectors_of(index)["size"]) == ("int8", 9)
    assert len(list(index.folder.glob("*.vectors"))) == 1
    assert len(index.dense(changed).rank(["word1"], 60)[0]) == 60
    assert check(index.folder) == []


def test_wrong_requests(made: Maker) -> None:
    index = made(TEXTS)
    with pytest.raises(UnknownName):
        index.embed(WordVectors(), storage="int4")
    with pytest.raises(UsageError, match="is no sparse encoder"):
        index.embed(WordVectors(), kind="sparse")
    with pytest.raises(UsageError, match="makes no vectors"):
        index.embed(WordWeights(), storage="int8")
    with pytest.raises(UnknownName):
        index.embed("no-such-model")
    empty = made(folder="empty")
    assert empty.embed(WordVectors()).encoded == 0
    retriever = empty.dense(WordVectors())
    assert retriever.rank(["word"], 3) == [[]]
    empty.add([Passage(id="a", text="word")])
    empty.embed(WordVectors())
    assert retriever.rank(["word"], 3)[0][0][0] == "a"


def test_an_interrupted_run_goes_on_where_it_was(made: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "_AT_ONCE", 5)
    monkeypatch.setattr(embedding, "MOST", 20)
    index, model = made(TEXTS), WordVectors()

    def stop(done: int, total: int) -> None:
        if done == 35:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.embed(model, progress=stop)
    assert vectors_of(LocalIndex.open(index.folder))["passages"] == 20
    assert index.embed(model).encoded == 40
    assert len(list(index.folder.glob("*.vectors"))) == 1
    fresh = made(TEXTS, folder="fresh")
    fresh.embed(model)
    assert index.dense(model).rank(["word1 text4"], 60) == fresh.dense(model).rank(["word1 text4"], 60)


CHILD = """
from groundwire.index import embedding
from groundwire.testing import WordVectors, WordWeights

embedding._AT_ONCE, embedding.MOST = 3, 6
index = LocalIndex.open(folder)
print("open", flush=True)
for i in range(20 if name != "none" else 10**6):  # killed from outside: it must not end before
    index.add([Passage(id=f"{i}-{j}", text=f"common w{i} w{j}") for j in range(9)])
    for model in (WordVectors(), WordWeights()):
        index.embed(model)
    print("embedded", i, flush=True)
    index.remove([f"{i}-0"])
    if i % 7 == 6:
        index.compact()
print("end", flush=True)
"""
CALLS = [("none", 0), *(("replace", n) for n in (3, 4, 7, 9, 30, 61)), ("unlink", 2), ("unlink", 9), ("fsync", 40)]


@pytest.mark.parametrize(("name", "nth"), CALLS)
def test_killed_while_it_encodes(tmp_path: Path, doomed: Callable[..., Any], name: str, nth: int) -> None:
    folder = tmp_path / "index"
    child = doomed(CHILD, folder, name, nth)
    assert child.stdout is not None
    said = [child.stdout.readline()]
    if name == "none":
        time.sleep(0.4)
        child.kill()
    with child:  # not communicate(), which does not see what readline() has read ahead
        said += child.stdout.read().splitlines()
    assert child.returncode == -signal.SIGKILL
    index = LocalIndex.open(folder)
    assert check(folder) == []
    done = sum(line.startswith("embedded") for line in said)
    live = index.info().passages
    held = {facts["kind"]: facts["passages"] for facts in index.info().vectors}
    for kind in ("dense", "sparse"):
        assert held.get(kind, 0) >= min(live, 8 * done), "what was said to be encoded is lost"
    models = (WordVectors(), WordWeights())
    assert [index.embed(model).encoded for model in models] == [
        live - held.get(kind, 0) for kind in ("dense", "sparse")
    ]
    fresh = LocalIndex.create(tmp_path / "fresh", analyzer="simple")
    fresh.add(index.passages())
    for model in models:
        fresh.embed(model)
    queries = ["common w1", "w3 w4"]
    assert index.dense(models[0]).rank(queries, 50) == fresh.dense(models[0]).rank(queries, 50)
    assert index.sparse(models[1]).rank(queries, 50) == fresh.sparse(models[1]).rank(queries, 50)
    left = {path.name for path in folder.iterdir()} - {"index.json", "index.lock"}
    assert left == set(index.snapshot().manifest.files)


def outcome(answers: Callable[[], object]) -> object:
    """Return the answers, or the name of the file that is said to be damaged."""
    try:
        return answers()
    except CorruptIndex as error:
        return Path(error.path).name


def test_no_flipped_bit_and_no_cut_ever_makes_another_answer(made: Maker) -> None:
    index = made(TEXTS)
    index.embed(WordVectors(), storage="int8+float32")
    index.embed(WordWeights())
    folder, queries = index.folder, ["word1 text4", "of some word3"]

    def answers() -> object:
        opened = LocalIndex.open(folder)
        return opened.dense(WordVectors()).rank(queries, 9), opened.sparse(WordWeights()).rank(queries, 9)

    expected, rng = answers(), random.Random(2)
    files = sorted([*folder.glob("*.vectors"), *folder.glob("*.impacts")])
    assert len(files) == 2
    for path in files:
        whole = path.read_bytes()
        damaged = [whole[:length] for length in (0, len(whole) - 1, rng.randrange(len(whole)))]
        for _ in range(60):
            data = bytearray(whole)
            data[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
            damaged.append(bytes(data))
        for data in damaged:
            path.write_bytes(data)
            assert check(folder) == [f"{path} is not the file that index.json lists"]
            assert outcome(answers) in (expected, path.name)
        path.unlink()
        with pytest.raises(CorruptIndex, match=path.name):
            LocalIndex.open(folder)
        path.write_bytes(whole)
    assert answers() == expected
