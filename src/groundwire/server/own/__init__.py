"""Groundwire's own routes: check, verify, generate and search, each of them once as JSON and, where it grows, as events.

Requests are read strictly (`body`, `models`), answers are the library's own records (`records`). Left out: the shapes of
other services (`groundwire.server.wires`), the chat proxy (`groundwire.server.proxy`), and who may ask at all.
"""

from __future__ import annotations
