import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

Run = Callable[..., Any]
ROWS = [
    {"id": "yes", "answer": "blue", "contexts": ["The door is blue."], "label": 1},
    {"id": "no", "answer": "Pandas eat bamboo.", "contexts": ["The door is blue."], "label": 1},
]


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return str(path)


@pytest.mark.usefixtures("checker")
def test_check_writes_its_outcome_twice_more(run: Run, rows: str, tmp_path: Path) -> None:
    xml, log = tmp_path / "out.xml", tmp_path / "out.sarif"
    got = run("check", rows, "--junit", str(xml), "--sarif", str(log))
    assert (got.code, len(got.out.splitlines())) == (1, 2)
    suite = ElementTree.parse(xml).getroot()[0]
    assert [(case.get("name"), len(case)) for case in suite] == [("yes", 0), ("no", 1)]
    results = json.loads(log.read_text())["runs"][0]["results"]
    assert [result["properties"]["id"] for result in results] == ["no"]


@pytest.mark.usefixtures("checker")
def test_eval_names_the_rows_that_it_judges_otherwise_than_their_labels(run: Run, rows: str, tmp_path: Path) -> None:
    xml = tmp_path / "out.xml"
    got = run("eval", "--data", rows, "--junit", str(xml), "--json")
    assert (got.code, json.loads(got.out)["n"]) == (0, 2)
    failures = {
        case.get("name"): [problem.get("type") for problem in case] for case in ElementTree.parse(xml).getroot()[0]
    }
    assert failures == {"yes": [], "no": ["wrong-verdict"]}


@pytest.mark.usefixtures("checker")
def test_a_report_that_cannot_be_written_is_said_before_anything_is_checked(
    run: Run, rows: str, tmp_path: Path
) -> None:
    got = run("check", rows, "--junit", str(tmp_path / "no" / "out.xml"))
    assert (got.code, got.out) == (2, "")
    assert "cannot write" in got.err


@pytest.mark.usefixtures("checker")
def test_nothing_is_written_by_a_run_that_fails(run: Run, tmp_path: Path) -> None:
    xml = tmp_path / "out.xml"
    assert run("check", str(tmp_path / "absent.jsonl"), "--junit", str(xml)).code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_peer_checks_where_a_recipe_does(run: Run, rows: str) -> None:
    got = run("check", rows, "--recipe", "peer:overlap", "--threshold", "0.5")
    assert [json.loads(line)["score"] for line in got.out.splitlines()] == [1, 0]
    assert run("eval", "--data", rows, "--recipe", "peer:bm25", "--json").code == 0
    wrong = run("check", rows, "--recipe", "peer:overlap", "--model", "mini")
    assert (wrong.code, "a peer says its model itself" in wrong.err) == (2, True)
