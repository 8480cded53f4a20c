"""The peer: what one writes in an afternoon to serve a cross-encoder. FastAPI, CrossEncoder.predict, and one lock.

    python -m serving.peer PORT THREADS      (in benchmarks/)

The weights are the built-in model's in fp32, rebuilt in torch as in `bench_check`; a request is a list of pairs, its answer
their logits. It has no limits, no keys and no deadline.
"""

from __future__ import annotations

import sys
from threading import Lock

import bench_check
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel


class Asked(BaseModel):
    inputs: list[tuple[str, str]]


def build(threads: int) -> FastAPI:
    """Return the application."""
    predict = bench_check.sentence_transformers(threads)
    lock = Lock()
    app = FastAPI()

    @app.post("/predict")
    def answer(asked: Asked) -> list[list[float]]:
        with lock:
            scores: list[list[float]] = predict(asked.inputs).tolist()
        return scores

    return app


if __name__ == "__main__":
    uvicorn.run(
        build(int(sys.argv[2])), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", timeout_keep_alive=75
    )
