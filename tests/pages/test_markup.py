from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.pages.markup import Html, element, joined, shown


class Read(HTMLParser):
    """The texts and the attribute values of a piece of HTML, as a parser reads them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.values: list[str | None] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.values += [value for _, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@given(st.text(st.characters()), st.text(st.characters()))
def test_a_text_is_read_as_it_was_shown(text: str, value: str) -> None:
    read = Read(element("p", text, title=value))
    assert read.tags == ["p"]
    assert "".join(read.texts) == shown(text)
    assert read.values == [shown(value)]


def test_html_stands_as_it_is_and_its_parts_are_text_again() -> None:
    inner = element("b", "<")
    assert element("p", inner, "<") == "<p><b>&lt;</b>&lt;</p>"
    assert joined([inner[:2], "x"]) == "&lt;bx"
    assert isinstance(joined([]), Html)


def test_attributes_are_named_and_left_out_as_python_says_it() -> None:
    made = element("a", class_="x", aria_label="y", open=True, hidden=False, title=None, r=4.50, cx=3, viewBox="0 0")
    assert made == '<a class="x" aria-label="y" open r="4.5" cx="3" viewBox="0 0"></a>'
    assert element("meta", name="n", content="c") == '<meta name="n" content="c">'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two\nlines\tand  blanks", "two\nlines\tand  blanks"),
        ("a\r\nb\rc\u2028d\x85e", "a\nb\nc\nd\ne"),
        ("a\xa0b\u3000c\x1cd", "a b c d"),
        ("\x00\x1b[0m\u202e\ud800", "\\x00\\x1b[0m\\u202e\\ud800"),
        ("👩\u200d👧 日本 שלום", "👩\u200d👧 日本 שלום"),
    ],
)
def test_lines_stay_and_what_hides_is_escaped(text: str, expected: str) -> None:
    assert shown(text) == expected
