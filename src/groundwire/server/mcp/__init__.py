"""The tools for assistants: a server of the Model Context Protocol over standard input and output.

`run` serves until the client is gone. Left out: the HTTP service, which shares the engine and the limits and nothing else.
"""

from __future__ import annotations

from groundwire._optional import require
from groundwire.server.settings import Settings


def run(settings: Settings) -> None:
    """Serve check_answer, verify_answer and find_evidence until standard input ends or SIGTERM comes.

    Of the settings it reads the recipe, the model, the threshold, the indexes, the limits and the log level. Nothing but
    the protocol is written to standard output; logs go to standard error. Raises MissingExtra without the package `mcp`,
    and what opening the indexes and loading the models raise.
    """
    require("mcp", "mcp")
    from groundwire.server.mcp.serving import serve

    serve(settings)
