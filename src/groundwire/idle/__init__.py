"""Idle sentences: what in an answer asserts nothing that evidence could back, and why."""

from groundwire.idle.asking import asks, is_polar, is_question
from groundwire.idle.citing import cites, is_source, lists_sources
from groundwire.idle.headings import COLONS, STOPS, heads
from groundwire.idle.reasons import (
    MARKER,
    NOTHING_SAID,
    ONLY_ABSTAINS,
    ONLY_ASKED,
    ONLY_CHATS,
    ONLY_CITES,
    ONLY_NAMES,
    ONLY_POINTS,
    YES_NO,
    assents,
    echoes,
    nods,
    surely_chats,
    why_idle,
)
from groundwire.idle.refusing import declines
from groundwire.idle.stating import states
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
    "ONLY_POINTS",
    "STOPS",
    "YES_NO",
    "Voices",
    "asks",
    "assents",
    "cites",
    "declines",
    "echoes",
    "heads",
    "is_polar",
    "is_question",
    "is_source",
    "lists_sources",
    "nods",
    "states",
    "surely_chats",
    "why_idle",
]
