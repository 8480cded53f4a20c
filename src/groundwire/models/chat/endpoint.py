"""Which endpoint is asked, and with which key. The key comes from the environment alone and is shown nowhere.

Left out: any default. What is not named is not asked, so that no evidence leaves this machine by mistake.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from groundwire import _env
from groundwire.errors import Unavailable, UsageError

NO_KEY = "none"
"""What is sent to a server on this machine that asks for no key; the protocol wants a word there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A base URL without a slash at its end, and the key for it."""

    url: str
    key: str = field(repr=False)

    @property
    def local(self) -> bool:
        """True for an address of this machine itself."""
        return _local(urlsplit(self.url).hostname or "")

    def redacted(self, text: str) -> str:
        """Return `text` without the key, which an endpoint may repeat in what it says."""
        return text if self.key == NO_KEY else text.replace(self.key, "[key]")


def find(base_url: str | None = None) -> Endpoint:
    """Return the endpoint that `base_url` names, else the environment.

    Raises UsageError for what is no base URL, Unavailable where there is no endpoint, or no key for one elsewhere.
    """
    given = base_url or _env.llm_base_url()
    if not given:
        raise Unavailable(
            "no endpoint for language models is configured", "--llm-url URL, or set GROUNDWIRE_LLM_BASE_URL"
        )
    url = _checked(given.strip()).rstrip("/")
    key = _env.llm_key(url)
    if key is not None and not (key.isascii() and key.isprintable()):
        raise UsageError("the key of the endpoint has characters that no header can carry", "GROUNDWIRE_LLM_API_KEY")
    if key is None and not _local(urlsplit(url).hostname or ""):
        raise Unavailable(f"there is no key for {url}", "set GROUNDWIRE_LLM_API_KEY")
    return Endpoint(url=url, key=key or NO_KEY)


def _checked(url: str) -> str:
    """Return `url`, which may hold neither a name and password nor a query: these would end up in logs."""
    hint = "such as http://127.0.0.1:8000/v1"
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise UsageError("the base URL of the endpoint is not a URL", hint) from None
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise UsageError("the base URL of the endpoint may hold no name, password, query or fragment", hint)
    if parts.scheme not in ("http", "https") or not parts.hostname or not url.isprintable() or " " in url:
        raise UsageError(f"{url!r} is not the base URL of an endpoint", hint)
    return url


def _local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
