from groundwire.models.chat.breaker import Breaker


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_it_opens_after_failures_in_a_row_only() -> None:
    breaker = Breaker(3, 10.0, Clock())
    for _ in range(5):
        breaker.broke()
        breaker.broke()
        breaker.succeeded()
    assert breaker.shut_for() == 0
    for _ in range(3):
        breaker.broke()
    assert breaker.shut_for() == 10


def test_after_the_cooldown_one_probe_goes_and_decides() -> None:
    clock = Clock()
    breaker = Breaker(1, 10.0, clock)
    breaker.broke()
    clock.now += 10
    assert [breaker.shut_for(), breaker.shut_for()] == [0, 10]
    clock.now += 4
    breaker.broke()
    assert breaker.shut_for() == 10
    clock.now += 10
    assert breaker.shut_for() == 0
    breaker.succeeded()
    assert [breaker.shut_for(), breaker.shut_for()] == [0, 0]


def test_a_probe_that_never_returns_shuts_nobody_out_for_ever() -> None:
    clock = Clock()
    breaker = Breaker(1, 10.0, clock)
    breaker.broke()
    clock.now += 10
    assert breaker.shut_for() == 0
    clock.now += 10
    assert breaker.shut_for() == 0
