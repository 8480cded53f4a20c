import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.cli import eval as eval_module

Run = Callable[..., Any]
HALUBENCH = [
    {"id": f"{n}", "passage": "Ann won 🙂.", "question": "q", "answer": answer, "label": label, "source_ds": "DROP"}
    for n, (answer, label) in enumerate([("Ann won", "PASS"), ("Bob won", "FAIL"), ("\ud800 won", "FAIL")])
]


@pytest.fixture
def halubench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("GROUNDWIRE_DATA", raising=False)
    path = tmp_path / "halubench.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in HALUBENCH))
    return path


def test_list_is_json_lines_when_piped(run: Run, halubench: Path) -> None:
    done = run("data", "list", "--data-dir", str(halubench.parent))
    rows = {row["name"]: row for row in map(json.loads, done.out.splitlines())}
    assert done.code == 0
    assert rows["halubench"]["here"] is True
    assert rows["true:qags-cnndm"] | {"here": False, "rows": 235, "supported": 113} == rows["true:qags-cnndm"]
    assert {"beir", "trec", "ir_datasets", "ragtruth"} <= set(rows)


def test_list_is_a_table_on_a_terminal(run: Run, halubench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    out = run("data", "list").out
    assert "data set" in out.splitlines()[0]
    assert any(line.startswith("halueval:general") and "4 507" in line and "3 692" in line for line in out.splitlines())
    shown = run("data", "info", "ragtruth").out
    assert "id, source_id, response, labels, split" in shown
    assert "MIT" in shown


def test_info_says_columns_and_where_to_get_it(run: Run) -> None:
    row = json.loads(run("data", "info", "halubench").out)
    assert row["columns"] == ["id", "passage", "question", "answer", "label", "source_ds"]
    assert row["hub"] == "hf:PatronusAI/HaluBench"
    unknown = run("data", "info", "halubensh")
    assert unknown.code == 2
    assert unknown.err.startswith("error: unknown data set 'halubensh' (hint: did you mean halubench")
    assert unknown.err.count("\n") == 1


def test_convert_writes_rows_that_are_read_again(run: Run, halubench: Path, tmp_path: Path) -> None:
    done = run("data", "convert", f"halubench={halubench}")
    assert done.code == 0
    assert "3 cases: 1 supported, 2 not" in done.err
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert rows[0] == {
        "id": "0",
        "question": "q",
        "answer": "Ann won",
        "contexts": ["Ann won 🙂."],
        "label": 1,
        "slice": "DROP",
    }
    packed = tmp_path / "rows.jsonl.gz"
    assert run("data", "convert", f"halubench={halubench}", "--to", str(packed)).out == ""
    assert gzip.decompress(packed.read_bytes()).decode() == done.out
    assert run("data", "convert", f"halubench={packed}").out == done.out


def test_convert_of_other_columns_leaves_no_file(run: Run, halubench: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    done = run("data", "convert", f"ragtruth={halubench}", "--to", str(target))
    assert done.code == 2
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    done = run("data", "convert", f"vitaminc={halubench}", "--to", str(target))
    assert (
        "found the columns id, passage, question, answer, label, source_ds; wanted claim, evidence, label" in done.err
    )
    assert not target.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["halubench.jsonl"]


def test_what_is_no_name_is_said(run: Run, halubench: Path) -> None:
    plain = run("data", "convert", str(halubench))
    assert plain.code == 2
    assert f"NAME={halubench}" in plain.err
    assert "names no data set" in run("data", "convert", "halubench=").err
    assert "halubench has no split 'dev'" in run("data", "convert", f"halubench@dev={halubench}").err
    assert "where is halubench?" in run("data", "convert", "halubench").err


def test_the_hub_offline_exits_with_3(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("huggingface_hub")
    monkeypatch.setenv("GROUNDWIRE_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    done = run("data", "convert", "hf:PatronusAI/HaluBench")
    assert done.code == 3
    assert done.err.count("\n") == 1


def test_eval_takes_a_data_set_by_name(
    run: Run, checker: Any, halubench: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eval_module, "build", lambda *_: checker)
    found = json.loads(run("eval", "--data", f"halubench={halubench}", "--json").out)
    assert (found["n"], found["n_positive"], found["auc"]["value"]) == (3, 1, 1.0)
    assert found["data"] == f"halubench={halubench}"
    monkeypatch.setenv("GROUNDWIRE_DATA", str(halubench.parent))
    assert json.loads(run("eval", "--data", "halubench", "--json").out)["n"] == 3
    assert run("eval", "--data", "halubensh").code == 2
