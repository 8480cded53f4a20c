import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.evals.datasets import open as read
from groundwire.types import Label

Written = Callable[..., Path]
HALUBENCH = [
    {
        "id": "d3fb4c3c-d21b-480a-baa0-98d6d0d17c1d",
        "passage": "Hoover was elected in 1928.",
        "question": "When was he elected?",
        "answer": "1928",
        "label": "PASS",
        "source_ds": "DROP",
    },
    {
        "id": "7",
        "passage": "The trial enrolled 40 people.",
        "question": "How many?",
        "answer": "400",
        "label": "FAIL",
        "source_ds": "pubmedQA",
    },
]


@pytest.mark.parametrize("name", ["halubench.jsonl", "halubench.json", "halubench.csv", "halubench.jsonl.gz"])
def test_halubench(written: Written, name: str) -> None:
    one, two = read("halubench", written(name, HALUBENCH))
    assert (one.id, one.question, one.answer) == (HALUBENCH[0]["id"], "When was he elected?", "1928")
    assert [passage.text for passage in one.contexts] == ["Hoover was elected in 1928."]
    assert (one.label, two.label) == (Label.SUPPORTED, Label.NOT_ENOUGH_INFO)
    assert (one.slice, two.slice) == ("DROP", "pubmedQA")


def test_other_columns_are_listed_beside_those_wanted(written: Written) -> None:
    path = written("halubench.jsonl", [{"id": "1", "document": "d", "claim": "c"}])
    with pytest.raises(InputError) as caught:
        list(read("halubench", path))
    assert caught.value.message == (
        f"{path}, line 1: no row of halubench: found the columns id, document, claim; "
        "wanted id, passage, question, answer, label, source_ds"
    )
    assert caught.value.exit_code == 2


def test_a_label_that_is_none_is_named(written: Written) -> None:
    path = written("halubench.jsonl", [{**HALUBENCH[0], "label": "MAYBE"}])
    with pytest.raises(InputError, match=r"line 1: label is 'MAYBE' \(hint: wanted pass, fail\)"):
        list(read("halubench", path))
    path = written("halubench.jsonl", [{**HALUBENCH[0], "passage": 7}])
    with pytest.raises(InputError, match="passage must be a string, not a number"):
        list(read("halubench", path))


AGGREFACT = [
    {
        "dataset": "AggreFact-CNN",
        "doc": "A cat sat.",
        "claim": "A cat sat.",
        "label": 1,
        "contamination_identifier": "x",
    },
    {"dataset": "RAGTruth", "doc": "A cat sat.", "claim": "A dog sat.", "label": 0, "contamination_identifier": "x"},
    {"dataset": "RAGTruth", "doc": "Rain fell.", "claim": "Snow fell.", "label": 0, "contamination_identifier": "x"},
]


def test_llm_aggrefact_by_file_of_its_split(written: Written) -> None:
    folder = written("test.jsonl", AGGREFACT).parent
    written("dev.csv", AGGREFACT[:1])
    test = list(read("llm-aggrefact", folder))
    assert [case.id for case in test] == ["AggreFact-CNN-1", "RAGTruth-2", "RAGTruth-3"]
    assert [case.label for case in test] == [Label.SUPPORTED, Label.NOT_ENOUGH_INFO, Label.NOT_ENOUGH_INFO]
    assert test[0].group == test[1].group != test[2].group
    assert [case.slice for case in test] == ["AggreFact-CNN", "RAGTruth", "RAGTruth"]
    assert [case.label for case in read("llm-aggrefact", folder, split="dev")] == [Label.SUPPORTED]


def test_llm_aggrefact_as_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "data").mkdir()
    for shard in range(2):
        rows = pyarrow.Table.from_pylist(AGGREFACT[shard : shard + 1])
        parquet.write_table(rows, tmp_path / "data" / f"test-0000{shard}-of-00002.parquet")
    assert [case.answer for case in read("llm-aggrefact", tmp_path)] == ["A cat sat.", "A dog sat."]


def test_vitaminc_has_three_labels_and_groups_of_one_revision(written: Written) -> None:
    rows = [
        {"unique_id": f"5eb_{n}", "case_id": "5eb", "claim": claim, "evidence": "Over 60 died.", "label": label}
        for n, (claim, label) in enumerate(
            [("More than 50 died.", "SUPPORTS"), ("Under 50 died.", "REFUTES"), ("One was hurt.", "NOT ENOUGH INFO")]
        )
    ]
    cases = list(read("vitaminc", written("dev.jsonl", rows)))
    assert [case.label for case in cases] == [Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_ENOUGH_INFO]
    assert {case.group for case in cases} == {"5eb"}
    assert [case.id for case in cases] == ["5eb_0", "5eb_1", "5eb_2"]


def summedit(id_: str, summary: str, label: int) -> dict[str, object]:
    return {
        "id": id_,
        "doc": "We sold 3 units.",
        "summary": summary,
        "label": label,
        "original_summary": "3 were sold.",
        "edit_types": ["entity_modification"],
    }


def test_summedits_reads_every_domain_of_a_folder(written: Written) -> None:
    folder = written(
        "summedits_news.json", [summedit("a_og", "3 were sold.", 1), summedit("a_0", "4 were sold.", 0)]
    ).parent
    written("summedits_podcast.json", [summedit("a_og", "3 were sold.", 1)])
    cases = list(read("summedits", folder))
    assert [case.id for case in cases] == ["news-a_og", "news-a_0", "podcast-a_og"]
    assert [case.label for case in cases] == [Label.SUPPORTED, Label.NOT_ENOUGH_INFO, Label.SUPPORTED]
    assert cases[0].group == cases[1].group
    assert [case.slice for case in cases] == ["news", "news", "podcast"]


SUMMAC = [
    {"document": "Ann won.", "claim": "ann won.", "label": 1, "cut": "val", "dataset": "factcc", "annotations": [1]},
    {"document": "Ann won.", "claim": "ann lost.", "label": 0, "cut": "test", "dataset": "factcc", "annotations": [0]},
]


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("summac.jsonl", SUMMAC),
        ("summac.json", SUMMAC),
        ("summac.json", {"factcc_0": SUMMAC[0], "factcc_1": SUMMAC[1]}),
        ("summac.json", [{"name": "factcc", "dataset": SUMMAC}]),
        ("summac.json", json.dumps({"factcc_0": SUMMAC[0], "factcc_1": SUMMAC[1]}, indent=4)),
    ],
)
def test_summac_as_its_loader_writes_it(written: Written, name: str, rows: object) -> None:
    path = written(name, rows)
    cases = list(read("summac", path))
    assert [(case.id, case.label) for case in cases] == [
        ("factcc-1", Label.SUPPORTED),
        ("factcc-2", Label.NOT_ENOUGH_INFO),
    ]
    assert [(case.answer, case.slice) for case in read("summac", path, split="test")] == [("ann lost.", "factcc")]
