"""LLMs as peers: the judges of HaluEval and Lynx, one call an answer.

A reply that is neither of the two words is `unparseable`, one that a model declined `refused`, a call that failed `error`:
each is not checkable, with a reason that begins with that word, so that it is counted and never scored. HaluEval's own
scripts count such a reply as a wrong one; who wants that figure adds them. A word has no degree: 1 or 0. Nothing is asked
twice, as in the protocols.

Left out: the wording (`wording.py`), the endpoint (`groundwire.models.chat`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from groundwire.compare.labels import Outcome
from groundwire.errors import UnknownName
from groundwire.evals.peers.peer import Opinion, context_of
from groundwire.evals.peers.wording import HALUEVAL, LYNX
from groundwire.prompts import Prompt as Template
from groundwire.protocols import LLM, Prompt
from groundwire.types import Case, Completion

NO_QUESTION = "this part of HaluEval's protocol needs a question"
_YES, _NO = re.compile(r"\byes\b", re.IGNORECASE), re.compile(r"\bno\b", re.IGNORECASE)
_SCORE = re.compile(r"""["'*]{0,4}\bSCORE["'*]{0,4}\s{0,9}:\s{0,9}["'*]{0,4}(PASS|FAIL)\b""", re.IGNORECASE)
_BARE = "\"'`*. \t\r\n"


@dataclass(frozen=True, slots=True)
class HaluEval:
    """HaluEval's judge: `task` is qa, dialogue or summarization. Raises UnknownName for any other."""

    llm: LLM
    task: str = "qa"
    fenced: bool = False

    def __post_init__(self) -> None:
        if self.task not in HALUEVAL:
            raise UnknownName("task of HaluEval", self.task, HALUEVAL)

    @property
    def model(self) -> str:
        """The LLM."""
        return self.llm.name

    def score(self, cases: Sequence[Case]) -> list[Opinion]:
        """Score every case: supported where the LLM says No, nothing is made up."""
        askable = [case for case in cases if self.task == "summarization" or case.question]
        said = iter(_asked(self.llm, [self._prompt(case) for case in askable], made_up))
        wanted = {id(case) for case in askable}
        return [next(said) if id(case) in wanted else Opinion(score=None, reason=NO_QUESTION) for case in cases]

    def _prompt(self, case: Case) -> Prompt:
        task = HALUEVAL[self.task]
        slots = {"answer": case.answer}
        slots |= {"context": context_of(case)} if self.task == "summarization" else {"question": case.question or ""}
        return task.system, Template(task.message, fenced=self.fenced).fill(slots)


@dataclass(frozen=True, slots=True)
class Lynx:
    """Lynx's protocol, by Lynx itself or by any LLM."""

    llm: LLM
    fenced: bool = False

    @property
    def model(self) -> str:
        """The LLM."""
        return self.llm.name

    def score(self, cases: Sequence[Case]) -> list[Opinion]:
        """Score every case: supported where the LLM says PASS."""
        return _asked(self.llm, [self._prompt(case) for case in cases], passed)

    def _prompt(self, case: Case) -> Prompt:
        slots = {"question": case.question or "", "context": context_of(case), "answer": case.answer}
        return Template(LYNX, fenced=self.fenced).fill(slots)


def made_up(reply: str) -> float | None:
    """Read a reply of HaluEval's judge: 0 for Yes, 1 for No, None where it holds both or neither."""
    yes, no = bool(_YES.search(reply)), bool(_NO.search(reply))
    return None if yes == no else float(no)


def passed(reply: str) -> float | None:
    """Read a reply of Lynx's: 1 for PASS, 0 for FAIL, None where it says neither or both as its SCORE.

    The reply is JSON, but bulleted reasoning often breaks it, so the field is looked for by its name; a reply that is the
    bare word is one too.
    """
    said = {word.upper() for word in _SCORE.findall(reply)} or {reply.strip(_BARE).upper()} & {"PASS", "FAIL"}
    return float(said == {"PASS"}) if len(said) == 1 else None


def _asked(llm: LLM, prompts: Sequence[Prompt], read: Callable[[str], float | None]) -> list[Opinion]:
    replies = llm.complete(prompts) if prompts else []
    return [_opinion(reply, read) for reply in replies]


def _opinion(reply: Completion, read: Callable[[str], float | None]) -> Opinion:
    if reply.status == "refused":
        return Opinion(score=None, reason=f"{Outcome.REFUSED}: the LLM declined to judge")
    if reply.status != "ok" or reply.text is None:
        return Opinion(score=None, reason=f"{Outcome.ERROR}: the LLM could not be asked")
    score = read(reply.text)
    if score is None:
        return Opinion(score=None, reason=f"{Outcome.UNPARSEABLE}: the LLM's reply is none of the protocol's words")
    return Opinion(score=score)
