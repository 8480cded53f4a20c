"""`groundwire check`: one answer from the options, or every row of files, as a stream.

Left out: the checking (`groundwire.recipes`), what a row means (`groundwire.cases`), the looks (`groundwire.render`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import get_args

import click

from groundwire.cases import ANSWER, CONTEXTS, UNNAMED, RowError, batches, read_case
from groundwire.cli import options
from groundwire.cli.files import STDIN, CaseFile, atomic_output, read_text, text_argument
from groundwire.cli.gating import gate_options, gated
from groundwire.cli.progress import RowProgress
from groundwire.cli.sinks import Sink, both, drawing, json_lines
from groundwire.gates.finding import by_evidence
from groundwire.protocols import Checker
from groundwire.render import OffsetEncoding, visible
from groundwire.types import Case, Label, Passage, Verdict

_NAMES = "\n".join(
    [
        "no row has both an answer and contexts under a name that is known",
        f"  answer: {', '.join(filter(str.islower, ANSWER))}",
        f"  contexts: {', '.join(filter(str.islower, CONTEXTS))}",
    ]
)


@click.command("check")
@click.argument("files", nargs=-1, metavar="[FILE… | -]")
@click.option("--question", metavar="TEXT", help="The question; it may be left out.")
@click.option("--answer", metavar="TEXT", help="The answer to check.")
@click.option("--context", "contexts", metavar="TEXT", multiple=True, help="A passage of evidence; may be repeated.")
@click.option(
    "--context-file",
    "context_files",
    metavar="PATH",
    multiple=True,
    help="A text file as one passage; may be repeated.",
)
@options.checker_options
@click.option(
    "--fail-under", type=float, callback=options.share, metavar="X", help="Exit 1 too when a score is under X (0 to 1)."
)
@click.option(
    "--offset-encoding",
    type=click.Choice(get_args(OffsetEncoding)),
    default="codepoint",
    show_default=True,
    help="What start and end count in JSON: code points, bytes of UTF-8 or units of UTF-16.",
)
@click.option("--output", metavar="PATH", help="Write JSON lines there, whole or not at all.")
@click.option("--json", "as_json", is_flag=True, help="JSON on a terminal as well: one object, or one a line.")
@gate_options
@click.pass_context
def check_command(
    context: click.Context,
    files: tuple[str, ...],
    question: str | None,
    answer: str | None,
    contexts: tuple[str, ...],
    context_files: tuple[str, ...],
    recipe: str,
    model: str | None,
    threshold: float | None,
    fail_under: float | None,
    offset_encoding: OffsetEncoding,
    output: str | None,
    as_json: bool,
) -> None:
    """Check answers against the contexts that they should rest on.

    Give one answer by --answer and --context, or FILEs with a row for each: JSONL or JSON, .gz or not, under the names
    of ragas, DeepEval, MiniCheck and others; - is standard input. A TEXT is a literal, @FILE, or -; a literal that
    begins with @ is written @@.

    On a terminal the verdicts are drawn, elsewhere they are JSON lines. Exit code 1 when any answer is not grounded (or
    under --fail-under), 2 when any row could not be read; the other rows are still done. A row that is not checkable,
    say because it has no contexts, is not grounded either.
    """
    asked = Options(question, answer, contexts, context_files)
    single = None if files else asked.case()
    if files and asked.given():
        raise click.UsageError("give FILEs or one answer by its options, not both")
    _one_stdin([*files, *asked.places()])
    checker = options.build(recipe, model, threshold)
    tally = Tally(fail_under)
    with ExitStack() as stack:
        draws = output is None and not as_json and sys.stdout.isatty()
        out = stack.enter_context(atomic_output(output)) if output else sys.stdout
        sink = both(
            drawing() if draws else json_lines(out, offset_encoding), stack.enter_context(gated(context, by_evidence))
        )
        if single:
            _batch(checker, [single], sink, tally)
        else:
            _stream(checker, files, sink, tally, silent=draws)
    if not single:
        click.echo(tally.summary(), err=True)
        if tally.rows and tally.unnamed == tally.rows:
            click.echo(_NAMES, err=True)
    context.exit(tally.exit_code)


@dataclass(frozen=True, slots=True)
class Options:
    """One answer as it was given on the command line."""

    question: str | None
    answer: str | None
    contexts: Sequence[str]
    context_files: Sequence[str]

    def given(self) -> bool:
        """Say whether any of them was given."""
        return any((self.question is not None, self.answer is not None, self.contexts, self.context_files))

    def places(self) -> Iterator[str]:
        """Yield what may name standard input, as `-` or `@-`."""
        for value in (self.question, self.answer, *self.contexts):
            if value in (STDIN, f"@{STDIN}"):
                yield STDIN
        yield from self.context_files

    def case(self) -> Case:
        """Read the case. Raises UsageError where there is nothing to check or nothing to check it against."""
        if not self.given():
            raise click.UsageError("nothing to check: give --answer and --context, or a FILE")
        if self.answer is None:
            raise click.UsageError("--answer is missing")
        if not self.contexts and not self.context_files:
            raise click.UsageError("--context or --context-file is missing")
        _one_stdin(list(self.places()))
        texts = [text_argument(value) for value in self.contexts]
        passages = [Passage(id=str(n), text=text) for n, text in enumerate(texts)]
        passages += [Passage(id=path, text=read_text(path)) for path in self.context_files]
        question = None if self.question is None else text_argument(self.question)
        row = {"question": question, "answer": text_argument(self.answer), "contexts": passages}
        case = read_case(row, fallback_id="0")
        if case.reason:
            raise click.UsageError(case.reason)
        return case


@dataclass(slots=True)
class Tally:
    """Counts what came out, and knows the exit code that it makes. What is not checkable is not grounded either."""

    fail_under: float | None
    rows: int = 0
    not_grounded: int = 0
    not_checkable: int = 0
    unnamed: int = 0
    low: int = 0
    invalid: int = 0

    def add(self, verdict: Verdict) -> None:
        """Count one verdict."""
        self.rows += 1
        self.not_checkable += verdict.label is Label.NOT_CHECKABLE
        self.unnamed += verdict.reason in UNNAMED
        self.not_grounded += not verdict.grounded
        self.low += self.fail_under is not None and verdict.score is not None and verdict.score < self.fail_under

    @property
    def exit_code(self) -> int:
        """2 when a row could not be read, else 1 when an answer is not grounded or scores too low, else 0."""
        return 2 if self.invalid else 1 if self.not_grounded or self.low else 0

    def summary(self) -> str:
        """Return the last line."""
        parts = [
            f"{self.rows - self.not_grounded} grounded",
            f"{self.not_grounded} not grounded" + (f" ({self.not_checkable} not checkable)" * bool(self.not_checkable)),
        ]
        if self.fail_under is not None:
            parts.append(f"{self.low} under {self.fail_under:g}")
        if self.invalid:
            parts.append(f"{self.invalid} could not be read")
        rows = self.rows + self.invalid
        return f"{rows} row{'' if rows == 1 else 's'}: {', '.join(parts)}"


def _one_stdin(places: Sequence[str]) -> None:
    if places.count(STDIN) > 1:
        raise click.UsageError("standard input (-) can be read only once")


def _stream(checker: Checker, files: Sequence[str], sink: Sink, tally: Tally, *, silent: bool) -> None:
    """Check every row of every file, a batch at a time, in order."""
    for path in files:
        with CaseFile(path) as file, RowProgress(path, shown=not silent) as progress:
            for batch in batches(_readable(file, path, tally, progress.say)):
                _batch(checker, batch, sink, tally)
                progress.advance(len(batch), file.done())


def _batch(checker: Checker, cases: Sequence[Case], sink: Sink, tally: Tally) -> None:
    verdicts = checker.check(cases)
    for verdict in verdicts:
        tally.add(verdict)
    sink(verdicts)


def _readable(rows: Iterable[Case | RowError], path: str, tally: Tally, say: Callable[[str], None]) -> Iterator[Case]:
    """Pass on the cases; name on standard error each row that could not be read."""
    for row in rows:
        if isinstance(row, RowError):
            tally.invalid += 1
            say(visible(f"error: {path}: {row}"))
        else:
            yield row
