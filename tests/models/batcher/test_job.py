from groundwire.models.batcher import Ticket
from groundwire.models.batcher.job import QUANTUM, Job, Turns, by_job


def job(kind, made, client, lengths, first=0):
    return Job(kind, [made(n, first + i) for i, n in enumerate(lengths)], Ticket("", client))


def served(turns, batches=1, rounds=1000):
    """Take a batch's worth at a time, as many as there are, and return whose item it was, in order."""
    order = []
    for _ in range(rounds):
        seats = turns.seats(batches)
        if not seats:
            break
        turns.take(seats)
        order += [one.client for one, _ in seats]
    return order


def test_a_newcomer_waits_for_a_turn_and_not_for_all_that_was_there(recording, made):
    turns, kind = Turns(), recording()
    turns.add(job(kind, made, "big", [128] * 400))
    served(turns, rounds=20)
    for n in range(63):
        turns.add(job(kind, made, f"small{n}", [128] * 4))
    order = served(turns)
    last_small = max(i for i, client in enumerate(order) if client != "big")
    ahead = order[:last_small].count("big")
    assert ahead * 128 <= 2 * QUANTUM
    assert len(order) == 400 - 20 * 8 + 63 * 4


def test_big_jobs_of_two_clients_advance_alike(recording, made):
    turns, kind = Turns(), recording()
    turns.add(job(kind, made, "a", [64] * 320))
    turns.add(job(kind, made, "a", [64] * 320))
    turns.add(job(kind, made, "b", [64] * 320))
    order = served(turns, rounds=20)
    assert abs(order.count("a") - order.count("b")) * 64 <= QUANTUM


def test_inside_a_client_a_small_job_passes_a_big_one(recording, made):
    turns, kind = Turns(), recording()
    big, small = job(kind, made, "a", [128] * 100), job(kind, made, "a", [128] * 2)
    turns.add(big)
    served(turns, rounds=3)
    turns.add(small)
    served(turns, rounds=2)
    assert not small.waiting
    assert len(big.waiting) > 60


def test_small_jobs_end_one_after_the_other(recording, made):
    turns, kind = Turns(), recording()
    jobs = [job(kind, made, f"c{n}", [128] * 8) for n in range(6)]
    for one in jobs:
        turns.add(one)
    turns.take(turns.seats(1))
    assert [len(one.waiting) for one in jobs] == [0, 8, 8, 8, 8, 8]


def test_one_kind_at_a_time_the_first_ones(recording, made):
    turns, one, other = Turns(), recording(), recording()
    turns.add(job(one, made, "a", [10] * 3))
    turns.add(job(other, made, "b", [10] * 3))
    turns.add(job(one, made, "c", [10] * 3))
    seats = turns.seats(4)
    assert {seat[0].kind for seat in seats} == {one}
    assert len(seats) == 6
    turns.take(seats)
    assert [seat[0].client for seat in turns.seats(4)] == ["b"] * 3


def test_what_is_dropped_is_gone_and_no_client_is_kept(recording, made):
    turns, kind = Turns(), recording()
    jobs = [job(kind, made, "a", [10] * 3), job(kind, made, "b", [10] * 3)]
    for one in jobs:
        turns.add(one)
    turns.drop(jobs[0])
    turns.drop(jobs[0])
    assert len(turns) == 1
    assert [seat[0] for seat in turns.seats(1)] == [jobs[1]] * 3
    turns.take(turns.seats(1))
    assert len(turns) == 0
    assert turns.seats(1) == []
    assert turns._clients == {}


def test_some_in_the_middle_of_a_list_are_taken_and_the_rest_keeps_its_order(recording, made):
    turns, kind = Turns(), recording()
    one = job(kind, made, "a", [5, 50, 20, 40, 30])
    turns.add(one)
    assert [i for _, i in turns.seats(1)] == [1, 3, 4, 2, 0]
    turns.take([(one, 3), (one, 2)])
    assert [i for _, i in turns.seats(1)] == [1, 4, 0]
    assert [[i for _, i in part] for part in by_job([(one, 1), (one, 4)])] == [[1, 4]]


def comes_again(turns, kind, made, large, small_clients):
    """Let small jobs come again as soon as they end; return after how many batches the large one ends, at most 400."""
    turns.add(job(kind, made, *large))
    waiting = {client: job(kind, made, client, [60, 60]) for client in small_clients}
    for one in waiting.values():
        turns.add(one)
    big = next(one for one in turns.jobs() if len(one.items) > 2)
    for batch in range(400):
        if not big.waiting:
            return batch
        turns.take(turns.seats(1))
        for client, one in waiting.items():
            if not one.waiting:
                waiting[client] = job(kind, made, client, [60, 60])
                turns.add(waiting[client])
    return 400


def test_small_jobs_that_never_end_do_not_keep_a_large_one_out(recording, made):
    # A round is 63 small jobs (8 batches' worth) and a turn of the large one, which takes 4 of its 32 items.
    small = [f"small{n}" for n in range(63)]
    assert comes_again(Turns(), recording(), made, ("large", [250] * 32), small) <= 9 * 9


def test_nor_inside_a_client(recording, made):
    turns, kind = Turns(), recording()
    turns.add(job(kind, made, "a", [250] * 32))
    big = turns.jobs()[0]
    small = [job(kind, made, "a", [60, 60]) for _ in range(30)]
    for one in small:
        turns.add(one)
    for _ in range(60):
        turns.take(turns.seats(1))
        for one in [one for one in small if not one.waiting]:
            small.remove(one)
            small.append(job(kind, made, "a", [60, 60]))
            turns.add(small[-1])
    assert not big.waiting
