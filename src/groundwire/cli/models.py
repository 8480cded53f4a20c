"""`groundwire models`: list what is known and installed, pull from the hub, verify what is here.

Left out: the work itself (`groundwire.models.hub`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.errors import CorruptModel
from groundwire.models import catalogue, hub
from groundwire.models.checkpoints import FolderHub
from groundwire.models.export import Precision

if TYPE_CHECKING:
    from groundwire.models.hub import Verified


@click.group("models")
def models() -> None:
    """List, pull and verify models. Nothing but pull ever opens a socket."""


@models.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def list_command(as_json: bool) -> None:
    """List known and installed models.

    Besides these, cross-encoder:ORG/NAME, nli:ORG/NAME, encoder:ORG/NAME, splade:ORG/NAME, monot5:ORG/NAME and
    duot5:ORG/NAME stand for any checkpoint of that kind on the hub.
    """
    rows = _rows()
    if as_json:
        for row in rows:
            click.echo(json.dumps(row))
    else:
        _draw(rows, Console())


@models.command("pull")
@click.argument("name")
@click.option(
    "--precision",
    type=click.Choice(get_args(Precision)),
    default="fp32",
    show_default=True,
    help="How weights are stored; int8 is a quarter of the size, and computed in floating point all the same.",
)
@click.option("--offline", is_flag=True, help="Open no socket: use what the hub's client has downloaded before.")
@click.option("--checkpoint", type=click.Path(path_type=Path), metavar="DIR", help="A checkpoint folder, not the hub.")
@click.option("--force", is_flag=True, help="Pull again what is installed already.")
def pull_command(name: str, precision: Precision, offline: bool, checkpoint: Path | None, force: bool) -> None:
    """Fetch a model, pin its revision, export it to ONNX.

    What is installed has a sha256 manifest, and is run without torch.

    NAME is one of `groundwire models list`, or KIND:ORG/NAME with one of the kinds that it names; @REVISION may follow.
    Only safetensors are read, and no code of a checkpoint is run. Needs pip install 'groundwire[models]'.
    """
    pulled = hub.pull(
        name,
        precision=precision,
        offline=offline,
        force=force,
        hub=None if checkpoint is None else FolderHub(checkpoint),
        progress=lambda step: click.echo(f"{step} ...", err=True),
    )
    if pulled.agreement is None:
        click.echo(f"{name} is installed already ({pulled.precision}, revision {pulled.revision})")
        return
    click.echo(f"agreement with torch: {pulled.agreement}")
    click.echo(f"{name} is installed ({pulled.precision}, revision {pulled.revision}): {pulled.path}")


@models.command("verify")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.pass_context
def verify_command(context: click.Context, name: str | None, as_json: bool) -> None:
    """Compare installed files with their manifests.

    Takes one model, or all that are installed.

    Exit code 0, or 3 when a file differs, is missing, or is not in the manifest.
    """
    names = [name] if name is not None else [model.name for model in hub.installed()]
    found = [hub.verify(each) for each in names]
    for verified in found:
        _say(verified, as_json)
    if not all(verified.ok for verified in found):
        context.exit(CorruptModel.exit_code)


def _say(verified: Verified, as_json: bool) -> None:
    if as_json:
        row = {"name": verified.name, "ok": verified.ok, "problems": verified.problems, "path": str(verified.path)}
        click.echo(json.dumps(row))
        return
    click.echo(f"{verified.name}: {'ok' if verified.ok else 'differs from its manifest'}")
    for problem in verified.problems:
        click.echo(f"  {problem}")


def _rows() -> list[dict[str, Any]]:
    """Join the catalogue with what is installed: known names first, then open forms."""
    here = {model.name: model for model in hub.installed()}
    cards = [*catalogue.CARDS.values(), *(catalogue.find(name) for name in here if name not in _named())]
    builtin = here.get(catalogue.BUILTIN)
    purpose = "entailment and relevance, part of the package"
    return [
        _row(catalogue.BUILTIN, builtin, purpose=purpose, licence="Apache-2.0", languages=catalogue.BUILTIN_LANGUAGES),
        *(
            _row(
                card.name,
                here.get(card.name),
                languages=card.languages,
                purpose=card.purpose,
                repo=card.repo,
                parameters=card.parameters,
                licence=card.licence,
            )
            for card in cards
        ),
    ]


def _named() -> set[str]:
    return {catalogue.BUILTIN, *catalogue.CARDS}


def _row(
    name: str,
    model: hub.Installed | None,
    *,
    purpose: str,
    licence: str | None,
    languages: tuple[str, ...],
    repo: str | None = None,
    parameters: float | None = None,
) -> dict[str, Any]:
    return {
        "name": name,
        "installed": model is not None,
        "precision": (model and model.precision) or None,
        "revision": (model and model.revision) or None,
        "bytes": model and model.size,
        "purpose": purpose,
        "repo": repo,
        "parameters_millions": parameters,
        "licence": licence,
        "languages": list(languages) or None,
    }


def _draw(rows: list[dict[str, Any]], console: Console) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("model", "here", "size", "licence", "for"):
        table.add_column(title, no_wrap=title in ("model", "here"), overflow="fold")
    for row in rows:
        here = row["precision"] or "yes" if row["installed"] else "–"
        size = f"{row['bytes'] / 1e6:.0f} MB" if row["bytes"] else _parameters(row["parameters_millions"])
        licence = row["licence"] or "not stated"
        table.add_row(*(Text(str(cell)) for cell in (row["name"], here, size, licence, row["purpose"])))
    console.print(table)


def _parameters(millions: float | None) -> str:
    return "" if millions is None else f"{millions:g} M par."
