import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.cli import running
from groundwire.errors import MissingModel
from groundwire.evals.runs import Config, Run
from groundwire.evals.runs.config import Data

from .conftest import Said

Command = Callable[..., Any]
CASES = [
    {
        "id": f"r{n}",
        "question": f"Who won race {n}?",
        "answer": "Ann won" if n % 2 else "Bob won",
        "contexts": [f"Race {n}. Ann won. 🙂", "Nothing else."],
        "label": "supported" if n % 4 else "not_supported",
    }
    for n in range(12)
]


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in CASES))
    return path


@pytest.fixture
def evaluated(cases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run directory whose checker is `Said`."""
    monkeypatch.setattr(running, "built", lambda spec: Said())
    config = Config(data=(Data(name="races", path=str(cases)),), checkers=("said",), resamples=10)
    folder = tmp_path / "run1"
    Run.create(folder, config).execute(running.opened, running.built)
    return folder


@pytest.fixture
def records(run: Command, cases: Path, checker: Said, tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl"
    assert run("check", str(cases), "--output", str(path)).code == 1
    return path


def drawn(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "items.jsonl").read_text().splitlines()]


def test_rows_of_a_run_are_drawn_with_their_evidence(run: Command, evaluated: Path) -> None:
    assert run("annotate", str(evaluated), "--each", "3", "--export", "-").code == 0
    items = drawn(evaluated / "annotation")
    assert Counter(item["row"] for item in items) == {"supported": 3, "contradicted": 3}
    item = next(item for item in items if item["row"] == "supported")
    assert item["item"].startswith("label/races/r")
    assert item["choices"] == ["correct", "incorrect", "unsure"]
    assert item["labels"] == {"verdict": "supported"}
    (mark,) = item["parts"][0]["marks"]
    assert item["parts"][0]["text"][mark["start"] : mark["end"]] == "Ann won"
    assert [part["title"] for part in item["parts"]] == ["Context 1", "Context 2"]


def test_a_cell_is_gold_and_verdict(run: Command, evaluated: Path) -> None:
    assert run("annotate", str(evaluated), "--per", "cell", "--each", "2", "--export", "-").code == 0
    assert Counter(item["row"] for item in drawn(evaluated / "annotation")) == {
        "gold supported, said supported": 2,
        "gold supported, said contradicted": 2,
        "gold no evidence, said contradicted": 2,
    }


def test_without_the_model_nothing_is_highlighted_and_that_is_said(
    run: Command, evaluated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(spec: str) -> Said:
        raise MissingModel(spec)

    monkeypatch.setattr(running, "built", missing)
    done = run("annotate", str(evaluated), "--export", "-")
    assert (done.code, "no evidence is highlighted: model 'said' is not on this machine" in done.err) == (0, True)
    assert all(not part["marks"] for item in drawn(evaluated / "annotation") for part in item["parts"])


def test_a_run_has_the_checkers_and_the_task_that_it_has(run: Command, evaluated: Path) -> None:
    for told, said in (("--checker", "x"), ("--task", "passage"), ("--cases", "x.jsonl")):
        done = run("annotate", str(evaluated), told, said, "--export", "-")
        assert (done.code, done.err.count("\n")) == (2, 1)


def test_a_draw_is_kept(run: Command, evaluated: Path, cases: Path) -> None:
    assert run("annotate", str(evaluated), "--each", "2", "--export", "-").code == 0
    before = drawn(evaluated / "annotation")
    cases.unlink()
    assert run("annotate", str(evaluated), "--export", "-").code == 0
    assert drawn(evaluated / "annotation") == before
    done = run("annotate", str(evaluated), "--each", "3", "--export", "-")
    assert (done.code, "each was 2" in done.err) == (2, True)
    assert str(cases.parent) not in (evaluated / "annotation" / "draw.json").read_text()


def test_data_that_changed_are_said(run: Command, evaluated: Path, cases: Path) -> None:
    cases.write_text(cases.read_text().replace("Race", "Rice"))
    done = run("annotate", str(evaluated), "--export", "-")
    assert (done.code, "no longer in the data" in done.err) == (2, True)
    assert not (evaluated / "annotation" / "draw.json").exists()


def test_records_show_what_they_cite(run: Command, records: Path) -> None:
    assert run("annotate", str(records), "--export", "-").code == 0
    items = drawn(records.with_name("records.jsonl.annotation"))
    assert len(items) == 12
    assert items[0]["question"] is None
    assert items[0]["answers"][0] in ("Ann won", "Bob won")
    assert all(part["text"] for item in items for part in item["parts"])


def test_records_with_their_cases_show_whole_contexts(run: Command, records: Path, cases: Path, tmp_path: Path) -> None:
    to = str(tmp_path / "a")
    done = run("annotate", str(records), "--cases", str(cases), "--per", "cell", "--to", to, "--export", "-")
    assert done.code == 0
    item = next(item for item in drawn(tmp_path / "a") if item["answers"] == ["Ann won"])
    assert item["question"].startswith("Who won race")
    (mark,) = item["parts"][0]["marks"]
    assert item["parts"][0]["text"][mark["start"] : mark["end"]] == "Ann won"
    assert item["row"].startswith("gold supported, said")


def test_two_files_of_records_are_compared(run: Command, records: Path, cases: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    told = (
        "--task",
        "passage",
        "--task",
        "preference",
        "--against",
        str(records),
        "--to",
        str(to),
        "--each",
        "2",
        "--cases",
        str(cases),
    )
    assert run("annotate", str(records), *told, "--export", "-").code == 0
    items = drawn(to)
    assert Counter(item["task"] for item in items) == {"passage": 4, "preference": 4}
    assert items[-1]["question"].startswith("Who won race")
    assert [part["title"] for part in items[0]["parts"]] == ["This run", "The other"]
    assert sorted(items[-1]["order"]) == ["other run", "this run"]
    alone = run("annotate", str(records), "--task", "passage", "--to", str(tmp_path / "c"), "--export", "-")
    assert (alone.code, "--against" in alone.err) == (2, True)


def test_a_papers_items_are_read_as_they_were_drawn(run: Command, tmp_path: Path) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    row = {"item": "reader/Yes/Yes/1", "task": "reader", "row": "all", "choices": ["mistake", "fine", "unsure"]}
    told = {"question": "q", "answer": "a", "evidence": "It was Ann.", "reading": "Ann", "labels": {"BM25": "Yes"}}
    (folder / "items.jsonl").write_text(json.dumps(row | told) + "\n")
    assert run("annotate", str(folder), "--export", "-").code == 0
    assert drawn(folder / "annotation")[0]["labels"] == {"BM25": "Yes"}
    assert run("annotate", str(folder), "--each", "3", "--to", str(tmp_path / "x"), "--export", "-").code == 2
    (folder / "items.jsonl").write_text('{"item": "x"}\n')
    done = run("annotate", str(folder), "--to", str(tmp_path / "x"), "--export", "-")
    assert (done.code, "line 1: no item: it has no task, row, choices, question" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("hello\n", "line 1: not JSON"),
        ("[1]\n", "line 1: no JSON object"),
        ('{"a": 1}\n', "line 1: no record, but a"),
        ("", "holds no record"),
    ],
)
def test_what_is_no_run_is_said(run: Command, tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(content)
    done = run("annotate", str(path), "--export", "-")
    assert (done.code, told in done.err, done.err.count("\n")) == (2, True, 1)
    assert run("annotate", str(tmp_path), "--export", "-").code == 2
    assert run("annotate", str(tmp_path / "none"), "--export", "-").code == 2
    assert run("annotate", str(path), "--final").code == 2


@pytest.fixture
def served(records: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "groundwire", "annotate", str(records), "--port", "0"]
    # Tests that a script runs behind itself (`make test &`) are deaf to Ctrl-C, and so would be their children.
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, heard)
    assert child.stdout is not None
    assert child.stderr is not None
    try:
        yield child, child.stdout.readline().strip()
    finally:
        child.kill()
        child.communicate()


def judge(address: str, at: int) -> None:
    body = json.dumps({"name": "Ann", "at": at, "choice": 0, "seconds": 1, "once": f"{at:032x}"}).encode()
    headers = {"Content-Type": "application/json", "Origin": re.match("http://[^/]+", address)[0]}  # type: ignore[index]
    with urllib.request.urlopen(urllib.request.Request(f"{address}judge", body, headers), timeout=20) as reply:
        assert json.load(reply)["next"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_a_server_that_is_killed_has_lost_nothing(
    run: Command, records: Path, served: tuple[subprocess.Popen[str], str]
) -> None:
    child, address = served
    assert address.startswith("http://127.0.0.1:")
    for at in range(9):
        judge(address, at)
    busy = run("annotate", str(records), "--export", "-")
    assert (busy.code, "another run is writing" in busy.err) == (2, True)
    child.kill()
    child.wait()
    out = run("annotate", str(records), "--export", "-").out
    assert len(out.splitlines()) == 9
    csv = records.with_name("out.csv")
    assert run("annotate", str(records), "--export", str(csv), "--final").code == 0
    assert csv.read_text().count("majority") == 9


def test_ctrl_c_is_its_end(served: tuple[subprocess.Popen[str], str]) -> None:
    child, address = served
    judge(address, 0)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=20)
    assert child.returncode == 0
    assert "1 judgement kept" in err
