"""Dense vectors: the best k are those of an exhaustive comparison, whatever they are kept as, and in whatever files."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.errors import InputError
from groundwire.index import LocalIndex, embedding, vectors
from groundwire.protocols import Retriever
from groundwire.testing import WordVectors
from groundwire.types import Passage


@pytest.fixture(scope="module", autouse=True)
def _small_pieces() -> Iterator[None]:
    """Blocks, batches and commits of a few rows, so that few rows make many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vectors, "_ROWS", 7)
        patch.setattr(embedding, "MOST", 10)
        patch.setattr(embedding, "_AT_ONCE", 5)
        yield


Maker = Callable[..., LocalIndex]
STORAGES = ("float32", "int8", "int8+float32")


class Given:
    """The vectors of texts, as they are given."""

    name, identity = "given", "1"

    def __init__(self, vectors: dict[str, np.ndarray]) -> None:
        self.vectors = vectors

    def encode(self, texts: Sequence[str], *, query: bool) -> np.ndarray:
        return np.stack([self.vectors[text] for text in texts])

    def cut(self, texts: Sequence[str], *, query: bool) -> list[bool]:
        return [False] * len(texts)


def exhaustive(texts: dict[str, np.ndarray], query: np.ndarray, k: int) -> list[tuple[str, float]]:
    wide = query.astype(np.float64)
    scores = {key: float(np.float32((vector.astype(np.float64) * wide).sum())) for key, vector in texts.items()}
    return sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))[:k]


def decoded(vector: np.ndarray) -> np.ndarray:
    """A vector as int8 keeps it."""
    kept, _ = vectors.arrays(vector[None], "int8")
    return kept["codes"][0] * kept["scales"][0].astype(np.float64)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**32),
    count=st.integers(1, 60),
    size=st.integers(1, 40),
    k=st.integers(1, 70),
    storage=st.sampled_from(STORAGES),
    grid=st.booleans(),
    exponent=st.integers(-20, 10),
    parts=st.integers(1, 4),
)
def test_random_vectors_are_ranked_as_by_comparing_all(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    count: int,
    size: int,
    k: int,
    storage: str,
    grid: bool,
    exponent: int,
    parts: int,
) -> None:
    rng = np.random.default_rng(seed)
    make = (lambda n: rng.integers(-2, 3, (n, size))) if grid else (lambda n: rng.normal(size=(n, size)))
    rows = (make(count) * 2.0**exponent).astype(np.float32)
    texts = {f"p{i}": row for i, row in enumerate(rows)}
    asked = {f"q{i}": row for i, row in enumerate((make(3) * 3).astype(np.float32))}
    index = LocalIndex.create(tmp_path_factory.mktemp("random") / "index", analyzer="simple")
    for part in range(parts):
        index.add(Passage(id=key, text=key) for key in list(texts)[part::parts])
        index.embed(Given(texts), storage=storage)
    ranked = index.dense(Given(asked)).rank(list(asked), k)
    held = {key: decoded(row) for key, row in texts.items()} if storage == "int8" else texts
    for (key, query), found in zip(asked.items(), ranked, strict=True):
        assert found == exhaustive(held, query, k)
        assert index.dense(Given(asked)).rank([key], k)[0] == found


def test_int8_is_off_by_no_more_than_it_says() -> None:
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(500, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    _, facts = vectors.arrays(rows, "int8")
    off = max(float(np.linalg.norm(row - decoded(row))) for row in rows)
    assert off == pytest.approx(facts["error"])
    assert off < 0.011
    assert {name: values.dtype for name, values in vectors.arrays(rows, "int8")[0].items()} == {
        "codes": np.int8,
        "scales": np.float32,
    }


def test_int8_takes_a_quarter(made: Maker) -> None:
    sizes = {}
    for storage in STORAGES:
        index = made({f"p{i}": f"w{i}" for i in range(200)}, folder=storage)
        index.embed(WordVectors(size=384), storage=storage)
        sizes[storage] = sum(path.stat().st_size for path in index.folder.glob("*.vectors"))
    assert sizes["int8"] < 0.27 * sizes["float32"]
    assert sizes["int8+float32"] > sizes["float32"]


def test_vectors_of_zeros_and_blank_queries(made: Maker) -> None:
    index = made({"a": "cat", "b": "", "c": "dog"})
    index.embed(WordVectors())
    retriever = index.dense(WordVectors())
    assert isinstance(retriever, Retriever)
    blank, found = retriever.retrieve([" \n", "cat"], 5)
    assert blank == []
    assert found[0].passage.id == "a"
    assert {hit.by for hit in found} == {"dense(model=word-vectors)"}
    assert dict(retriever.rank(["cat"], 5)[0])["b"] == 0
    with pytest.raises(InputError):
        retriever.retrieve(["cat"], 0)


def test_cosine_takes_the_lengths_away(made: Maker) -> None:
    long, near = np.array([30, 40], np.float32), np.array([1, 0.1], np.float32)
    index = made({"long": "long", "near": "near"})
    model = Given({"long": long, "near": near, "q": np.array([2, 0], np.float32)})
    index.embed(model, cosine=True)
    (found,) = index.dense(model).rank(["q"], 2)
    assert found == [("near", pytest.approx(1 / np.hypot(1, 0.1))), ("long", pytest.approx(0.6))]


def test_equal_vectors_stand_by_id_wherever_the_cut_is(made: Maker) -> None:
    index = made({f"n{i:02d}": "the same words" for i in reversed(range(40))})
    index.embed(WordVectors(size=100))
    for k in (1, 7, 39, 40, 41):
        (found,) = index.dense(WordVectors(size=100)).rank(["same things"], k)
        assert [key for key, _ in found] == [f"n{i:02d}" for i in range(40)][:k]
        assert len({score for _, score in found}) == 1
