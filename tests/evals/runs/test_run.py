import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from conftest_runs import SETS, YES, Known, case, config

from groundwire.errors import InputError, UsageError
from groundwire.evals.metrics import roc_auc
from groundwire.evals.runs import Run, ScoredRow
from groundwire.evals.runs.agreement import agreement
from groundwire.evals.runs.rows import Batch
from groundwire.types import Claim, ClaimVerdict, Entailment, Evidence, Label, Passage, Span, Verdict


def test_a_run_keeps_everything_and_does_nothing_twice(tmp_path: Path, opened) -> None:
    asked = config("test", "dev", tune_on="dev")
    checker = Known()
    found = Run.create(tmp_path, asked).execute(opened, lambda _: checker)
    assert len(checker.checked) == 10
    test, dev = found["cells"]
    assert (test["n"], test["n_scored"], test["n_supported"], test["not_checkable"]) == (6, 5, 3, {"no number": 1})
    auc = test["figures"]["auc"]
    assert auc["value"] == roc_auc([True, True, False, False, True], [0.9, 0.4, 0.45, 0.1, 0.8])
    assert set(auc) == {"value", "low", "high", "n"}
    assert auc["n"] == 5
    assert test["tuned"] == {"on": "dev", "threshold": pytest.approx(0.275)}
    assert test["figures"]["accuracy_tuned"]["value"] == pytest.approx(0.8)
    assert test["figures"]["accuracy_best_optimistic"]["value"] == pytest.approx(0.8)
    assert "accuracy_tuned" not in dev["figures"]
    assert test["figures"]["coverage"]["value"] == pytest.approx(5 / 6)
    assert test["figures"]["latency_p50_seconds"]["n"] == 6
    assert set(test["slices"]) == {"a", "b"}
    files = {file.name for file in tmp_path.iterdir()}
    named = {"config.json", "environment.json", "ledger.jsonl", "scores.db", "metrics.json", "report.html"}
    assert named | {"tables.md", "tables.tex", "auc.png"} <= files
    assert json.loads((tmp_path / "metrics.json").read_text())["cells"] == found["cells"]
    again = Run.create(tmp_path, asked).execute(opened, lambda _: checker)
    assert len(checker.checked) == 10
    assert again["cells"] == found["cells"]


def test_the_rows_are_read_back(tmp_path: Path, opened) -> None:
    run = Run.create(tmp_path, config("test"))
    with pytest.raises(InputError, match="no row yet"):
        list(run.rows())
    with pytest.raises(InputError, match="not ended"):
        run.metrics()
    run.execute(opened, lambda _: Known())
    rows = list(Run.open(tmp_path).rows())
    assert [(row.id, row.score, row.label) for row in rows[:2]] == [
        ("r0", 0.9, YES),
        ("r1", 0.4, Label.NOT_ENOUGH_INFO),
    ]
    assert (rows[3].group, rows[3].slice, rows[5].score, rows[5].reason) == ("g", "b", None, "no number")


def test_undefined_is_said_and_never_nan(tmp_path: Path, opened) -> None:
    found = Run.create(tmp_path, config("one")).execute(opened, lambda _: Known())
    cell = found["cells"][0]
    assert cell["figures"]["auc"]["value"] is None
    assert any("AUC is undefined: all 2 scored rows are supported" in note for note in cell["notes"])
    assert "NaN" not in (tmp_path / "metrics.json").read_text()
    assert "AUC is undefined" in (tmp_path / "report.html").read_text()
    assert "AUC is undefined" in (tmp_path / "tables.md").read_text()
    assert not (tmp_path / "auc.png").exists()


def test_bad_data_are_errors_before_anything_is_scored(tmp_path: Path) -> None:
    checker = Known()
    bad = {
        "has no rows": [],
        "comes twice, in rows 1 and 3": [SETS["test"][0], SETS["test"][1], SETS["test"][0]],
        "has no label": [case(0, 0.5, None)],
    }
    for n, (message, rows) in enumerate(bad.items()):
        with pytest.raises(InputError, match=message):
            Run.create(tmp_path / str(n), config("test")).execute(lambda _, rows=rows: iter(rows), lambda _: checker)
    assert checker.checked == []


def test_a_threshold_is_not_tuned_on_rows_that_are_reported_on(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="6 rows of test are in dev too"):
        Run.create(tmp_path, config("test", "dev", tune_on="dev")).execute(
            lambda _: iter(SETS["test"]), lambda _: Known()
        )


def test_a_run_goes_on_only_with_what_it_began_with(tmp_path: Path, opened) -> None:
    run = Run.create(tmp_path, config("test"))
    run.execute(opened, lambda _: Known())
    with pytest.raises(UsageError, match="another configuration \\(seed differ"):
        Run.create(tmp_path, config("test", seed=1))
    with pytest.raises(InputError, match="begun with another data"):
        run.execute(lambda _: iter([replace(SETS["test"][0], answer="0.8")]), lambda _: Known())
    with pytest.raises(InputError, match="begun with another checkers or models"):
        run.execute(opened, lambda _: Known("other"))
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(InputError, match="cannot be read"):
        Run.open(tmp_path)


def test_a_run_that_never_began_may_be_corrected(tmp_path: Path, opened) -> None:
    with pytest.raises(InputError, match="none has no rows"):
        Run.create(tmp_path, config("none")).execute(opened, lambda _: Known())
    found = Run.create(tmp_path, config("test")).execute(opened, lambda _: Known())
    assert found["cells"][0]["n"] == 6


def test_a_sample_is_drawn_by_seed(tmp_path: Path, opened) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        Run.create(tmp_path / name, config("test", limit=3, seed=seed)).execute(opened, lambda _: Known())
    ids = {name: [row.id for row in Run.open(tmp_path / name).rows()] for name in "abc"}
    assert len(ids["a"]) == 3
    assert ids["a"] == ids["b"] != ids["c"]


def test_gold_spans_and_gold_evidence_are_measured(tmp_path: Path) -> None:
    marked = replace(case(0, 0.1, Label.NOT_ENOUGH_INFO), spans=(Span(source="answer", start=0, end=3),))
    found = Run.create(tmp_path, config("test")).execute(lambda _: iter([marked, case(1, 0.9, YES)]), lambda _: Known())
    figures = found["cells"][0]["figures"]
    assert (figures["span_recall"]["value"], figures["span_recall"]["n"]) == (0.0, 2)
    assert figures["span_precision"]["value"] is None  # nothing was marked
    assert "evidence_hit_rate" not in figures


def test_evidence_that_lies_where_gold_has_it_is_a_hit() -> None:
    def row(start: int, end: int, *, source: str = "p") -> bool | None:
        asked = replace(
            case(0, 0.9, YES),
            contexts=(Passage(id="p", text="a" * 20),),
            evidence=(Span(source=source, start=5, end=9),),
        )
        claim = Claim(id="0", text="x", span=Span(source="answer", start=0, end=1))
        shown = Evidence(
            claim_id="0", index=0, span=Span(source="p", start=start, end=end), entailment=Entailment(supports=0.9)
        )
        judged = ClaimVerdict(claim=claim, label=YES, score=0.9, evidence=(shown,))
        verdict = Verdict(case=asked, label=YES, score=0.9, threshold=0.5, claims=(judged,))
        return ScoredRow.of("d", "c", verdict, "0", Batch(rows=1, seconds=0.1, pairs=1), last=True).hit

    assert row(8, 12) is True
    assert row(9, 12) is False
    assert row(5, 9, source="q") is False


def test_checkers_that_decide_alike_agree(tmp_path: Path, opened) -> None:
    run = Run.create(tmp_path, config("test", checkers=("known", "shifted")))
    run.execute(opened, lambda spec: Known(spec, 0.08 if spec == "shifted" else 0.0))
    one, other = run.cells()
    assert agreement(one, other) == (pytest.approx(4 / 5), 5)
    assert agreement(one, one) == (1.0, 5)
    assert 'id="agreement"' in (tmp_path / "report.html").read_text()


def test_the_page_is_whole_and_runs_nothing_of_the_texts(tmp_path: Path) -> None:
    hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    wrong = replace(case(0, 0.9, Label.NOT_ENOUGH_INFO), id=hostile, question=hostile, slice=hostile)
    Run.create(tmp_path, config("test")).execute(lambda _: iter([wrong, case(1, 0.8, YES)]), lambda _: Known())
    page = (tmp_path / "report.html").read_text()
    assert "<img" not in page
    assert page.count("<script>") == 1
    assert "&lt;script&gt;alert(1)" in page
    assert "default-src &#x27;none&#x27;" in page
    assert not re.search(r'(?:src|href)="(?!#)', page)


KILLS = 20
FORKING = """
import os, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from conftest_runs import Known, case, config, YES, NO
from groundwire.evals.runs import Run, work

work.BATCH_ROWS = 8

class Slow(Known):
    def check(self, cases):
        with open(Path(sys.argv[1]) / "asked.log", "a") as log:
            log.write("".join(f"{c.id}\\n" for c in cases))
        time.sleep(0.002 * len(cases))
        return super().check(cases)

rows = [case(n, (n * 37 % 100) / 100, YES if n % 3 else NO) for n in range(300)]
for _ in sys.stdin:
    child = os.fork()
    if not child:
        try:
            Run.create(Path(sys.argv[1]) / "run", config("test")).execute(lambda _: iter(rows), lambda _: Slow())
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    print(child, flush=True)
    print(os.waitpid(child, 0)[1], flush=True)
"""
"""Begins the run in a child of its own for every line that it reads, and prints the child's id and how it ended."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_run_killed_twenty_times_does_nothing_twice(tmp_path: Path) -> None:
    draw = random.Random(7)
    ledger, log = tmp_path / "run" / "ledger.jsonl", tmp_path / "asked.log"
    log.touch()
    command = [sys.executable, "-c", FORKING, str(tmp_path), str(Path(__file__).parent)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, bufsize=1, **pipes) as forking:
        for turn in range(KILLS + 1):
            done, before = _ids(ledger), log.read_text().splitlines()
            print(file=forking.stdin)
            child = int(forking.stdout.readline())
            if turn < KILLS:
                if turn % 4:  # every fourth is killed at any moment, also before it has asked anything
                    _wait_for_more(log, len(before))
                time.sleep(draw.uniform(0, 0.04))
                os.kill(child, signal.SIGKILL)
            ended = int(forking.stdout.readline())
            assert ended == (signal.SIGKILL if turn < KILLS else 0), f"turn {turn}"
            assert not done & set(log.read_text().splitlines()[len(before) :]), "a row that was done is asked again"
        forking.stdin.close()
        assert forking.stderr.read() == ""
    rows = list(Run.open(tmp_path / "run").rows())
    assert sorted(row.id for row in rows) == sorted(f"r{n}" for n in range(300))
    assert Run.open(tmp_path / "run").metrics()["cells"][0]["n"] == 300
    assert not list((tmp_path / "run").glob("*.part"))


def _wait_for_more(log: Path, lines: int) -> None:
    """Wait until the child asks a row. Fails after ten seconds."""
    end = time.monotonic() + 10
    while len(log.read_text().splitlines()) <= lines:
        assert time.monotonic() < end, "no row is asked"
        time.sleep(0.002)


def _ids(ledger: Path) -> set[str]:
    lines = ledger.read_bytes().splitlines(keepends=True) if ledger.exists() else []
    return {json.loads(line)["record"]["id"] for line in lines if line.endswith(b"\n")}
