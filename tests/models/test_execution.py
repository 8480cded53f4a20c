import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from groundwire.errors import CorruptModel
from groundwire.models import loading
from groundwire.models.batcher import Ticket
from groundwire.models.batcher.batcher import Batcher
from groundwire.models.execution import Direct, Switch
from groundwire.models.memory import ScoreMemory

WORDS = "the cat sat on a mat dog ants sitting who ? . unknowable".split()


def some_pairs(n, seed=0):
    rng = random.Random(seed)
    return [(" ".join(rng.choices(WORDS, k=rng.randint(1, 40))), " ".join(rng.choices(WORDS, k=9))) for _ in range(n)]


@pytest.fixture
def joint():
    with Batcher(2) as batcher:
        loading.execute_by(batcher)
        yield batcher
        loading.execute_no_longer_by(batcher)


@pytest.fixture
def model(tiny, tmp_path):
    def open_(**changes):
        return loading.open_pair_model(
            tiny.directory(tmp_path / f"m{len(list(tmp_path.iterdir()))}", **changes),
            precision="fp32",
            memory=ScoreMemory(0),
        )

    return open_


def test_models_that_are_open_change_over_and_scores_stay_what_they_are(model):
    opened, pairs = model(), some_pairs(50)
    direct = opened.logits(pairs)
    with Batcher(2) as batcher:
        before = loading.execute_by(batcher)
        assert isinstance(before, Direct)
        joint = opened.logits(pairs)
        assert batcher.load().items == 50
        loading.execute_no_longer_by(batcher)
    np.testing.assert_allclose(joint, direct, atol=1e-6)
    np.testing.assert_array_equal(opened.logits(pairs), direct)


def test_sixteen_threads_through_one_batcher_give_what_each_gets_alone(model, joint):
    opened, pairs = model(), some_pairs(200)
    loading.execute_no_longer_by(joint)
    direct = opened.logits(pairs)
    loading.execute_by(joint)

    def work(seed):
        rng, worst = random.Random(seed), 0.0
        for _ in range(20):
            chosen = rng.sample(range(200), rng.choice([1, 3, 9, 40]))
            with Ticket("", f"c{seed % 4}").held():
                found = opened.logits([pairs[i] for i in chosen])
            worst = max(worst, float(np.abs(found - direct[chosen]).max()))
        return worst

    with ThreadPoolExecutor(16) as pool:
        assert max(pool.map(work, range(16))) <= 1e-6
    assert joint.load().batches < joint.load().items


def test_encoders_run_jointly_too(tiny, tmp_path, joint):
    folder = tiny.directory(
        tmp_path / "vectors",
        model=tiny.network(output="vectors"),
        output="vectors",
        reading={"entailment": None, "relevance": None},
    )
    encoder = loading.open_embedder(folder, cosine=False, precision="fp32")
    texts = [a for a, _ in some_pairs(30)]
    found = encoder.encode(texts, query=False)
    assert joint.load().items == len(set(texts))
    loading.execute_no_longer_by(joint)
    np.testing.assert_allclose(found, encoder.encode(texts, query=False), atol=1e-6)


def test_a_model_that_breaks_breaks_for_its_own_callers_alone(model, joint):
    sound, broken = model(), model()
    broken._backend.run = lambda arrays: np.full((len(arrays["input_ids"]), 4), np.nan, np.float32)

    def ask(n):
        try:
            return (sound if n % 2 else broken).logits(some_pairs(5, n)).shape
        except CorruptModel as error:
            return str(error)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(40)))
    assert set(found[1::2]) == {(5, 4)}
    assert all("non-finite" in one for one in found[::2])


def test_who_leaves_makes_room_for_who_was_there_before():
    first, second, third = Direct(), Direct(), Direct()
    switch = Switch(first)
    assert switch.turn(second) is first
    assert switch.turn(third) is second
    switch.leave(second)
    assert switch.turn(second) is third
    switch.leave(second)
    switch.leave(third)
    switch.leave(first)
    assert switch.turn(third) is first


def test_direct_shares_little_work_over_the_streams():
    class Kind:
        max_length, budget, streams = 512, 1024, 2

        def __init__(self):
            self.rows = []

        def run(self, items, width):
            self.rows.append(len(items))
            return [item.length for item in items]

    from groundwire.models.pairing import TokenPair

    kind = Kind()
    items = [TokenPair(np.zeros(64), np.zeros(0), 64 - n, truncated=False) for n in range(8)]
    assert Direct().run(kind, items) == [64 - n for n in range(8)]
    assert sorted(kind.rows) == [4, 4]
    assert Direct().run(kind, []) == []
