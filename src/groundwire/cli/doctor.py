"""`groundwire doctor`: what is installed, and whether the built-in model is whole and gives the verdict that it should.

With `--llm` also what an endpoint of language models can do; nothing else here opens a socket. Left out: repairing anything.
"""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version
from time import perf_counter
from typing import Any

import click

from groundwire import __version__
from groundwire.cases import read_case
from groundwire.cli import options
from groundwire.errors import GroundwireError, Unavailable
from groundwire.render import to_json, visible

CANARY = {
    "question": "When was the bridge opened?",
    "answer": "The bridge was opened in March 1932.",
    "contexts": ["The bridge was opened in March 1932. It had taken eight years to build."],
}
"""An answer that any working checker finds supported, word for word."""
EXPECTED = "supported"
RUNTIMES = ("openvino", "onnxruntime")
"""In the order in which they are preferred."""
ONLY = ""
"""What `--llm` without a name stands for."""
ANSWERS = {True: "yes", False: "no", None: "unknown"}
NEEDED = ("reachable", "model")
"""The probes without which an endpoint is of no use; the others say what it supports."""


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option(
    "--llm",
    metavar="[NAME]",
    is_flag=False,
    flag_value=ONLY,
    help="Ask the endpoint of language models what it can do with this model, or with the only one that it lists.",
)
@click.option("--llm-url", metavar="URL", help="The endpoint, in place of GROUNDWIRE_LLM_BASE_URL.")
@click.pass_context
def doctor_command(context: click.Context, as_json: bool, llm: str | None, llm_url: str | None) -> None:
    """Say what is installed and whether it works.

    Exit code 0, or 3 when the built-in model is broken, or the endpoint that --llm asks does not answer.
    """
    if llm_url and llm is None:
        raise click.UsageError("--llm-url goes with --llm")
    found = report()
    if llm is not None:
        found["llm"] = _endpoint(None if llm == ONLY else llm, llm_url)
        found["ok"] = found["ok"] and all(row["ok"] for row in found["llm"] if row["name"] in NEEDED)
    if as_json:
        click.echo(to_json(found))
    else:
        _draw(found)
    context.exit(0 if found["ok"] else Unavailable.exit_code)


def report() -> dict[str, Any]:
    """Return everything there is to say, as JSON values; `ok` is false when the built-in model is broken."""
    from groundwire import _env
    from groundwire.index import kernels
    from groundwire.models import hub

    builtin, canary = _builtin(), _canary()
    return {
        "groundwire": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "runtime": _runtime(),
        "builtin": builtin,
        "canary": canary,
        "models": [
            {"name": model.name, "revision": model.revision, "precision": model.precision, "path": str(model.path)}
            for model in hub.installed()
        ],
        "index_loops": kernels.described(),
        "offline": _env.offline(),
        "ok": not builtin["problems"] and canary["verdict"] == EXPECTED,
    }


def _runtime() -> dict[str, str | None]:
    """Say what the built-in model runs on: the runtime that loading it has imported."""
    from groundwire.models import BUILTIN, load

    try:
        precision = load(BUILTIN).precision
    except GroundwireError:
        return {"name": None, "version": None, "precision": None}
    name = next(name for name in RUNTIMES if name in sys.modules)
    return {"name": name, "version": version(name), "precision": precision}


def _builtin() -> dict[str, Any]:
    from groundwire.models import BUILTIN, hub

    try:
        return {"name": BUILTIN, "problems": list(hub.verify(BUILTIN).problems)}
    except GroundwireError as error:
        return {"name": BUILTIN, "problems": [str(error)]}


def _canary() -> dict[str, Any]:
    """Check the canary from cold, as a first call does; the seconds include loading."""
    start = perf_counter()
    try:
        (verdict,) = options.build("default", None, None).check([read_case(CANARY, fallback_id="canary")])
    except GroundwireError as error:
        return {"verdict": None, "error": str(error)}
    return {"verdict": str(verdict.label), "score": verdict.score, "seconds": round(perf_counter() - start, 3)}


def _endpoint(model: str | None, base_url: str | None) -> list[dict[str, Any]]:
    """Probe the endpoint. Raises what `groundwire.models.chat.probe.probe` raises."""
    from groundwire.models.chat.probe import probe

    return [finding.to_dict() for finding in probe(model, base_url=base_url)]


def _draw(found: dict[str, Any]) -> None:
    builtin, canary = found["builtin"], found["canary"]
    state = "; ".join(builtin["problems"]) or "every file is as its manifest says"
    verdict = canary.get("error") or f"{canary['verdict']} in {canary['seconds']:.2f} s, model loading included"
    models = [" ".join(filter(None, (model["name"], model["precision"]))) for model in found["models"]]
    lines = {
        "groundwire": found["groundwire"],
        "python": f"{found['python']} on {found['platform']}",
        "runtime": " ".join(part for part in found["runtime"].values() if part) or "none",
        builtin["name"]: state,
        "canary": verdict,
        "models": ", ".join(models),
        "index loops": found["index_loops"],
        "offline": "yes: no socket is ever opened" if found["offline"] else "no: `models pull` may reach the hub",
        **{f"llm {row['name']}": f"{ANSWERS[row['ok']]}: {row['note']}" for row in found.get("llm", ())},
        "": _summary(found),
    }
    width = 2 + max(10, *map(len, lines))
    for name, text in lines.items():
        click.echo(f"{name:<{width}}{visible(text)}".strip())


def _summary(found: dict[str, Any]) -> str:
    if found["ok"]:
        return "all is well"
    if found["builtin"]["problems"] or found["canary"]["verdict"] != EXPECTED:
        return "the built-in model does not work: install groundwire again"
    return "the endpoint of language models cannot be used"
