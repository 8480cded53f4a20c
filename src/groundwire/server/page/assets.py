"""The page's files as they are sent: read once from the package, each with its type and a tag of its content.

The style is one file: that of all pages of ours and the page's own behind it, so that an exported verdict, which carries it
along and names it by hash, looks as it did. Left out: the routes.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from groundwire.pages.style import packaged

_STATIC = files("groundwire.server.page").joinpath("static")
_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
LOOK = "look.css"
_STYLES = ("frame.css", "fields.css", "verdict.css", "drawings.css")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """A file: its content, its media type, and a strong entity tag."""

    content: bytes
    media_type: str
    tag: str


@cache
def assets() -> dict[str, Asset]:
    """Return every file of the page by name; nothing else can be asked for."""
    found = {file.name: file.read_text(encoding="utf-8") for file in _STATIC.iterdir() if file.name not in _STYLES}
    found = {name: text for name, text in found.items() if name.rpartition(".")[2] in _TYPES}
    return {name: _asset(name, text) for name, text in {**found, LOOK: style()}.items()}


@cache
def style() -> str:
    """Return the one style of the page and of what it exports."""
    own = (_STATIC.joinpath(name).read_text(encoding="utf-8") for name in _STYLES)
    return "".join([packaged("base.css"), *own])


def style_hash() -> str:
    """Return what a content security policy calls the style."""
    return f"sha256-{b64encode(sha256(style().encode()).digest()).decode('ascii')}"


def _asset(name: str, text: str) -> Asset:
    content = text.encode()
    return Asset(
        content=content,
        media_type=f"{_TYPES[name.rpartition('.')[2]]}; charset=utf-8",
        tag=f'"{sha256(content).hexdigest()[:32]}"',
    )
