"""Requests of one size out of made-up prose: no data set is needed, and every text is about as long as the next."""

from __future__ import annotations

import json
import random
from typing import Any

from serving.generator import MARK

_PLACES = "Arden Brook Calder Denholm Elmore Farrow Gresham Holt Ivywell Jarrow Kelby Lorne Marden Norcott".split()
_WHAT = "bridge library tower station chapel harbour mill theatre market museum lighthouse railway".split()
_DONE = "opened rebuilt sold painted measured closed visited described".split()
_WHO = "the council|a local engineer|two brothers|the harbour office|a travelling painter|the parish".split("|")
_MORE = "after a long dispute|in heavy rain|with borrowed money|for the second time|without any ceremony".split("|")


def sentence(rng: random.Random, number: str) -> str:
    """One statement of about twenty tokens."""
    return (
        f"The {rng.choice(_WHAT)} of {rng.choice(_PLACES)} was {rng.choice(_DONE)} by {rng.choice(_WHO)} in"
        f" {rng.randint(1700, 1999)} {rng.choice(_MORE)}, as entry {number} says."
    )


def case(rng: random.Random, *, claims: int = 2, passages: int = 3, sentences: int = 4) -> dict[str, Any]:
    """A question, an answer of so many claims, and passages; no two requests made of it share a claim (MARK)."""
    number = MARK.decode()
    return {
        "question": f"What happened to the {rng.choice(_WHAT)} of {rng.choice(_PLACES)}?",
        "answer": " ".join(sentence(rng, f"{number}{n}") for n in range(claims)),
        "contexts": [
            " ".join(sentence(rng, str(rng.randint(10, 99))) for _ in range(sentences)) for _ in range(passages)
        ],
    }


def checks(n: int, seed: int, *, path: str = "/v1/check", **shape: int) -> list[dict[str, Any]]:
    """So many requests to /v1/check, alike in size."""
    rng = random.Random(seed)
    return [{"path": path, "body": json.dumps(case(rng, **shape))} for _ in range(n)]
