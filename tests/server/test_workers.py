import threading
import time
from concurrent.futures import CancelledError

import pytest

from groundwire.errors import Cancelled
from groundwire.server.workers import Workers


@pytest.fixture
def pool():
    opened, before = [], set(threading.enumerate())

    def make(threads=4):
        opened.append(Workers(threads))
        return opened[-1]

    yield make
    for one in opened:
        one.close()
    assert not [t for t in set(threading.enumerate()) - before if t.name.startswith("groundwire-worker")]


def until(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.001)


def test_what_a_call_returns_and_raises(pool):
    workers = pool()
    assert [workers.submit("a", lambda n=n: n * n).result(5) for n in range(50)] == [n * n for n in range(50)]
    with pytest.raises(ZeroDivisionError):
        workers.submit("a", lambda: 1 // 0).result(5)
    assert workers.busy == workers.waiting == 0


def test_no_call_waits_behind_another_while_a_thread_may_be_had(pool):
    for _ in range(10):
        workers, gate = pool(4), threading.Event()
        workers.submit("a", lambda: None).result(5)
        until(lambda workers=workers: workers.busy == 0)
        long = workers.submit("a", lambda gate=gate: gate.wait(5))  # wakes the one idle thread, and so does the next
        assert workers.submit("b", lambda: "served").result(1) == "served"
        gate.set()
        assert long.result(5)


def test_clients_take_turns(pool):
    workers, order, gate = pool(1), [], threading.Event()
    workers.submit("first", lambda: gate.wait(5))
    until(lambda: workers.busy == 1)
    calls = [workers.submit("many", lambda: order.append("many")) for _ in range(20)]
    calls += [workers.submit(f"one{n}", lambda n=n: order.append(f"one{n}")) for n in range(3)]
    gate.set()
    for call in calls:
        call.result(5)
    assert order[:4] == ["many", "one0", "one1", "one2"]


def test_no_client_has_all_threads_and_slow_work_not_more_than_half(pool):
    workers, gate = pool(4), threading.Event()
    calls = [workers.submit("many", lambda: gate.wait(5)) for _ in range(10)]
    until(lambda: workers.busy == 3)
    assert workers.submit("other", lambda: "served").result(5) == "served"
    assert workers.waiting == 7
    gate.set()
    assert all(call.result(5) for call in calls)
    gate.clear()
    slow = [workers.submit(f"c{n}", lambda: gate.wait(5), slow=True) for n in range(5)]
    until(lambda: workers.busy == 2)
    assert workers.submit("c0", lambda: "quick").result(5) == "quick"
    gate.set()
    assert all(call.result(5) for call in slow)


def test_what_is_cancelled_while_it_waits_is_gone_at_once(pool):
    workers, gate, ran = pool(1), threading.Event(), []
    workers.submit("a", lambda: gate.wait(5))
    until(lambda: workers.busy == 1)
    calls = [workers.submit("b", lambda: ran.append(1)) for _ in range(1000)]
    for call in calls:
        assert call.cancel()
    assert workers.waiting == 0
    assert workers._waiting == {}
    gate.set()
    assert workers.submit("c", lambda: 1).result(5) == 1
    assert ran == []


def test_closing_cancels_what_waits(pool):
    workers, gate = pool(1), threading.Event()
    first = workers.submit("a", lambda: gate.wait(5))
    until(lambda: workers.busy == 1)
    second = workers.submit("a", lambda: None)
    threading.Timer(0.05, gate.set).start()
    workers.close()
    workers.close()
    assert first.result(1)
    with pytest.raises(CancelledError):
        second.result(1)
    with pytest.raises(Cancelled):
        workers.submit("a", lambda: None)


def test_threads_are_started_as_they_are_needed(pool):
    workers = pool(40)
    for _ in range(30):
        workers.submit("a", lambda: None).result(5)
        until(lambda: workers._idle >= 1)
    assert len(workers._threads) <= 2
