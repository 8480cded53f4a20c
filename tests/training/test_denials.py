"""From where on a claim counts as contradicted: as many denials caught as few false alarms allow."""

import pytest

from groundwire.errors import InputError
from groundwire.judge.fused import Fusion
from groundwire.training.denials import ALARMS, FEWEST, fit
from groundwire.training.fusion import Row

RULE = Fusion(weights={"supports": 1.0}, bias=0.0, model_sha256="")


def row(source: str, denied: bool | None, signal: float, supports: float = -1.0) -> Row:
    return Row(source=source, signals={"denied": signal, "supports": supports}, supported=denied is None, denied=denied)


def spread(source: str, shift: float) -> list[Row]:
    """100 open claims from -2 to 2, and as many denied ones `shift` above them."""
    places = [n / 25 - 2 for n in range(100)]
    return [row(source, False, x) for x in places] + [row(source, True, x + shift) for x in places]


def test_the_threshold_is_the_lowest_with_few_enough_false_alarms():
    bound, report = fit(spread("a", 1.0), RULE)
    assert bound == pytest.approx(2 - 4 * ALARMS, abs=0.06)
    assert report["alarms/a"] <= ALARMS < report["caught/a"] < 0.4
    assert report["caught/a"] == pytest.approx(0.25 + ALARMS, abs=0.02)


def test_groups_weigh_the_same_whatever_their_size():
    quiet = [row("quiet", denied, -3.5) for denied in (True, False)] * 2000
    bound, report = fit(spread("a", 1.0) + quiet, RULE)
    assert report["alarms/a"] == pytest.approx(2 * ALARMS, abs=0.02)
    assert report["alarms/quiet"] == report["caught/quiet"] == 0
    assert bound < 2 - 4 * ALARMS


def test_claims_held_for_supported_and_those_of_unknown_kind_do_not_count():
    beside = [row("a", False, 4.0, supports=3.0), row("a", None, 4.0), row("only denied", True, 4.0)] * 500
    beside += [row("few", denied, 4.0) for denied in (True, False)] * (FEWEST - 1)
    assert fit(spread("a", 1.0) + beside, RULE) == fit(spread("a", 1.0), RULE)


def test_one_kind_alone_is_an_error():
    with pytest.raises(InputError, match="left open"):
        fit([row("a", True, 1.0)] * 50, RULE)


def test_a_model_that_denies_whatever_is_left_open_is_an_error():
    with pytest.raises(InputError, match="100%"):
        fit([row("a", denied, 9.0) for denied in (True, False)] * 50, RULE)
