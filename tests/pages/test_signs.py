import pytest

from groundwire.pages.signs import CLASSES, badge, number, plural
from groundwire.types import Label


def test_no_two_labels_look_alike() -> None:
    assert len({badge(label) for label in Label}) == len(set(CLASSES.values())) == len(Label)


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [(None, 2, "–"), (-1.5, 1, "−1.5"), (-0.0004, 3, "0.000"), (1234567, 0, "1 234 567"), (0.125, 2, "0.12")],
)
def test_numbers_are_written_for_people(value: float | None, digits: int, shown: str) -> None:
    assert number(value, digits) == shown


def test_one_of_a_kind_is_singular() -> None:
    assert (plural(1, "child", "children"), plural(2, "child", "children"), plural(0, "call")) == (
        "1 child",
        "2 children",
        "0 calls",
    )
