"""`GET /v1/operate`: how the server does, now and in the last minutes, for the page's Operate view.

Left out: what Prometheus asks for (`groundwire.server.health`).
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic
from typing import Any

from fastapi import APIRouter, Request

from groundwire.server.replies import Reply, reply

router = APIRouter(tags=["operate"])


@router.get("/v1/operate")
async def operate(request: Request) -> Reply:
    """Return the queue, the batches, the times, the verdicts, and the history of a quarter of an hour."""
    state = request.app.state
    engine: dict[str, Any] = state.engine.state()
    state.metrics.history.sample(engine.get("queue_tokens", 0))
    batches = engine.get("batches", 0)
    mean = {
        f"{name}_mean": round(engine.get(name, 0) / batches, 2) if batches else None for name in ("items", "tokens")
    }
    return reply(
        {
            "ready": state.engine.ready and not state.standing.draining,
            "draining": state.standing.draining,
            "uptime_s": round(monotonic() - state.standing.began, 1),
            "in_flight": state.standing.in_flight,
            "queue": {
                "tokens": engine.get("queue_tokens"), "limit": engine.get("queue_limit"), "jobs": engine.get("jobs"),
            },
            "rate_tokens_s": engine.get("rate_tokens_s"),
            "batch": mean,
            "memory_bytes": resident_bytes(),
            **state.metrics.history.to_dict(),
        }
    )  # fmt: skip


def resident_bytes() -> int | None:
    """Return how much memory the process holds, None where the system does not say."""
    if sys.platform != "linux":
        return None
    import resource

    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()
