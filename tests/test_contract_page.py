"""Every line of the server's contract has a test, and the tables in README.md and docs/serve.md name them."""

import subprocess
import sys
from pathlib import Path


def test_every_line_has_a_test_and_the_tables_are_up_to_date(project_root: Path) -> None:
    command = [sys.executable, str(project_root / "benchmarks" / "contract_page.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    assert done.returncode == 0
