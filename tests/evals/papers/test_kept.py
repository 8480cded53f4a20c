from collections.abc import Sequence
from pathlib import Path

import pytest

from groundwire.evals.papers.kept import kept
from groundwire.ledger import Ledger


class Doubling:
    """Doubles numbers, and fails when it is asked for one that it cannot."""

    def __init__(self, items: list[int], poison: int | None = None) -> None:
        self.items, self.poison = items, poison
        self.asked: list[int] = []

    def __call__(self, numbers: Sequence[int]) -> list[int]:
        found = [self.items[n] for n in numbers]
        if self.poison in found:
            raise RuntimeError("killed")
        self.asked += found
        return [2 * item for item in found]


def run(path: Path, items: list[int], compute: Doubling) -> list[int]:
    with Ledger(path) as ledger:
        return kept(ledger, [{"item": item} for item in items], compute, batch=2)


def test_equal_items_are_computed_once_and_all_come_back_in_order(tmp_path: Path) -> None:
    items = [3, 1, 3, 2, 1]
    compute = Doubling(items)
    assert run(tmp_path / "ledger", items, compute) == [6, 2, 6, 4, 2]
    assert compute.asked == [3, 1, 2]


def test_a_run_that_was_killed_computes_only_the_rest(tmp_path: Path) -> None:
    items = [1, 2, 3, 4, 5]
    with pytest.raises(RuntimeError):
        run(tmp_path / "ledger", items, Doubling(items, poison=4))
    again = Doubling(items)
    assert run(tmp_path / "ledger", items, again) == [2, 4, 6, 8, 10]
    assert again.asked == [3, 4, 5]
