"""Only listed sets are read, copies of evaluation rows are dropped, and a passage stands on one side of the split."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.training.sources import EVAL_ONLY, HELD_OUT, SOURCES, clean, evaluation_texts, group_key, held_out, read


def row(context: str, answer: str = "a claim", dataset: str = "fever", **more: Any) -> dict[str, Any]:
    return {"dataset": dataset, "contexts": [context], "answer": answer, "meta": {}, **more}


@pytest.mark.parametrize("name", ["summeval", "msrp-train", "climatefever-pairs", "../check/bump"])
def test_unlisted_sets_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="may not train"):
        list(read(name, tmp_path))


def test_listed_and_evaluation_sets_are_apart() -> None:
    assert not set(SOURCES) & {name.split("/")[1] for name in EVAL_ONLY}
    assert not set(SOURCES) & set(HELD_OUT)
    assert all(source.licence and source.citation for source in SOURCES.values())


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="rte-train"):
        list(read("rte-train", tmp_path))


def test_rows_that_repeat_an_evaluation_row_are_dropped(tmp_path: Path) -> None:
    (tmp_path / "check").mkdir()
    with gzip.open(tmp_path / "check" / "bump.jsonl.gz", "wt") as handle:
        handle.write(json.dumps(row("The bridge was opened in 1932 by the mayor.", "The mayor opened the bridge.")))
    texts = evaluation_texts(tmp_path)
    same_passage = row("The bridge was  opened in 1932 by THE mayor.", "other")
    same_claim = row("Another passage, long enough to count.", "The mayor opened the bridge .")
    kept = row("Another passage, long enough to count.", "Something else altogether.")
    assert list(clean([same_passage, same_claim, kept], texts)) == [kept]


def test_rows_of_one_group_fall_on_one_side() -> None:
    rows = [row(f"passage {i // 3}", f"claim {i}") for i in range(600)]
    sides: dict[str, set[bool]] = {}
    for r in rows:
        sides.setdefault(group_key(r), set()).add(held_out(group_key(r), 0.08))
    assert all(len(found) == 1 for found in sides.values())
    assert 0.03 < sum(True in found for found in sides.values()) / len(sides) < 0.14


def test_group_keys_tie_what_belongs_together() -> None:
    gold = row("gold", "Same claim.", "foolmetwice")
    assert group_key(gold) == group_key(row("retrieved", "same claim.", "foolmetwice"))
    short = {"dataset": "nq", "question": "Who won?", "context": "a", "meta": {}}
    assert group_key(short) == group_key({**short, "dataset": "nq-open", "question": "who won", "context": "b"})
