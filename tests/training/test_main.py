"""The command line: errors are one line with an exit code."""

from pathlib import Path

import pytest

from groundwire.training.__main__ import main, parser


def test_missing_data_is_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prepare", "--data", str(tmp_path), "--work", str(tmp_path / "work")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_unknown_step_is_a_usage_error() -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(["fly"])
