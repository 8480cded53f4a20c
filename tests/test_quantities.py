"""Quantities: what is read, where it stands, and which agree."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.quantities import Quantity, QuantityIndex, quantities, rounds_to, same

READ = {
    "1,000": ("number", 1000),
    "1 000 000": ("number", 1_000_000),
    "1,234,567.5": ("number", 1_234_567.5),
    "1.5": ("number", 1.5),
    ".5": ("number", 0.5),
    "-5": ("number", -5),
    "1.5 million": ("number", 1_500_000),
    "13bn": ("number", 13e9),
    "two hundred and fifty thousand": ("number", 250_000),
    "twenty-one": ("number", 21),
    "Three hundred": ("number", 300),
    "one and a half million": ("number", 1_500_000),
    "half a million": ("number", 500_000),
    "2 dozen": ("number", 2),
    "5½": ("number", 5.5),
    "12%": ("percent", 12),
    "12.5 per cent": ("percent", 12.5),
    "twelve percent": ("percent", 12),
    "1st": ("ordinal", 1),
    "twenty-first": ("ordinal", 21),
    "1/2": ("fraction", 0.5),
    "two thirds": ("fraction", 2 / 3),
    "¾": ("fraction", 0.75),
    "1997": ("year", 1997),
    "1990s": ("decade", 1990),
    "12 May 2015": ("date", 2015_05_12),
    "12th of May": ("date", 5_12),
    "May 12, 2015": ("date", 2015_05_12),
    "Sept. 2015": ("date", 2015_09_00),
    "2015-05-12": ("date", 2015_05_12),
    "12/05/2015": ("date", 2015_05_12),
    "06-Feb-2024": ("date", 2024_02_06),
    "06/Feb/2024:14:22:10": ("date", 2024_02_06),
    "20240206": ("date", 2024_02_06),
    "20000229": ("date", 2000_02_29),
    "20240206T142210Z": ("date", 2024_02_06),
    "4,50 €": ("number", 4.5),
    "€4,50": ("number", 4.5),
    "€ 1.234,56": ("number", 1234.56),
    "12,5 euros": ("number", 12.5),
    "1.234,50 EUR": ("number", 1234.5),
    "1'450": ("number", 1450),
    "1’234’567": ("number", 1_234_567),
    "5 p.m": ("time", 17 * 60),
    "12:30 am": ("time", 30),
    "7.45pm": ("time", 19 * 60 + 45),
    "17:30": ("time", 17 * 60 + 30),
    "٢٠١٥": ("year", 2015),
    "thirty-six (36)": ("number", 36),
    "36 (thirty-six)": ("number", 36),
    "thirty (30) percent": ("percent", 30),
    "thirty percent (30%)": ("percent", 30),
    "two-thirds (2/3)": ("fraction", 2 / 3),
    "five thousand dollars ($5,000)": ("number", 5000),
    "five million U.S. dollars (US$5,000,000)": ("number", 5e6),
    "3 1/2": ("number", 3.5),
    "$3.1mm": ("number", 3.1e6),
    "$3.4 B": ("number", 3.4e9),
    "£5 m": ("number", 5e6),
    "negative $48 million": ("number", -48e6),
    "negative 3.2%": ("percent", -3.2),
    "($14.6) million": ("number", -14.6e6),
    "$(1,234.5)m": ("number", -1_234_500_000),
}


@pytest.mark.parametrize("text", READ)
def test_reads(text: str) -> None:
    first = quantities(f"İt was {text}, they said.")[0]
    kind, value = READ[text]
    assert (first.kind, first.value) == (kind, pytest.approx(value))
    assert text.startswith(f"İt was {text}"[first.start : first.end])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("20 to 40 minutes", [20, 40]),
        ("20–40", [20, 40]),
        ("three and four", [3, 4]),
        ("twenty thirty", [20, 30]),
        ("COVID-19, B12 and H1N1", []),
        ("3.14.15", []),
        ("9" * 41, []),
        ("no one said a word, often", [1]),
        ("May I march on?", []),
        ("99/99/9999", [99, 99, 9999]),
        ("45/45/2015", []),
        ("20240230", [20240230]),
        ("20241301", [20241301]),
        ("19000229 and 20230229", [19000229, 20230229]),
        ("18991231", [18991231]),
        ("120240206", [120240206]),
        ("#20240206", [20240206]),
        ("20240206-17", [20240206, 17]),
        ("20240206.5", [20240206.5]),
        ("4,50 or 12,5 in all", [4, 12]),
        ("€1,234 and 1,234 €", [1234, 1234]),
        ("1'45 and 1'4500", [1, 45, 1, 4500]),
        ("Feb 6 at 14:22 in 2024", [2_06, 14 * 60 + 22, 2024]),
        ("06-Feb-24", [6]),
        ("three (4) of them", [3, 4]),
        ("twelve men (12)", [12, 12]),
        ("in 2012 1/2 of it", [2012, 0.5]),
        ("3 mm and 5 m", [3, 5]),
        ("tested negative 5 times", [5]),
        ("the deal ($14.6 million), $(48)", [14.6e6, 48]),
        ("$(12) apples", [12]),
    ],
)
def test_values(text: str, values: list[float]) -> None:
    assert [q.value for q in quantities(text)] == values


@pytest.mark.parametrize("text", ["Tue, 06 Feb 2024", "Tue Feb 6 14:22:10 2024 +0100", "Tue Feb  6 14:22:10 CET 2024"])
def test_the_date_of_a_stamp_has_its_year(text: str) -> None:
    assert same(quantities(text)[0], only("6 February 2024"))


def test_ends_of_a_range_share_the_unit() -> None:
    low, high = quantities("from 20 to 40 percent")
    assert (low.kind, high.kind) == ("percent", "percent")
    low, high = quantities("$5-6 million")
    assert (low.also, low.unit, high.value) == ((5e6,), "$", 6e6)


@pytest.mark.parametrize(
    "text", ["one of the best", "the second one", "half of it", "2. Go home", "so it is [3]", "(1) Go"]
)
def test_weak(text: str) -> None:
    assert all(q.weak for q in quantities(text))


@pytest.mark.parametrize("text", ["3 of them", "twelve men", "in 2015", "111.", "12 percent", "one percent"])
def test_not_weak(text: str) -> None:
    assert [q.weak for q in quantities(text)] == [False]


def only(text: str) -> Quantity:
    (quantity,) = quantities(text)
    return quantity


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("12%", "twelve percent"),
        ("1,000", "one thousand"),
        ("1000", "1,000"),
        ("1.5 million", "1,500,000"),
        ("$13bn", "13 billion"),
        ("3rd", "third"),
        ("50%", "half"),
        ("12/05/2015", "May 12, 2015"),
        ("12/05/2015", "5 December 2015"),
        ("5:30", "17:30"),
        ("5 pm", "17:00"),
        ("5m", "5"),
        ("1.10", "1.1"),
        ("20240206", "6 February 2024"),
        ("20240206", "20,240,206"),
        ("06-Feb-2024", "6 February 2024"),
        ("900 seconds", "15 minutes"),
    ],
)
def test_same(a: str, b: str) -> None:
    assert same(only(a), only(b))
    assert same(only(b), only(a))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("30", "31"),
        ("12%", "12"),
        ("$5", "€5"),
        ("3rd", "3"),
        ("12 May 2015", "13 May 2015"),
        ("5 am", "5 pm"),
        ("1.5 million", "1.5 billion"),
        ("1990", "1990s"),
        ("20240206", "7 February 2024"),
        ("1.2 s", "1.2 ms"),
        ("14:22", "14:22:10"),
    ],
)
def test_not_same(a: str, b: str) -> None:
    assert not same(only(a), only(b))


@pytest.mark.parametrize(
    ("exact", "rounded"),
    [
        ("1,534,000", "1.5 million"),
        ("1,980", "2,000 "),
        ("12.4%", "12%"),
        ("3.14159", "3.14"),
        ("12 May 2015", "2015"),
        ("12 May 2015", "May 2015"),
        ("12 May 2015", "12 May"),
        ("1994", "1990s"),
        ("12 May 1994", "1990s"),
        ("14:22:10", "14:22"),
        ("14:22:10", "2:22 p.m."),
        ("2:22:59", "14:22"),
    ],
)
def test_rounds_to(exact: str, rounded: str) -> None:
    assert rounds_to(only(exact), only(rounded))
    assert not rounds_to(only(rounded), only(exact))


@pytest.mark.parametrize(
    ("exact", "rounded"),
    [
        ("31", "30"),
        ("1,560,000", "1.5 million"),
        ("1989", "1990"),
        ("12.6%", "12%"),
        ("$1.46", "€1.5"),
        ("14:22:50", "14:23"),
        ("14:22:10", "2:22 am"),
    ],
)
def test_does_not_round_to(exact: str, rounded: str) -> None:
    assert not rounds_to(only(exact), only(rounded))


def test_index() -> None:
    index = QuantityIndex(quantities("On 12 May 2015 it sold 1,534,000 units, up 12 percent from $5."))
    for text in ("12%", "2015", "1.5 million", "€5 no 12%", "May 12"):
        assert quantities(text)[-1] in index
    for text in ("13%", "2016", "1.6 million", "€5", "May 13"):
        assert only(text) not in index


@given(
    st.text(
        alphabet=st.one_of(st.sampled_from(list("0123456789.,/-–:% $½abemnotıİ\ud800 ")), st.characters()), max_size=200
    )
)
def test_any_text(text: str) -> None:
    found = quantities(text)
    assert all(0 <= q.start < q.end <= len(text) for q in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    index = QuantityIndex(found)
    assert all(q in index and same(q, q) for q in found)


@given(st.integers(0, 10**12), st.sampled_from(["{}", "{:,}", "{}.0"]))
def test_whole_numbers(n: int, form: str) -> None:
    assert same(only(form.format(n)), Quantity(kind="number", value=float(n), start=0, end=1))


@pytest.mark.parametrize(
    ("text", "value"),
    [("they scooped $ 53, 193, 914 there", 53_193_914), ("over 15, 000 flowers", 15_000), ("1, 000, 000 of them", 1e6)],
)
def test_the_groups_of_a_number_may_be_parted_by_a_tokeniser(text, value):
    assert value in quantities(text)[0].readings


@pytest.mark.parametrize("text", ["7, 12", "7, 1200", "1990, 100", "7; 120"])
def test_a_list_of_numbers_is_not_regrouped(text):
    assert len(quantities(text)[0].readings) == 1
