from groundwire.models.batcher import rate
from groundwire.models.batcher.rate import DrainRate


def test_only_time_with_a_backlog_counts(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(rate, "monotonic", lambda: now[0])
    drain = DrainRate()
    drain.done(5000, backlog=False)
    assert drain.tokens_a_second is None
    drain.begin()
    now[0] = 2.0
    drain.done(1000, backlog=False)
    assert drain.tokens_a_second == 500
    now[0] = 100.0
    drain.begin()
    drain.begin()
    now[0] = 101.0
    drain.done(500, backlog=True)
    assert drain.tokens_a_second == 500


def test_the_last_seconds_count_most(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(rate, "monotonic", lambda: now[0])
    drain = DrainRate(half_life=10)
    drain.begin()
    for second in range(1, 201):
        now[0] = float(second)
        drain.done(100 if second <= 100 else 300, backlog=True)
    assert 295 < drain.tokens_a_second <= 300
