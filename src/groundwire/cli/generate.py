"""`groundwire generate`: an answer to a question, grown from an index or from given passages, and checked.

Left out: the growing (`groundwire.generate`), the looks (`answers`, `groundwire.report`), the progress (`growing`).
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TextIO

import click

from groundwire.cli import options
from groundwire.cli.answers import draw_answer
from groundwire.cli.files import STDIN, atomic_output, text_argument, title_of
from groundwire.cli.growing import Growth
from groundwire.errors import InputError
from groundwire.generator import Generator
from groundwire.recipes import generating
from groundwire.render import answer_record, to_json
from groundwire.types import Answer, Passage

if TYPE_CHECKING:
    from groundwire.models.chat import Chat


@click.command("generate")
@click.argument("question", metavar="QUESTION")
@options.INDEX_IF_ANY
@click.option("--passages", metavar="FILE", help="Passages in place of an index: JSONL, text, HTML, …; - is stdin.")
@click.option("--recipe", default="generate", show_default=True, metavar="RECIPE", help=", ".join(generating.names()))
@click.option("--stack", metavar="STACK", help="What finds the passages, in place of the recipe's own.")
@click.option("--model", metavar="NAME", help="The entailment model of the check, in place of the recipe's own.")
@click.option("--threshold", type=float, callback=options.share, metavar="X", help="From which score it is supported.")
@click.option("--llm", "llm", metavar="MODEL", help="The language model that writes; without one sentences are taken.")
@options.LLM_URL
@click.option("--cache", metavar="PATH", help="Keeps its replies, so that the same run again costs nothing.")
@click.option("--seed", type=int, metavar="N", help="Fixes every draw  [default: 0]")
@click.option("--generations", type=click.IntRange(min=0), metavar="N", help="At most so many; 0: the best passage.")
@click.option("--calls", type=click.IntRange(min=0), metavar="N", help="At most so many calls of the language model.")
@click.option("--tokens", type=click.IntRange(min=0), metavar="N", help="No generation begins after so many tokens.")
@click.option(
    "--seconds", type=click.FloatRange(min=0), metavar="S", help="No generation begins after so many seconds."
)
@click.option("--trace", metavar="PATH", help="Write the whole answer with its lineage there, as JSON.")
@click.option("--report", metavar="PATH", help="Write a page of HTML there that shows how the answer came about.")
@click.option("--json", "as_json", is_flag=True, help="JSON on a terminal as well.")
@click.pass_context
def generate_command(
    context: click.Context,
    /,
    question: str,
    place: str | None,
    passages: str | None,
    recipe: str,
    llm: str | None,
    llm_url: str | None,
    cache: str | None,
    trace: str | None,
    report: str | None,
    as_json: bool,
    **fields: Any,
) -> None:
    """Answer a question from an index or from given passages, every sentence with its source.

    QUESTION is a text, @FILE or -. Without --llm the answer is made of the passages' own sentences, offline. Passages are
    a file as `index add` reads it. The answer is checked against the passages that it was grown from.

    Exit code 1 when the answer is not grounded, or when no passage was found, 2 for bad usage, 3 when the index, a model or
    the endpoint is not there, or calls to it failed: what was grown before them is printed nevertheless.
    """
    asked = _question(question, place, passages)
    wanted = generating.parse(recipe, **fields)
    with ExitStack() as opened:
        trace_out, report_out = (_output(path, opened) for path in (trace, report))
        given = None if passages is None else _passages(passages)
        model = _llm(llm, llm_url, cache, wanted.temperature, opened)
        generator = opened.enter_context(Generator(place, recipe, llm=model, **fields))
        with Growth(getattr(wanted, "generations", None), getattr(wanted, "seconds", None)) as growth:
            answer = generator.generate(asked, passages=given, watch=growth)
        if trace_out:
            trace_out.write(to_json(answer.to_dict()) + "\n")
        if report_out:
            from groundwire.report import page

            report_out.write(page(answer))
    _show(answer, as_json=as_json)
    context.exit(_code(answer))


def _question(question: str, place: str | None, passages: str | None) -> str:
    """Return the question. Raises UsageError for an empty one, and where there is no evidence or two kinds of it."""
    if (place is None) == (passages is None):
        raise click.UsageError("give --index or --passages" + (", not both" if place is not None else ""))
    if question == STDIN == passages:
        raise click.UsageError("standard input (-) can be read only once")
    text = text_argument(question)
    if not text.strip():
        raise click.UsageError("the question is empty")
    return text


def _output(path: str | None, opened: ExitStack) -> TextIO | None:
    """Return the file to write; one that cannot be written says so before anything is paid for."""
    return opened.enter_context(atomic_output(path)) if path else None


def _passages(path: str) -> list[Passage]:
    """Read passages as an index would: rows that are passages stay whole, documents are cut. Raises InputError for none."""
    from groundwire.corpus import WORDS, feeds
    from groundwire.corpus import passages as cut

    found = [
        passage
        for feed in feeds(path)
        for document in feed.documents()
        for passage in cut(document, words=0 if feed.passages else WORDS)
    ]
    if not found:
        raise InputError(f"no passage in {title_of(path)}", "groundwire index add --help says what is read")
    return found


def _llm(model: str | None, url: str | None, cache: str | None, temperature: float, opened: ExitStack) -> Chat | None:
    """Return the language model, its replies kept in `cache`. Raises Unavailable without an endpoint or a key."""
    if model is None:
        for name, value in (("--llm-url", url), ("--cache", cache)):
            if value is not None:
                raise click.UsageError(f"{name} needs --llm MODEL")
        return None
    from groundwire.cache import Cache
    from groundwire.models.chat import Chat

    kept = opened.enter_context(Cache(cache)) if cache else None
    return opened.enter_context(Chat(model, base_url=url, cache=kept, temperature=temperature))


def _show(answer: Answer, *, as_json: bool) -> None:
    if as_json or not sys.stdout.isatty():
        click.echo(to_json(answer_record(answer)))
        return
    from rich.console import Console

    draw_answer(answer, Console())


def _code(answer: Answer) -> int:
    """Return 3 where calls failed, whatever there was before them; else 0 for a grounded answer and 1 for another."""
    if answer.broken:
        return 3
    return 0 if answer.verdict.grounded else 1
