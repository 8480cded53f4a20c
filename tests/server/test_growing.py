import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import replace
from time import perf_counter
from typing import Any

import pytest

from groundwire.api import Checker
from groundwire.claims import PromptClaim
from groundwire.errors import Busy, Cancelled
from groundwire.models.batcher.ticket import Ticket
from groundwire.server import growing as growing_module
from groundwire.server.growing import Growing
from groundwire.types import Case, ClaimVerdict, Passage, Verdict

CONTEXTS = [
    Passage(id="0", text="Emma is a novel by Jane Austen, published in 1815. Persuasion appeared in 1817."),
    Passage(id="1", text="The company has 1,200 employees in Berlin. Dr. Smith founded it. Sales rose 12 % in 2023."),
]
ANSWERS = [
    "Emma is a novel by Jane Austen. It appeared in 1815. Persuasion appeared in 1817! Is that all? It is.",
    "Jane Austen. She wrote Emma.",
    "Jane Austen",
    "111",
    "",
    "   ",
    "Yes.",
    "# Books\n\nEmma is by Jane Austen. Here is more:\n\n- Persuasion appeared in 1817\n- Emma in 1815\n\nBoth are novels.",
    "Founders:\n1. Dr. Smith founded it.\n2. Nobody else, e.g. no Dr. Jones.\n\nSales rose 12.5 % in 2023. So they say.",
    "```\ncode. Here. And There.\n```\nEmma is a novel. It was written by Jane Austen in 1815.",
    "Emma is a novel by Jane Austen, and open code follows. ```\nx. Y. Z. And so on and on. It never ends.",
    "東京は日本の首都です。人口は九百万人です。これは小説です。",
    "Emma wurde 1815 veröffentlicht. 😀 Persuasion appeared in 1817. \ud800 Lone. NUL \x00 here. The end.",
    'He said "Emma is a novel." Then he left. The U.S. edition came later, in approx. 1833. Yes it did.',
    "| a | b |\n|---|---|\n| Emma | 1815 |\n\nEmma is a novel by Jane Austen.",
    "Emma is a novel" * 40 + ". The end is near. It is a novel by Jane Austen.",
]


class Path:
    """The checker's own path as an engine; `judged` counts the claims that were not known."""

    def __init__(self) -> None:
        self.path = Checker()._path
        self.asked: list[tuple[str, int]] = []
        self.fail: BaseException | None = None

    async def unfold(
        self, case: Case, ticket: Ticket, *, threshold: float | None = None, known: Sequence[ClaimVerdict] = ()
    ) -> AsyncIterator[ClaimVerdict | Verdict]:
        if self.fail is not None:
            raise self.fail
        path = self.path if threshold is None else replace(self.path, threshold=threshold)
        given = {verdict.claim for verdict in known}
        judged = 0
        for one in path.unfold(case, known=known):
            ticket.check()
            judged += isinstance(one, ClaimVerdict) and one.claim not in given
            await asyncio.sleep(0)
            yield one
        self.asked.append((case.answer, judged))

    def check(self, case: Case) -> Verdict:
        return self.path.check([case])[0]


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


async def grown(engine: Any, parts: Sequence[str], **more: Any) -> tuple[list[list[ClaimVerdict]], Verdict]:
    growing = Growing(engine, "Who wrote Emma?", CONTEXTS, Ticket("1"), **more)
    finished = [await growing.feed(part) for part in parts]
    return finished, await growing.close()


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
def test_the_verdict_at_the_end_is_that_of_the_whole(answer: str, size: int) -> None:
    engine = Path()
    _, verdict = asyncio.run(grown(engine, pieces(answer, size)))
    wanted = engine.check(verdict.case)
    assert verdict.case.answer == answer
    assert [claim.claim for claim in verdict.claims] == [claim.claim for claim in wanted.claims]
    assert [claim.label for claim in verdict.claims] == [claim.label for claim in wanted.claims]
    for one, other in zip([verdict, *verdict.claims], [wanted, *wanted.claims], strict=True):
        assert one.score == pytest.approx(other.score, abs=1e-6)
    assert (verdict.label, verdict.reason, verdict.warnings) == (wanted.label, wanted.reason, wanted.warnings)


@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
def test_what_was_said_early_is_said_at_the_end(answer: str) -> None:
    """No sentence is judged before it is whole, and none twice."""
    engine = Path()
    finished, verdict = asyncio.run(grown(engine, pieces(answer, 1)))
    early = [claim for claims in finished for claim in claims]
    assert early == list(verdict.claims)[: len(early)]
    assert sum(judged for _, judged in engine.asked) == len(verdict.claims)


def test_a_sentence_is_judged_when_the_next_one_has_begun() -> None:
    engine = Path()
    parts = ["Emma is a novel that was written by Jane Austen.", " It", " appeared", " in 1815. ", "Good "]
    finished, _ = asyncio.run(grown(engine, parts))
    told = [[claim.claim.span.of(ANSWERS[0]) != "" for claim in claims] for claims in finished]
    assert [len(claims) for claims in told] == [0, 0, 1, 0, 1]


def test_a_recipe_of_whole_answers_says_nothing_before_the_end() -> None:
    engine = Path()
    engine.path = replace(engine.path, splitter=PromptClaim())
    finished, verdict = asyncio.run(grown(engine, pieces(ANSWERS[0], 20)))
    assert sum(map(len, finished)) <= 1
    assert len(engine.asked) <= 3
    assert len(verdict.claims) == 1
    assert verdict.label is engine.check(verdict.case).label


def test_the_threshold_is_the_callers() -> None:
    _, verdict = asyncio.run(grown(Path(), pieces(ANSWERS[0], 9), threshold=1.0))
    assert verdict.threshold == 1.0
    assert not verdict.grounded


def test_what_fails_is_judged_at_the_end() -> None:
    async def run() -> Verdict:
        engine = Path()
        growing = Growing(engine, None, CONTEXTS, Ticket("1"))
        engine.fail = Busy("full", retry_after=1)
        with pytest.raises(Busy):
            await growing.feed(ANSWERS[0])
        assert growing.settled == 0
        engine.fail = None
        return await growing.close()

    assert len(asyncio.run(run()).claims) == 5


def test_a_cancelled_request_ends_the_check() -> None:
    async def run() -> None:
        ticket = Ticket("1")
        growing = Growing(Path(), None, CONTEXTS, ticket)
        ticket.cancel()
        with pytest.raises(Cancelled):
            await growing.close()

    asyncio.run(run())


def test_every_check_has_its_own_time() -> None:
    async def run() -> None:
        seen: list[Ticket] = []

        class Watched(Path):
            def unfold(self, case: Case, ticket: Ticket, **more: Any) -> Any:
                seen.append(ticket)
                return super().unfold(case, ticket, **more)

        growing = Growing(Watched(), None, CONTEXTS, Ticket("1", "me", deadline=None), seconds=5)
        await growing.feed(ANSWERS[0])
        await growing.close()
        assert [(ticket.id, ticket.client, 4 < (ticket.remaining() or 0) <= 5) for ticket in seen] == [
            ("1", "me", True)
        ] * 2

    asyncio.run(run())


def test_a_cut_answer_ends_with_a_finished_sentence() -> None:
    async def run() -> Growing:
        growing = Growing(Path(), None, CONTEXTS, Ticket("1"))
        await growing.feed("Emma is a novel that was written by Jane Austen. It is hal")
        growing.cut()
        return growing

    growing = asyncio.run(run())
    assert growing.text == "Emma is a novel that was written by Jane Austen."
    assert growing.settled == len(growing.text)


class Nothing:
    """An engine that judges nothing, so that only the growing costs."""

    async def unfold(self, case: Case, ticket: Ticket, **more: Any) -> AsyncIterator[ClaimVerdict | Verdict]:
        yield Checker().check([replace(case, answer="", contexts=())])[0]


def test_an_engine_that_is_full_does_not_make_every_word_cost_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    look = growing_module._finished
    monkeypatch.setattr(growing_module, "_finished", lambda tail, first: looked.append(tail) or look(tail, first=first))

    async def run() -> None:
        engine = Path()
        engine.fail = Busy("full", retry_after=1)
        growing = Growing(engine, None, CONTEXTS, Ticket("1"))
        for piece in pieces("A sentence it is. " * 1_000, 4):
            with suppress(Busy):
                await growing.feed(piece)

    asyncio.run(run())
    assert sum(map(len, looked)) < 30 * 18_000


@pytest.mark.parametrize("text", ["word " * 20_000, "x" * 100_000, "A sentence it is. " * 5_000, "```a. B\n" * 12_500])
def test_the_work_is_linear_in_the_text(text: str) -> None:
    async def seconds(part: str) -> float:
        growing = Growing(Nothing(), None, [], Ticket("1"))
        began = perf_counter()
        for piece in pieces(part, 8):
            await growing.feed(piece)
        return perf_counter() - began

    asyncio.run(seconds(text[:1000]))
    short, long = asyncio.run(seconds(text[: len(text) // 8])), asyncio.run(seconds(text))
    assert long < 8 * 4 * short + 0.5
