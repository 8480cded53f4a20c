"""Options that several commands have alike: which checker, which index, which endpoint, and where a run is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from groundwire.errors import UsageError
from groundwire.protocols import Checker

F = TypeVar("F", bound=Callable[..., Any])


def _index(*, required: bool) -> Callable[[F], F]:
    told = "A folder, or milvus:./FILE.db or milvus:URL (groundwire index add makes one)."
    return click.option("--index", "place", metavar="INDEX", required=required, help=told)


INDEX = _index(required=True)
INDEX_IF_ANY = _index(required=False)
"""For a command that can do something without one, and asks for it where it cannot."""


LLM_URL = click.option("--llm-url", metavar="URL", help="Its endpoint; the key comes from the environment.")
RUN_DIR = click.option(
    "--output", metavar="DIR", help="The run's directory; a run that was killed goes on where it was."
)
JSON_OBJECT = click.option("--json", "as_json", is_flag=True, help="One JSON object.")
DATA_DIR = click.option(
    "--data-dir",
    envvar="GROUNDWIRE_DATA",
    required=True,
    metavar="DIR",
    help="Where the data sets lie  [default: the environment's GROUNDWIRE_DATA]",
)


def share(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Accept a number in [0, 1], and no NaN. Raises BadParameter."""
    if value is not None and not 0 <= value <= 1:
        raise click.BadParameter(f"{value} is not in [0, 1]", context, parameter)
    return value


def checker_options(command: F) -> F:
    """Add --recipe, --model and --threshold to a command."""
    for option in (
        click.option(
            "--threshold", type=float, callback=share, metavar="X", help="From which score a claim is supported."
        ),
        click.option("--model", metavar="NAME", help="A model in place of the recipe's own (groundwire models list)."),
        click.option("--recipe", default="default", show_default=True, help="Which parts check, or peer:NAME."),
    ):
        command = option(command)
    return command


def build(recipe: str, model: str | None, threshold: float | None) -> Checker:
    """Build the checker, or open the peer; the recipes and what they need load here.

    Raises what `groundwire.recipes.build` and `groundwire.evals.peers.open` raise, UsageError for a peer with a model.
    """
    from groundwire.evals import peers
    from groundwire.recipes import build as build_recipe

    if peers.is_peer(recipe):
        if model is not None:
            raise UsageError("--model belongs to a recipe: a peer says its model itself", "--recipe 'peer:hhem(NAME)'")
        return peers.open(recipe, threshold=threshold)

    return build_recipe(recipe, model=model, threshold=threshold)
