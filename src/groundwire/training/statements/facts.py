"""A fact of a small world: how it may be told, and claims that it backs or denies.

Left out: which facts there are (`scenes/*.toml`), how they are drawn (`scenes`), and how samples are made (`worlds`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact. `says` are sentences that tell it; every one backs all of `true` and denies all of `false`.

    `then` are more of them that speak of "it" or "they": fit to follow a sentence of the same scene, not to stand alone.
    """

    says: tuple[str, ...]
    true: tuple[str, ...]
    false: tuple[str, ...]
    then: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """Facts about one subject, and claims on it that none of them decides. A claim on one fact is open to the others."""

    facts: tuple[Fact, ...]
    open: tuple[str, ...]
