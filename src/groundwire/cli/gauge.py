"""`groundwire eval paper gauge`: the evaluation of GAuGE, run again.

Left out: the experiment (`groundwire.evals.papers.gauge`), the looks of its tables (`groundwire.cli.comparison`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from groundwire.cli import options
from groundwire.cli.experiments import language_model, query_lines
from groundwire.cli.files import STDIN, read_lines
from groundwire.cli.progress import Pace, counted
from groundwire.cli.reporting import finish
from groundwire.errors import MissingExtra, Unavailable, UsageError

if TYPE_CHECKING:
    from groundwire.evals.papers.folder import RunFolder
    from groundwire.evals.papers.gauge.experiment import Judging, Result
    from groundwire.evals.papers.gauge.making import Maker, Plan
    from groundwire.evals.papers.gauge.tables import Setting
    from groundwire.index import AnyIndex
    from groundwire.ledger import Ledger
    from groundwire.protocols import LLM

SETS = ("dl19", "dl20", "dev", "none")
TEMPERATURE = 0.7
"""Of the LLM, as the authors' code has it."""
QUICK, QUICK_DEPTH = 4, 100
"""Questions of --quick, and the passages that it ranks for each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `eval paper gauge` was asked."""

    queries: str
    place: str
    qrels: str | None
    recipes: str
    variant: Any
    data: str | None
    order: Any
    first: int | None
    depth: int | None
    llm: str | None
    llm_url: str | None
    against: str
    relevance: str | None
    judges: tuple[str, ...]
    compat: bool
    output: str | None
    quick: bool
    seed: int
    as_json: bool


@click.command("gauge")
@click.option("--queries", metavar="FILE", required=True, help="JSONL, or id, tab, text, or a BEIR folder; - is stdin.")
@options.INDEX
@click.option("--qrels", metavar="FILE", help="Judgements: only the queries that are judged are asked.")
@click.option("--recipes", default="gauge1,gauge2,gen2ir,direct", show_default=True, metavar="LIST", help="The rows.")
@click.option(
    "--variant",
    type=click.Choice(("code", "paper")),
    default="code",
    show_default=True,
    help="GAuGE as its code ran or as its text says.",
)
@click.option("--set", "data", type=click.Choice(SETS), help="The paper's set of queries  [default: told by the path]")
@click.option("--first", type=click.IntRange(min=1), metavar="N", help="Only the first N queries  [default: dev 100]")
@click.option("--order", type=click.Choice(("id", "file")), default="id", show_default=True, help="What is first.")
@click.option(
    "--depth",
    type=click.IntRange(min=2),
    metavar="N",
    help="Rank at most N passages a query  [default: the recipe's 1000]",
)
@click.option("--llm", metavar="MODEL", help="The language model; without one, extractive operators make the answers.")
@options.LLM_URL
@click.option(
    "--against", type=click.Choice(("gpt-3", "gpt-4")), default="gpt-3", show_default=True, help="The paper's LLM."
)
@click.option("--relevance", metavar="NAME", help="Who judges relevance, in place of monot5-base-msmarco.")
@click.option("--judge", "judges", multiple=True, metavar="NAME", help="Who judges groundedness; may be repeated.")
@click.option("--compat", is_flag=True, help="Hand the relevance judge the query as the paper's code did.")
@options.RUN_DIR
@click.option("--quick", is_flag=True, help=f"{QUICK} queries, at most two minutes without an LLM.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the intervals.")
@options.JSON_OBJECT
@click.pass_context
def gauge(context: click.Context, /, **given: Any) -> None:
    """Tables 1 to 3 and figure 3 of GAuGE (Kulkarni et al. 2024), beside the paper's numbers.

    Figure 2 is not drawn: what it shows is not known here.

    Each row of --recipes (gauge1, gauge2, gaugel, gen2ir, direct, or any recipe of `generate`) answers every query out of
    the index. An answer is preferred when a relevance judge scores it higher than the top passage, and grounded when a
    judge of entailment finds it supported by the two seed passages. The built-in model stands in for a judge that is not
    on this machine, and is named. How many calls the LLM will get is said before the first.

    With --output the same command goes on after a kill, and asks nothing twice. Exit code 3 when an index, a model or the
    endpoint is not there, or answers are missing because calls failed.
    """
    asked = Options(**given)
    with ExitStack() as opened:
        result = _gauge(asked, opened)
    context.exit(Unavailable.exit_code if result.failed else 0)


def _gauge(asked: Options, opened: ExitStack) -> Result:
    from groundwire.evals.papers.folder import RunFolder
    from groundwire.evals.papers.gauge import experiment
    from groundwire.evals.papers.gauge.making import plan
    from groundwire.index import open_index

    data = _set(asked)
    queries = _queries(asked, data)
    folder = RunFolder(Path(asked.output or opened.enter_context(TemporaryDirectory())))
    kept = folder if asked.output else None
    llm = language_model(asked.llm, asked.llm_url, kept, opened, temperature=TEMPERATURE)
    index = open_index(asked.place)
    opened.enter_context(index)
    ledger = opened.enter_context(folder.ledger())
    makers, left_out = _makers(asked, index, llm, ledger, opened)
    planned = plan(makers, queries)
    _announce(planned, len(makers), left_out, asks=llm is not None)
    setting, judging = _setting(asked, data, len(queries), index, left_out), _judging(asked)
    with Pace("answers", "answers") as bar:
        total = len(makers) * len(queries)
        result = experiment.run(
            makers, queries, ledger, setting, judging, progress=lambda: bar.show(bar.done + 1, (bar.done + 1) / total)
        )
    files = _pictures(folder, result) if asked.output else []
    asked = replace(asked, data=data)
    finish("gauge", asked, result.tables, result.to_dict(planned), kept, *files)
    _spent(asked, result)
    return result


def _set(asked: Options) -> str | None:
    from groundwire.evals.papers.gauge.questions import told_by

    if asked.data is not None:
        return None if asked.data == "none" else asked.data
    found = told_by(asked.queries)
    if found:
        click.echo(f"compared with the paper's {found.upper()}, which the path names (--set says otherwise)", err=True)
    return found


def _queries(asked: Options, data: str | None) -> dict[str, str]:
    from groundwire.evals.papers.gauge.questions import SAMPLE, chosen
    from groundwire.evals.trec import read_judgements, read_queries

    if asked.queries == STDIN == asked.qrels:
        raise click.UsageError("standard input (-) can be read only once")
    found = read_queries(*query_lines(asked.queries))
    judged = read_judgements(read_lines(asked.qrels), asked.qrels) if asked.qrels else None
    first = QUICK if asked.quick and asked.first is None else asked.first
    return chosen(found, judged=judged, order=asked.order, first=first or (SAMPLE if data == "dev" else None))


def _makers(
    asked: Options, index: AnyIndex, llm: LLM | None, ledger: Ledger, opened: ExitStack
) -> tuple[list[Maker], list[str]]:
    """Return what makes the answers, and what has to be said of rows that are left out."""
    from groundwire.evals.papers.gauge.building import build
    from groundwire.evals.papers.gauge.making import Maker
    from groundwire.evals.papers.gauge.systems import systems
    from groundwire.generator import Generator
    from groundwire.recipes import generating

    makers, left_out = [], []
    depth = QUICK_DEPTH if asked.quick and asked.depth is None else asked.depth

    def opening(recipe: str, fields: Mapping[str, Any]) -> Generator:
        asks = generating.parse(recipe, **fields).takes_llm
        return opened.enter_context(Generator(index, recipe, llm=llm if asks else None, **fields))

    for system in systems(asked.recipes, asked.variant):
        built = build(system, opening, llm, depth=depth)
        if built is None:
            left_out.append(f"{system.title} is left out: it is a prompt to an LLM, and there is none (--llm MODEL)")
        else:
            makers.append(Maker(built.system, built.generator, ledger, built.calls))
    if not makers:
        raise UsageError(left_out[0], "name a recipe that needs no LLM, or --llm MODEL")
    return makers, left_out


def _setting(asked: Options, data: str | None, questions: int, index: AnyIndex, left_out: Sequence[str]) -> Setting:
    from groundwire.evals.papers.gauge.tables import Setting

    return Setting(
        data=data,
        questions=questions,
        llm=asked.llm,
        against=asked.against,
        passages=index.info().passages,
        compat=asked.compat,
        quick=asked.quick,
        left_out=tuple(left_out),
    )


def _judging(asked: Options) -> Judging:
    from groundwire.evals.bootstrap import Bootstrap
    from groundwire.evals.papers.gauge.experiment import Judging

    return Judging(relevance=asked.relevance, entailment=asked.judges, draw=Bootstrap(seed=asked.seed))


def _announce(planned: Plan, rows: int, left_out: Sequence[str], *, asks: bool) -> None:
    """Say on standard error what the run will do, and what it will ask of the LLM, before it begins."""
    done, total = sum(planned.done.values()), rows * planned.questions
    for line in left_out:
        click.echo(line, err=True)
    click.echo(
        f"{counted(total)} answers ({rows} × {planned.questions} queries), {counted(done)} done before", err=True
    )
    if not asks:
        click.echo("no LLM: extractive operators make the answers, at no call", err=True)
        return
    for name, calls in planned.calls.items():
        click.echo(f"  {name}: {counted(calls.least)} to {counted(calls.most)} calls", err=True)
    told = f"at least {counted(planned.total.least)} and at most {counted(planned.total.most)}"
    click.echo(f"LLM calls: {told}; kept replies and queries without passages cost none, retries come on top", err=True)


def _pictures(folder: RunFolder, result: Result) -> list[str]:
    """Draw figure 3 into the run's directory and return the names of the files."""
    from groundwire.evals.papers.gauge.picture import draw

    if not result.bars:
        return []
    try:
        folder.write("figure3.png", draw(result.bars, result.legend))
    except MissingExtra as error:
        click.echo(f"figure 3 is not drawn: {error}", err=True)
        return []
    return ["figure3.png"]


def _spent(asked: Options, result: Result) -> None:
    """Say on standard error what the answers cost, and which are missing."""
    if asked.llm is not None:
        spent = sum(row.calls for made in result.answers.values() for row in made)
        click.echo(f"LLM calls that the answers took, all runs together: {counted(spent)}", err=True)
    if result.failed:
        click.echo(f"answers are missing: {counted(result.failed)}; the same command tries them again", err=True)
