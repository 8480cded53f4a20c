"""The command `groundwire`: finds the sub-command, and turns whatever goes wrong into one line and an exit code.

Exit codes: 0 fine · 1 the answer is not grounded or not checkable · 2 usage or bad input · 3 a model, index or network
is unavailable · 70 a bug in Groundwire · 130 interrupted · 141 nobody reads the output any more.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import NoReturn

import click

from groundwire import __version__
from groundwire.errors import GroundwireError, Unavailable, UnknownName
from groundwire.render import visible

BUG, INTERRUPTED, BROKEN_PIPE = 70, 130, 141
_MACHINE = {
    errno.EMFILE: "too many files are open in this process: raise the limit (ulimit -n)",
    errno.ENFILE: "too many files are open on this system: close some programs",
    errno.ENOSPC: "free some space",
    errno.EIO: "the disk fails: look into the system's log",
}
"""What a machine can run out of anywhere, also inside an import or a runtime: no bug of ours, whatever asked for it."""

COMMANDS: Mapping[str, tuple[str, str]] = {
    "check": ("groundwire.cli.check:check_command", "Check answers against given contexts."),
    "verify": ("groundwire.cli.verify:verify_command", "Verify answers against an index."),
    "generate": ("groundwire.cli.generate:generate_command", "Answer a question from an index, with its sources."),
    "demo": ("groundwire.cli.demo:demo_command", "Check a few answers that come with Groundwire."),
    "search": ("groundwire.cli.search:search_command", "Find passages of an index."),
    "eval": ("groundwire.cli.eval:eval_command", "Measure how often verdicts are right on labelled rows."),
    "annotate": ("groundwire.cli.annotate:annotate_command", "Judge items of a run by hand, on a local page."),
    "data": ("groundwire.cli.data:data", "List data sets by name, convert them to rows of our own form."),
    "index": ("groundwire.cli.index:index", "Build an index over a corpus, look into it, mend it."),
    "serve": ("groundwire.cli.serve:serve_command", "Serve checks over HTTP, with a page; or to an assistant."),
    "models": ("groundwire.cli.models:models", "List, pull and verify models."),
    "doctor": ("groundwire.cli.doctor:doctor_command", "Say what is installed and whether it works."),
}
"""Every sub-command: where it is (imported when it is called, not before) and what the help says of it."""


class LazyGroup(click.Group):
    """A group that knows its sub-commands by name and imports only the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Import a command. Raises UnknownName."""
        if cmd_name not in COMMANDS:
            raise UnknownName("command", cmd_name, COMMANDS)
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@dataclass(slots=True)
class Settings:
    """What holds for every command."""

    debug: bool = False


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(__version__, message="groundwire %(version)s")
@click.pass_context
def cli(context: click.Context, debug: bool) -> None:
    """Check what a language model says against evidence, and see the evidence.

    Exit codes: 0 fine, 1 not grounded or not checkable, 2 usage or bad input, 3 a model or network is unavailable.
    """
    context.obj.debug = debug
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code."""
    sys.exit(_run(list(sys.argv[1:] if args is None else args), Settings()))


def _run(args: list[str], settings: Settings) -> int:
    """Return the exit code, having said in one line what went wrong; with `debug` also where.

    Not through click's own `main`, whose exit code for a broken pipe is our code for an answer that is not grounded.
    """
    try:
        code = _invoked(args, settings)
        sys.stdout.flush()
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        # What is left in the buffer has no reader: the interpreter must not try to flush it again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if settings.debug:
            traceback.print_exc()
        code, message, hint = _explained(error)
        _say(message, hint)
    return code


def _invoked(args: list[str], settings: Settings) -> int:
    try:
        with cli.make_context("groundwire", args, obj=settings) as context:
            cli.invoke(context)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.UsageError as error:
        if type(error).__name__ != "NoArgsIsHelpError":  # click 8.2 and later: a group called alone shows its help
            raise
        error.show()
        return error.exit_code
    return 0


def _explained(error: Exception) -> tuple[int, str, str]:
    if isinstance(error, GroundwireError):
        return error.exit_code, error.message, error.hint
    if isinstance(error, click.ClickException):
        context = getattr(error, "ctx", None)
        return 2, error.format_message().rstrip("."), f"{context.command_path if context else 'groundwire'} --help"
    if isinstance(error, OSError) and error.errno in _MACHINE:
        return Unavailable.exit_code, f"the system refuses: {error.strerror}{_at(error)}", _MACHINE[error.errno]
    return BUG, f"{type(error).__name__}: {error}", "this is a bug in Groundwire; `groundwire --debug …` shows where"


def _at(error: OSError) -> str:
    return f" ({error.filename})" if error.filename else ""


def _say(message: str, hint: str) -> None:
    encoding = getattr(sys.stderr, "encoding", None) or "ascii"
    line = f"error: {message} (hint: {hint})" if hint else f"error: {message}"
    sys.stderr.write(visible(line, encoding) + "\n")
