import random

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


@pytest.mark.contract("queue")
def test_a_client_that_holds_the_whole_queue_shuts_nobody_out():
    queue = admission(7_000, rate=100, patience=70)
    given = [queue.admit(500, "greedy") for _ in range(14)]
    assert queue.held == queue.limit == 7_000
    assert queue.bound == 8_000
    with pytest.raises(Busy) as raised:
        queue.admit(500, "greedy")
    assert raised.value.retry_after == 5
    assert queue.full("next") is None
    queue.admit(300, "next")
    # What the greedy one gets done it may not have again at once: the other has its turn first.
    given.pop()()
    with pytest.raises(Busy):
        queue.admit(500, "greedy")
    queue.admit(300, "next")
    assert queue.held <= queue.bound


def test_the_first_request_is_taken_whatever_its_size_and_leaves_room_for_the_next_first():
    queue = admission(70_000)
    for _ in range(700):
        queue.admit(100, "greedy")
    clients = [f"client {n}" for n in range(8)]
    for client in clients:
        before = queue.bound - queue.held
        queue.admit(1_000_000, client)
        assert 2 * (queue.bound - queue.held) > before
        with pytest.raises(Busy):
            queue.admit(LEAST, "greedy")
    assert queue.held <= queue.bound


@pytest.mark.parametrize("seed", range(10))
def test_the_cheap_refusal_agrees_and_the_bound_is_never_passed(seed):
    draw, queue, given = random.Random(seed), admission(draw_limit := 3_000 + 997 * seed), []
    refused = 0
    for _ in range(2_000):
        if given and draw.random() < 0.4:
            given.pop(draw.randrange(len(given)))()
            continue
        client, tokens = f"c{draw.randrange(1 + seed)}", draw.choice((0, LEAST, 200, 5_000, 1 << 20))
        wait = queue.full(client)
        try:
            given.append(queue.admit(tokens, client))
        except Busy:
            refused += 1
            if wait is None:  # there was room for something, and so for the least
                given.append(queue.admit(0, client))
            else:
                assert wait >= 1
        else:
            assert wait is None
        assert queue.held <= queue.bound <= draw_limit * 8 / 7
    assert refused > 50
    for give_back in given:
        give_back()
    assert queue.held == 0
    assert queue._shares._held == {}


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
