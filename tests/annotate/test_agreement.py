import importlib.util
import random

import pytest

from groundwire.annotate.agreement import cohen_kappa, krippendorff_alpha
from groundwire.evals.bootstrap import Bootstrap


def table(yes_yes: int, yes_no: int, no_yes: int, no_no: int) -> tuple[list[bool], list[bool]]:
    pairs = [(True, True)] * yes_yes + [(True, False)] * yes_no + [(False, True)] * no_yes + [(False, False)] * no_no
    return [a for a, _ in pairs], [b for _, b in pairs]


@pytest.mark.parametrize(
    ("cells", "kappa"), [((20, 5, 10, 15), 0.40), ((45, 15, 25, 15), 0.1304), ((25, 35, 5, 35), 0.2593)]
)
def test_kappa_of_the_textbook_tables(cells: tuple[int, int, int, int], kappa: float) -> None:
    assert cohen_kappa(*table(*cells)).value == pytest.approx(kappa, abs=5e-5)


def test_kappa_is_not_defined_without_choice() -> None:
    assert cohen_kappa([], []).value is None
    assert cohen_kappa(["a", "a"], ["a", "a"]).value is None
    assert cohen_kappa(["a", "a"], ["b", "b"]).value == 0
    assert cohen_kappa(["a", "b"], ["b", "a"]).value == -1
    with pytest.raises(ValueError, match="same items"):
        cohen_kappa(["a"], [])


@pytest.mark.skipif(importlib.util.find_spec("sklearn") is None, reason="scikit-learn is not here")
def test_kappa_is_that_of_scikit_learn() -> None:
    from sklearn.metrics import cohen_kappa_score

    rng = random.Random(0)
    for n in range(2, 60):
        one, other = rng.choices("abc", k=n), rng.choices("abcd", k=n)
        assert cohen_kappa(one, other).value == pytest.approx(cohen_kappa_score(one, other), abs=1e-12)


def units(*rows: str) -> list[list[str]]:
    """Turn the printed table, a row an observer and a dot where one is missing, into units."""
    return [[said for said in column if said != "."] for column in zip(*(row.split() for row in rows), strict=True)]


@pytest.mark.parametrize(
    ("rows", "alpha"),
    [
        (("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0"), 0.095),
        (("a a b b d c c c e d d a", "b a b b b c c c e d d d"), 0.692),
        (
            (
                "1 2 3 3 2 1 4 1 2 . . .",
                "1 2 3 3 2 2 4 1 2 5 . 3",
                ". 3 3 3 2 3 4 2 2 5 1 .",
                "1 2 3 3 2 4 4 1 2 5 1 .",
            ),
            0.743,
        ),
    ],
)
def test_alpha_of_krippendorffs_own_examples(rows: tuple[str, ...], alpha: float) -> None:
    """Examples A, B and C of "Computing Krippendorff's alpha-reliability" (2011), nominal."""
    assert krippendorff_alpha(units(*rows)).value == pytest.approx(alpha, abs=5e-4)


def test_alpha_is_not_defined_without_pairs_or_choice() -> None:
    assert krippendorff_alpha([]).value is None
    assert krippendorff_alpha([["a"], ["b"]]).value is None
    assert krippendorff_alpha([["a", "a"], ["a", "a", "a"]]).value is None
    assert krippendorff_alpha([["a", "a"], ["b", "b"], ["a"]]).value == 1


def test_intervals_hold_the_figure_and_narrow_with_more_items() -> None:
    one, other = table(20, 5, 10, 15)
    few, many = (cohen_kappa(one * times, other * times) for times in (1, 20))
    assert few.low < few.value < few.high
    assert few.value == pytest.approx(many.value)
    assert (many.high - many.low) * 3 < few.high - few.low
    alpha = krippendorff_alpha([list(pair) for pair in zip(one, other, strict=True)], Bootstrap(resamples=300))
    assert alpha.low < alpha.value < alpha.high
    assert alpha.high - alpha.low == pytest.approx(few.high - few.low, abs=0.08)
