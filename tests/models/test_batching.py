from hypothesis import given
from hypothesis import strategies as st

from groundwire.models.batching import bucket, plan

LENGTHS = st.lists(st.integers(1, 512), max_size=200)


@given(LENGTHS, st.integers(64, 4096))
def test_every_pair_stands_in_one_batch_that_it_fits(lengths, budget):
    batches = plan(lengths, max_length=512, budget=budget)
    assert sorted(i for batch in batches for i in batch.rows) == list(range(len(lengths)))
    for batch in batches:
        assert all(lengths[i] <= batch.width <= 512 for i in batch.rows)
        assert len(batch.rows) * batch.width <= budget or len(batch.rows) == 1


@given(LENGTHS)
def test_padding_stays_small(lengths):
    batches = plan(lengths, max_length=512)
    padded = sum(len(batch.rows) * batch.width for batch in batches)
    assert padded <= sum(bucket(n, 512) for n in lengths) + 24 * len(batches)


def test_shapes_are_few():
    seen = set()
    for n in range(1, 200):
        lengths = [1 + (i * i * 7 + n) % 512 for i in range(n)]
        seen |= {(len(batch.rows), batch.width) for batch in plan(lengths, max_length=512)}
    assert len(seen) <= 120


def test_a_limit_that_is_no_bucket_is_never_passed():
    assert bucket(500, 510) == 510
    assert bucket(510, None) == 512
    assert bucket(1000, None) == 1024
    assert bucket(0, 512) == 16


def test_nothing_gives_nothing():
    assert plan([], max_length=512) == []
