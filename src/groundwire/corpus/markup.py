"""HTML to text, in linear time whatever the page holds.

The standard library's parser takes more than a minute for 80 kB of `<a `, for it looks for the end of each tag anew; so
the tags are found here, by possessive patterns, each of which either moves on or is not tried again. What is left of a
page: the text that a reader sees, with lines and paragraphs where block elements begin and end, cells of a table row
parted by ` | `, items of a list led by `- `. Scripts, styles, navigation, templates and drawings are dropped.

Left out: style sheets (what they hide is text like any other), images' alternative texts, frames, repairing the tree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

_DROPPED = frozenset("nav template noscript svg iframe object".split())
"""Elements that go with all that is in them. One that is never closed would take the rest along: then none is dropped."""
_RAW = frozenset("script style".split())
_PARAGRAPH = frozenset(
    "address article aside blockquote body details dialog div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr"
    " main ol p pre section table ul".split()
)
_LINE = frozenset("br caption dd dt figcaption legend li option summary tr".split())
_CELL = frozenset(("td", "th"))

_NOTHING, _SPACE, _NEXT_CELL, _NEWLINE, _BLANK_LINE = range(5)
_SEPARATORS = ("", " ", " | ", "\n", "\n\n")

_OPENING = re.compile(r"<(?:(?P<comment>!--)|(?P<bogus>[!?])|(?P<end>/?)(?P<name>[A-Za-z][^\s/<>]*+))")
_ATTRIBUTES = re.compile(r"(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+')?+)*+>")
_UNQUOTED = re.compile(r"[^<>]*+>")
_ENDS = {name: re.compile(f"</{name}(?=[\\s/>])", re.IGNORECASE) for name in (*_RAW, "title")}
_BLANKS = re.compile(r"[ \t\n\f\r]++")
_LONG_REFERENCE = re.compile(r"&#[0-9]{8,}+;?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a reader sees of an HTML page. `title` is that of the head, else the first heading, else None."""

    text: str
    title: str | None


def read_page(html: str) -> Page:
    """Return the text and the title of a page. Never raises: what is no markup is text."""
    reader = _Reader(html, _DROPPED)
    reader.run()
    if reader.dropping:
        reader = _Reader(html, frozenset())
        reader.run()
    title = reader.title or reader.heading
    return Page(text="".join(reader.out), title=" ".join(title.split()) or None)


class _Reader:
    """Goes through a page once. `gap` is what parts the text written so far from the next."""

    __slots__ = (
        *("at", "dropped", "dropping", "endless", "gap", "heading", "html", "in_heading", "marker", "out", "pre"),
        *("tag_end", "title"),
    )

    def __init__(self, html: str, dropped: frozenset[str]) -> None:
        self.html, self.dropped = html, dropped
        self.at, self.gap, self.marker, self.pre = 0, _NOTHING, "", 0
        self.out: list[str] = []
        self.title = self.heading = ""
        self.in_heading = False
        self.dropping: list[str] = []  # the open elements of one dropped kind
        self.endless: set[str] = set()  # elements that no end tag closes from here on
        self.tag_end = _ATTRIBUTES

    def run(self) -> None:
        """Read to the end."""
        html, size = self.html, len(self.html)
        while self.at < size:
            found = html.find("<", self.at)
            opening = _OPENING.match(html, found) if found >= 0 else None
            if found < 0:
                self._text(size)
            elif opening is None:
                self._text(found + 1)
            else:
                self._text(found)
                self._markup(opening)

    def _markup(self, opening: re.Match[str]) -> None:
        if opening["comment"] or opening["bogus"]:
            closing = "-->" if opening["comment"] else ">"
            end = self.html.find(closing, opening.start() + 2)  # `<!-->` is a whole comment
            self.at = len(self.html) if end < 0 else end + len(closing)
            return
        tag = self.tag_end.match(self.html, opening.end())
        if tag is None and self.tag_end is _ATTRIBUTES:  # no tag from here on is closed as it should be
            self.tag_end = _UNQUOTED
            tag = self.tag_end.match(self.html, opening.end())
        if tag is None:
            self._text(opening.end())
            return
        self.at = tag.end()
        name = opening["name"].lower()
        if opening["end"]:
            self._end(name)
        else:
            self._start(name, closed=self.html.endswith("/>", opening.end(), tag.end()))

    def _start(self, name: str, *, closed: bool) -> None:
        if self.dropping:
            if name == self.dropping[0] and not closed:
                self.dropping.append(name)
        elif name in self.dropped:
            if not closed:
                self.dropping.append(name)
        elif name in _RAW or name == "title":
            self._raw(name)
        else:
            self._break(name)
            self.pre += name == "pre"
            self.in_heading = self.in_heading or (name == "h1" and not self.heading)
            if name == "li":
                self.marker = "- "

    def _end(self, name: str) -> None:
        if self.dropping:
            if name == self.dropping[0]:
                self.dropping.pop()
            return
        self._break(name)
        if name == "pre" and self.pre:
            self.pre -= 1
        if name == "h1":
            self.in_heading = False

    def _raw(self, name: str) -> None:
        """Take what stands up to the end tag: of a title it is kept, and where no end tag follows only the tag goes."""
        end = None if name in self.endless else _ENDS[name].search(self.html, self.at)
        if end is None:
            self.endless.add(name)
            return
        if name == "title" and not self.title:
            self.title = _characters(self.html[self.at : end.start()])
        self.at = end.start()

    def _break(self, name: str) -> None:
        if name in _PARAGRAPH:
            self.gap = _BLANK_LINE
        elif name in _LINE:
            self.gap = max(self.gap, _NEWLINE)
        elif name in _CELL:
            self.gap = max(self.gap, _NEXT_CELL)

    def _text(self, end: int) -> None:
        """Write the text up to `end`; white space is joined, but not inside `pre`."""
        text, self.at = self.html[self.at : end], end
        if self.dropping or not text:
            return
        text = _characters(text)
        if not self.pre:
            text = _BLANKS.sub(" ", text)
        elif self.gap == _BLANK_LINE:
            text = text.removeprefix("\n")
        words = text if self.pre else text.strip(" ")
        if not words:
            self.gap = max(self.gap, _SPACE)
            return
        if text[0] == " " and not self.pre:
            self.gap = max(self.gap, _SPACE)
        if self.out:
            self.out.append(_SEPARATORS[self.gap])
        self.out += (self.marker, words)
        self.marker, self.gap = "", _SPACE if text[-1] == " " and not self.pre else _NOTHING
        if self.in_heading:
            self.heading += f" {words}"


def _characters(text: str) -> str:
    """Replace the references (`&amp;`, `&#8212;`) by what they stand for; one of absurd length stands for U+FFFD."""
    return unescape(_LONG_REFERENCE.sub("\ufffd", text) if "&#" in text else text)
