import tracemalloc
from concurrent.futures import ThreadPoolExecutor

from groundwire.models.memory import Scored, ScoreMemory, digest


def scored(n):
    return Scored(n.to_bytes(16, "little"), truncated=bool(n % 2))


def key(n):
    return digest(str(n)) + digest("claim")


def test_what_was_put_is_found_and_nothing_else():
    memory = ScoreMemory()
    memory.put([(key(1), scored(1)), (key(2), scored(2))])
    assert memory.find([key(2), key(3), key(1)]) == [scored(2), None, scored(1)]


def test_the_order_of_texts_matters():
    assert digest("a") + digest("b") != digest("b") + digest("a")
    assert digest("ab") + digest("c") != digest("a") + digest("bc")


def test_lone_surrogates_have_digests_of_their_own():
    assert len({digest("\ud800"), digest("\ud801"), digest("\x00"), digest("")}) == 4


def test_the_least_recently_used_is_forgotten_first():
    memory = ScoreMemory(max_bytes=3 * 416)
    memory.put((key(n), scored(n)) for n in range(3))
    memory.find([key(0)])
    memory.put([(key(3), scored(3))])
    assert memory.find([key(n) for n in range(4)]) == [scored(0), None, scored(2), scored(3)]


def test_nothing_is_remembered_within_no_bytes():
    memory = ScoreMemory(max_bytes=0)
    memory.put([(key(1), scored(1))])
    assert len(memory) == 0


def test_putting_a_key_again_does_not_grow():
    memory = ScoreMemory(max_bytes=10 * 416)
    for _ in range(100):
        memory.put([(key(1), scored(1)), (key(2), scored(2))])
    assert len(memory) == 2


def test_the_bound_is_in_true_bytes():
    tracemalloc.start()
    memory = ScoreMemory(max_bytes=4 << 20)
    memory.put((key(n), scored(n)) for n in range(50_000))
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 1 << 20 < used < 4 << 20


def test_logits_of_tokens_are_kept_and_counted():
    memory = ScoreMemory(max_bytes=2 * (416 + 40 + 60))
    full = Scored(bytes(16), truncated=False, tokens=bytes(60))
    memory.put([(key(1), full), (key(2), full), (key(3), full)])
    assert memory.find([key(1), key(2), key(3)]) == [None, full, full]


def test_sixteen_threads():
    memory = ScoreMemory(max_bytes=200 * 416)

    def work(seed):
        for n in range(500):
            wanted = (seed * 31 + n) % 400
            memory.put([(key(wanted), scored(wanted))])
            found = memory.find([key(wanted)])[0]
            assert found is None or found == scored(wanted)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(work, range(16)))
    assert len(memory) <= 200
