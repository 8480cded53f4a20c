"""POST /v1/search finds passages of an index; GET /v1/indexes and /v1/indexes/{name}/passages show what is there.

An index is named, never a path. Left out: adding to an index or changing one: a server only reads.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from groundwire.server.errors import invalid, not_found
from groundwire.server.own.body import read_object
from groundwire.server.own.models import Reader, SearchRequest, index_of, options_of
from groundwire.server.own.records import hit_record, passage_record
from groundwire.server.own.schema import ERRORS, MISSING, objects, taking
from groundwire.server.replies import replied, reply

router = APIRouter()
MOST_PASSAGES = 100


@router.post(
    "/v1/search",
    summary="Find passages of an index",
    responses=ERRORS,
    openapi_extra=taking(objects(SearchRequest, {}, [])),
)
async def search(request: Request) -> Response:
    """Return the hits, best first."""
    engine, limits = request.app.state.engine, request.app.state.settings.limits
    asked = options_of(SearchRequest, await read_object(request))
    if not asked.query.strip():
        raise invalid("invalid_field", "the query is empty", "query")
    reader = Reader(limits, truncate=asked.truncate)
    query = reader.text(asked.query, "query")
    name = index_of(asked.index, engine.indexes())
    hits = await engine.search(name, query, asked.k, request.state.ticket, stack=asked.stack)
    told: dict[str, Any] = {"index": name, "hits": [hit_record(hit, rank) for rank, hit in enumerate(hits, 1)]}
    if asked.truncate:
        told["truncated"] = reader.cut
    return await replied(told)


@router.get("/v1/indexes", summary="The indexes and what is in them", responses=ERRORS)
async def indexes(request: Request) -> Response:
    """Return every index by its name, with its numbers."""
    known = request.app.state.engine.indexes()
    return reply({"indexes": [{"name": name, **info.to_dict()} for name, info in known.items()]})


@router.get("/v1/indexes/{name}/passages", summary="Passages of an index", responses={**ERRORS, **MISSING})
async def passages(
    request: Request,
    name: str,
    offset: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_PASSAGES)] = 20,
) -> Response:
    """Return a page of the passages, in the order of the index."""
    engine = request.app.state.engine
    known = engine.indexes()
    if name not in known:
        raise not_found("unknown_index", "no index has this name: GET /v1/indexes lists them", "name")
    page = await engine.passages(name, request.state.ticket, offset=offset, limit=limit)
    listed = [passage_record(passage) for passage in page]
    return await replied({"index": name, "total": known[name].passages, "offset": offset, "passages": listed})
