"""Genetic operators that ask a language model: parents become a prompt, its reply an offspring.

Source: Kulkarni et al. 2024 (arXiv 2409.00085), section 3: a random operator (mutation or rewrite), a rewrite for the query,
and a crossover of two. A family is the way in which all of them are asked (`wording`): the paper's, or one of the two
published scripts'. They call nobody and draw nothing, so the same parents are always the same prompt.

Left out: asking (`llm`), drawing parents (`draws`), and operators without a language model (`extractive`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.errors import UnknownName, UsageError
from groundwire.evolve.replies import bare, cleaned
from groundwire.evolve.wording import CODE_EDIT, CUE, FAMILIES, Wording
from groundwire.protocols import GeneticOperator, Prompt

_CUED = "\n\n" + CUE


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptedOperator:
    """Fills GeneticOperator with a wording.

    `fenced` puts the parents' texts into fences. `exact` reads a reply as the published scripts do, and lets pass whatever
    the model says; else it is cleaned (`replies.cleaned`). `cued` keeps what stands behind the cue of the edit script.
    """

    name: str
    arity: int
    wording: Wording
    fenced: bool = True
    exact: bool = False
    cued: bool = False

    def propose(self, question: str, parents: Sequence[str]) -> Prompt:
        """Return the prompt for these parents' texts. Raises UsageError unless there are `arity` of them."""
        if len(parents) != self.arity:
            raise UsageError(f"the operator {self.name!r} takes {self.arity} parents and was given {len(parents)}")
        return self.wording.fill(question, parents, fenced=self.fenced)

    def parse(self, reply: str) -> str:
        """Return the offspring's text on one line, empty when the reply holds none; never raises.

        Where a cue is expected and gone, nothing is kept if `exact`, as in the script; else the reply is taken as it is,
        for a model that was asked in a chat answers without repeating the question.
        """
        if self.exact:
            return bare(reply.split(_CUED)[1] if _CUED in reply else "") if self.cued else bare(reply)
        if self.cued and CUE in reply:
            reply = reply.rpartition(CUE)[2]
        return cleaned(reply, self.wording.sayings())

    def digest(self) -> str:
        """Return what names the wording, so that another one is another configuration of a run."""
        return self.wording.digest(fenced=self.fenced)


def family(name: str, *, fenced: bool | None = None, exact: bool | None = None) -> tuple[GeneticOperator, ...]:
    """Return the operators of a family: `paper` has summarize, random, query and crossover, the scripts the last three.

    By None, `paper` is fenced and its replies are cleaned, while `code-chat` and `code-edit` do what the scripts do: bare
    passages, and replies as they come. Raises UnknownName.
    """
    if name not in FAMILIES:
        raise UnknownName("family of operators", name, FAMILIES)
    published = name != "paper"
    wordings = FAMILIES[name]
    return tuple(
        PromptedOperator(
            name=operator,
            arity=2 if operator == "crossover" else 1,
            wording=wording,
            fenced=not published if fenced is None else fenced,
            exact=published if exact is None else exact,
            cued=wordings is CODE_EDIT and operator == "crossover",
        )
        for operator, wording in wordings.items()
    )
