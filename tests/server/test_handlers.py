"""What a route raises is answered at once."""

from inspect import iscoroutinefunction

from fastapi import FastAPI

from groundwire.errors import GroundwireError
from groundwire.server import handlers
from groundwire.server.errors import ApiError
from groundwire.server.logs import Log


def test_no_error_waits_for_a_thread() -> None:
    app = FastAPI()
    before = set(app.exception_handlers)
    handlers.register(app, {}, Log())
    assert {ApiError, GroundwireError, Exception} <= set(app.exception_handlers)
    ours = {kind: handler for kind, handler in app.exception_handlers.items() if kind not in before}
    assert [kind for kind, handler in ours.items() if not iscoroutinefunction(handler)] == []
