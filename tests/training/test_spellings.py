"""Figures written otherwise stay the figures that they are, by the reading of quantities that the checker has of its own."""

import time
from random import Random

import pytest

from groundwire.quantities import QuantityIndex, quantities
from groundwire.training.sample import Marked
from groundwire.training.spellings import spelled_otherwise
from groundwire.training.written.documents import load_documents

TEXTS = (
    "The plane cost £400 million on March 5, 1990, and £400m later.",
    "It opens at 9am and closes at 18:30, or at 7.45 p.m. daily.",
    "About 12,500 people ran 42 km in 3 hours; 12% gave up after 5km.",
    "It paid $14 an hour, $1,198 a month, in 1990 and on 5 May.",
    "They spent 1.5 million dollars; a 20-year-old man, 1.80 metres tall, ran at 30 mph for 2.5 million people.",
    "He has 5.5 hours and 100.5 kg, 3-1, 1,000.50 and 1234567.",
    "It was 20 °C and 5 m² wide, 60 km/h, 30 kilometers per hour, 5 GB, €3bn and 3 tonnes.",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("seed", range(25))
def test_every_figure_keeps_its_value(text: str, seed: int) -> None:
    new = spelled_otherwise(Marked(text), Random(seed)).text
    before, after = quantities(text), quantities(new)
    assert all(quantity in QuantityIndex(after) for quantity in before if not quantity.weak), new
    assert all(quantity in QuantityIndex(before) for quantity in after if not quantity.weak), new


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("It cost £400 million.", {"£400m", "£400million", "£ 400 million", "400 million pounds", "£400mn"}),
        ("It costs $14 now.", {"14 dollars", "US$14", "$ 14"}),
        ("It is 5km away.", {"5 km", "5 kilometres", "5 kilometers"}),
        ("It opens at 9am daily.", {"9 a.m.", "9 am", "09:00", "9.00am", "9:00 am", "9:00 a.m."}),
        (
            "On March 5, 1990 it fell.",
            {"5 March 1990", "March 5th, 1990", "5th March 1990", "Mar 5, 1990", "1990-03-05"},
        ),
        ("It holds 5 cups.", {"five cups"}),
        ("The two dogs ran.", {"The 2 dogs"}),
        ("It rose 12%.", {"12 percent", "12 per cent"}),
        ("It left the U.S. again.", {"the US", "the United States"}),
    ],
)
def test_every_spelling_comes_up(text: str, forms: set[str]) -> None:
    seen = [spelled_otherwise(Marked(text), Random(seed)).text for seed in range(300)]
    assert {form for form in forms if any(form in new for new in seen)} == forms


LEFT = """
It won 3-1. | Version 2.5.1 is out. | In 1990 it fell. | It is one of them. | At 12pm it ended. | 1 km. | at 3.45
It stood at 6.40 m. | at 9:30 in the evening | In March 20 people came. | two thirds of us | May 5-7 | 10–12 May
It costs $1.5M. | It costs $3.2% | US$14 and A$14 | $5-million | £5–6 million | 3 to 4 million of them | 5–6 million of them
1.23456789 million of us | from 2 to 5 pm | 2-5 pm | 10:05:30 pm | It ended at 9 a.m. The rest left. | It ended at 9 a.m.
the 9/11 attacks | 24/7 for ever | won 3:2 in Rome | 5–6 of us | twenty five of them | a film about brothers | the US$5
0123456 | 20150312 | It fell in the U.S. The rest stood. | 1,5 million of them | 3.20 each
"""


@pytest.mark.parametrize("text", [text.strip() for line in LEFT.strip().splitlines() for text in line.split("|")])
def test_what_has_one_spelling_is_left(text: str) -> None:
    assert {spelled_otherwise(Marked(text), Random(seed), 1.0).text for seed in range(20)} == {text}


def test_figures_keep_their_value_in_everything_that_was_written() -> None:
    wrong = changed = 0
    for document in load_documents():
        for n, text in enumerate(document.sentences):
            new = spelled_otherwise(Marked(text), Random(n)).text
            changed += new != text
            known = QuantityIndex(quantities(new))
            wrong += new != text and not all(q in known for q in quantities(text) if not q.weak)
    assert changed > 4000
    assert wrong <= changed / 200, "more than the reader of quantities gets wrong by itself"


def test_awkward_text_is_left_in_linear_time() -> None:
    began = time.perf_counter()
    for text in ("1" * 10**5, ",111" * 10**5 + "x", "1." * 10**5, "\x00", "", "9 a.m" * 10**4, "two " * 10**4):
        spelled_otherwise(Marked(text), Random(0), 0.001)
    assert time.perf_counter() - began < 20


def test_marks_stay_true() -> None:
    text = Marked("It cost £400 million in 1990, on 5 May.").mark(8, 20)
    for seed in range(100):
        new = spelled_otherwise(text, Random(seed))
        [(start, end)] = new.spans
        assert quantities("£400 million")[0] in QuantityIndex(quantities(new.text[start:end]))
    inner = Marked("It opens at 9 am.").mark(12, 13)
    assert all(spelled_otherwise(inner, Random(seed)) == inner for seed in range(50))
