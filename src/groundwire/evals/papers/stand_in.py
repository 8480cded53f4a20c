"""Which model really judged: the paper's where its weights are on this machine, else the built-in one, and that is said.

A stand-in's figures never stand under the name of the model that it stands in for. Left out: what the models are asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from groundwire import models
from groundwire.errors import MissingModel
from groundwire.types.noun import Noun

if TYPE_CHECKING:
    from groundwire.protocols import EntailmentModel, RelevanceScorer

M = TypeVar("M")


@dataclass(frozen=True, slots=True, kw_only=True)
class Used(Noun):
    """A model that judged. `wanted` is the paper's; `identity` the sha256 of its manifest, where it has one."""

    wanted: str
    name: str
    identity: str = ""

    @property
    def stands_in(self) -> bool:
        """True when it is not the model that the paper used."""
        return self.name != self.wanted

    @property
    def title(self) -> str:
        """Return its own name, and that it is a stand-in where it is one."""
        return f"{self.name}, a stand-in" if self.stands_in else self.name


def scorer(wanted: str, instead: str | None = None) -> tuple[Used, RelevanceScorer]:
    """Return what judges relevance: `instead` where it is given, else `wanted`, else the built-in model.

    Raises what `groundwire.models.load_scorer` raises, but for a known model that is not on this machine.
    """
    return _loaded(models.load_scorer, wanted, instead)


def judge(wanted: str, instead: str | None = None) -> tuple[Used, EntailmentModel]:
    """Return what judges entailment; as `scorer`."""
    return _loaded(models.load, wanted, instead)


def _loaded(load: Callable[[str], M], wanted: str, instead: str | None) -> tuple[Used, M]:
    try:
        model = load(instead or wanted)
        name = instead or wanted
    except MissingModel:
        if instead is not None:
            raise
        name = models.BUILTIN
        model = load(name)
    return Used(wanted=wanted, name=name, identity=getattr(model, "identity", "")), model
