import pytest

from groundwire.errors import Busy, Unavailable
from groundwire.server.admission import FLOOR, LEAST, Admission, of_cases, of_pairs
from groundwire.types import Case, Passage


def admission(limit=100_000, rate=None, patience=10.0):
    return Admission(limit, lambda: rate, patience=patience)


def test_what_is_given_back_is_free_and_only_once():
    queue = admission(1000)
    first, second, third = queue.admit(400), queue.admit(400), queue.admit(200)
    assert queue.held == 1000
    assert queue.full() == 1
    with pytest.raises(Busy):
        queue.admit(LEAST)
    first()
    first()
    assert queue.held == 600
    assert queue.full() is None
    second()
    third()
    assert queue.held == 0


def test_a_full_queue_says_when_to_come_again():
    queue = admission(100_000, rate=2000, patience=60)
    queue.admit(45_000)
    queue.admit(45_000)
    with pytest.raises(Busy) as raised:
        queue.admit(50_000)
    assert raised.value.retry_after == 20
    assert raised.value.exit_code == 3
    assert isinstance(raised.value, Unavailable)
    assert queue.held == 90_000
    queue.admit(10_000)
    assert queue.full() == 1


def test_one_request_is_taken_whatever_its_size_and_leaves_room_for_others():
    queue = admission(1000, rate=100)
    give_back = queue.admit(50_000)
    assert queue.held == 500
    assert queue.full() is None
    queue.admit(LEAST)()
    queue.admit(500)
    assert queue.full() == 1
    with pytest.raises(Busy) as raised:
        queue.admit(50_000)
    assert raised.value.retry_after == 5
    give_back()
    assert queue.held == 500
    assert queue.full() is None


def test_slow_models_have_a_shorter_queue():
    assert admission(1 << 20, rate=10_000, patience=10).limit == 100_000
    assert admission(1 << 20, rate=1, patience=10).limit == FLOOR
    assert admission(1 << 10, rate=10_000, patience=10).limit == 1 << 10
    assert admission(1 << 20).limit == 1 << 20


def test_nothing_is_free():
    queue = admission(1000)
    for _ in range(1000 // LEAST):
        queue.admit(0)
    with pytest.raises(Busy):
        queue.admit(0)


def case(answer, *contexts):
    return Case(
        id="c", question=None, answer=answer, contexts=tuple(Passage(id=str(n), text=t) for n, t in enumerate(contexts))
    )


def test_a_case_costs_what_its_lengths_say():
    claim, context = "x" * 90, "y" * 2000
    small = of_cases([case(claim, context)])
    assert 300 < small < 800
    assert of_cases([case(claim * 10, context)]) > 5 * small
    assert of_cases([case(claim, *[context] * 10)]) < 20 * small
    assert of_cases([case(claim, "short")]) < 80
    assert of_cases([case(claim, context)] * 3) == 3 * small
    assert of_cases([case(claim, *[context] * 10)], ranked=True) > 10 * small
    assert of_cases([case("", context), case(claim)]) < small


def test_other_scripts_have_more_tokens():
    assert of_pairs([("字" * 100, "字" * 100)]) > 1.5 * of_pairs([("a" * 100, "a" * 100)])
    assert of_pairs([("a" * 1_000_000, "b")] * 2) == 1024
