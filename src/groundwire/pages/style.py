"""The one look of every page: palette and basic shapes (`base.css`), and a page that is whole in one file.

A page names its style and its script by hash, so that nothing else on it is ever applied or run, whatever texts it shows.
Left out: what a page adds to the look, and what it says.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from groundwire.pages.markup import Html, element, joined, verbatim


@cache
def packaged(name: str, package: str = "groundwire.pages") -> str:
    """Return a text file of a package of ours: "base.css" of this one."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def policy(style: str, script: str, *, connects: bool = False) -> str:
    """Return a content security policy that allows this style, this script, and nothing from anywhere.

    `connects` is for a page behind a server of ours: its script may ask that server, and no other.
    """
    rules = [
        "default-src 'none'",
        f"style-src {_named(style)}",
        f"script-src {_named(script)}",
        "base-uri 'none'",
        "form-action 'none'",
        *(["connect-src 'self'"] if connects else []),
    ]
    return "; ".join(rules)


def document(title: str, main: Html, *, style: str, script: str, connects: bool = False) -> str:
    """Return a whole page: `style` stands behind that of all pages, `script` at the end; `title` is text.

    `connects` is that of `policy`.
    """
    look = packaged("base.css") + style
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy(look, script, connects=connects)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        verbatim("style", look),
    )
    return f"<!doctype html>\n{element('html', joined([head, element('body', main, verbatim('script', script))]), lang='en')}\n"


def _named(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode('ascii')}'"
