import math
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire import models
from groundwire.errors import CorruptModel, MissingModel, UnknownName, UsageError
from groundwire.models import loading
from groundwire.models.memory import ScoreMemory
from groundwire.models.pairing import Pairing
from groundwire.protocols import EntailmentModel, PairReader, RelevanceScorer

WORDS = ["the", "cat", "sat", "on", "a", "mat", "dog", "ants", "sitting", "who", "?", ".", "unknowable"]
CLS, SEP = 2, 3


@pytest.fixture
def opened(tiny, tmp_path):
    def open_(memory=None, name="model", **changes):
        return loading.open_pair_model(tiny.directory(tmp_path / name, **changes), precision="fp32", memory=memory)

    return open_


def forgetful(opened, **changes):
    return opened(memory=ScoreMemory(max_bytes=0), **changes)


def some_pairs(n, seed=0, longest=80):
    rng = random.Random(seed)

    def text():
        return " ".join(rng.choices(WORDS, k=int(longest ** rng.random())))

    return [(text(), text()) for _ in range(n)]


def test_it_fills_both_roles(opened):
    model = opened()
    assert isinstance(model, EntailmentModel)
    assert isinstance(model, RelevanceScorer)
    assert (model.name, model.precision, len(model.identity)) == ("tiny", "fp32", 64)


def test_logits_are_the_networks(tiny, opened):
    pairs = [("The cat sat", "a dog"), ("", ""), ("mat.", "")]
    ids = [[CLS, 4, 5, 6, SEP, 8, 10, SEP], [CLS, SEP, SEP], [CLS, 9, 15, SEP, SEP]]
    types = [[0] * 5 + [1] * 3, [0, 0, 1], [0, 0, 0, 0, 1]]
    found = opened().logits(pairs)
    np.testing.assert_allclose(found, [tiny.expected(i, t) for i, t in zip(ids, types, strict=True)], atol=1e-6)


def test_no_pairs(opened):
    model = opened()
    assert model.logits([]).shape[0] == 0
    assert (model.entail([]), model.score([]), model.truncated([])) == ([], [], [])


def test_softmax_is_over_the_entailment_columns_alone(opened):
    model = opened()
    logits = model.logits([("the cat", "a mat")])[0]
    judged = model.entail([("the cat", "a mat")])[0]
    powers = np.exp(logits[:3].astype(float))
    wanted = powers / powers.sum()
    assert (judged.supports, judged.refutes, judged.neutral) == pytest.approx(tuple(wanted), abs=1e-6)


def test_a_two_way_model_refutes_nothing(opened):
    reading = {"entailment": {"activation": "softmax", "supports": 1, "refutes": None}, "relevance": None}
    model = opened(reading=reading)
    powers = np.exp(model.logits([("the cat", "a mat")])[0].astype(float))
    judged = model.entail([("the cat", "a mat")])[0]
    assert judged.supports == pytest.approx(powers[1] / powers.sum(), abs=1e-6)
    assert judged.refutes is judged.neutral is None


def test_a_sigmoid_model_refutes_nothing(opened):
    model = opened(reading={"entailment": {"activation": "sigmoid", "supports": 2}, "relevance": None})
    logit = float(model.logits([("the cat", "a mat")])[0][2])
    judged = model.entail([("the cat", "a mat")])[0]
    assert judged.supports == pytest.approx(1 / (1 + math.exp(-logit)), abs=1e-6)
    assert judged.refutes is judged.neutral is None


def test_relevance_is_the_raw_logit_in_the_models_own_order(opened):
    passage_first = opened()
    query_first = opened(
        name="ranker", reading={"entailment": None, "relevance": {"column": 3, "order": ["query", "passage"]}}
    )
    query, passage = "who sat?", "the cat sat"
    assert passage_first.score([(query, passage)]) == [passage_first.logits([(passage, query)])[0][3]]
    assert query_first.score([(query, passage)]) == [query_first.logits([(query, passage)])[0][3]]


def test_a_reading_that_a_model_does_not_have(opened):
    ranker = opened(reading={"entailment": None, "relevance": {"column": 0, "order": ["query", "passage"]}})
    judge = opened(name="judge", reading={"entailment": {"activation": "softmax", "supports": 0}, "relevance": None})
    with pytest.raises(UsageError, match="does not judge entailment"):
        ranker.entail([("a", "b")])
    with pytest.raises(UsageError, match="does not score relevance"):
        judge.score([("a", "b")])


def test_scores_do_not_depend_on_batches_or_order(opened):
    pairs = some_pairs(60)
    together = forgetful(opened).logits(pairs)
    alone = np.concatenate([forgetful(opened).logits([pair]) for pair in pairs[:10]])
    np.testing.assert_allclose(together[:10], alone, atol=1e-5)
    order = random.Random(1).sample(range(60), 60)
    np.testing.assert_allclose(forgetful(opened).logits([pairs[i] for i in order]), together[order], atol=1e-5)


def test_sixteen_threads_give_what_one_gives(opened):
    model, pairs = forgetful(opened), some_pairs(40)
    wanted = model.logits(pairs)

    def work(seed):
        chosen = random.Random(seed).sample(range(40), 13)
        return max(float(np.abs(model.logits([pairs[i] for i in chosen]) - wanted[chosen]).max()) for _ in range(10))

    with ThreadPoolExecutor(16) as pool:
        assert max(pool.map(work, range(16))) <= 1e-5


def test_a_pair_runs_once(opened):
    model = opened()
    rows = []
    run = model._backend.run
    model._backend.run = lambda arrays: rows.append(len(arrays["input_ids"])) or run(arrays)
    model.logits([("the cat", "a mat")] * 5 + [("a mat", "the cat")])
    assert sum(rows) == 2
    model.entail([("the cat", "a mat"), ("a dog", "a mat")])
    assert sum(rows) == 3
    model.truncated([("the cat", "a mat")])
    assert sum(rows) == 3


def test_a_text_is_encoded_once_a_call():
    class Counting:
        def __init__(self):
            self.texts = []
            self.frame = type("Frame", (), {"before": (1,), "between": (2,), "after": (2,), "types": (0,) * 5})()

        def encode(self, text):
            self.texts.append(text)
            return [5] * len(text)

    tokenizer = Counting()
    pairing = Pairing(tokenizer, max_length=512, evidence=0)
    for a in ("context", "another"):
        for b in ("one", "two", "three"):
            pairing.encode((a, b))
    assert sorted(tokenizer.texts) == ["another", "context", "one", "three", "two"]


@pytest.mark.parametrize(
    ("first", "second", "kept", "truncated"),
    [(3, 3, (3, 3), False), (3, 4, (3, 4), False), (8, 3, (4, 3), True), (1, 9, (0, 7), True), (5, 7, (0, 7), True)],
)
def test_only_the_evidence_is_cut_while_the_claim_fits(opened, first, second, kept, truncated):
    tokenizer = opened()._tokenizer
    long = Pairing(tokenizer, max_length=10, evidence=0).encode(("cat " * first, "dog " * second))
    assert ((len(long.first), len(long.second)), long.truncated) == (kept, truncated)
    assert long.length == 3 + sum(kept)
    turned = Pairing(tokenizer, max_length=10, evidence=1).encode(("dog " * second, "cat " * first))
    assert ((len(turned.second), len(turned.first)), turned.truncated) == (kept, truncated)


def test_cut_pairs_say_so_before_and_after_scoring(opened):
    model = opened()
    pairs = [("cat " * 58, "a mat sat"), ("cat " * 59, "a mat sat"), ("cat", "mat " * 62)]
    assert model.truncated(pairs) == [False, True, True]
    model.entail(pairs)
    assert model.truncated(pairs) == [False, True, True]
    np.testing.assert_allclose(*model.logits(pairs[:2]), atol=1e-6)


def test_a_number_that_is_not_finite_is_an_error_never_a_score(tiny, opened):
    broken = opened(model=tiny.network(scale=math.nan))
    with pytest.raises(CorruptModel, match="non-finite"):
        broken.entail([("the cat", "a mat")])
    infinite = opened(name="infinite")
    infinite._backend.run = lambda arrays: np.full((len(arrays["input_ids"]), 4), math.inf, np.float32)
    with pytest.raises(CorruptModel, match="non-finite"):
        infinite.score([("the cat", "a mat")])


def test_fewer_columns_than_the_reading_needs(opened):
    model = opened(reading={"entailment": {"activation": "softmax", "supports": 7}, "relevance": None})
    with pytest.raises(CorruptModel, match="logits"):
        model.entail([("a", "b")])


@pytest.fixture(scope="module")
def shared(tiny, tmp_path_factory):
    return loading.open_pair_model(tiny.directory(tmp_path_factory.mktemp("shared")), precision="fp32")


@settings(deadline=None)
@given(pairs=st.lists(st.tuples(st.text(st.characters()), st.text(st.characters())), max_size=8))
def test_any_text_gives_a_probability(shared, pairs):
    for judged in shared.entail(pairs):
        assert 0 <= judged.supports <= 1
        assert judged.supports + judged.refutes + judged.neutral == pytest.approx(1)


def test_a_word_of_a_million_characters(opened):
    assert len(opened().entail([("a" * 1_000_000, "the cat"), ("\ud800\x00", "\udfff")])) == 2


def test_memory_stays_flat_over_random_shapes(opened):
    if not loading.Path("/proc/self/statm").exists():
        pytest.skip("resident memory is read from /proc")
    model = forgetful(opened)
    rng = random.Random(5)

    def megabytes():
        return int(loading.Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20

    def work(rounds):
        for _ in range(rounds):
            model.logits(some_pairs(rng.randint(1, 30), rng.random(), longest=60))

    work(150)
    before = megabytes()
    work(300)
    assert megabytes() - before < 8


@pytest.fixture
def reads_tokens(tiny, opened):
    def open_(**changes):
        reading = tiny.READING | {"tokens": {"output": "token_logits", "segment": 1, "positive": "unsupported"}}
        return opened(name="tokens", model=tiny.network(tokens=True), reading=reading, **changes)

    return open_


def test_the_tokens_of_the_claim_come_with_the_same_run(tiny, reads_tokens):
    model = reads_tokens()
    assert isinstance(model, PairReader)
    rows = []
    run = model._backend.run_with_tokens
    model._backend.run_with_tokens = lambda arrays: rows.append(len(arrays["input_ids"])) or run(arrays)
    pairs = [("the cat", "A  dogs"), ("the cat sat on a mat", "a"), ("the cat", "")]
    read = model.read(pairs)
    tokens = [reading.tokens for reading in read]
    assert [reading.entailment for reading in read] == model.entail(pairs)
    assert sum(rows) == 3
    assert [t.bounds for t in tokens] == [((0, 1), (3, 6), (6, 7)), ((0, 1),), ()]
    ids, types = [CLS, 4, 5, SEP, 8, 10, 11, SEP], [0] * 4 + [1] * 4
    np.testing.assert_allclose(tokens[0].logits, tiny.expected_tokens(ids, types)[4:7], atol=2e-3)


def test_a_model_without_the_reading_gives_no_tokens(opened):
    [reading] = opened().read([("the cat", "a mat")])
    assert reading.tokens is None
    assert [reading.entailment] == opened(name="again").entail([("the cat", "a mat")])
    assert opened(name="third").read([]) == []


def test_remembered_tokens_are_the_same_and_a_memory_of_nothing_runs_once(reads_tokens):
    pairs = some_pairs(40)
    model = reads_tokens()
    first = model.read(pairs)
    assert model.read(pairs[::-1])[::-1] == first
    blank = reads_tokens(memory=ScoreMemory(max_bytes=0))
    for anew, kept in zip(blank.read(pairs), first, strict=True):
        assert anew.entailment.supports == pytest.approx(kept.entailment.supports, abs=1e-5)
        assert anew.tokens.bounds == kept.tokens.bounds
        assert anew.tokens.logits == pytest.approx(kept.tokens.logits, abs=4e-3)


def test_of_a_claim_that_is_cut_the_first_tokens_are_read(reads_tokens):
    [reading] = reads_tokens().read([("the cat", "mat " * 100)])
    tokens = reading.tokens
    assert len(tokens.bounds) == len(tokens.logits) == 61
    assert tokens.bounds[-1] == (240, 243)


def test_a_token_that_is_not_finite_is_an_error(tiny, reads_tokens):
    model = reads_tokens()
    run = model._backend.run_with_tokens
    model._backend.run_with_tokens = lambda arrays: (run(arrays)[0], run(arrays)[1] * np.float32("nan"))
    with pytest.raises(CorruptModel, match="each token"):
        model.read([("the cat", "a mat")])


def test_a_model_is_opened_once_a_process(tiny, tmp_path):
    name = f"dir:{tiny.directory(tmp_path / 'once')}"
    with ThreadPoolExecutor(8) as pool:
        assert len(set(map(id, pool.map(models.load, [name] * 8)))) == 1
    assert models.load_scorer(name) is models.load(name)


def test_names_that_give_no_model(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path))
    with pytest.raises(UnknownName, match="mini"):
        models.load("minni")
    with pytest.raises(MissingModel, match=r"models pull hhem-2\.1-open"):
        models.load("hhem-2.1-open")
    with pytest.raises(UsageError, match="not a folder"):
        models.load(f"dir:{tmp_path / 'nowhere'}")
    with pytest.raises(CorruptModel, match=r"manifest\.json"):
        models.load(f"dir:{tmp_path}")
    folder = tiny.directory(tmp_path / "model")
    with pytest.raises(UsageError, match="no cosine"):
        models.load_scorer(f"dir:{folder}:cosine")
    (folder / "vocab.txt").write_text("changed")
    with pytest.raises(CorruptModel, match=r"vocab\.txt"):
        models.load(f"dir:{folder}")


def test_an_embedder_judges_no_pairs(tiny, tmp_path):
    folder = tiny.directory(tmp_path, output="vectors")
    with pytest.raises(UsageError, match="embedder"):
        models.load(f"dir:{folder}")


def test_the_built_in_model():
    try:
        model = models.load()
    except CorruptModel:
        pytest.skip("the built-in model is not in this copy")
    evidence = "The company was founded in Oslo in 1998 by three engineers."
    pairs = [(evidence, "The company was founded in Oslo."), (evidence * 3, "Bananas are rich in potassium."), ("", "")]
    together = model.logits(pairs)
    assert together.shape == (3, 4)
    fresh = loading.open_pair_model(loading.folder_of("mini"), memory=ScoreMemory(max_bytes=0))
    tolerance = 0.1 if model.precision == "bf16" else 1e-5
    np.testing.assert_allclose(np.concatenate([fresh.logits([pair]) for pair in pairs]), together, atol=tolerance)
    assert len(models.builtin_sha256()) == 64
