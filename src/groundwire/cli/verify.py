"""`groundwire verify`: one question and answer, or every row of a file, against an index.

Left out: the verifying (`groundwire.verify`), the run that survives a kill (`ledgered`), the looks (`groundwire.render`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import click

from groundwire.cases import RowError, batches
from groundwire.cli import options
from groundwire.cli.files import STDIN, CaseFile, atomic_output, text_argument
from groundwire.cli.ledgered import Run
from groundwire.cli.progress import RowProgress, counted
from groundwire.cli.sinks import Sink, drawing, json_lines
from groundwire.compare import Outcome, outcome_of
from groundwire.errors import InputError
from groundwire.ledger import Ledger
from groundwire.render import OffsetEncoding, to_json, visible
from groundwire.types import Case, Label
from groundwire.verifier import Verifier
from groundwire.verify import NOTHING_SAID

if TYPE_CHECKING:
    from groundwire.models.chat import Chat, Usage

ROWS = 16
"""Rows that are verified together: each brings a hundred passages to rank."""


@click.command("verify")
@click.argument("texts", nargs=-1, metavar="QUESTION ANSWER | FILE | -")
@options.INDEX
@click.option(
    "--recipe",
    default="verify",
    show_default=True,
    metavar="RECIPE",
    help="Which parts verify: verify, verify-llm, huo2023(bm25), …",
)
@click.option("--stack", metavar="STACK", help="What finds the passages, in place of the recipe's own.")
@click.option("--model", metavar="NAME", help="An entailment model in place of the recipe's own.")
@click.option("--threshold", type=float, callback=options.share, metavar="X", help="From which score it is supported.")
@click.option("--llm", "llm", metavar="MODEL", help="The language model, where one judges, reads or has to answer.")
@options.LLM_URL
@click.option(
    "--offset-encoding",
    type=click.Choice(get_args(OffsetEncoding)),
    default="codepoint",
    show_default=True,
    help="What start and end count in JSON.",
)
@click.option("--output", metavar="PATH", help="Write JSON lines there; a run that was killed goes on where it was.")
@click.option("--ledger", "ledger", metavar="PATH", help="Where such a run keeps its results  [default: PATH.ledger]")
@click.option("--json", "as_json", is_flag=True, help="JSON on a terminal as well: one object, or one a line.")
@click.pass_context
def verify_command(
    context: click.Context,
    texts: tuple[str, ...],
    place: str,
    recipe: str,
    stack: str | None,
    model: str | None,
    threshold: float | None,
    llm: str | None,
    llm_url: str | None,
    offset_encoding: OffsetEncoding,
    output: str | None,
    ledger: str | None,
    as_json: bool,
) -> None:
    """Find evidence for answers in an index, and say whether it supports or contradicts them.

    Give a QUESTION and an ANSWER, each a literal, @FILE or -, or a FILE with rows of question and answer (JSONL or JSON, .gz
    or not; - is standard input). With --llm a QUESTION alone will do: the answer is asked of the model.

    With --output every result is first put into a ledger beside it: after a kill the same command goes on where the run
    was, and asks nothing twice. Failed calls are tried again by the same command.

    Exit code 1 when any answer is not supported, 2 when a row could not be read, 3 when the index, a model or the endpoint
    is not there or calls failed.
    """
    single = _single(texts, asks=llm is not None)
    ledger = ledger or _beside(output, ".ledger") if single is None else None
    draws = output is None and not as_json and sys.stdout.isatty()
    tally = Tally()
    with ExitStack() as stack_:
        asked = _llm(llm, llm_url, _beside(output, ".cache") if ledger else None, stack_)
        verifier = stack_.enter_context(
            Verifier(place, recipe, llm=asked, stack=stack, model=model, threshold=threshold)
        )
        if single is None and ledger is not None:
            run = Run(verifier, stack_.enter_context(Ledger(ledger)), offset_encoding)
            _ledgered(run, texts[0], output, tally)
        else:
            out = stack_.enter_context(atomic_output(output)) if output else sys.stdout
            sink = drawing() if draws else json_lines(out, offset_encoding)
            _streamed(verifier, [single] if single else texts[0], sink, tally, silent=draws)
    if single is None:
        click.echo(tally.summary(), err=True)
        if asked is not None and (spent := _spent(asked.usage)):
            click.echo(f"language model: {spent}", err=True)
    context.exit(tally.exit_code)


@dataclass(slots=True)
class Tally:
    """Counts what came out, and knows the exit code that it makes."""

    rows: int = 0
    supported: int = 0
    not_checkable: int = 0
    unparseable: int = 0
    failed: int = 0
    invalid: int = 0
    resumed: int = 0

    def add(self, outcome: Outcome, label: str) -> None:
        """Count one result."""
        self.rows += 1
        self.supported += label == Label.SUPPORTED
        self.not_checkable += label == Label.NOT_CHECKABLE
        self.unparseable += outcome is Outcome.UNPARSEABLE
        self.failed += outcome is Outcome.ERROR

    @property
    def exit_code(self) -> int:
        """2 when a row could not be read, else 3 when a call failed, else 1 when an answer is not supported, else 0."""
        return 2 if self.invalid else 3 if self.failed else 1 if self.supported < self.rows else 0

    def summary(self) -> str:
        """Return the last line."""
        causes = _counts({"unparseable": self.unparseable, "failed": self.failed})
        unchecked = ": ".join(filter(None, [f"{self.not_checkable} not checkable", causes]))
        verdicts = f"{self.supported} supported, {self.rows - self.supported} not supported"
        rest = _counts({"could not be read": self.invalid, "done before": self.resumed})
        rows = self.rows + self.invalid
        return (
            f"{rows} row{'' if rows == 1 else 's'}: {verdicts}"
            + (f" ({unchecked})" if self.not_checkable else "")
            + (f", {rest}" if rest else "")
            + ("; the same command tries what failed again" if self.failed else "")
        )


def _counts(told: Mapping[str, int]) -> str:
    """Return the counts that are not zero."""
    return ", ".join(f"{counted(count)} {what}" for what, count in told.items() if count)


def _spent(usage: Usage) -> str:
    """Return what the language model was asked and what it counted; nothing where it was not asked."""
    told = {
        "asked": usage.calls,
        "tried again": usage.retries,
        "failed": usage.failed,
        "from the cache": usage.cached,
        "that the cache could not take": usage.unkept,
        "tokens sent": usage.prompt_tokens,
        "received": usage.reply_tokens,
    }
    return _counts(told)


def _single(texts: Sequence[str], *, asks: bool) -> Case | None:
    """Return the case that the arguments give, None where they name a file. Raises UsageError where they are neither."""
    if len(texts) not in (1, 2):
        raise click.UsageError("give QUESTION and ANSWER, or one FILE")
    if len(texts) == 2:
        if list(texts).count(STDIN) > 1:
            raise click.UsageError("standard input (-) can be read only once")
        question, answer = map(text_argument, texts)
        if not answer.strip() and not asks:
            raise click.UsageError("the answer is empty" if question.strip() else NOTHING_SAID)
        return Case(id="0", question=question, answer=answer, contexts=())
    if texts[0] == STDIN or os.path.exists(texts[0]):
        return None
    if not asks:
        hint = "give QUESTION and ANSWER, or one FILE; with --llm MODEL a QUESTION alone will do"
        raise InputError(f"cannot read {texts[0]}: there is no such file", hint)
    return Case(id="0", question=text_argument(texts[0]), answer="", contexts=())


def _beside(output: str | None, suffix: str) -> str | None:
    """Return the path of a file beside the output; None where the output is no regular file. Raises InputError."""
    if output is None or (os.path.exists(output) and not os.path.isfile(output)):
        return None
    if not os.path.isdir(os.path.dirname(os.path.abspath(output))):
        raise InputError(
            f"cannot write {output}: its folder is not there", "check the path: every folder of it must exist"
        )
    return output + suffix


def _llm(model: str | None, url: str | None, cache: str | None, opened: ExitStack) -> Chat | None:
    """Return the language model, its replies kept in `cache`. Raises Unavailable without an endpoint or a key."""
    if model is None:
        if url is not None:
            raise click.UsageError("--llm-url needs --llm MODEL")
        return None
    from groundwire.cache import Cache
    from groundwire.models.chat import Chat

    kept = opened.enter_context(Cache(cache)) if cache else None
    return opened.enter_context(Chat(model, base_url=url, cache=kept))


def _streamed(verifier: Verifier, rows: Sequence[Case] | str, sink: Sink, tally: Tally, *, silent: bool) -> None:
    """Verify one case, or every row of a file, a batch at a time, and pass on what comes out."""
    for batch in [list(rows)] if not isinstance(rows, str) else _batches(rows, tally, shown=not silent):
        verdicts = verifier.verify(batch)
        for verdict in verdicts:
            tally.add(outcome_of(verdict), verdict.label)
        sink(verdicts)


def _ledgered(run: Run, path: str, output: str | None, tally: Tally) -> None:
    """Verify what is not done yet, then write every row's result."""
    for batch in _batches(path, tally, shown=True):
        run.advance(batch)
    with ExitStack() as opened:
        out = opened.enter_context(atomic_output(output)) if output else sys.stdout
        for outcome, result in run.results():
            out.write(to_json(result) + "\n")
            tally.add(outcome, _label(result))
    tally.resumed = run.resumed


def _label(result: Mapping[str, Any]) -> str:
    return str(result["verdict"])


def _batches(path: str, tally: Tally, *, shown: bool) -> Iterator[list[Case]]:
    """Yield a file's cases in batches; name on standard error each row that could not be read."""
    with CaseFile(path, columns="question and answer") as file, RowProgress(path, shown=shown) as progress:
        for batch in batches(_readable(file, path, tally, progress.say), rows=ROWS):
            yield batch
            progress.advance(len(batch), file.done())


def _readable(rows: Iterable[Case | RowError], path: str, tally: Tally, say: Callable[[str], None]) -> Iterator[Case]:
    for row in rows:
        if isinstance(row, RowError):
            tally.invalid += 1
            say(visible(f"error: {path}: {row}"))
        else:
            yield row
