import threading
import time

import pytest

from groundwire.errors import Cancelled, Expired, Unavailable
from groundwire.models.batcher import Ticket, current


def test_a_thread_holds_a_ticket_and_no_other_thread_does():
    ticket, seen = Ticket("1", "me"), []
    assert current() is None
    with ticket.held():
        assert current() is ticket
        with Ticket("2").held() as inner:
            assert current() is inner
        thread = threading.Thread(target=lambda: seen.append(current()))
        thread.start()
        thread.join()
        assert current() is ticket
    assert current() is None
    assert seen == [None]


def test_what_is_no_longer_wanted_says_so():
    ticket = Ticket("1")
    ticket.check()
    assert ticket.remaining() is None
    ticket.cancel()
    ticket.cancel()
    assert ticket.cancelled
    with pytest.raises(Cancelled):
        ticket.check()


def test_a_deadline_that_has_passed():
    ticket = Ticket("1", deadline=time.monotonic() - 1)
    assert ticket.remaining() == 0
    with pytest.raises(Expired):
        ticket.check()
    assert issubclass(Expired, Unavailable)


@pytest.mark.parametrize("cancelled", [True, False])
def test_whoever_waits_is_free_at_once(cancelled):
    ticket = Ticket("1", deadline=time.monotonic() + (10 if cancelled else 0.05))
    if cancelled:
        threading.Timer(0.05, ticket.cancel).start()
    began = time.monotonic()
    with pytest.raises(Cancelled if cancelled else Expired):
        ticket.wait(threading.Event())
    assert 0.04 < time.monotonic() - began < 2


def test_waiting_ends_when_it_is_done():
    done = threading.Event()
    done.set()
    Ticket("1", deadline=time.monotonic() + 10).wait(done)


def test_who_watches_is_told_once_and_only_while_watching():
    ticket, told = Ticket("1"), []
    with ticket.watched(lambda: told.append("before")):
        pass
    with ticket.watched(lambda: told.append("during")):
        ticket.cancel()
    with ticket.watched(lambda: told.append("after")):
        assert told == ["during", "after"]
    assert told == ["during", "after"]
