"""What the papers' commands are given: a file of queries, and a language model whose replies are kept.

Left out: the commands, one file a paper, and what they write (`groundwire.cli.reporting`).
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from groundwire.cli.files import STDIN, read_lines

if TYPE_CHECKING:
    from groundwire.evals.papers.folder import RunFolder
    from groundwire.protocols import LLM

QUERIES_FILE = "queries.jsonl"
"""Where a folder in BEIR's layout has its queries."""


def query_lines(given: str) -> tuple[list[str], str]:
    """Return the lines of a file of queries, or of a BEIR folder's, and its path. Raises InputError."""
    inner = Path(given) / QUERIES_FILE
    path = str(inner) if given != STDIN and Path(given).is_dir() else given
    return read_lines(path), path


def language_model(
    model: str | None, url: str | None, folder: RunFolder | None, opened: ExitStack, *, temperature: float
) -> LLM | None:
    """Return the language model, its replies kept in the run's directory. Raises Unavailable without an endpoint or key."""
    if model is None:
        if url is not None:
            raise click.UsageError("--llm-url needs --llm MODEL")
        return None
    from groundwire.cache import Cache
    from groundwire.evals.papers.folder import REPLIES
    from groundwire.models.chat import Chat

    kept = opened.enter_context(Cache(folder.path / REPLIES)) if folder else None
    return opened.enter_context(Chat(model, base_url=url, cache=kept, temperature=temperature))
