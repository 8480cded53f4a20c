"""The last minutes are kept in steps, and only those."""

import pytest

from groundwire.server.access_record import AccessRecord
from groundwire.server.history import STEP_SECONDS, STEPS, History, milliseconds
from groundwire.types import Label


def seen(seconds: float, status: int = 200, refused: str = "", method: str = "POST") -> AccessRecord:
    return AccessRecord(id="a", client="b", method=method, route="/x", status=status, refused=refused, seconds=seconds)


def test_requests_are_counted_in_the_step_they_end_in() -> None:
    now = [1000.0]
    history = History(lambda: now[0])
    for seconds in (0.1, 0.2, 0.3):
        history.request(seen(seconds))
    history.verdict(Label.SUPPORTED)
    now[0] += STEP_SECONDS
    history.request(seen(9.0, status=503))
    history.request(seen(9.0, status=429, refused="queue_full"))
    history.request(seen(9.0, status=503, refused="not_ready"))
    history.sample(5)
    history.sample(3)
    told = history.to_dict()
    assert (told["requests"], told["refused"], told["errors"]) == (6, 2, 1)  # what was refused has not failed
    first, second = told["history"]
    assert (first["requests"], first["p50_ms"], first["p95_ms"], first["verdicts"]) == (
        3,
        200.0,
        300.0,
        {"supported": 1},
    )
    assert (second["requests"], second["p50_ms"], second["queue_tokens"]) == (3, None, 5)
    assert second["at"] - first["at"] == STEP_SECONDS


def test_old_steps_are_forgotten_and_totals_are_not() -> None:
    now = [0.0]
    history = History(lambda: now[0])
    for _ in range(STEPS + 5):
        history.request(seen(0.1))
        now[0] += STEP_SECONDS
    assert len(history.to_dict()["history"]) == STEPS
    assert history.to_dict()["requests"] == STEPS + 5


@pytest.mark.parametrize(("share", "rank"), [(50, 50), (95, 95), (99, 99)])
def test_a_percentile_is_the_nearest_rank(share: int, rank: int) -> None:
    assert milliseconds([n / 1000 for n in range(1, 101)], share) == rank
    assert milliseconds([], share) is None
    assert milliseconds([0.5], share) == 500
