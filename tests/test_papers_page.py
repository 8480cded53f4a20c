"""docs/papers.md says what the results say, and a folder that is no run is refused in a line."""

import subprocess
import sys
from pathlib import Path


def script(root: Path, *args: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(root / "benchmarks" / "papers_page.py"), *args]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_the_page_is_made_of_its_results(project_root: Path, tmp_path: Path) -> None:
    page = tmp_path / "papers.md"
    assert script(project_root, "--page", str(page)).returncode == 0
    assert page.read_text(encoding="utf-8") == (project_root / "docs" / "papers.md").read_text(encoding="utf-8")
    for name in ("2306.13781", "2411.01022", "2409.00085"):
        assert name in page.read_text(encoding="utf-8")


def test_what_is_no_run_is_refused(project_root: Path, tmp_path: Path) -> None:
    done = script(project_root, "--collect", str(tmp_path), "--page", str(tmp_path / "page.md"))
    assert done.returncode == 1
    assert "is no directory of `groundwire eval paper`" in done.stderr
    assert "Traceback" not in done.stderr
