"""`groundwire eval paper huo2023`: the evaluation of Huo, Arabzadeh and Clarke, run again.

Left out: the experiment (`groundwire.evals.papers.huo2023`), the looks of its tables (`groundwire.cli.comparison`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from groundwire.cli import options
from groundwire.cli.experiments import language_model, query_lines
from groundwire.cli.files import read_lines
from groundwire.cli.progress import Pace, counted
from groundwire.cli.reporting import finish
from groundwire.errors import Unavailable

if TYPE_CHECKING:
    from groundwire.evals.papers.huo2023.answering import Answered
    from groundwire.evals.papers.huo2023.experiment import Result
    from groundwire.evals.papers.huo2023.systems import System
    from groundwire.ledger import Ledger

QUICK = 24
"""Questions of --quick."""
_ITEMS = "items.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `eval paper huo2023` was asked."""

    queries: str
    place: str
    llm: str | None
    llm_url: str | None
    annotations: str | None
    first: int | None
    output: str | None
    quick: bool
    seed: int
    as_json: bool


@click.command("huo2023")
@click.option(
    "--queries",
    metavar="FILE",
    required=True,
    help="JSONL, with an answer each or without, or id, tab, text, or a BEIR folder; - is stdin.",
)
@options.INDEX
@click.option("--llm", metavar="MODEL", help="The language model that answers, reads and judges.")
@options.LLM_URL
@click.option("--annotations", metavar="FILE", help="What people judged: rows of item, annotator, judgement (JSONL).")
@click.option("--first", type=click.IntRange(min=1), metavar="N", help="Only the first N questions.")
@options.RUN_DIR
@click.option("--quick", is_flag=True, help=f"{QUICK} questions, at most two minutes without an LLM.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of what people are shown, and of the intervals.")
@options.JSON_OBJECT
@click.pass_context
def huo2023(context: click.Context, /, **given: Any) -> None:
    """Tables 1 to 5 of "Retrieving Supporting Evidence" (Huo et al. 2023), beside the paper's numbers.

    Every answer is verified by three pipelines: BM25, Neural, and Neural with a reader. Answers are those of FILE, else the
    LLM's, else sentences of the index. Without an LLM the built-in model judges by entailment; without the neural models, or
    vectors in the index, it ranks what BM25 found. All of it is said below the tables.

    Tables 2 and 5 are made by people: items.jsonl in the run's directory has what they are shown.

    With --output the same command goes on after a kill, and asks nothing twice. Exit code 3 when an index or the endpoint is
    not there, or labels are missing because calls failed.
    """
    asked = Options(**given)
    with ExitStack() as opened:
        result = _huo2023(asked, opened)
    context.exit(Unavailable.exit_code if result.failed else 0)


def _huo2023(asked: Options, opened: ExitStack) -> Result:
    from groundwire.evals.papers.folder import RunFolder
    from groundwire.evals.papers.huo2023 import people
    from groundwire.evals.papers.huo2023.answering import answered
    from groundwire.evals.papers.huo2023.systems import systems
    from groundwire.evals.trec import read_queries
    from groundwire.index import open_index
    from groundwire.verifier import Verifier

    lines, path = query_lines(asked.queries)
    first = QUICK if asked.quick and asked.first is None else asked.first
    questions = dict(islice(read_queries(lines, path).items(), first))
    judged = people.read(read_lines(asked.annotations), asked.annotations) if asked.annotations else None
    folder = RunFolder(Path(asked.output or opened.enter_context(TemporaryDirectory())))
    llm = language_model(asked.llm, asked.llm_url, folder if asked.output else None, opened, temperature=0.0)
    index = open_index(asked.place)
    opened.enter_context(index)
    ledger = opened.enter_context(folder.ledger())

    def opening(recipe: str, stack: str | None) -> Verifier:
        return opened.enter_context(Verifier(index, recipe, llm=llm, stack=stack))

    built = systems(opening, llm)
    _announce(len(questions), len(built), asks=llm is not None)
    answers = answered(questions, _answers(lines), index, llm, ledger)
    passages = index.info().passages
    result = _run(asked, answers, built, ledger, judged, passages)
    folder.write(_ITEMS, "".join(people.lines(result.items)))
    finish("huo2023", asked, result.tables, result.to_dict(), folder if asked.output else None, _ITEMS)
    if result.failed:
        click.echo(f"labels are missing: {counted(result.failed)}; the same command tries them again", err=True)
    return result


def _run(
    asked: Options,
    answers: Sequence[Answered],
    systems: Sequence[System],
    ledger: Ledger,
    judged: Mapping[str, str] | None,
    passages: int | None,
) -> Result:
    from groundwire.evals.bootstrap import Bootstrap
    from groundwire.evals.papers.huo2023 import experiment

    total, draw = max(1, len(systems) * len(answers)), Bootstrap(seed=asked.seed)
    with Pace("labels", "labels") as bar:
        return experiment.run(
            answers,
            systems,
            ledger,
            draw,
            judged=judged,
            passages=passages,
            quick=asked.quick,
            progress=lambda more: bar.show(bar.done + more, (bar.done + more) / total),
        )


def _announce(questions: int, pipelines: int, *, asks: bool) -> None:
    """Say on standard error what the run will do, and what it may ask of the LLM."""
    labels = f"{counted(questions * pipelines)} labels ({pipelines} pipelines × {questions} questions)"
    calls = f"at most {counted(5 * questions)} calls of the LLM, without retries; kept replies cost none"
    click.echo(f"{labels}; {calls if asks else 'no LLM: the built-in model judges, at no call'}", err=True)


def _answers(lines: Iterable[str]) -> dict[str, str]:
    """Return the answers that the file brings, by the ids that its questions are read by."""
    found = {}
    for number, line in enumerate(lines, 1):
        if line.removeprefix("\ufeff").startswith("{"):
            row = json.loads(line)
            name = next((row[key] for key in ("_id", "id", "qid", "query_id") if row.get(key) is not None), number)
            if isinstance(answer := row.get("answer", row.get("llm_answer")), str):
                found[str(name)] = answer
    return found
