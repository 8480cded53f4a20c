"""Markup: what is blanked, what is left because it says something, and that every place stays where it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text import unmarked
from groundwire.text.braces import entries


def words(text: str) -> str:
    """The text without the blanks that stand in for signs."""
    return " ".join(unmarked(text).split())


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The **Harbour Bridge** opened.", "The Harbour Bridge opened."),
        ("***Both*** and __strong__ and _soft_ and *soft*", "Both and strong and soft and soft"),
        ("Call `open()` or ``close``.", "Call open() or close ."),
        ("See [the page](https://a.b/c_(d)?x=[1]) for more.", "See the page for more."),
        ("![The arch](arch.png) is steel.", "The arch is steel."),
        ('[It](https://a.b "The title") is.', "It is."),
        ("> A quoted line\n> and its rest", "A quoted line and its rest"),
        ("<b>Bold</b>, <em class='x'>soft</em> and <br/>new", "Bold , soft and new"),
    ],
)
def test_emphasis_code_links_and_tags_are_blanked(text, plain):
    assert words(text) == plain


@pytest.mark.parametrize(
    "mark",
    "[1]|[1, 2]|[1][2]|[1-3]|[12]|[^1]|[^note]|【4†source】|(source 2)|[Source: 2]|(see source 2)|[Doc 1]|(Context 3)|"
    "[passages 1, 2]|[citation needed]|<sup>1</sup>|<sup>[2]</sup>|(Source: annual report, p. 3)|[cite: 1, 2]|"
    "(Hale et al., 2019)|(Hale & Stern, 2019; Moss, 2020a)|(https://a.b/c)|(cf. item 4)|(see Section 3.2)|"
    "(see the annual report)|(See also: Table 2)|(p. 12)|(pp. 3–4)|(Table 1)|(Tables 2 and 3)|"
    "(Fig. 2a)|(Figure A1)|(page 7)|(ibid.)|(ibid., p. 4)|"
    "(cf p. 3)".split("|"),
)
def test_marks_that_cite_are_blanked(mark):
    assert words(f"It opened in March{mark}.") == "It opened in March ."
    assert words(f"It spans the harbour {mark}") == "It spans the harbour" or mark.startswith("<")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("* Ticket: €1.80 [14]\n* Trip: 12 min", "* Ticket: €1.80\n* Trip: 12 min"),
        ("It opened.[1]\n\n**Locks** It has two.", "It opened.\n\nLocks It has two."),
        ("It opened [4]\n<br>It closed.", "It opened\n\nIt closed."),
        ("It opened [4]\n= Locks", "It opened\n= Locks"),
        ("It opened.[4] **Locks** It has two.", "It opened. Locks It has two."),
        ("It opened [4] <br>It closed.", "It opened It closed."),
    ],
)
def test_a_mark_that_cites_is_blanked_whatever_the_next_line_begins_with(text, plain):
    assert [" ".join(line.split()) for line in unmarked(text).split("\n")] == plain.replace("\n\nIt", "\nIt").split(
        "\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Ann", "won_in": [1932, 1950], "at": {"city": "Rome"}}',
        "{'name': 'Ann', 'won_in': [1932, 1950], 'at': {'city': 'Rome'}}",
        '[{"name": "Ann",\\n "won_in": [1932, 1950], "at": {"city": "Rome"}}]',
    ],
)
def test_of_a_record_the_keys_and_values_are_read(text):
    assert words(text).replace(" ", "") == "name:Ann.wonin:1932,1950.at:city:Rome."


@pytest.mark.parametrize(
    "text",
    [
        "He (Hale) left in 2019 (the year of the fire)",
        "It was filed (Chapter 11) under the Act (Section 230)",
        "It helps (p < .05) and harms (p = 0.3)",
        "You may (see if it rains) and (see it grow)",
        "He told them (seeing no reason) to wait (page)",
        "It came (tabled in 1990) late (figuratively)",
        "It rose (by 12 points, 2019)",
        '{curly} braces and "quotes" in prose',
        "He won gold twice (Sydney, 2000; Athens, 2004), as in two films (Frida, 2002)",
        "Free speech is protected (Article 19)",
        "so [1] * 2 and [1] ** 2 and [3] < n",
        "x[1] = 3 and exit code [1] and press [5] for help",
        "a ratio [2-5], 56 years [46-67], print([1, 2, 3])",
        "Potassium was 5.9 (reference: 3.5-5.1 mmol/L)",
        "> 65 years: 10 mg daily",
        "```python\narr[1] = __name__\n```",
        "2 * 3 * 4 = 24 and a*b*c",
        "snake_case_name and MAX_SIZE",
        "on the interval [1, 2] we have x ∈ [0, 1]",
        "a vector [3, 4] of length 5",
        "the range [10, 20]",
        "(Smith 2019) found 12 [sic]",
        "an area of 10 m<sup>2</sup> of H<sub>2</sub>O",
        "~~struck~~",
        "$x_1 + y_2$",
        "| a | b |",
        "a > b and x -> y",
        "# Heading",
        "- item",
        "* item",
        "1. item",
        "** not bold **",
        "in [2024] and [1,000]",
    ],
)
def test_what_says_something_is_left(text):
    assert unmarked(text) == text


TEXTS = st.text(alphabet="ab1 2*_`[](){}<>/^,.-†【】\nsource:", max_size=60) | st.text(max_size=60)


@given(TEXTS)
def test_every_place_stays_and_only_blanks_are_put(text):
    plain = unmarked(text)
    assert len(plain) == len(text)
    put = " .\n\x0b" if entries(text) != text else " "  # records have stops and line breaks put
    assert all(new == old or new in put for old, new in zip(text, plain, strict=True))
