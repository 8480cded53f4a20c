"""R20, reduced: no spelling, header or method gets anybody without a key any further than /livez."""

from collections.abc import Iterator
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.server.app import ROUTERS, build
from groundwire.server.settings import Settings

from .conftest import FakeEngine, running_server
from .doors import KEY, OPEN, Route, knocks, opened, routes_of, with_the_key
from .wire import Line

EVERY = 23
"""Of the knocks at a route, one in so many is tried here; `benchmarks/reliability` tries them all."""


class Guarded(FakeEngine):
    """An engine that notes every question that gets to it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        self.asked += 1
        raise AssertionError(f"engine.{name} was reached")


@pytest.fixture(scope="module")
def locked() -> Iterator[SimpleNamespace]:
    """A server with a key, its engine, and its routes."""
    settings, engine = Settings(port=0, keys=(KEY,), upstream="http://127.0.0.1:9/v1"), Guarded()
    served = build(settings, engine)  # type: ignore[arg-type]
    server = running_server(served, settings)
    yield SimpleNamespace(server=server, engine=engine, routes=routes_of(served.app))
    server.stop()


def test_every_route_of_every_module_is_found() -> None:
    app = build(Settings(), FakeEngine()).app  # type: ignore[arg-type]
    found = {route.path for route in routes_of(app)}
    known = sum(len(module.router.routes) for module in ROUTERS)
    assert known > 25
    assert {
        "/livez",
        "/",
        "/page/index.html",
        "/v1/check",
        "/predict",
        "/v1/openapi.json",
        "/guardrail/abc123/version/1/apply",
    } <= found
    assert len(found) == known + 1  # and the API's description, which is the application's own

    @app.get("/brand/new/{thing}")
    def new(thing: str) -> None: ...

    assert Route("/brand/new/x", ("GET",)) in routes_of(app)


def test_with_the_key_every_route_is_reached(locked: SimpleNamespace) -> None:
    """Otherwise the doors below would be shut because there are none."""
    with Line(locked.server.host, locked.server.port) as line:
        for route in locked.routes:
            for knock in with_the_key(route):
                status = line.ask(knock.sent, head=knock.head).status
                assert status not in (400, 401, 403, 404, 405), knock.tried


@pytest.mark.contract("key")
def test_without_it_none_is(locked: SimpleNamespace) -> None:
    before = locked.engine.asked
    problems, tried = [], 0
    with Line(locked.server.host, locked.server.port) as line:
        for n, route in enumerate(locked.routes):
            for knock in islice(knocks(route), n % EVERY, None, EVERY):
                tried += 1
                problem = opened(knock, line.ask(knock.sent, head=knock.head))
                problems += [problem] if problem else []
    assert problems == []
    assert tried > 500
    assert locked.engine.asked == before


def test_a_door_that_is_open_is_seen(locked: SimpleNamespace) -> None:
    """The judge itself: what comes back from an open route is called so."""
    with Line(locked.server.host, locked.server.port) as line:
        lawful = next(with_the_key(Route("/v1/operate", ("GET",))))
        reply = line.ask(lawful.sent)
        stolen = next(knock for knock in knocks(Route("/v1/operate", ("GET",))) if not knock.lawful)
        assert opened(stolen, reply) is not None
        livez = next(knock for knock in knocks(Route(OPEN, ("GET", "HEAD"))) if knock.lawful)
        assert opened(livez, line.ask(livez.sent)) is None
