"""`groundwire eval run` and `eval compare` from the shell, with a peer that needs no weights."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROWS = [
    {"id": "a", "answer": "The bridge was opened in 1932.", "label": 1, "slice": "x"},
    {"id": "b", "answer": "Trains never cross it.", "label": 0, "slice": "x"},
    {"id": "c", "answer": "The bridge is long.", "label": 1, "slice": "y"},
    {"id": "d", "answer": "A ferry replaced everything in 1950.", "label": 0, "slice": "y"},
]
CONTEXT = "The bridge was opened in 1932. It is long, and trains cross it."


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return written(tmp_path / "rows.jsonl", ROWS)


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps({"contexts": [CONTEXT], **row}) + "\n" for row in rows))
    return path


def test_a_run_is_made_goes_on_and_is_compared(tmp_path: Path, rows: Path, run: Callable[..., Any]) -> None:
    out = str(tmp_path / "out")
    command = ("eval", "run", "--data", str(rows), "--checker", "peer:overlap", "--output", out)
    done = run(*command, "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["cells"][0]["figures"]["auc"] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 4}
    assert "report.html" in done.err
    lines = (tmp_path / "out" / "ledger.jsonl").read_text()
    again = run(*command)
    assert again.code == 0
    assert "peer:overlap" in again.out
    assert (tmp_path / "out" / "ledger.jsonl").read_text() == lines
    other = str(tmp_path / "other")
    assert run(*command[:-1], other).code == 0
    same = run("eval", "compare", out, other, "--fail-if", "worse")
    assert same.code == 0, same.err
    assert "not shown" in same.out


def test_a_worse_run_fails_the_gate(tmp_path: Path, run: Callable[..., Any]) -> None:
    many = [{**row, "id": f"{row['id']}{n}", "answer": f"{row['answer']}"} for n in range(15) for row in ROWS]
    data = written(tmp_path / "rows.jsonl", many)
    config = tmp_path / "both.toml"
    config.write_text('checkers = ["peer:overlap", "peer:rouge(L)"]\ndata = ["rows.jsonl"]\nresamples = 50\n')
    out = tmp_path / "out"
    done = run("eval", "run", str(config), "--output", str(out))
    assert done.code == 0, done.err
    lines = [json.loads(line) for line in (out / "ledger.jsonl").read_text().splitlines()]
    assert len(lines) == 2 * len(many)
    sides = ("--checker-a", "peer:overlap", "--checker-b", "peer:rouge(L)")
    gated = run("eval", "compare", str(out), str(out), *sides, "--fail-if", "worse", "--json")
    told = json.loads(gated.out)
    assert gated.code == (1 if told["worse"] else 0)
    assert run("eval", "compare", str(out), str(out), *sides).code == 0
    unsaid = run("eval", "compare", str(out), str(out))
    assert (unsaid.code, "several checkers" in unsaid.err) == (2, True)
    assert data.exists()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "has no rows"),
        ([ROWS[0], {**ROWS[1], "id": "a"}], "the id 'a' comes twice, in rows 1 and 2"),
        ([{**ROWS[0], "label": None}], "rows.jsonl: row 1 (id 'a') has no label"),
        (
            [{"contexts": ["x"], "reply": "x", "label": 1}],
            "the columns contexts, reply, label; wanted answer (or response,",
        ),
        ([{"id": "a", "answer": 3, "label": 1}], "line 1: answer must be a string"),
    ],
)
def test_bad_rows_are_one_line_and_exit_2(
    tmp_path: Path, run: Callable[..., Any], rows: list[dict[str, Any]], message: str
) -> None:
    data = written(tmp_path / "rows.jsonl", rows)
    done = run("eval", "run", "--data", str(data), "--checker", "peer:overlap", "--output", str(tmp_path / "out"))
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "out" / "metrics.json").exists()


def test_what_cannot_be_run_is_said(tmp_path: Path, rows: Path, run: Callable[..., Any]) -> None:
    out = str(tmp_path / "out")
    for args, message in (
        (("--checker", "default"), "CONFIG.toml or option '--data'"),
        (("--data", str(tmp_path / "none.jsonl")), "there is no file and no data set"),
        (("none.toml",), "cannot read none.toml"),
        (("x.toml", "--data", str(rows)), "not both"),
        (("--data", str(rows), "--checker", "nothing"), "unknown recipe 'nothing'"),
        (("--data", str(rows), "--tune-on", "dev"), "tune_on names no data set"),
    ):
        done = run("eval", "run", *args, "--output", out)
        assert (done.code, message in done.err) == (2, True), (args, done.err)
    assert run("eval", "compare", out, out).code == 2


def test_one_class_is_said(tmp_path: Path, run: Callable[..., Any]) -> None:
    data = written(tmp_path / "rows.jsonl", [ROWS[0], ROWS[2]])
    done = run("eval", "run", "--data", str(data), "--checker", "peer:overlap", "--output", str(tmp_path / "out"))
    assert done.code == 0
    assert "AUC is undefined: all 2 scored rows are supported" in " ".join(done.out.split())
