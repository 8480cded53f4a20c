"""Idle sentences: what in an answer asserts nothing that evidence could back, and why."""

from groundwire.idle.reasons import (
    COLONS,
    MARKER,
    NOTHING_SAID,
    ONLY_ABSTAINS,
    ONLY_ASKED,
    ONLY_CHATS,
    ONLY_CITES,
    ONLY_NAMES,
    STOPS,
    YES_NO,
    asks,
    assents,
    cites,
    echoes,
    lists_sources,
    surely_chats,
    why_idle,
)
from groundwire.idle.voices import Voices

__all__ = [
    "COLONS",
    "MARKER",
    "NOTHING_SAID",
    "ONLY_ABSTAINS",
    "ONLY_ASKED",
    "ONLY_CHATS",
    "ONLY_CITES",
    "ONLY_NAMES",
    "STOPS",
    "YES_NO",
    "Voices",
    "asks",
    "assents",
    "cites",
    "echoes",
    "lists_sources",
    "surely_chats",
    "why_idle",
]
