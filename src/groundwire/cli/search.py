"""`groundwire search`: passages of an index for a query, or for a file of queries, with metrics where these are judged.

Left out: the search (`groundwire.stacks`), the metrics (`groundwire.cli.measuring`), the looks (`groundwire.cli.hits`).
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click
from click.core import ParameterSource

from groundwire.cli import hits, measuring, options
from groundwire.cli.files import STDIN, atomic_output, read_lines, text_argument
from groundwire.cli.progress import RowProgress
from groundwire.render import to_json, visible
from groundwire.stacks import DEFAULT, build, names, parse
from groundwire.types import Retrieval

if TYPE_CHECKING:
    from groundwire.index import AnyIndex
    from groundwire.protocols import Retriever

HITS, HITS_OF_RUN = 10, 1000
BATCH = 64
"""Queries that are searched together: the pairs of a batch are one batch of the reranker."""
SEARCHING = ("query", "place", "stack", "k", "queries", "run", "explain")
"""What says what is searched, and how."""
QUERIES_FILE = "queries.jsonl"
"""Where a folder in BEIR's layout has its queries."""


@click.command("search")
@click.argument("query", required=False)
@options.INDEX_IF_ANY
@click.option(
    "--stack", default=DEFAULT, show_default=True, metavar="STACK", help=f"What searches: {', '.join(names())}, …"
)
@click.option(
    "-k", "k", type=click.IntRange(min=1), metavar="N", help="Hits a query  [default: 10; with --queries 1000]"
)
@click.option("--queries", metavar="FILE", help="JSONL, or id, tab, text, or a BEIR folder; - is stdin.")
@click.option("--qrels", metavar="FILE", help="Judgements of TREC or BEIR: print metrics.")
@click.option("--level", type=click.IntRange(min=1), default=1, show_default=True, help="The least relevant grade.")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="As trec_eval has it; may be repeated.")
@click.option("--run", metavar="PATH", help="Write a TREC run there, whole or not at all.")
@click.option("--from-run", metavar="FILE", help="With --qrels alone: measure a run that is there, and search nothing.")
@click.option("--explain", is_flag=True, help="Say where each part of the stack had each passage.")
@click.option("--json", "as_json", is_flag=True, help="JSON on a terminal as well.")
def search_command(
    query: str | None,
    place: str | None,
    stack: str,
    k: int | None,
    queries: str | None,
    qrels: str | None,
    level: int,
    metrics: tuple[str, ...],
    run: str | None,
    from_run: str | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Find passages of an index.

    QUERY is a text, @FILE or -. A STACK is written as it is put together: bm25, bm25(k1=0.82,b=0.68), bm25:1000+mini:100,
    rrf(bm25,dense), (splade|ance)+monot5-10k+duot5. With --queries all of a file's are searched: as hits, as a TREC run,
    or with --qrels as metrics, which are means over the judged queries. --from-run measures a run that is there.

    On a terminal hits are drawn, elsewhere they are JSON lines. Finding nothing is no error. Exit code 2 for an empty query
    or a file that cannot be read, 3 when the index or a model is not there.
    """
    draws = not as_json and sys.stdout.isatty()
    if from_run is not None:
        _alone(click.get_current_context())
        measuring.measure_run(from_run, qrels, metrics, level, draws=draws)
        return
    place = _fit(query, place, queries, qrels, run)
    parse(stack)
    grades = measuring.judgements(qrels, metrics) if qrels else None
    asked = {"": _text(str(query))} if queries is None else _queries(queries, None if run else grades)
    from groundwire.index import open_index

    with ExitStack() as opened:
        index = open_index(place)
        opened.enter_context(index)
        retriever = build(stack, index)
        if queries is None:
            _one(retriever, index, asked[""], k or HITS, explain=explain, draws=draws)
            return
        with RowProgress("search", "queries", shown=bool(grades or run or not draws)) as bar:
            found = _searched(retriever, asked, k or HITS_OF_RUN, bar)
            if grades is None and run is None:
                _show(found, index, explain=explain, draws=draws)
                return
            ranked = _written(found, run, retriever.name)
        if grades is not None:
            measuring.report({"stack": retriever.name}, ranked, grades, metrics, level, draws=draws)


def _alone(context: click.Context) -> None:
    """Raise UsageError for what was given and makes no sense where nothing is searched."""
    for parameter in context.command.params:
        if parameter.name in SEARCHING and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE:
            name = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name
            raise click.UsageError(f"--from-run searches nothing and takes no {name}")


def _fit(query: str | None, place: str | None, queries: str | None, qrels: str | None, run: str | None) -> str:
    """Return the index. Raises UsageError for options that are missing or do not go together."""
    if place is None:
        raise click.UsageError("Missing option '--index'.")
    if (query is None) == (queries is None):
        raise click.UsageError("give a QUERY or --queries FILE" + (", not both" if query is not None else ""))
    if queries is None and (qrels is not None or run is not None):
        raise click.UsageError("--qrels and --run need --queries FILE")
    if queries == STDIN == qrels:
        raise click.UsageError("standard input (-) can be read only once")
    return place


def _text(argument: str) -> str:
    text = text_argument(argument)
    if not text.strip():
        raise click.UsageError("the query is empty")
    return text


def _queries(path: str, judged: Container[str] | None) -> dict[str, str]:
    """Read the queries; without those that are not judged, where these would be searched for nothing."""
    from groundwire.evals.trec import read_queries

    inner = Path(path) / QUERIES_FILE
    place = str(inner) if path != STDIN and Path(path).is_dir() else path
    found = read_queries(read_lines(place), place)
    return found if judged is None else {name: text for name, text in found.items() if name in judged}


def _one(retriever: Retriever, index: AnyIndex, query: str, k: int, *, explain: bool, draws: bool) -> None:
    from groundwire.retrieve import explained

    found = explained(retriever, [query], k)
    _show([("", found[0])], index, explain=explain, draws=draws, single=True)
    if not found[0].rankings[-1].hits:
        click.echo(visible(f"no hits: {_why_none(index, query)}"), err=True)


def _why_none(index: AnyIndex, query: str) -> str:
    from groundwire.analysis import analyzer

    if next(iter(index.passages()), None) is None:
        return "the index holds no passages"
    if not analyzer(index.analyzer).terms(query):
        why = "the query holds no word that the index knows words by, only stop words or signs"
        return f"{why} (analyzer {index.analyzer})"
    return "no passage holds a word of the query"


def _searched(
    retriever: Retriever, queries: Mapping[str, str], k: int, bar: RowProgress
) -> Iterator[tuple[str, Retrieval]]:
    """Search the queries a batch at a time."""
    from groundwire.retrieve import explained

    waiting, done = iter(queries.items()), 0
    while batch := list(islice(waiting, BATCH)):
        found = explained(retriever, [text for _, text in batch], k)
        yield from ((name, one) for (name, _), one in zip(batch, found, strict=True))
        done += len(batch)
        bar.advance(len(batch), done / len(queries))


def _show(
    found: Iterator[tuple[str, Retrieval]] | Sequence[tuple[str, Retrieval]],
    index: AnyIndex,
    *,
    explain: bool,
    draws: bool,
    single: bool = False,
) -> None:
    """Write hits to standard output, drawn or as JSON lines."""
    if not draws:
        for name, retrieval in found:
            for record in hits.records(retrieval, explain=explain, query_id=None if single else name):
                click.echo(to_json(record))
        return
    from rich.console import Console
    from rich.text import Text

    from groundwire.analysis import analyzer

    console, terms = Console(), analyzer(index.analyzer).terms
    for name, retrieval in found:
        if not single:
            console.print(Text(visible(f"{name}  {retrieval.query}", console.encoding), "bold"))
        hits.draw(retrieval, console, terms, explain=explain)


def _written(found: Iterator[tuple[str, Retrieval]], path: str | None, tag: str) -> dict[str, list[str]]:
    """Return each query's passage ids, best first; write them as a run where one is asked for."""
    from groundwire.evals.trec import write_run

    ranked: dict[str, list[str]] = {}
    with ExitStack() as opened:
        out: TextIO | None = opened.enter_context(atomic_output(path)) if path else None
        for name, retrieval in found:
            best = retrieval.rankings[-1].hits
            ranked[name] = [hit.passage.id for hit in best]
            if out:
                write_run(out, name, best, tag=tag)
    return ranked
