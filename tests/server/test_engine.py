"""The engine over the built-in model: it gives what the library gives, and ends what is not wanted."""

import asyncio
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import pytest

from groundwire import recipes
from groundwire.errors import Busy, Cancelled, Expired, InputError, MissingIndex, Unavailable, UnknownName
from groundwire.models import loading
from groundwire.models.batcher import Ticket
from groundwire.models.execution import Direct
from groundwire.protocols import Pair
from groundwire.server.engine import Engine
from groundwire.server.settings import Limits, Settings
from groundwire.types import Answer, Case, ClaimVerdict, Entailment, Label, Passage, Verdict

TOWER = "The Eiffel Tower in Paris was finished in 1889. It is 330 metres high."
HALF = "The Eiffel Tower was finished in 1889. It is 900 metres high."


def case(n: int = 0, answer: str = HALF, context: str = TOWER) -> Case:
    return Case(id=str(n), question=None, answer=answer, contexts=(Passage(id="0", text=f"{context} Number {n}."),))


def ticket(seconds: float | None = 30, client: str = "me") -> Ticket:
    return Ticket("r", client, None if seconds is None else time.monotonic() + seconds)


def untraced(verdict: Verdict) -> Verdict:
    return replace(verdict, trace=None)


def close(a: float | None, b: float | None) -> bool:
    return a == b or (a is not None and b is not None and abs(a - b) <= 0.02)


def test_verdicts_are_those_of_the_library(engine):
    cases = [case(n) for n in range(3)]
    found = asyncio.run(engine.check(cases, ticket()))
    wanted = recipes.build("default").check(cases)
    assert [untraced(v) for v in found] == [untraced(v) for v in wanted]
    assert [v.label for v in found[0].claims] == [Label.SUPPORTED, Label.CONTRADICTED]


def test_a_threshold_labels_anew_and_scores_nothing_again(engine):
    fresh = case(7, context=f"{TOWER} The tower of Brno is older.")  # nothing of it is remembered
    before = engine.state()["items"]
    [usual] = asyncio.run(engine.check([fresh], ticket()))
    after = engine.state()["items"]
    [strict] = asyncio.run(engine.check([fresh], ticket(), threshold=1.0))
    assert after > before
    assert engine.state()["items"] == after
    assert (strict.score, strict.threshold) == (usual.score, 1.0)
    assert strict.claims[0].label is not Label.SUPPORTED is usual.claims[0].label
    assert engine.threshold == usual.threshold == 0.5


def test_claims_come_one_by_one_and_then_the_verdict(engine):
    async def unfold():
        return [one async for one in engine.unfold(case(11), ticket())]

    *claims, verdict = asyncio.run(unfold())
    [wanted] = asyncio.run(engine.check([case(11)], ticket()))
    assert all(isinstance(one, ClaimVerdict) for one in claims)
    assert [one.label for one in claims] == [one.label for one in wanted.claims]
    assert untraced(verdict) == untraced(wanted)

    async def known():
        return [one async for one in engine.unfold(case(11), ticket(), known=claims)]

    items = engine.state()["items"]
    assert untraced(asyncio.run(known())[-1]) == untraced(wanted)
    assert engine.state()["items"] == items


def test_many_requests_at_once_give_what_each_gives_alone(engine):
    async def all_of_them():
        return await asyncio.gather(
            *(engine.check([case(n % 12)], ticket(client=f"c{n % 7}"), threshold=n / 60) for n in range(60))
        )

    found = asyncio.run(all_of_them())
    path = recipes.build("default")
    for n, [verdict] in enumerate(found):
        wanted = replace(path, threshold=n / 60).check([case(n % 12)])[0]
        assert verdict.label == wanted.label
        assert close(verdict.score, wanted.score)
    state = engine.state()
    assert (state["queue_tokens"], state["jobs"], state["waiting_tokens"]) == (0, 0, 0)


def test_it_finds_and_verifies_and_pages(engine):
    async def ask():
        hits = await engine.search("tiny", "How high is the tower in Paris?", 2, ticket())
        plain = await engine.search("tiny", "tower", 5, ticket(), stack="bm25")
        asked = replace(case(0, "It is 330 metres high."), contexts=(), reason="the row has no contexts")
        verdict = await engine.verify(asked, "tiny", ticket(), passages=1, threshold=0.3)
        pages = [await engine.passages("tiny", ticket(), offset=n, limit=2) for n in (0, 2, 9)]
        return hits, plain, verdict, pages

    hits, plain, verdict, pages = asyncio.run(ask())
    assert [hits[0].passage.id, *(hit.passage.id for hit in plain)] == ["tower", "tower"]
    assert (len(verdict.case.contexts), verdict.threshold, verdict.reason) == (1, 0.3, None)
    assert [[passage.id for passage in page] for page in pages] == [["tower", "bridge"], ["river"], []]
    assert engine.indexes()["tiny"].passages == 3


def test_an_answer_grows(engine):
    async def grow(**given):
        return [one async for one in engine.generate("When was the Eiffel Tower finished?", ticket(), **given)]

    found = asyncio.run(grow(index_name="tiny", options={"generations": 2}))
    assert isinstance(found[-1], Answer)
    assert "1889" in found[-1].text
    assert [generation.number for generation, _ in found[:-1]] == list(range(len(found) - 1))
    assert "1889" in asyncio.run(grow(passages=[Passage(id="0", text=TOWER)], options={"seed": 3}))[-1].text
    with pytest.raises(InputError, match="relevance"):
        asyncio.run(grow(passages=[], options={"relevance": "dir:/etc"}))


@pytest.mark.parametrize(
    "stack", ["bm25+dir:/etc", "dense(model=dir:/etc)", "bm25+cross-encoder:a/b", "neural", "nothing"]
)
def test_no_request_names_a_model_or_a_folder(engine, stack):
    with pytest.raises(UnknownName):
        asyncio.run(engine.search("tiny", "tower", 2, ticket(), stack=stack))
    with pytest.raises(UnknownName, match="tiny"):
        asyncio.run(engine.search("/etc", "tower", 2, ticket()))
    with pytest.raises(UnknownName):
        asyncio.run(engine.verify(case(), "../tiny", ticket()))


def test_pairs_are_judged_and_scored(engine):
    pairs = [(TOWER, "The tower is in Paris."), (TOWER, "word " * 600)]
    [yes, _] = asyncio.run(engine.entail(pairs, ticket()))
    assert yes.supports > max(yes.refutes, yes.neutral)
    assert len(asyncio.run(engine.score([("tower?", TOWER)], ticket()))) == 1
    assert asyncio.run(engine.truncated(pairs, ticket())) == [False, True]
    assert asyncio.run(engine.truncated(pairs, ticket(), relevance=True)) == [False, True]
    assert (engine.model.name, engine.model.max_length, len(engine.model.identity)) == ("mini", 512, 64)


class Held:
    """A model that answers when it may."""

    name = "held"

    def __init__(self) -> None:
        self.gate, self.asked = threading.Event(), threading.Semaphore(0)

    def entail(self, pairs: Sequence[Pair]) -> list[Entailment]:
        self.asked.release()
        assert self.gate.wait(10)
        return [Entailment(supports=0.9) for _ in pairs]

    def truncated(self, pairs: Sequence[Pair]) -> list[bool]:
        return [False] * len(pairs)


@pytest.fixture
def held(engine, monkeypatch):
    model = Held()
    systems = engine._systems
    monkeypatch.setattr(systems, "checker", replace(recipes.build("default(fused=no)"), model=model))
    yield model
    model.gate.set()
    end = time.monotonic() + 5
    while engine._workers.busy and time.monotonic() < end:
        time.sleep(0.01)


async def begun(awaitable, held):
    task = asyncio.ensure_future(awaitable)
    await asyncio.to_thread(held.asked.acquire)
    return task


def test_a_deadline_frees_the_caller_and_then_the_queue(engine, held):
    async def ask():
        began = time.monotonic()
        with pytest.raises(Expired):
            await engine.check([case()], ticket(0.1))
        assert time.monotonic() - began < 2
        assert engine.state()["queue_tokens"] > 0
        held.gate.set()
        await engine.check([case(1)], ticket())
        while engine.state()["jobs"] and time.monotonic() - began < 20:
            await asyncio.sleep(0.01)  # the one that was given up ends by itself

    asyncio.run(ask())
    assert engine.state()["queue_tokens"] == engine.state()["jobs"] == 0
    with pytest.raises(Expired):
        asyncio.run(engine.check([case()], ticket(-1)))


@pytest.mark.parametrize("by_ticket", [True, False])
def test_a_client_that_goes_away(engine, held, by_ticket):
    async def ask():
        mine = ticket()
        task = await begun(engine.check([case()], mine), held)
        mine.cancel() if by_ticket else task.cancel()
        with pytest.raises(Cancelled if by_ticket else asyncio.CancelledError):
            await task
        assert mine.cancelled is by_ticket
        mine.cancel()
        with pytest.raises(Cancelled):
            await engine.check([case()], mine)

    asyncio.run(ask())


def test_a_stream_that_is_left_ends_its_work(engine, held):
    async def ask():
        steps = engine.unfold(case(), ticket())
        await begun(anext(steps), held)
        held.gate.set()
        end = time.monotonic() + 5
        while engine.state()["jobs"] and time.monotonic() < end:
            await asyncio.sleep(0.01)
        held.gate.clear()
        mine = ticket()
        steps = engine.unfold(case(), mine)
        waiting = await begun(anext(steps), held)
        mine.cancel()
        with pytest.raises(Cancelled):
            await waiting

    asyncio.run(ask())


def test_what_cannot_wait_is_told_when_to_come_again(engine, held, monkeypatch):
    monkeypatch.setattr(engine._admission, "_most", 600)

    async def ask():
        first = await begun(engine.check([case()] * 6, ticket()), held)
        second = await begun(engine.check([case()] * 6, ticket()), held)
        with pytest.raises(Busy) as raised:
            await engine.check([case()] * 6, ticket())
        assert 1 <= raised.value.retry_after <= 600
        with pytest.raises(Busy):
            engine.unfold(case(0, HALF * 50), ticket())
        held.gate.set()
        assert len(await first) == len(await second) == 6
        assert engine.full() is None
        assert len(await engine.check([case()] * 6, ticket())) == 6

    asyncio.run(ask())


def test_a_client_that_fills_the_queue_leaves_another_its_place(engine, held, monkeypatch):
    monkeypatch.setattr(engine._admission, "_most", 600)

    async def ask():
        greedy = [await begun(engine.check([case()] * 6, ticket()), held) for _ in range(2)]
        with pytest.raises(Busy):
            await engine.check([case(1)], ticket())
        assert engine.full("me") is not None
        assert engine.full("another") is None
        other = await begun(engine.check([case(1)], ticket(client="another")), held)
        assert engine.state()["queue_tokens"] <= engine.state()["queue_limit"]
        held.gate.set()
        assert [len(await one) for one in (*greedy, other)] == [6, 6, 1]

    asyncio.run(ask())


def test_what_a_server_is_told_bounds_all_that_waits():
    engine = Engine(Settings(limits=Limits(queue_tokens=8_000)))
    for n in range(40):
        with suppress(Busy):
            engine._admission.admit(1_000, f"c{n % 9}")
    assert 6_500 < engine.state()["queue_tokens"] <= 8_000 == engine.state()["queue_limit"]
    asyncio.run(engine.close())


@pytest.fixture
def own(tiny_index):
    """Make engines that end with the test; none of their threads is left."""
    made = []
    before = {thread for thread in threading.enumerate() if thread.name.startswith("groundwire-")}

    def make(**settings):
        made.append(Engine(Settings(indexes={"tiny": str(tiny_index)}, **settings)))
        return made[-1]

    yield make
    for one in made:
        asyncio.run(one.close())
    after = {thread for thread in threading.enumerate() if thread.name.startswith("groundwire-")}
    assert after <= before


def test_it_drains_and_ends_without_a_trace(own):
    engine = own(limits=Limits(verdict_seconds=5))
    assert not engine.ready
    assert engine.full() is None
    assert engine.state()["queue_tokens"] == 0
    with pytest.raises(Unavailable, match="loading"):
        asyncio.run(engine.check([case()], ticket()))

    async def live():
        await engine.start()
        assert engine.ready
        asked = [asyncio.ensure_future(engine.check([case(n)], ticket())) for n in range(4)]
        await asyncio.sleep(0)
        assert await engine.drain(20)
        assert not engine.ready
        with pytest.raises(Unavailable, match="ending"):
            await engine.check([case()], ticket())
        assert all([one.done() or await one for one in asked])
        await engine.close()
        await engine.close()

    asyncio.run(live())
    assert isinstance(loading._execution._executions[-1], Direct) or engine._systems is None


def test_closing_lets_those_in_flight_go(own):
    engine = own()

    async def live():
        await engine.start()
        asked = asyncio.ensure_future(engine.check([case(n, HALF * 8) for n in range(60)], ticket()))
        await asyncio.sleep(0.1)
        assert not await engine.drain(0)
        await engine.close()
        with pytest.raises((Cancelled, asyncio.CancelledError)):
            await asked

    asyncio.run(live())


def test_an_engine_that_cannot_start_leaves_nothing_open(own, tmp_path):
    engine = Engine(Settings(indexes={"gone": str(tmp_path / "gone")}))

    async def live():
        with pytest.raises(MissingIndex):
            await engine.start()
        assert not engine.ready
        await engine.close()

    asyncio.run(live())
    other = own(recipe="nothing")
    with pytest.raises(UnknownName):
        asyncio.run(other.start())
