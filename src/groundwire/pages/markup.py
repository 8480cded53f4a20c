"""HTML that is built and never pasted together: a string that is not `Html` is text, and is escaped on its way in.

What could hide in a text or turn its direction (controls, NUL, direction marks, lone surrogates) is drawn as a visible
escape, so a page is always plain UTF-8. Left out: what the elements mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from groundwire.visible import one_line

Value = str | int | float | bool | None
"""An attribute's value: None and False leave it out, True stands alone."""

_BREAKS = {ord(c): "\n" for c in "\r\v\f\x85\u2028\u2029"}
_BLANKS = {n: " " for n in range(0x3001) if chr(n).isspace() and chr(n) not in "\t\n"}
_WHITE = {**_BLANKS, **_BREAKS}
_BLACK = re.compile(r"[^ \t\n]+")
_VOID = {"input", "meta"}


class Html(str):
    """A piece of HTML that is safe to stand in a page as it is."""

    __slots__ = ()


def shown(text: str) -> str:
    """Return `text` with its lines kept and everything that is not plainly printable as a visible escape."""
    if text.isprintable():
        return text
    plain = text.replace("\r\n", "\n").translate(_WHITE)
    return _BLACK.sub(lambda found: one_line(found[0]), plain)


def element(name: str, /, *children: str | None, **attributes: Value) -> Html:
    """Return an element. Children that are not `Html` are text; None is left out.

    Attributes are named as Python allows: `class_` and `aria_label` stand for class and aria-label.
    """
    tag = f"<{name}{_written(attributes)}>"
    return Html(tag) if name in _VOID else Html(f"{tag}{joined(children)}</{name}>")


def joined(parts: Iterable[str | None], between: str = "") -> Html:
    """Return the parts one behind the other, texts among them escaped."""
    return Html(_safe(between).join(_safe(part) for part in parts if part is not None))


def verbatim(name: str, content: str) -> Html:
    """Return a style or script element of our own content, which no data enters."""
    return Html(f"<{name}>{content}</{name}>")


def _safe(part: str) -> str:
    return part if isinstance(part, Html) else escape(shown(part), quote=True)


def _written(attributes: dict[str, Value]) -> str:
    return "".join(
        f" {name}" if value is True else f' {name}="{_safe(_plain(value))}"'
        for name, value in ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
        if value is not None and value is not False
    )


def _plain(value: Value) -> str:
    """Return a number without digits that nobody sees."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
