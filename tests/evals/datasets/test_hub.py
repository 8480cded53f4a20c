import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from groundwire.errors import InputError, NetworkError, Unavailable
from groundwire.evals import datasets
from groundwire.evals.datasets import hub
from groundwire.models.checkpoints import Listing

ROW = {"id": "1", "passage": "p", "question": "q", "answer": "a", "label": "PASS", "source_ds": "DROP"}


class Kept:
    """A hub with one repository."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[tuple[str, str]] = []
        self.fetched: list[str] = []

    def files(self, repo: str, revision: str) -> Listing:
        self.asked.append((repo, revision))
        names = [path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file()]
        return Listing("c0ffee", tuple(names))

    def fetch(self, repo: str, commit: str, names: Sequence[str]) -> Path:
        assert commit == "c0ffee"
        self.fetched += names
        return self.folder


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    kept = Kept(tmp_path)
    monkeypatch.setattr(hub, "HuggingFaceHub", lambda **_: kept)
    return kept


def put(kept: Kept, name: str, *rows: object) -> None:
    path = kept.folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_known_repository_is_read_as_its_data_set(kept: Kept) -> None:
    put(kept, "data/test-00001-of-00002.jsonl", {**ROW, "id": "2"})
    put(kept, "data/test-00000-of-00002.jsonl", ROW)
    put(kept, "README.md")
    put(kept, "dataset_infos.json", {})
    assert [case.id for case in datasets.open("hf:PatronusAI/HaluBench@main")] == ["1", "2"]
    assert kept.asked == [("PatronusAI/HaluBench", "main")]
    assert kept.fetched == ["data/test-00000-of-00002.jsonl", "data/test-00001-of-00002.jsonl"]


def test_another_repository_is_read_as_rows_or_as_said(kept: Kept) -> None:
    put(kept, "rows.jsonl", {"answer": "a", "contexts": ["c"], "label": 1})
    assert len(list(datasets.open("hf:some/rows"))) == 1
    put(kept, "rows.jsonl", ROW)
    assert len(list(datasets.open("halubench", Path("hf:some/rows")))) == 1


def test_of_several_tables_one_is_named(kept: Kept) -> None:
    put(kept, "dev.jsonl", ROW)
    put(kept, "test.jsonl", {**ROW, "id": "t"})
    with pytest.raises(InputError, match=r"has several tables: dev.jsonl, test.jsonl \(hint: say which"):
        datasets.open("hf:PatronusAI/HaluBench")
    assert [case.id for case in datasets.open("hf:PatronusAI/HaluBench#test.jsonl")] == ["t"]
    assert [case.id for case in datasets.open("hf:PatronusAI/HaluBench", split="test")] == ["t"]
    with pytest.raises(InputError, match=r"has no file 'no.jsonl' \(hint: it has dev.jsonl, test.jsonl"):
        datasets.open("hf:PatronusAI/HaluBench#no.jsonl")


def test_what_is_not_there_is_said(kept: Kept) -> None:
    put(kept, "script.py")
    with pytest.raises(Unavailable, match="has no rows that can be read"):
        datasets.open("hf:PatronusAI/HaluBench")
    with pytest.raises(InputError, match="names no data set of the hub"):
        datasets.open("hf:")


def test_offline_is_one_line_and_code_3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("huggingface_hub")
    monkeypatch.setenv("GROUNDWIRE_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(NetworkError, match="is not in the hub's local cache") as caught:
        datasets.open("hf:PatronusAI/HaluBench")
    assert caught.value.exit_code == 3
