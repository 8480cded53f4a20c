"""`groundwire eval paper provenance` from the shell, over a few rows and with the built-in model."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROWS = [
    ("The bridge was opened in 1932 and closed in 1990. It is long.", "The bridge was opened in 1932.", 1),
    ("The bridge was opened in 1932 and closed in 1990. It is long.", "The bridge was opened in 1911.", 0),
    ("The ferry leaves at eight. It takes an hour.", "The ferry leaves at eight.", 1),
    ("The ferry leaves at eight. It takes an hour.", "The ferry takes three days.", 0),
]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    folder = tmp_path / "data"
    folder.mkdir()
    rows = [{"answer": answer, "contexts": [text], "label": label} for text, answer, label in ROWS]
    (folder / "qags-cnndm.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    general = [
        {"question": "how long?", "answer": answer, "contexts": [], "label": 1} for answer in ("an hour", "long")
    ]
    (folder / "halueval-general.jsonl").write_text("".join(json.dumps(row) + "\n" for row in general))
    return folder


def args(data: Path, *more: str) -> list[str]:
    return ["eval", "paper", "provenance", "--data-dir", str(data), *more]


def test_a_run_is_kept_goes_on_and_says_the_same(data: Path, run: Callable[..., Any]) -> None:
    out = data.parent / "run"
    done = run(*args(data, "--quick", "--output", str(out)))
    assert done.code == 0, done.err
    assert "0 kept before; 2 of 19 data sets are here" in done.err
    assert {"config.json", "environment.json", "ledger.jsonl", "metrics.json", "tables.md"} <= {
        f.name for f in out.iterdir()
    }
    ledger = (out / "ledger.jsonl").read_bytes()
    lines = ledger.splitlines(keepends=True)
    (out / "ledger.jsonl").write_bytes(b"".join(lines[:-5]) + lines[-5][:20])  # as a kill would leave it
    again = run(*args(data, "--quick", "--output", str(out)))
    assert f"{len(lines) - 5} kept before" in again.err
    assert again.out == done.out
    assert sorted((out / "ledger.jsonl").read_bytes().splitlines()) == sorted(ledger.splitlines())


def test_json_names_what_was_used_and_what_is_absent(data: Path, run: Callable[..., Any]) -> None:
    told = json.loads(run(*args(data, "--json")).out)
    assert told["paper"] == "provenance"
    sets = {one["name"]: one for one in told["sets"]}
    assert (len(sets), sets["PAWS"]["absent"], sets["QAGS_CNNDM"]["the paper's"]) == (19, True, False)
    assert all(model["stands_in"] for model in told["models"])
    tables = {table["name"]: table for table in told["tables"]}
    assert list(tables) == ["Table 2", "Table 3", "Table 4", "Table 5", "Table 6", "Table 7"]
    aucs = {row["system"]: row["AUC"] for row in tables["Table 3"]["groups"][0]["rows"]}
    assert aucs["PAWS"]["ours"]["why"] == "absent"
    assert aucs["PAWS"]["paper"]["value"] == 0.94
    assert aucs["QAGS_CNNDM †"]["ours"]["n"] == 4
    assert aucs["HaluEval General †"]["ours"]["why"] == "one class"


def test_only_some_sets(data: Path, run: Callable[..., Any]) -> None:
    told = json.loads(run(*args(data, "--sets", "qags_cnndm, paws", "--json")).out)
    assert [one["name"] for one in told["sets"]] == ["PAWS", "QAGS_CNNDM"]
    assert [table["name"] for table in told["tables"]] == ["Table 2", "Table 3", "Table 5", "Table 7"]


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (["--sets", "paw"], 2, "unknown data set of the paper 'paw'"),
        (["--model", "hhem-1.0"], 3, "models pull hhem-1.0"),
        (["--data-dir", "nowhere"], 2, "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_is_one_line(data: Path, run: Callable[..., Any], more: list[str], code: int, said: str) -> None:
    done = run(*args(data, *more))
    assert (done.code, "Traceback" in done.err) == (code, False)
    assert said in done.err
