"""The three pipelines of table 1: the paper's where an LLM and the weights are there, else what stands in for them.

Without SPLADE, ANCE, MonoT5 and DuoT5, or vectors in the index, BM25 ranked anew by the built-in model is the neural stack.
Without an LLM the built-in model judges by entailment, and the reader is the passage's sentence that fits the question best.

Left out: the recipes (`groundwire.recipes.verifying`), and opening the index, the endpoint and verifiers: what opens one is
handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from groundwire import models
from groundwire.compare import NliJudge
from groundwire.errors import MissingModel, Unavailable
from groundwire.evals.papers.huo2023.published import LLM as PAPER_LLM
from groundwire.evals.papers.huo2023.published import STACKS
from groundwire.protocols import LLM
from groundwire.reader import ExtractiveReader
from groundwire.recipes.checking import Default
from groundwire.recipes.verifying import HUO_STACKS
from groundwire.types import Case, Verdict

STAND_IN = "bm25+mini"
"""The neural stack where the paper's is not to be had."""
_SHORT: Mapping[str, str] = dict(zip(STACKS, HUO_STACKS, strict=True))
_BARE = "verify(passages=1, reader={reader}, judge={judge}, fence=no, review=no)"
"""The paper's recipe over another stack, or with another judge."""


class Verifying(Protocol):
    """What verifies answers; `groundwire.verifier.Verifier` does."""

    def verify(self, cases: Sequence[Case]) -> list[Verdict]:
        """Verify every case, in order."""
        ...

    def identity(self) -> dict[str, Any]:
        """Return what may change a verdict, as JSON values."""
        ...


Open = Callable[[str, str | None], Verifying]
"""Opens a verifier of a recipe, over a stack in place of its own, with the index and the LLM of the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One pipeline. `title` is its column in table 1, `used` what it really was, `judge` who gives the label."""

    title: str
    used: str
    judge: str
    verifier: Verifying


class SentenceReader:
    """The stand-in for Neural+Reader without an LLM: the first passage's best sentence is all that the judge sees."""

    def __init__(self, below: Verifying) -> None:
        self._below = below
        self._reader = ExtractiveReader(models.load_scorer(models.BUILTIN))
        self._judge = NliJudge(Default().make("nli"), models.BUILTIN)

    def verify(self, cases: Sequence[Case]) -> list[Verdict]:
        """Verify by the stack below, then judge anew by the sentence that was read."""
        found = self._below.verify(cases)
        read = [n for n, verdict in enumerate(found) if verdict.case.contexts and (verdict.case.question or "").strip()]
        asked = [found[n].case.question or "" for n in read]
        readings = self._reader.read(asked, [list(found[n].case.contexts) for n in read])
        texts = {n: reading.text for n, reading in zip(read, readings, strict=True) if reading.text}
        judged = self._judge.compare([_narrowed(found[n], text) for n, text in texts.items()], [])
        for (n, text), verdict in zip(texts.items(), judged, strict=True):
            found[n] = replace(verdict, case=found[n].case, reading=text, retrieval=found[n].retrieval)
        return found

    def identity(self) -> dict[str, Any]:
        """Return what may change a verdict."""
        return {**self._below.identity(), "reader": "extractive, judged by its sentence alone"}


def systems(opening: Open, llm: LLM | None) -> tuple[System, ...]:
    """Build the three pipelines. Raises what `opening` raises, but for models or vectors of the neural stack."""
    missing = _missing(opening)
    return tuple(_system(title, opening, llm, missing) for title in STACKS)


def _missing(opening: Open) -> str | None:
    """Return why the paper's neural stack cannot be had, None where it can."""
    try:
        opening("verify(passages=1)", HUO_STACKS["neural"][0])
    except MissingModel:
        return "its models are not on this machine"
    except Unavailable:
        return "the index holds no vectors for it"
    return None


def _system(title: str, opening: Open, llm: LLM | None, missing: str | None) -> System:
    paper, reader = HUO_STACKS[_SHORT[title]]
    stack = paper if title == STACKS[0] or missing is None else STAND_IN
    if llm is not None and stack == paper:
        verifier = opening(f"huo2023({_SHORT[title]})", None)
    else:
        judge, reads = ("nli", "none") if llm is None else ("llm", reader)
        verifier = opening(_BARE.format(reader=reads, judge=judge), stack)
    standing = f"{stack}, a stand-in for {paper} ({missing})" if stack != paper else stack
    if reader != "none":
        standing += "; read by " + ("the passage's best sentence, a stand-in" if llm is None else llm.name)
    by_sentence = llm is None and reader != "none"
    return System(
        title=title,
        used=standing,
        judge=judge_of(llm),
        verifier=SentenceReader(verifier) if by_sentence else verifier,
    )


def judge_of(llm: LLM | None) -> str:
    """Name who gives the labels, and that it stands in where it is not the paper's."""
    if llm is None:
        return f"{models.BUILTIN} by entailment, a stand-in"
    return llm.name if llm.name == PAPER_LLM else f"{llm.name}, in place of {PAPER_LLM}"


def _narrowed(verdict: Verdict, text: str) -> Case:
    (first, *_) = verdict.case.contexts
    return replace(verdict.case, contexts=(replace(first, text=text),))
