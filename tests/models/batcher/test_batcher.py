"""Many callers in joint batches: what each gets back, who goes first, and how a call ends that does not end well."""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from groundwire.errors import Cancelled, Expired
from groundwire.models.batcher import Ticket
from groundwire.models.batcher.batcher import Batcher
from groundwire.models.batching import bucket


def call(batcher, kind, items, ticket=None):
    with (ticket or Ticket()).held():
        return batcher.run(kind, items)


@pytest.fixture
def pool():
    with ThreadPoolExecutor(70) as made:
        yield made


def until(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.001)


def test_values_come_in_the_order_of_the_items(batcher, recording, made, pool):
    shared, kind, rng = batcher(), recording(), random.Random(1)

    def work(n):
        values = [rng.randrange(10_000) for _ in range(n % 23)]
        return call(shared, kind, [made(1 + v % 500, v) for v in values], Ticket("", f"c{n % 7}")), values

    for found, values in pool.map(work, range(300)):
        assert found == [2 * value for value in values]
    for batch, width in zip(kind.batches, kind.widths, strict=True):
        assert len(batch) * width <= kind.budget or len(batch) == 1
        assert all(1 + v % 500 <= width == bucket(width, 512) for v in batch)
    assert kind.threads == {"groundwire-runner-0", "groundwire-runner-1"}


def test_pairs_of_many_calls_stand_in_one_batch(batcher, recording, made, pool):
    shared, kind = batcher(1), recording()
    kind.hold()
    first = pool.submit(call, shared, kind, [made(16, 1)])
    kind.running.acquire()
    others = [pool.submit(call, shared, kind, [made(100, n)] * 2, Ticket("", str(n))) for n in range(2, 22)]
    until(lambda: shared.load().waiting_jobs == 20)
    kind.gate.set()
    assert [first.result(), *(other.result() for other in others)] == [[2], *([2 * n] * 2 for n in range(2, 22))]
    assert len(kind.batches) <= 1 + -(-40 // 8)
    assert max(len(set(batch)) for batch in kind.batches) >= 4


def test_a_lone_call_takes_every_stream_and_waits_for_nobody(batcher, recording, made):
    shared, kind = batcher(2), recording()
    kind.hold()
    thread = threading.Thread(target=call, args=(shared, kind, [made(64, n) for n in range(12)]))
    thread.start()
    assert kind.running.acquire(timeout=5)
    assert kind.running.acquire(timeout=5)
    kind.gate.set()
    thread.join(5)
    assert sorted(map(len, kind.batches)) == [6, 6]


def test_a_huge_job_does_not_hold_up_small_ones(batcher, recording, made, pool):
    shared, kind = batcher(1), recording()
    kind.hold()
    big = pool.submit(call, shared, kind, [made(100, 1)] * 2000, Ticket("", "big"))
    kind.running.acquire()
    small = [pool.submit(call, shared, kind, [made(100, 2)] * 2, Ticket("", f"small{n}")) for n in range(63)]
    until(lambda: shared.load().waiting_jobs == 64)
    kind.gate.set()
    for one in [*small, big]:
        one.result(10)
    order = [value for batch in kind.batches for value in batch]
    last = max(i for i, value in enumerate(order) if value == 2)
    assert order[: last + 1].count(1) <= 32
    assert len(order) == 2000 + 126


def test_small_jobs_that_never_end_do_not_hold_up_a_huge_one(batcher, recording, made, pool):
    shared, kind = batcher(1), recording()
    over = threading.Event()

    def work(client):
        while not over.is_set():
            call(shared, kind, [made(100, 2)] * 2, Ticket("", client))

    small = [pool.submit(work, f"small{n}") for n in range(16)]
    until(lambda: len(kind.batches) > 10)
    try:
        before = len(kind.batches)
        assert pool.submit(call, shared, kind, [made(100, 1)] * 200, Ticket("", "big")).result(20) == [2] * 200
        assert len(kind.batches) - before < 40 * 16
    finally:
        over.set()
    for one in small:
        one.result(5)


@pytest.mark.parametrize("client", ["one", "another"])
def test_a_deadline_that_passes_in_the_queue(batcher, recording, made, pool, client):
    shared, kind = batcher(1), recording()
    kind.hold()
    first = pool.submit(call, shared, kind, [made(16, 1)], Ticket("", "one"))
    kind.running.acquire()
    began = time.monotonic()
    with pytest.raises(Expired):
        call(shared, kind, [made(16, 2)] * 5, Ticket("", client, began + 0.05))
    assert time.monotonic() - began < 2
    assert shared.load().waiting_tokens == shared.load().waiting_jobs == 0
    kind.gate.set()
    assert first.result() == [2]
    assert kind.batches == [[1]]
    with pytest.raises(Expired):
        call(shared, kind, [made(16, 3)], Ticket("", client, began))


def test_a_deadline_that_passes_while_it_runs(batcher, recording, made, pool):
    shared, kind = batcher(1), recording()
    kind.hold()
    late = pool.submit(call, shared, kind, [made(500, n) for n in range(8)], Ticket("", "a", time.monotonic() + 0.1))
    with pytest.raises(Expired):
        late.result(5)
    assert shared.load().waiting_tokens == 0
    kind.gate.set()
    assert call(shared, kind, [made(16, 9)]) == [18]
    assert len(kind.batches) == 2


def test_what_is_cancelled_leaves_at_once_and_the_others_stay(batcher, recording, made, pool):
    shared, kind = batcher(1), recording()
    kind.hold()
    first = pool.submit(call, shared, kind, [made(16, 1)])
    kind.running.acquire()
    tickets = [Ticket("", str(n)) for n in range(10)]
    calls = [pool.submit(call, shared, kind, [made(50, n)] * 3, ticket) for n, ticket in enumerate(tickets)]
    until(lambda: shared.load().waiting_jobs == 10)
    for ticket in tickets[:5]:
        ticket.cancel()
    for cancelled in calls[:5]:
        with pytest.raises(Cancelled):
            cancelled.result(5)
    assert (shared.load().waiting_jobs, shared.load().waiting_tokens) == (5, 5 * 150)
    kind.gate.set()
    assert first.result() == [2]
    assert [one.result(5) for one in calls[5:]] == [[2 * n] * 3 for n in range(5, 10)]
    assert {value for batch in kind.batches for value in batch} == {1, 5, 6, 7, 8, 9}


def test_an_error_is_only_that_of_the_call_that_caused_it(batcher, recording, made, pool):
    shared, kind = batcher(1), recording(bad=frozenset({3}))
    kind.hold()
    first = pool.submit(call, shared, kind, [made(16, 1)])
    kind.running.acquire()
    calls = [pool.submit(call, shared, kind, [made(16, n)] * 2, Ticket("", str(n))) for n in range(2, 7)]
    until(lambda: shared.load().waiting_jobs == 5)
    kind.gate.set()
    assert first.result() == [2]
    for n, one in enumerate(calls, 2):
        if n == 3:
            with pytest.raises(ArithmeticError, match="3"):
                one.result(5)
        else:
            assert one.result(5) == [2 * n] * 2
    assert call(shared, kind, [made(16, 8)]) == [16]
    assert shared.load().running == 0


def test_the_rest_of_a_call_that_failed_is_not_run(batcher, recording, made):
    shared, kind = batcher(1), recording(bad=frozenset(range(100)))
    with pytest.raises(ArithmeticError):
        call(shared, kind, [made(500, n) for n in range(100)])
    assert len(kind.batches) == 1
    assert shared.load().waiting_tokens == 0


def test_closing_lets_everybody_go(batcher, recording, made, pool):
    shared, kind = batcher(1), recording()
    kind.hold()
    first = pool.submit(call, shared, kind, [made(16, 1)])
    kind.running.acquire()
    waiting = [pool.submit(call, shared, kind, [made(16, n)]) for n in range(5)]
    until(lambda: shared.load().waiting_jobs == 5)
    threading.Timer(0.05, kind.gate.set).start()
    shared.close()
    shared.close()
    assert first.result(5) == [2]
    for one in waiting:
        with pytest.raises(Cancelled):
            one.result(5)
    with pytest.raises(Cancelled):
        shared.run(kind, [made(16, 1)])


def test_nothing_is_asked_of_nobody(batcher, recording):
    kind = recording()
    assert batcher().run(kind, []) == []
    assert kind.batches == []


def test_the_rate_is_that_of_a_backlog(batcher, recording, made):
    shared, kind = batcher(1), recording()
    shared.run(kind, [made(64, 1)])
    assert shared.load().tokens_a_second is None
    shared.run(kind, [made(128, 1)] * 100)
    load = shared.load()
    assert load.tokens_a_second > 0
    assert (load.items, load.tokens, load.padded_tokens) == (101, 64 + 12_800, 64 + 12_800)
    assert load.batches == 1 + -(-100 // 8)


def test_more_values_than_items_are_nobodys(batcher, recording, made):
    class Wrong(recording):
        def run(self, items, width):
            return [*super().run(items, width), 0]

    with pytest.raises(Exception, match="another number of values"):
        batcher().run(Wrong(), [made(16, 1)])


def test_sixteen_threads_and_two_thousand_mixed_calls(recording, made):
    kinds = [recording(), recording(budget=256)]
    wrong = []

    def work(shared, seed):
        rng = random.Random(seed)
        for _ in range(2000 // 16):
            values = [rng.randrange(1000) for _ in range(rng.choice([0, 1, 1, 2, 5, 30]))]
            found = call(
                shared, rng.choice(kinds), [made(1 + v % 300, v) for v in values], Ticket("", f"c{rng.randrange(5)}")
            )
            if found != [2 * v for v in values]:
                wrong.append(values)

    with Batcher(2) as shared:
        threads = [threading.Thread(target=work, args=(shared, seed)) for seed in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert shared.load().waiting_tokens == shared.load().running == 0
    assert wrong == []
