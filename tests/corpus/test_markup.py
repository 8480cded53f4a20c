from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.corpus.markup import read_page


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One <b>bo</b>ld\n word.</p><p>Two.", "One bold word.\n\nTwo."),
        ("a<br>b<BR/>c", "a\nb\nc"),
        ("<ul><li>one</li><li><p>two</p></ul>after", "- one\n\n- two\n\nafter"),
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "a | b\n1 | 2"),
        ("<pre>\n x\n  y</pre>z", " x\n  y\n\nz"),
        ("A&amp;B &lt;tag&gt; caf&eacute; &#8212; &#x41; &nope; &", "A&B <tag> café — A &nope; &"),
        ("&#99999999999999999999;x", "\ufffdx"),
        ("a<script>var x = '<p>no</p>';</script>b<style>p {}</style>c", "abc"),
        ("<nav>menu <a>x</a></nav><p>text</p>", "text"),
        ("<svg><title>no</title><g>no</g></svg>yes", "yes"),
        ("<nav>a<nav>b</nav>c</nav>d", "d"),
        ("<nav>never closed <p>text", "never closed\n\ntext"),
        ("<svg/>text", "text"),
        ("a<!-- no <p> --><!-->b --> c", "ab --> c"),
        ("a<!-- never closed", "a"),
        ("<!DOCTYPE html><?xml version='1'?>x", "x"),
        ("if a < b and b > c", "if a < b and b > c"),
        ("x<y and no end", "x<y and no end"),
        ("<a title=\"a > b\" href='x'>link</a>", "link"),
        ('<a href="never closed>link</a> text', "link text"),
        ("<script>never closed", "never closed"),
        ('<p class=x">y', "y"),
        ("</p></div>x", "x"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_what_a_reader_sees(html: str, text: str) -> None:
    assert read_page(html).text == text


def test_an_unclosed_comment_opening_is_closed_by_its_own_end() -> None:
    assert read_page("a<!---->b").text == "ab"


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>A &amp;\n B</title><h1>C</h1>", "A & B"),
        ("<h1>The <i>first</i> one</h1><h1>second</h1>", "The first one"),
        ("<title></title><p>x", None),
        ("<title>never closed", None),
    ],
)
def test_the_title_is_that_of_the_head_or_the_first_heading(html: str, title: str | None) -> None:
    assert read_page(html).title == title


def test_the_title_is_not_in_the_text() -> None:
    assert read_page("<head><title>T</title></head><body>x").text == "x"


@given(st.text(alphabet=st.sampled_from("<>/!-?&#; \n\"'=abpx1éscript"), max_size=80))
def test_no_text_is_too_strange(html: str) -> None:
    page = read_page(html)
    assert page.text == page.text.strip(" ")


HARD = ["<", "<!--", "<a ", "</", '<a href="', "<a b='", "<a b=c ", "<a/", "<svg", "<svg>", "<nav><a>", "<title>", "<?"]


@pytest.mark.parametrize("piece", [*HARD, "<script>", "<script></", "<!-- -", "<a ='\"=", "&#9", "<li>", "<pre>"])
def test_the_time_is_linear(piece: str) -> None:
    def seconds(size: int) -> float:
        html = piece * (size // len(piece))
        return min(_timed(html) for _ in range(2))

    assert seconds(80_000) < 12 * seconds(20_000) + 0.02  # a quadratic reader needs 16 times as long


def _timed(html: str) -> float:
    start = process_time()
    read_page(html)
    return process_time() - start
