"""A generator whose answers can be read off the question, and answers with what the paper's evaluation reads of them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from groundwire.types import Answer, Candidate, Case, Generation, Label, Passage, Verdict

SEEDS = (Passage(id="p1", text="The ferry leaves at eight."), Passage(id="p2", text="It takes an hour."))


def answer(question: str, text: str, **more: Any) -> Answer:
    """An answer that was bred in one generation of twelve calls, out of two seeds."""
    case = Case(id="0", question=question, answer=text, contexts=SEEDS)
    verdict = Verdict(case=case, label=Label.SUPPORTED, score=0.9, threshold=0.5)
    seeds = tuple(Candidate(id=p.id, text=p.text, passage=p.id) for p in SEEDS)
    child = Candidate(id="c", text=text, parents=("p1",), operator="query", generation=1)
    other = Candidate(id="x", text="beaten", parents=("p2",), operator="random", generation=1)
    turns = (
        Generation(number=0, wanted=2, new=2, failed=0, repeated=0, best="p1"),
        Generation(
            number=1, wanted=12, new=2, failed=1, repeated=9, best="c", calls=12, prompt_tokens=90, reply_tokens=30
        ),
    )
    settings = {"sources": SEEDS, "lineage": (child, *seeds, other), "generations": turns, "stopped": "no better"}
    return Answer(question=question, text=text, verdict=verdict, **{**settings, **more})


def nothing(question: str, reason: str) -> Answer:
    broken = reason.startswith("error")
    made = answer(question, "", sources=(), lineage=(), generations=(), stopped=None, reason=reason, broken=broken)
    return replace(made, verdict=replace(made.verdict, label=Label.NOT_CHECKABLE, score=None, reason=reason))


class Scripted:
    """Answers by a function of the question, and counts; `dies_at` is the question at which it is killed."""

    def __init__(self, says: Callable[[str], Answer], name: str = "scripted", dies_at: str | None = None) -> None:
        self.says, self.name, self.dies_at = says, name, dies_at
        self.asked: list[str] = []

    def generate(self, question: str) -> Answer:
        if question == self.dies_at:
            raise KeyboardInterrupt
        self.asked.append(question)
        return self.says(question)

    def identity(self) -> Mapping[str, Any]:
        return {"recipe": self.name}


@pytest.fixture
def made_answer() -> Callable[..., Answer]:
    return answer


@pytest.fixture
def no_answer() -> Callable[[str, str], Answer]:
    return nothing


@pytest.fixture
def scripted() -> type[Scripted]:
    return Scripted
