"""A connection that ends without cutting its last answer.

A socket that is closed while something lies in it unread is reset, and a reset throws away what the client has not read
yet: the very answer that says why. So what is to be closed is closed for writing first, what still comes is thrown away,
and only when the client has closed too, or after a moment, it is closed for good. Left out: when (`protocol`).
"""

from __future__ import annotations

import asyncio
from typing import Any

LINGER_SECONDS = 1.0
STILL_SECONDS = 30.0
"""For how long a client may read nothing of its last answer, before the connection is closed for good."""


class Lingering(asyncio.Transport):
    """A transport whose `close` lingers; everything else is the inner transport's."""

    def __init__(self, inner: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._inner, self._loop = inner, loop
        self._closing = False
        self._left, self._still = 0, 0.0
        self._timer: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """Send what is written and the end of it, wait for the client's end, and close."""
        if self._closing:
            return
        self._closing = True
        if self._inner.is_closing():
            return
        self._inner.resume_reading()
        self._inner.write_eof()
        self._linger()

    def _linger(self) -> None:
        """Look again after a moment, until everything is handed to the kernel or nobody reads it."""
        self._timer = self._loop.call_later(LINGER_SECONDS, self._leave)

    def _leave(self) -> None:
        left = self._inner.get_write_buffer_size()
        self._still = self._still + LINGER_SECONDS if left == self._left else 0.0
        self._left = left
        if left and self._still < STILL_SECONDS:
            self._linger()
        else:
            self._inner.abort()

    def ended(self) -> None:
        """Take note that the connection is gone."""
        self._closing = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def is_closing(self) -> bool:
        """Say whether it is closed or lingers."""
        return self._closing or self._inner.is_closing()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send; what comes after `close` is dropped."""
        if not self._closing:
            self._inner.write(data)

    def abort(self) -> None:
        """Close at once."""
        self._closing = True
        self._inner.abort()

    def pause_reading(self) -> None:
        """Stop reading, unless it lingers."""
        if not self._closing:
            self._inner.pause_reading()

    def resume_reading(self) -> None:
        """Read on."""
        self._inner.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return what is known of the socket."""
        return self._inner.get_extra_info(name, default)
