"""benchmarks/quality.py: every figure of its results is that of a run directory, and a second call measures nothing."""

import gzip
import json
import subprocess
import sys
from pathlib import Path


def test_results_are_copied_from_the_run_of_a_set(project_root: Path, tmp_path: Path) -> None:
    rows = [
        {
            "id": f"{n}",
            "answer": f"The arch spans {n % 2 + 50} metres.",
            "contexts": ["It spans 50 metres."],
            "label": 1 - n % 2,
        }
        for n in range(8)
    ]
    (tmp_path / "check").mkdir()
    with gzip.open(tmp_path / "check" / "bump.jsonl.gz", "wt") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows))
    places = [f"--{name}={tmp_path / name}" for name in ("results", "runs", "page")]
    command = [
        sys.executable,
        str(project_root / "benchmarks" / "quality.py"),
        "--sets",
        "bump",
        "--data",
        str(tmp_path),
    ]
    first = subprocess.run([*command, *places], check=True, capture_output=True, text=True, timeout=120)
    assert "bump" in first.stdout
    [run] = (tmp_path / "runs").iterdir()
    cells = {cell["checker"]: cell for cell in json.loads((run / "metrics.json").read_text())["cells"]}
    for system, cell in cells.items():
        told = json.loads((tmp_path / "results" / f"bump.{system}.json").read_text())
        for key in ("auc", "balanced_accuracy", "f1"):
            assert {**told[key], "n": 8} == cell["figures"][key]
        assert (told["n"], told["n_positive"], told["rows_in_file"]) == (8, 4, 8)
    assert set(cells) == {"words", "bigrams", "default", "alone"}
    assert "one run directory a set" in (tmp_path / "page").read_text()
    again = subprocess.run([*command, *places], check=True, capture_output=True, text=True, timeout=120)
    assert again.stdout == ""
