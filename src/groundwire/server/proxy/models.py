"""GET /v1/models: the upstream's models; none where there is no upstream.

Left out: the models that check, which no client chooses.
"""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from groundwire.server.own.schema import ERRORS
from groundwire.server.proxy.upstream import upstream_of
from groundwire.server.replies import reply

router = APIRouter()


@router.get("/v1/models", summary="The upstream's models", responses=ERRORS)
async def models(request: Request) -> Response:
    """Return the upstream's list as it is."""
    if request.app.state.settings.upstream is None:
        return reply({"object": "list", "data": []})
    async with upstream_of(request.app).ask("GET", "/models") as answering:
        return Response(await answering.whole(), answering.status, answering.headers)
