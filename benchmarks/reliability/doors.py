"""R20: every route of the application, and everything that somebody without a key might try, against `groundwire serve`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import openapi
import suite
from rows import Row
from serving import child

from groundwire.server.app import build
from groundwire.server.engine import Engine
from groundwire.server.settings import Settings

TARGET = "0 open doors besides /livez"


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    doors, wire = suite.part("server/doors.py"), suite.part("server/wire.py")
    folder = openapi.index(work)
    settings = Settings(upstream=openapi.UPSTREAM, indexes={"tiny": str(folder)})
    routes = doors.routes_of(build(settings, Engine(settings)).app)
    row = Row(id="R20", part="doors", target=TARGET, what="")
    options = ("--index", f"tiny={folder}", "--upstream", "http://127.0.0.1:9/v1")
    with child.groundwire(*options, keys=(doors.KEY,)) as server, wire.Line(server.host, server.port) as line:
        for n, route in enumerate(routes):
            for at, knock in enumerate(doors.knocks(route)):
                if (at + n) % size["every"] == 0:
                    reply = line.ask(knock.sent, head=knock.head)
                    row.count(doors.opened(knock, reply))
                    row.add(f"answered {reply.status}")
            for knock in doors.with_the_key(route):
                reply = line.ask(knock.sent, head=knock.head)
                row.count(None if reply.status not in (400, 401, 403, 404, 405) else f"{knock.tried}: {reply.status}")
                row.add("with the key, let in")
    row.more = {"routes": len(routes), **dict(sorted(row.more.items()))}
    row.what = (
        f"{row.n} requests to {len(routes)} routes without a key, with a wrong one or in the wrong place, "
        "for other hosts, in other spellings and methods; and with the key, to see that there is a door"
    )
    yield row
