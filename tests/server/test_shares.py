"""However clients ask, the bound holds, whoever has most is refused first, and those who always want more get equal parts."""

import random

import pytest

from groundwire.server.shares import Shares, alone


def taken(shares: Shares, client: str, amount: int, limit: int) -> bool:
    """Take so much where the client may; say whether it could."""
    may = shares.of(client) + amount <= shares.most(client, limit)
    if may:
        shares.take(client, amount)
    return may


def test_who_is_alone_may_take_the_whole_limit_and_leaves_room_for_the_next():
    shares, limit = Shares(), int(alone(8000))
    assert limit == 7000
    assert taken(shares, "greedy", 7000, limit)
    assert not taken(shares, "greedy", 1, limit)
    assert taken(shares, "next", 800, limit)
    assert not taken(shares, "greedy", 1, limit)
    assert shares.total == 7800
    shares.take("greedy", -7000)
    shares.take("next", -800)
    assert (shares.total, shares.of("greedy")) == (0, 0)


@pytest.mark.parametrize("seed", range(20))
def test_the_bound_is_never_passed_and_who_holds_less_is_not_refused_first(seed: int):
    draw, shares, bound = random.Random(seed), Shares(), 10_000
    limit, clients = int(alone(bound)), [f"c{n}" for n in range(draw.choice((1, 2, 5, 40)))]
    held: list[tuple[str, int]] = []
    for _ in range(3000):
        if held and draw.random() < 0.3:
            client, amount = held.pop(draw.randrange(len(held)))
            shares.take(client, -amount)
            continue
        client, amount = draw.choice(clients), draw.randint(1, draw.choice((10, 500, 9_000)))
        other = min(clients, key=shares.of)
        other_may = shares.of(other) + amount <= shares.most(other, limit)
        if taken(shares, client, amount, limit):
            held.append((client, amount))
            assert other_may
        assert shares.total == sum(amount for _, amount in held) <= bound


@pytest.mark.parametrize("clients", [1, 2, 3, 10])
def test_who_always_wants_more_comes_to_an_equal_part_whoever_was_first(clients: int):
    shares, limit, names = Shares(), 70_000, [f"c{n}" for n in range(clients)]
    while taken(shares, "c0", 10, limit):
        pass
    for _ in range(150):
        for name in names:  # the work of each is done at the same pace, and each asks again at once
            shares.take(name, -min(shares.of(name), shares.total // clients // 4))
            while taken(shares, name, 10, limit):
                pass
    fair = 8 * limit / (7 * clients + 1)
    assert [shares.of(name) for name in names] == pytest.approx([fair] * clients, rel=0.05)
    # A seventh of what each of them holds is free.
    assert shares.most("newcomer", limit) == pytest.approx(fair / 7 * 7 / 8, rel=0.2)
