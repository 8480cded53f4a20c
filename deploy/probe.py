"""Asks a server that runs beside it: exit code 0 when PATH is answered with 200, 1 otherwise.

    python -IS probe.py PATH [--key-file FILE] [--port N]

/livez needs no key, /readyz does. A script of its own with three imports, because an orchestrator starts it every few seconds.
"""

import sys
from http.client import HTTPConnection, HTTPException

SECONDS = 3


def first_key(path: str) -> str:
    """Return the first key of a key file, as the server reads it: one a line, lines that begin with # are remarks."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return next(line for line in lines if line and not line.startswith("#"))


def main(arguments: list[str]) -> int:
    """Ask once."""
    path, *rest = arguments
    options = dict(zip(rest[::2], rest[1::2], strict=True))
    connection = HTTPConnection("127.0.0.1", int(options.get("--port", 8100)), timeout=SECONDS)
    try:
        headers = {"Authorization": f"Bearer {first_key(options['--key-file'])}"} if "--key-file" in options else {}
        connection.request("GET", path, headers=headers)
        return 0 if connection.getresponse().status == 200 else 1
    except (OSError, HTTPException, StopIteration):
        return 1
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
