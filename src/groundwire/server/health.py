"""What whoever runs the server asks: does it live, is it ready, and the metrics.

Left out: the same for a person to look at (`groundwire.server.operate`).
"""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from groundwire.server.errors import unavailable
from groundwire.server.replies import Reply, reply

router = APIRouter(include_in_schema=False)


@router.api_route("/livez", methods=["GET", "HEAD"])
async def livez() -> Reply:
    """Say that the process answers; no model is asked, and no key."""
    return reply({"status": "alive"})


@router.api_route("/readyz", methods=["GET", "HEAD"])
async def readyz(request: Request) -> Reply:
    """Say whether requests are taken: the models answered when they were loaded, and the server is not being stopped."""
    state = request.app.state
    if state.standing.draining:
        raise unavailable("draining", "this server is being stopped")
    if not state.engine.ready:
        raise unavailable("not_ready", "the models are being loaded")
    return reply({"status": "ready"})


@router.api_route("/metrics", methods=["GET", "HEAD"])
async def metrics(request: Request) -> Response:
    """Return the metrics in Prometheus' text form."""
    return Response(request.app.state.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
