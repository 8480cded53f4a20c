"""Claims on documents of public sets: where their text comes from, and what happens when it is another one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.training.mixture import load_mixture
from groundwire.training.sample import NEI, REFUTES, SUPPORTS
from groundwire.training.sources import SOURCES, clean, evaluation_texts, read
from groundwire.training.written.borrowed import (
    CLAIMS,
    EDITED,
    FOLDERS,
    GLIMPSED,
    PLACE,
    RECALLED,
    REJOINED,
    borrowed,
    digest,
    excerpt,
    sets,
)
from groundwire.training.written.documents import parts

ROW: dict[str, Any] = {
    "id": "web/7",
    "contexts": [
        "The mill closed in 1931. Its owner, a Mr. Hale, moved to Leeds.",
        "It burned down later. Nobody was hurt.",
    ],
}
ABOUT = ("Its owner, a Mr. Hale, moved to Leeds.", "It burned down later.")


def headers(*folders: Path) -> list[str]:
    """The lines that name the documents of these folders, or of all."""
    return [line for folder in folders or FOLDERS for path in folder.glob("*.txt") for line, *_ in parts(path)]


def written_to(folder: Path, mark: str, said: str = "+ 2 | Fire destroyed the mill.") -> Path:
    """A folder with claims on the middle of the row."""
    text = f"== mills | web/7 | 1-3 | {mark}\n{said}\n! 1 | Hale {{stayed}}.\n? 1,2 | Hale {{wept}} when it burned.\n"
    (folder / "web-01.txt").write_text(text, encoding="utf-8")
    return folder


def test_the_text_is_the_rows(tmp_path: Path) -> None:
    [document] = borrowed({"mills": [ROW]}, written_to(tmp_path, digest(ABOUT)))
    assert document.sentences == ABOUT == excerpt(ROW, 1, 3)
    assert (document.register, document.topic) == ("mills", "web/7")
    assert [said.label for said in document.said] == [SUPPORTS, REFUTES, NEI]
    assert document.said[2].at == (0, 1)


def test_rows_of_the_other_side_are_passed_over(tmp_path: Path) -> None:
    folder = written_to(tmp_path, digest(ABOUT))
    assert list(borrowed({"mills": [{**ROW, "id": "web/8"}]}, folder)) == []
    assert list(borrowed({}, folder)) == []


def test_another_text_than_the_claims_were_written_on_is_refused(tmp_path: Path) -> None:
    changed = {**ROW, "contexts": [text.replace("Hale", "Hall") for text in ROW["contexts"]]}
    with pytest.raises(InputError, match="not the one that the claims were written on"):
        list(borrowed({"mills": [changed]}, written_to(tmp_path, digest(ABOUT))))


@pytest.mark.parametrize("said", ["+ 3 | A third sentence.", "+ 1 | It {burned}.", "Hale moved."])
def test_a_line_of_no_form_is_named(tmp_path: Path, said: str) -> None:
    with pytest.raises(InputError, match=r"web-01\.txt"):
        list(borrowed({"mills": [ROW]}, written_to(tmp_path, digest(ABOUT), said)))


def test_a_document_without_a_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="names no document"):
        list(borrowed({"mills": [ROW]}, written_to(tmp_path, "nothing")))


def test_the_own_claims_are_on_sets_that_may_be_trained_on_and_are_not_kept_for_the_fusion() -> None:
    named = [PLACE.fullmatch(line) for line in headers()]
    assert named
    assert all(named)
    sets = {match["set"] for match in named if match}
    assert sets <= set(SOURCES)
    assert not sets & set(load_mixture().fusion)


def test_every_document_of_the_own_claims_is_found_and_none_repeats_an_evaluation_row(shared_data: Path) -> None:
    named = [(match["set"], match["row"]) for match in map(PLACE.fullmatch, headers()) if match]
    evaluation = evaluation_texts(shared_data)
    rows = {name: list(clean(read(name, shared_data), evaluation)) for name in {name for name, _ in named}}
    assert sum(len([*borrowed(rows, folder)]) for folder in FOLDERS) == len(named)


def test_answers_from_memory_are_on_passages_that_nobody_wrote_claims_on() -> None:
    places = [line.rsplit(" | ", 2)[0] for line in headers(CLAIMS, RECALLED)]
    memory = [line.rsplit(" | ", 2)[0] for line in headers(RECALLED)]
    assert len(memory) == len(set(memory))
    assert all(places.count(place) == 1 for place in memory)
    assert sets(RECALLED) == {place.split(" | ")[0] for place in memory}


def test_what_is_told_anew_is_on_texts_that_claims_stand_on_already() -> None:
    assert set(headers(EDITED)) <= set(headers(CLAIMS, GLIMPSED))


def test_what_is_told_anew_comes_in_other_words_and_with_a_change() -> None:
    for path in EDITED.glob("*.txt"):
        marks = [line[0] for _, *said in parts(path) for line in said]
        assert set(marks) == {"+", "-"}
        assert 0.3 < marks.count("+") / len(marks) < 0.5


def test_what_is_put_together_comes_in_pairs() -> None:
    for path in REJOINED.glob("*.txt"):
        for _, *said in parts(path):
            assert len({line.rpartition(" | ")[2] for line in said}) == len(said)
            assert 2 * sum(line[0] == "+" for line in said) == len(said)
