"""The log: one JSON object a line on stderr, about requests and never of what is in them.

Below debug level an exception is its type and the lines of code that it passed, because its message may hold a text. Left
out: where lines are kept (whoever runs the server).
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import IO

from groundwire.server.access_record import AccessRecord
from groundwire.visible import one_line

_NAME = "groundwire.server"


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def __init__(self, *, messages: bool) -> None:
        super().__init__()
        self._messages = messages

    def format(self, record: logging.LogRecord) -> str:
        """Return the line. `messages`: whether those of exceptions, and of other people's loggers, are shown."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"time": at, "level": record.levelname.lower(), "event": self._event(record)}
        line.update(getattr(record, "fields", {}))
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = told(record.exc_info[1], messages=self._messages)
        return json.dumps(line, ensure_ascii=True, default=str)

    def _event(self, record: logging.LogRecord) -> str:
        # Another package's line may hold anything, a failed task's arguments say, so below debug only its place is shown.
        ours = record.name.partition(".")[0] == "groundwire"
        return record.getMessage() if ours or self._messages else f"{record.name} {record.module}:{record.lineno}"


class Log:
    """The server's own events."""

    __slots__ = ("_logger",)

    def __init__(self) -> None:
        self._logger = logging.getLogger(_NAME)

    def event(self, name: str, **fields: object) -> None:
        """Say that something happened to the server."""
        self._logger.info(name, extra={"fields": fields})

    def request(self, seen: AccessRecord) -> None:
        """Say how a request ended."""
        fields = {
            "request_id": seen.id,
            "client": seen.client,
            "method": seen.method,
            "route": seen.route,
            "status": seen.status,
            "seconds": round(seen.seconds, 4),
        }
        self._logger.info("request", extra={"fields": {**fields, "refused": seen.refused} if seen.refused else fields})

    def bug(self, request_id: str, error: BaseException) -> None:
        """Say that a request met a bug."""
        self._logger.error("bug", exc_info=error, extra={"fields": {"request_id": request_id}})

    def failure(self, name: str, error: BaseException) -> None:
        """Say that the server cannot go on, or not as it was told."""
        self._logger.error(name, exc_info=error)


def told(error: BaseException, *, messages: bool) -> dict[str, object]:
    """Return an exception as its type and its places in code; with `messages` also what it says."""
    frames = traceback.extract_tb(error.__traceback__)
    at = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
    said: dict[str, object] = {"type": type(error).__name__, "at": at}
    return {**said, "message": one_line(str(error))} if messages else said


class Lines(logging.StreamHandler[IO[str]]):
    """Writes lines to a stream, and nothing where that fails: what the library prints then holds the message."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the base class calls it so
        """Say nothing: whoever closed the stream reads no log."""


def set_up(level: str, stream: IO[str] | None = None) -> None:
    """Send every log line of the process, ours and other people's, to stderr as JSON from `level` on."""
    handler = Lines(sys.stderr if stream is None else stream)
    handler.setFormatter(JsonLines(messages=level == "debug"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(_NAME).setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.ERROR if level != "debug" else logging.DEBUG)
