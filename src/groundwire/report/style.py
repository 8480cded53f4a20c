"""The one look of every page: palette and basic shapes (`base.css`), what the report adds (`report.css`), and its script.

A page that is made of them names them by hash, so that nothing else on it is ever applied or run. Left out: what they say.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files


@cache
def packaged(name: str) -> str:
    """Return a file of this folder: "base.css", "report.css" or "report.js"."""
    return files("groundwire.report").joinpath(name).read_text(encoding="utf-8")


def policy(style: str, script: str) -> str:
    """Return a content security policy that allows this style, this script, and nothing from anywhere."""
    rules = [
        "default-src 'none'",
        f"style-src {_named(style)}",
        f"script-src {_named(script)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join(rules)


def _named(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode('ascii')}'"
