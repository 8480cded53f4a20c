import json
import tracemalloc
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from groundwire.errors import InputError, UnknownName, UsageError
from groundwire.evals import datasets
from groundwire.evals.datasets import Asked, named
from groundwire.evals.datasets.canonical import row
from groundwire.evals.datasets.catalogue import SETS
from groundwire.evals.datasets.place import here
from groundwire.types import Case, Label, Passage, Span

Written = Callable[..., Path]
CASES = [
    Case(
        id="a",
        question="who?",
        answer="Ann won.",
        contexts=(Passage(id="0", text="Ann won."), Passage(id="w", text="She did.", title="Ann", meta={"n": 1})),
        label=Label.SUPPORTED,
        group="g",
        evidence=(Span(source="0", start=0, end=3), Span(source="w", start=4, end=7)),
        slice="s",
    ),
    Case(
        id="b",
        answer="Bob won 🙂 today.",
        contexts=(Passage(id="0", text="Ann won."),),
        label=Label.CONTRADICTED,
        spans=(Span(source="answer", start=0, end=3),),
    ),
    Case(id="c", answer="It rained.", contexts=(Passage(id="0", text="Ann won."),), label=Label.NOT_ENOUGH_INFO),
]


@pytest.mark.parametrize("info", [info for info in SETS.values() if info.reader], ids=lambda info: info.name)
def test_every_name_has_a_reader_and_says_what_it_is(info: datasets.DatasetInfo) -> None:
    module, _, function = info.reader.partition(":")
    assert callable(getattr(import_module(f"groundwire.evals.datasets.{module}"), function))
    assert info.columns
    assert info.licence
    assert info.files or info.name == "rows"
    if info.supported is not None:
        assert info.rows == info.supported + (info.unsupported or 0)


def test_names_are_those_with_labels() -> None:
    assert {"halubench", "ragtruth", "halueval:qa", "true:q2", "rows"} <= set(datasets.names())
    assert "beir" not in datasets.names()
    with pytest.raises(UsageError, match=r"beir has no labels to evaluate on \(hint: searched"):
        datasets.open("beir", Path("x"))
    with pytest.raises(UnknownName, match="did you mean halubench"):
        datasets.open("halubensh")
    with pytest.raises(UsageError, match=r"halueval is a family of data sets \(hint: one of halueval:qa, "):
        datasets.info("halueval")


def test_our_own_rows_come_back_as_they_went(written: Written) -> None:
    path = written("rows.jsonl", [row(case) for case in CASES])
    assert list(datasets.open("rows", path)) == CASES


@pytest.mark.parametrize("name", [name for name in datasets.names() if name != "rows"])
def test_every_name_reads_our_own_rows(written: Written, name: str) -> None:
    assert list(datasets.open(name, written("rows.jsonl.gz", [row(case) for case in CASES]))) == CASES


def test_our_own_rows_take_the_names_of_the_field(written: Written) -> None:
    rows = [{"user_input": "q", "response": "r", "retrieved_contexts": ["c"], "label": "PASS"}]
    (case,) = datasets.open("rows", written("rows.jsonl", rows))
    assert (case.question, case.answer, case.label) == ("q", "r", Label.SUPPORTED)
    with pytest.raises(InputError, match="found the columns a; wanted answer, contexts, label"):
        list(datasets.open("rows", written("rows.jsonl", [{"a": 1}])))
    with pytest.raises(InputError, match="line 1: the row has no label"):
        list(datasets.open("rows", written("rows.jsonl", [{"answer": "a", "contexts": [], "label": None}])))
    with pytest.raises(InputError, match="line 1: contexts must be a string or an object"):
        list(datasets.open("rows", written("rows.jsonl", [{"answer": "a", "contexts": 3, "label": 1}])))


def test_ids_that_come_again_are_numbered(written: Written) -> None:
    ids = ["a", "a", "b", "a#2", "a"]
    path = written("rows.jsonl", [{"id": id_, "answer": "x", "contexts": ["x"], "label": 1} for id_ in ids])
    found = [case.id for case in datasets.open("rows", path)]
    assert found == ["a", "a#2", "b", "a#2#2", "a#3"]


@pytest.mark.parametrize("text", ["", "\n\n", "[]"])
def test_an_empty_file_is_an_error(written: Written, text: str) -> None:
    with pytest.raises(InputError, match=r"rows.json has no rows of halubench"):
        list(datasets.open("halubench", written("rows.json", text)))


def test_a_file_of_another_kind_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "article.pdf").write_bytes(b"%PDF")
    with pytest.raises(InputError, match=r"article.pdf is no file that can be read \(hint: wanted .jsonl"):
        datasets.open("halubench", tmp_path / "article.pdf")
    with pytest.raises(InputError, match=r"holds no file of halubench \(hint: wanted "):
        datasets.open("halubench", tmp_path)


def test_a_data_folder_is_searched(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [row(case) for case in CASES]
    data = written("check/halueval-general.jsonl.gz", lines).parent.parent
    written("wice/dev.jsonl", lines[:1])
    written("dev.jsonl", lines[:2])
    monkeypatch.setenv("GROUNDWIRE_DATA", str(data))
    assert list(datasets.open("halueval:general")) == CASES
    assert list(datasets.open("wice", split="dev")) == CASES[:1]
    with pytest.raises(InputError, match="holds no vitaminc"):  # a dev.jsonl of whatever is not VitaminC
        datasets.open("vitaminc")
    assert here(datasets.info("wice"), data)
    assert not here(datasets.info("vitaminc"), data)
    monkeypatch.delenv("GROUNDWIRE_DATA")
    with pytest.raises(InputError, match=r"where is wice\? \(hint: wice=FILE"):
        datasets.open("wice")


def test_a_split_is_chosen_by_its_file(written: Written) -> None:
    path = written("dev.jsonl", [{"claim": "c", "evidence": "e", "label": "SUPPORTS"}])
    assert len(list(datasets.open("vitaminc", path, split="dev"))) == 1
    with pytest.raises(InputError, match="is one split of vitaminc, not 'test'"):
        datasets.open("vitaminc", path, split="test")
    with pytest.raises(InputError, match="halubench has no split 'dev'"):
        datasets.open("halubench", path, split="dev")


def test_names_as_users_write_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert named("halubench") == Asked("halubench")
    assert named("true:qags-cnndm=a=b.jsonl") == Asked("true:qags-cnndm", Path("a=b.jsonl"))
    assert named("wice@dev=data") == Asked("wice", Path("data"), "dev")
    assert named("hf:Org/Name@v1#data/test.parquet") == Asked("hf:Org/Name@v1#data/test.parquet")
    assert named("rows.jsonl") is named("-") is named("nosuch=rows.jsonl") is named("halubench=") is None
    (tmp_path / "halubench").touch()
    assert named("halubench") is None


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "halubench.json"
    fields = {"question": "q", "answer": "a", "label": "PASS", "source_ds": "DROP"}
    with path.open("w") as file:
        file.write("[")
        for n in range(3000):
            file.write((", " if n else "") + json.dumps({"id": str(n), "passage": f"{n} " * 500, **fields}))
        file.write("]")
    tracemalloc.start()
    count = sum(1 for _ in datasets.open("halubench", path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 3000
    assert path.stat().st_size > 6_000_000
    assert peak < 2_000_000
