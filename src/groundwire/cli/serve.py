"""`groundwire serve`: the HTTP service, and `groundwire serve mcp`: the same for assistants, over stdin and stdout.

Left out: everything that a server does (`groundwire.server`), which loads only when one is started.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from groundwire import _env
from groundwire._optional import require
from groundwire.cli import options
from groundwire.errors import UsageError
from groundwire.render import visible

if TYPE_CHECKING:
    from groundwire.server.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])
_LEVELS = ("debug", "info", "warning", "error")
_LONGEST_KEY_FILE = 1 << 16


def _serving(command: F) -> F:
    """Add the options that say what is served, which both servers have."""
    for option in (
        click.option("--log-level", type=click.Choice(_LEVELS), default="info", show_default=True, help="Of stderr."),
        click.option("--llm", metavar="MODEL", help="What writes and judges, behind GROUNDWIRE_LLM_BASE_URL."),
        options.checker_options,
        click.option(
            "--index", "indexes", metavar="NAME=INDEX", multiple=True, help="A folder or milvus:… by name; repeatable."
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What both servers are told."""

    indexes: tuple[str, ...]
    recipe: str
    model: str | None
    threshold: float | None
    llm: str | None
    log_level: str

    def settings(self, **more: Any) -> Settings:
        """Return the settings, `more` being those of a server with an address. Raises UsageError."""
        from groundwire.server.settings import Settings

        indexes = dict(map(_named, self.indexes))
        if len(indexes) < len(self.indexes):
            raise UsageError("two indexes have the same name", "--index NAME=INDEX, each with a name of its own")
        return Settings(
            indexes=indexes,
            recipe=self.recipe,
            model=self.model,
            threshold=self.threshold,
            llm=self.llm,
            log_level=self.log_level,
            **more,
        )


@click.group("serve", invoke_without_command=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Another address needs an API key.")
@click.option("--port", type=click.IntRange(0, 65535), default=8100, show_default=True, help="0: any that is free.")
@_serving
@click.option("--upstream", metavar="URL", help="Where /v1/chat/completions is passed on to: …/v1")
@click.option("--allow-host", "hosts", metavar="NAME", multiple=True, help="A name that Host may say; * is any.")
@click.option(
    "--key-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="API keys, one a line, besides GROUNDWIRE_SERVER_KEYS.",
)
@click.option(
    "--queue-seconds",
    type=click.FloatRange(0, 10, min_open=True),
    default=10.0,
    show_default=True,
    help="How long a request may wait for the models; when the queue is longer, 429.",
)
@click.option("--otel", is_flag=True, help="Send spans to OpenTelemetry's collector (OTEL_EXPORTER_OTLP_ENDPOINT).")
@click.pass_context
def serve_command(
    context: click.Context,
    /,
    host: str,
    port: int,
    upstream: str | None,
    hosts: tuple[str, ...],
    key_file: Path | None,
    queue_seconds: float,
    otel: bool,
    **told: Any,
) -> None:
    """Serve checks over HTTP, with a page, until SIGTERM or Ctrl-C; what is in flight is finished first.

    Without an API key only this machine is served. Keys come from GROUNDWIRE_SERVER_KEYS, commas between them, or from a
    file; clients send one as a bearer token, as x-api-key, or as a password. The key of the upstream comes from
    GROUNDWIRE_LLM_API_KEY or OPENAI_API_KEY alone.

    \b
    groundwire serve --index docs=./my-index
    groundwire serve --upstream https://api.openai.com/v1 --port 9000
    groundwire serve mcp --index docs=./my-index
    """
    if context.invoked_subcommand is not None:
        return
    for package in ("fastapi", "uvicorn", "httptools", "prometheus_client"):
        require(package, "server")
    keys = (*_env.server_keys(), *(_keys(key_file) if key_file else ()))
    more = {"host": host, "port": port, "keys": keys, "allowed_hosts": hosts, "upstream": upstream, "otel": otel}
    from groundwire.server.run import serve
    from groundwire.server.settings import Limits

    settings = Told(**told).settings(**more, limits=Limits(queue_seconds=queue_seconds))

    if serve(settings, lambda address: click.echo(visible(f"groundwire listens on {address}"), err=True)):
        _leave()


@serve_command.command("mcp")
@_serving
def mcp_command(**told: Any) -> None:
    """Serve check_answer, verify_answer and find_evidence to an assistant (Model Context Protocol, stdio)."""
    require("mcp", "mcp")
    from groundwire.server import mcp

    mcp.run(Told(**told).settings())


def _leave() -> None:
    """End the process here and with 0: under a model that is still being loaded the interpreter's own ending aborts it."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _named(given: str) -> tuple[str, str]:
    name, between, place = given.partition("=")
    if not (between and place):
        raise UsageError("an index is given as NAME=INDEX", "--index docs=./my-index")
    return name, place


def _keys(file: Path) -> tuple[str, ...]:
    if file.stat().st_size > _LONGEST_KEY_FILE:
        raise UsageError("the key file is no list of keys", "one key a line")
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise UsageError("the key file is no text", "one key a line") from error
    keys = tuple(line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#"))
    if not keys:
        raise UsageError("the key file holds no key", "one key a line: openssl rand -hex 24")
    return keys
