"""The page's routes: `/`, and below `/page/` its files, what it has to know of the server, and examples.

Files are kept by the browser and asked for again by their tag. Left out: auth and security headers (`groundwire.server.guard`).
"""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from groundwire.server.page import about as known
from groundwire.server.page.assets import assets, style_hash

router = APIRouter(include_in_schema=False)
_KEPT = "no-cache"  # kept, and asked for before it is used


@router.get("/")
async def index(request: Request) -> Response:
    """Return the page."""
    return _sent(request, "index.html")


@router.get("/page/about.json")
async def about(request: Request) -> Response:
    """Return what the page has to know of the server."""
    settings = getattr(request.app.state, "settings", None)
    told = known.about(
        getattr(settings, "recipe", None) or "default",
        getattr(settings, "model", None),
        getattr(settings, "threshold", None),
    )
    return JSONResponse({**told, "style": style_hash()}, headers={"Cache-Control": "no-store"})


@router.get("/page/examples.json")
async def examples() -> Response:
    """Return the cases that come with Groundwire."""
    return JSONResponse({"examples": known.examples()}, headers={"Cache-Control": _KEPT})


@router.get("/page/{file}")
async def page_file(request: Request, file: str) -> Response:
    """Return one of the page's files."""
    return _sent(request, file)


def _sent(request: Request, name: str) -> Response:
    asset = assets().get(name)
    if asset is None:
        return Response("There is nothing here.\n", status_code=404, media_type="text/plain")
    headers = {"ETag": asset.tag, "Cache-Control": _KEPT}
    known_tags = {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}
    if asset.tag in known_tags:
        return Response(status_code=304, headers=headers)
    return Response(asset.content, media_type=asset.media_type, headers=headers)
