import errno
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import click
import pytest

from groundwire.cli.main import COMMANDS, cli
from groundwire.errors import InputError, MissingModel

Run = Callable[..., Any]


HELP = """
import sys
from groundwire.cli.main import main
try:
    main(["--help"])
except SystemExit as exit:
    print(exit.code, sorted(name for name in sys.modules if name.startswith(("groundwire.cli.", "numpy", "rich"))))
"""


def test_help_names_every_command_and_imports_none() -> None:
    done = subprocess.run([sys.executable, "-c", HELP], capture_output=True, text=True, check=True, timeout=60)
    *text, last = done.stdout.splitlines()
    assert all(any(line.split()[:1] == [name] for line in text) for name in COMMANDS)
    assert last == "0 ['groundwire.cli.main']"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there(name: str, run: Run) -> None:
    assert isinstance(cli.get_command(click.Context(cli), name), click.Command)
    assert run(name, "--help").code == 0


def test_the_version(run: Run) -> None:
    assert run("--version").out.startswith("groundwire 0.")


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["chek"], "error: unknown command 'chek' (hint: did you mean check?)\n"),
        (["check", "--anser", "a"], "error: No such option"),
        (["check", "--threshold", "many"], "error: Invalid value for '--threshold': 'many' is not a valid float"),
        (["check", "--threshold", "nan"], "error: Invalid value for '--threshold': nan is not in [0, 1]"),
        (["check", "--fail-under", "2"], "error: Invalid value for '--fail-under': 2.0 is not in [0, 1]"),
        (["check"], "error: nothing to check"),
    ],
)
def test_a_usage_error_is_one_line_with_a_hint(args: list[str], error: str, run: Run) -> None:
    got = run(*args)
    assert (got.code, got.out) == (2, "")
    assert got.err.startswith(error)
    assert "(hint: " in got.err
    assert got.err.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (InputError("no\n\x1b[31m", "mend it"), 2, r"error: no \x1b[31m (hint: mend it)"),
        (MissingModel("hhem-1.0"), 3, "error: model 'hhem-1.0' is not on this machine (hint: groundwire models pull"),
        (KeyError("x"), 70, "error: KeyError: 'x' (hint: this is a bug in Groundwire"),
        (OSError(errno.EMFILE, "No more"), 3, "error: the system refuses: No more (hint: too many files are open"),
        (OSError(errno.ENOSPC, "Full", "a/b"), 3, "error: the system refuses: Full (a/b) (hint: free some space)"),
        (OSError(errno.ENOENT, "None", "a/b"), 70, "error: FileNotFoundError: [Errno 2] None: 'a/b' (hint: this is a"),
        (InputError("a lone \ud800"), 2, r"error: a lone \ud800"),
    ],
)
def test_every_error_is_one_line_and_an_exit_code(
    error: Exception, code: int, line: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("groundwire.cli.options.build", fail)
    got = run("demo")
    assert (got.code, got.out, got.err.count("\n")) == (code, "", 1)
    assert got.err.startswith(line)


@pytest.mark.parametrize(("error", "code"), [(InputError("no"), 2), (MissingModel("hhem-1.0"), 3), (KeyError("x"), 70)])
def test_debug_shows_where_and_changes_no_exit_code(
    error: Exception, code: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("groundwire.cli.options.build", fail)
    got = run("--debug", "demo")
    assert (got.code, got.out) == (code, "")
    assert got.err.startswith("Traceback (most recent call last):")
    assert got.err.splitlines()[-1].startswith("error: ")


def test_an_interrupt_is_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("groundwire.cli.options.build", interrupt)
    assert run("demo").code == 130


def test_a_broken_pipe_is_quiet() -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "groundwire", "--help"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False, timeout=60)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(("args", "code"), [([], 0), (["models"], 2)])
def test_a_group_called_alone_shows_its_help(args: list[str], code: int, run: Run) -> None:
    got = run(*args)
    assert got.code == code
    assert "Commands:" in got.out + got.err
