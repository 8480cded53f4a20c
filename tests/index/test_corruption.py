"""A reduced set of damage: no flipped bit and no cut file ever makes an answer that differs."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import CorruptIndex, MissingIndex, Unavailable
from groundwire.index import LocalIndex, check
from groundwire.types import Passage

FLIPS, CUTS = 60, 10


def answers(folder: Path) -> object:
    """Everything that can be asked of an index."""
    index = LocalIndex.open(folder)
    ranked = index.bm25().rank(["w1 w2 w3", "w7 w90 w150 w11", "w40"], 10)
    return ranked, list(index.passages()), index.info(), index.passage("p7"), index.passage("p290")


@pytest.fixture
def folder(made: Callable[..., LocalIndex]) -> Path:
    rng = random.Random(1)
    index = made()
    for part in (range(200), range(200, 300)):
        index.add(
            Passage(id=f"p{i}", text=" ".join(f"w{int(rng.paretovariate(0.5)) % 200}" for _ in range(20))) for i in part
        )
    index.remove([f"p{i}" for i in range(50, 70)])
    return index.folder


def damaged(path: Path, data: bytes, folder: Path, expected: object) -> str:
    path.write_bytes(data)
    try:
        return "same" if answers(folder) == expected else "WRONG"
    except (CorruptIndex, MissingIndex, Unavailable) as error:
        return error.message


def test_every_flipped_bit_is_found_or_changes_nothing(folder: Path) -> None:
    expected = answers(folder)
    rng = random.Random(2)
    files = sorted(p for p in folder.iterdir() if p.stat().st_size)
    assert {p.suffix for p in files} == {".json", ".postings", ".passages", ".deleted"}
    for path in files:
        whole = path.read_bytes()
        for _ in range(FLIPS):
            at = rng.randrange(len(whole))
            data = bytearray(whole)
            data[at] ^= 1 << rng.randrange(8)
            outcome = damaged(path, bytes(data), folder, expected)
            assert outcome != "WRONG", f"{path.name}, byte {at}"
            assert check(folder) or outcome != "same", f"{path.name}, byte {at}"
            assert outcome == "same" or path.name in outcome or path.suffix == ".json"
        path.write_bytes(whole)
    assert answers(folder) == expected
    assert check(folder) == []


def test_every_cut_is_found_when_the_index_is_opened(folder: Path) -> None:
    expected = answers(folder)
    rng = random.Random(3)
    for path in sorted(p for p in folder.iterdir() if p.stat().st_size):
        whole = path.read_bytes()
        for length in [0, len(whole) - 1, *(rng.randrange(len(whole)) for _ in range(CUTS))]:
            outcome = damaged(path, whole[:length], folder, expected)
            assert outcome not in ("same", "WRONG"), f"{path.name} of {length} bytes"
        path.write_bytes(whole)


def test_a_missing_file_is_named(folder: Path) -> None:
    for path in folder.glob("*.p*s"):
        whole = path.read_bytes()
        path.unlink()
        with pytest.raises(CorruptIndex, match=f"{path.name} is damaged: it is missing"):
            LocalIndex.open(folder)
        assert check(folder) == [f"{path} is missing"]
        path.write_bytes(whole)


def test_a_file_of_another_index_is_found_by_its_seal(folder: Path, made: Callable[..., LocalIndex]) -> None:
    other = made({"p1": "w1"}, folder="other").folder
    one, two = next(folder.glob("*.postings")), next(other.glob("*.postings"))
    one.write_bytes(two.read_bytes())
    with pytest.raises(CorruptIndex, match=one.name):
        LocalIndex.open(folder)
