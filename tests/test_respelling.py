"""Respelling: a claim's figures as the source writes them, and the way back to where they stood."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import check
from groundwire.quantities import Respelled, respelled


@pytest.mark.parametrize(
    ("source", "text", "found"),
    [
        ("The shop opens at 9am.", "It opens at 9 a.m. daily.", "It opens at 9am. daily."),
        ("It opens at 19:30.", "It opens at 7.30 pm.", "It opens at 19:30."),
        ("It holds 1,500 people.", "It holds 1500.", "It holds 1,500."),
        ("It cost £400million.", "It cost £400m, or £400 million.", "It cost £400million, or £400million."),
        ("It cost £100,000 in all.", "It cost # 100,000 .", "It cost £100,000 ."),
        ("They took £207 of the £500.", "They took # 207 of # 500 .", "They took £207 of £500 ."),
        ("The # 2.5m deal fell .", "The £2.5 million deal fell.", "The # 2.5m deal fell."),
        ("On March 5, 1990 it fell.", "It fell on 5 March 1990.", "It fell on March 5, 1990."),
        ("It rose 12 per cent.", "It rose 12%.", "It rose 12 per cent."),
        ("It weighs 2.50 kg.", "It weighs 2.5 kg.", "It weighs 2.50 kg."),
        ("It fell by 0.5 points.", "It fell by .5 points.", "It fell by 0.5 points."),
        ("It was -12 degrees.", "It was minus 12 degrees.", "It was -12 degrees."),
        ("It ran at 2024-02-29T18:05:00Z.", "It ran at 6:05 pm.", "It ran at 18:05:00."),
        ("It was signed by four\nhundred.", "It was signed by 400.", "It was signed by four\nhundred."),
        ("Mon-Fri 9-18, Sat 10-14, Sun closed", "On Sunday it is closed.", "On Sun it is closed."),
        ("It is closed on Tue and open Wed-Sun.", "It is closed on Tuesdays.", "It is closed on Tue."),
        ("It is open on Saturday.", "Open: Sat 10:00.", "Open: Saturday 10:00."),
        ("There were 1,200,000 of them.", "There were 1.2 million.", "There were 1,200,000."),
        ("Started at 14:22:10.", "It started at 2:22 p.m.", "It started at 14:22:10."),
        ("Started at 14:22:10.", "It started at 14:22.", "It started at 14:22:10."),
        ("14:22:10,123 INFO started", "It started at 2.22 pm.", "It started at 14:22:10."),
        ("14:22:10 start, 14:22:45 end", "It started at 2:22 p.m.", "It started at 14:22."),
        ("It started at 14:22, or 14:22:10.", "It started at 2:22 pm.", "It started at 14:22."),
        ("Date: Tue Feb 6 14:22:10 2024", "On Tuesday, 6 February 2024.", "On Tue, Feb 6."),
        ("Date: 06-Feb-2024", "It is of 6 February 2024.", "It is of 06-Feb-2024."),
        ("Date: Fri, 02 Feb 2024", "It was Friday.", "It was Fri."),
        ("A population of 1'450", "It has 1,450.", "It has 1'450."),
        ("The term is thirty-six (36) months.", "It is 36 months.", "It is thirty-six months."),
        ("The term is thirty-six (36) months.", "It is three years.", "It is thirty-six months."),
        ("The term is 36 months.", "It is thirty-six (36) months.", "It is 36 months."),
        ("A deposit of five thousand dollars ($5,000).", "It is $5,000.", "It is five thousand dollars."),
        ("Cash flow was negative $48 million.", "It was -$48 million.", "It was negative $48 million."),
        ("Cash flow was $(48) million.", "It was -$48 million.", "It was $(48) million."),
        ("It ran 2 h.", "It ran 2 hours.", "It ran 2 h."),
        ("The dose is 10 mcg.", "It is 10 micrograms.", "It is 10 mcg."),
        ("It made $3.1mm.", "It made $3.1 million.", "It made $3.1mm."),
        ("It took GBP 12.3 million.", "It took £12.3 million.", "It took GBP 12.3 million."),
        ("It took £12.3 million.", "It took 12.3 million pounds.", "It took £12.3 million."),
        ("The fine is 500 euros.", "It is €500.", "It is 500 euros."),
        ("The fine is US$500.", "It is $500.", "It is US$500."),
        ("It rose by 1.2 percentage points.", "It rose 120 bps.", "It rose 1.2 percentage points."),
        ("It rose by 120 basis points.", "It rose by 1.2%.", "It rose by 120 basis points."),
        ("It is 3 1/2 inches thick.", "It is 3.5 inches thick.", "It is 3 1/2 inches thick."),
        ("He was born in 1867.", "He was born in the 1860s.", "He was born in 1867."),
        ("He was born on 5 May 1867.", "He was born in the 1860s.", "He was born in 1867."),
        ("It has 11 members.", "It has twelve members.", "It has 12 members."),
    ],
)
def test_the_same_figure_is_written_as_the_source_does(source: str, text: str, found: str) -> None:
    assert respelled(text, source).text == found


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("The shop opens at 9am.", "It opens at 9 p.m."),
        ("It cost $400 million.", "It cost £400m."),
        ("It cost $100,000.", "It cost # 100,000 ."),
        ("It cost £20 and came in place 12.", "It was # 12 in the list."),
        ("It cost £20.", "It cost #20, and #20 is a mark."),
        ("Python 3.10 is required.", "Python 3.1 is required."),
        ("The rule is in section 4.1.", "The rule is in section 4.10."),
        ("Model 0500 is sold out.", "Model 500 is sold out."),
        ("It opens at 06:00 and closes at 22:00.", "It opens at 6 p.m."),
        ("On Sunday it came close to the Sun.", "It was close to the Sun."),
        ("It is sold on Sunday.", "It is in the Chicago Sun-Times."),
        ("He sat in the sun on Monday.", "On Sunday he sat there."),
        ("Sun shone, he sat.", "It shone on Sunday and Saturday."),
        ("It took £12 and place 12.", "It was # 12 in the list."),
        ("It rose 12 per cent.", "It rose by 12."),
        ("It fell in May 2015.", "It fell in 2015."),
        ("It has 1,534 seats.", "It has some 1,500 seats."),
        ("Started at 14:22:10.", "It started at 2:23 p.m."),
        ("Started at 14:22:10.", "It started at 2:22 a.m."),
        ("Started at 14:22.", "It started at 14:22:10."),
        ("2:22:10 PM start, 2:22:45 PM end", "It started at 14:22."),
        ("Date: Tue Feb 6 14:22:10 2024", "On 6 February 2023."),
        ("The Sun mars 12 of them.", "On Sunday."),
        ("It holds 1500, not 1,500.", "It holds 1500."),
        ("One of the five is here.", "5 are here."),
        ("It is 3, 800 km from here.", "It is 3,800 km away."),
        ("", "It holds 1500."),
        ("1500", ""),
        ("The fine is £500.", "It is 500 euros."),
        ("It is 500 here.", "It is 500 pounds."),
        ("It rose by 120 basis points.", "It rose by 120 percentage points."),
        ("He was born in 1867.", "He was born in the 1870s."),
        ("He was born in 1867, and left in 1869.", "He was born in the 1860s."),
        ("He was born in the 1860s.", "He was born in 1867."),
        ("He was born in 1867.", "It was a time like the 1860s."),
        ("It ran 2 hours.", "It is a 2-hour film."),
        ("It has 11 members.", "It has twelve players."),
        ("It has 11 members.", "It has two members."),
        ("It has eleven members.", "It has twelve members."),
    ],
)
def test_another_figure_or_spelling_of_its_own_stays(source: str, text: str) -> None:
    assert respelled(text, source) == Respelled(text)


def test_places_lead_back() -> None:
    text = "At 9 a.m. 1500 people, at 12% more, came."
    read = respelled(text, "By 9am, 1,500 came, 12 per cent more.")
    assert read.text == "At 9am. 1,500 people, at 12 per cent more, came."
    for word in ("people", "more", "came"):
        at = read.text.index(word)
        start, end = read.original(at, at + len(word))
        assert text[start:end] == word
    for part, whole in (("9am", "9 a.m"), ("1,500", "1500"), (",500", "1500"), ("per cent", "12%")):
        at = read.text.index(part)
        start, end = read.original(at, at + len(part))
        assert text[start:end] == whole


@given(st.text("ab 0123456789,.:%£$mapkM", max_size=60), st.text("ab 0123456789,.:%£$mapkM", max_size=60))
def test_bounds_stay_in_order_and_inside(text: str, source: str) -> None:
    read = respelled(text, source)
    places = [read.original(at, at + 1) for at in range(len(read.text))]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)
    assert all(read.text[start:end] in source for _, _, start, end in read.places)


def test_long_texts_take_linear_time() -> None:
    began = time.perf_counter()
    respelled("1 000,5 " * 20_000, "x" * 10**6)
    respelled("It holds 1500.", "1,501 " * 100_000)
    assert time.perf_counter() - began < 20


@pytest.mark.parametrize(
    ("source", "answer", "supported"),
    [
        ("The shop opens at 9am.", "The shop opens at 9 a.m.", True),
        ("The hall holds 1,500 people.", "The hall holds 1500 people.", True),
        ("It fell on March 5, 1990.", "It fell on 1990-03-05.", True),
        ("The shop opens at 9am.", "The shop opens at 9 p.m.", False),
        ("The hall holds 1,500 people.", "The hall holds 1800 people.", False),
    ],
)
def test_the_default_reads_figures_in_any_spelling(source: str, answer: str, supported: bool) -> None:
    assert check(answer=answer, contexts=[source]).grounded is supported


def test_spans_stand_where_the_answer_has_them() -> None:
    answer = "In 1990, at 9 a.m., the hall for 1500 people was sold to a circus."
    verdict = check(answer=answer, contexts=["At 9am a hall for 1,500 people was opened in 1990."])
    spans = [answer[span.start : span.end] for claim in verdict.claims for span in claim.spans]
    assert spans
    assert "circus" in " ".join(spans)
