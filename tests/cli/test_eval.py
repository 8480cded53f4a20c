import gzip
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from groundwire.cli.eval import eval_command
from groundwire.errors import InputError
from groundwire.types import Case, Label, Stage, Trace, Verdict


class Known:
    """A checker that reads the score from the answer; an answer that is no number cannot be checked."""

    name = "known"
    threshold = 0.5

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        trace = Trace(recipe="known", model="fake", stages=(Stage(name="entail", items=len(cases), seconds=1.0),))
        return [self._verdict(case, trace) for case in cases]

    def _verdict(self, case: Case, trace: Trace) -> Verdict:
        if case.reason:
            return Verdict(
                case=case, label=Label.NOT_CHECKABLE, score=None, threshold=0.5, reason=case.reason, trace=trace
            )
        return Verdict(case=case, label=Label.SUPPORTED, score=float(case.answer), threshold=0.5, trace=trace)


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str | None, float | None]]:
    """Build the fake checker in place of every recipe; return what was asked for."""
    calls = []

    def build(name: str, *, model: str | None = None, threshold: float | None = None) -> Known:
        calls.append((name, model, threshold))
        return Known()

    monkeypatch.setitem(sys.modules, "groundwire.recipes", SimpleNamespace(build=build))
    return calls


def row(answer: object, label: object, **more: object) -> dict[str, object]:
    return {"answer": str(answer), "contexts": ["text"], "label": label, **more}


ROWS = [row(0.9, 1), row(0.4, True), row(0.3, 0), row(0.2, "FAIL"), row("", 0)]


def written(path: Path, rows: Sequence[object]) -> str:
    text = "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return str(path)


def run(*args: str) -> Result:
    return CliRunner().invoke(eval_command, args, catch_exceptions=False)


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_json_is_one_object_with_the_published_keys(tmp_path: Path, name: str) -> None:
    done = run("--data", written(tmp_path / name, ROWS), "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (found["n"], found["n_not_checkable"], found["n_positive"], found["n_invalid"]) == (5, 1, 2, 0)
    assert found["auc"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert found["balanced_accuracy"]["value"] == 0.75
    assert set(found["average_precision"]) == set(found["f1"]) == {"value", "low", "high"}
    assert (found["recipe"], found["model"], found["threshold"], found["pairs"]) == ("known", "fake", 0.5, 5)
    assert {"seconds", "pairs_per_second"} <= set(found)


def test_the_table_says_the_same_in_words(tmp_path: Path) -> None:
    out = run("--data", written(tmp_path / "rows.jsonl", ROWS)).stdout
    assert "5 (2 supported, 2 not)" in out
    assert "1 (1 × the answer is empty)" in out
    assert "AUC" in out
    assert "1.000  [1.000, 1.000]" in out


def test_one_class_is_said_not_scored(tmp_path: Path) -> None:
    path = written(tmp_path / "rows.jsonl", ROWS[:2])
    assert "undefined (one class)" in run("--data", path).stdout
    assert json.loads(run("--data", path, "--json").stdout)["auc"]["value"] is None


def test_a_row_without_a_label_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = written(tmp_path / "rows.jsonl", [*ROWS[:2], row(0.1, None, id="third")])
    with pytest.raises(InputError, match=r"rows.jsonl: row 3 \(id 'third'\) has no label"):
        run("--data", path)


def test_a_line_that_is_not_json_is_named_and_the_rest_done(tmp_path: Path) -> None:
    done = run("--data", written(tmp_path / "rows.jsonl", [ROWS[0], "{not json", *ROWS[2:4]]), "--json")
    assert done.exit_code == 2
    assert "line 2: not JSON" in done.stderr
    assert (json.loads(done.stdout)["n"], json.loads(done.stdout)["n_invalid"]) == (3, 1)


def test_a_limit_is_a_seeded_sample(tmp_path: Path) -> None:
    path = written(tmp_path / "rows.jsonl", [row(i / 100, i % 2) for i in range(100)])
    one, again, other = (run("--data", path, "--json", "--limit", "20", "--seed", s) for s in ("1", "1", "2"))
    figures = [json.loads(done.stdout)["auc"] for done in (one, again, other)]
    assert json.loads(one.stdout)["n"] == 20
    assert figures[0] == figures[1] != figures[2]


def test_recipe_model_and_threshold_are_handed_on(tmp_path: Path, asked: list[object]) -> None:
    path = written(tmp_path / "rows.jsonl", ROWS)
    run("--data", path, "--recipe", "provenance", "--model", "mini", "--threshold", "0.7")
    assert asked == [("provenance", "mini", 0.7)]


def test_a_file_that_is_not_there_or_empty_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .* \(hint: "):
        run("--data", str(tmp_path / "missing.jsonl"))
    with pytest.raises(InputError, match=r"has no rows \(hint: "):
        run("--data", written(tmp_path / "empty.jsonl", []))


@pytest.mark.parametrize("args", [(), ("--limit", "0"), ("--threshold", "2")])
def test_usage_errors_exit_with_2(tmp_path: Path, args: tuple[str, ...]) -> None:
    data = ("--data", written(tmp_path / "rows.jsonl", ROWS)) if args else ()
    assert run(*data, *args).exit_code == 2


def test_markup_in_a_file_name_stays_text(tmp_path: Path) -> None:
    path = written(tmp_path / "[bold]rows[bold].jsonl", ROWS)
    assert "[bold]rows[bold].jsonl" in "".join(run("--data", path).stdout.split())
