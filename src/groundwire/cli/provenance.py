"""`groundwire eval paper provenance`: the evaluation of Provenance, run again.

Left out: the experiment (`groundwire.evals.papers.provenance`), the looks of its tables (`groundwire.cli.comparison`).
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from groundwire.cli import options
from groundwire.cli.progress import Pace, counted
from groundwire.cli.reporting import finish

if TYPE_CHECKING:
    from groundwire.evals.papers.provenance.experiment import Result

QUICK = 32
"""Rows of a set with --quick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `eval paper provenance` was asked."""

    data_dir: str
    sets: str | None
    relevance: str | None
    model: str | None
    limit: int | None
    output: str | None
    quick: bool
    seed: int
    as_json: bool


@click.command("provenance")
@options.DATA_DIR
@click.option("--sets", metavar="LIST", help="Only these sets, by the paper's names, parted by commas.")
@click.option("--relevance", metavar="NAME", help="Who ranks, in place of the paper's models.")
@click.option("--model", metavar="NAME", help="Who judges, in place of the paper's models.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="A random sample of N rows of each set.")
@options.RUN_DIR
@click.option("--quick", is_flag=True, help=f"{QUICK} rows of each set, at most two minutes.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the samples and of the intervals.")
@options.JSON_OBJECT
def provenance(**given: Any) -> None:
    """Tables 2 to 7 of Provenance (Sankararaman et al. 2024), beside the paper's numbers.

    DIR holds the paper's data sets as rows of question, answer, contexts and label (JSONL, .gz or not), each named after its
    set: qags-cnndm.jsonl.gz, halubench.jsonl. A set that is not there keeps its row and is said to be absent. The built-in
    model stands in for a model that is not on this machine, and is named.

    With --output the same command goes on after a kill, and scores nothing twice.
    """
    asked = Options(**given)
    with ExitStack() as opened:
        _provenance(asked, opened)


def _provenance(asked: Options, opened: ExitStack) -> Result:
    from groundwire.evals.bootstrap import Bootstrap
    from groundwire.evals.papers.folder import RunFolder
    from groundwire.evals.papers.provenance import data, experiment, systems

    limit = QUICK if asked.quick and asked.limit is None else asked.limit
    sets = data.find(Path(asked.data_dir), limit=limit, seed=asked.seed, only=_names(asked.sets))
    folder = RunFolder(Path(asked.output or opened.enter_context(TemporaryDirectory())))
    built = systems.build(systems.ALL, relevance=asked.relevance, model=asked.model)
    ledger = opened.enter_context(folder.ledger())
    total, here = experiment.planned(sets), sum(one.path is not None for one in sets)
    click.echo(
        f"{counted(total)} scores, {counted(len(ledger))} kept before; {here} of {len(sets)} data sets are here",
        err=True,
    )
    with Pace("scores", "scores") as bar:
        result = experiment.run(
            sets,
            built,
            ledger,
            Bootstrap(seed=asked.seed),
            quick=asked.quick,
            progress=lambda more: bar.show(bar.done + more, (bar.done + more) / total),
        )
    finish("provenance", asked, result.tables, result.to_dict(), folder if asked.output else None)
    return result


def _names(listed: str | None) -> list[str]:
    from groundwire.errors import UnknownName
    from groundwire.evals.papers.provenance.published import COUNTS

    known = {name.lower(): name for name in COUNTS}
    names = [name.strip() for name in (listed or "").split(",") if name.strip()]
    for name in names:
        if name.lower() not in known:
            raise UnknownName("data set of the paper", name, list(COUNTS))
    return [known[name.lower()] for name in names]
