"""Published numbers, on their own texts: the scores printed on the models' cards, and what other projects' tests expect of
the same checkpoints. They run where the weights are installed, in fp32.
"""

import gzip
import json
from pathlib import Path

import pytest

from groundwire.errors import MissingModel
from groundwire.models import hub, loading
from groundwire.models.pair import PairModel

HORSE = "A person on a horse jumps over a broken down airplane."
BRIDGE = "A boy is jumping on skateboard in the middle of a red bridge."
FOUNTAIN = "A man with blond-hair, and a brown shirt drinking out of a public water fountain."
READING = "A blond man wearing a brown shirt is reading a book."
FANS = ("Mark Wahlberg was a fan of Manny.", "Manny was a fan of Mark Wahlberg.")

HHEM_1_0 = {
    ("A man walks into a bar and buys a drink", "A bloke swigs alcohol at a pub"): 0.61051559,
    (HORSE, "A person is at a diner, ordering an omelette."): 0.00047494,
    (HORSE, "A person is outdoors, on a horse."): 0.99639291,
    (BRIDGE, "The boy skates down the sidewalk on a blue bridge"): 0.00021222,
    (FOUNTAIN, "A blond drinking water in public."): 0.99599433,
    (FOUNTAIN, READING): 0.0014127,
    FANS: 0.0028263,  # the card prints 0.002.8262993
}
HHEM_2_1_OPEN = {
    ("The capital of France is Berlin.", "The capital of France is Paris."): 0.0111,
    ("I am in California", "I am in United States."): 0.6474,
    ("I am in United States", "I am in California."): 0.1290,
    (HORSE, "A person is outdoors, on a horse."): 0.8969,
    (BRIDGE, "The boy skates down the sidewalk on a red bridge"): 0.1846,
    (FOUNTAIN, READING): 0.0050,
    FANS: 0.0543,
}


def folder_of(name: str) -> Path:
    try:
        folder = hub.resolve(name)
    except MissingModel as error:
        pytest.skip(str(error))
    precision = {model.name: model.precision for model in hub.installed()}[name]
    if precision != "fp32":
        pytest.skip(f"{name} is here in {precision}; the published numbers are those of fp32")
    return folder


def installed(name: str) -> PairModel:
    return loading.open_pair_model(folder_of(name), precision="fp32")


@pytest.mark.models
@pytest.mark.parametrize(
    ("name", "expected", "tolerance"),
    [("hhem-1.0", HHEM_1_0, 1e-4), ("hhem-2.1-open", HHEM_2_1_OPEN, 6e-5)],
    ids=["hhem-1.0", "hhem-2.1-open"],
)
def test_the_cards_scores_are_reproduced(name: str, expected: dict[tuple[str, str], float], tolerance: float) -> None:
    found = [entailment.supports for entailment in installed(name).entail(list(expected))]
    assert found == pytest.approx(list(expected.values()), abs=tolerance)


@pytest.mark.models
def test_splade_gives_the_impacts_that_pyserini_expects() -> None:
    """tests/base/encoder/test_encoder_model_splade.py of castorini/pyserini."""
    encoder = loading.open_sparse(folder_of("splade:naver/splade-v3"), precision="fp32")
    impacts = encoder.impacts(["information retrieval"], query=True)[0]
    expected = {"retrieval": 151, "information": 139, "retrieve": 107, "retrieved": 92, "archive": 53}
    assert {term: impacts.get(term) for term in expected} == expected


@pytest.mark.models
def test_ance_gives_the_vectors_that_pyserini_expects() -> None:
    """tests/base/encoder/test_encoder_model_ance.py of castorini/pyserini: first and last number of two queries' vectors.

    Which is first among MS MARCO's development queries depends on their order, in the file or by number.
    """
    encoder = loading.open_embedder(folder_of("ance-msmarco-passage"), cosine=False, precision="fp32")
    by_file = ["what is paula deen's brother", "Androgen receptor define"]
    by_number = ["Androgen receptor define", "3 levels of government in canada and their responsibilities"]
    found = [encoder.encode(queries, query=True)[:, [0, -1]].ravel().tolist() for queries in (by_file, by_number)]
    expected = pytest.approx([-1.34755, -1.22419, -1.36109, -1.47927], abs=1e-4)
    assert expected in found


@pytest.mark.models
def test_mono_ranks_as_pyterrier_expects(shared_data: Path) -> None:
    """tests/test_regression.py of terrierteam/pyterrier_t5: -2.186, -8.078, -12.726.

    Its scores depend on the others of their batch, ours do not; the order and the distances are the same.
    """
    mono = loading.open_mono(folder_of("monot5-base-msmarco"), precision="fp32")
    with gzip.open(shared_data / "ir" / "vaswani" / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = {row["_id"]: row["text"] for row in map(json.loads, lines)}
    found = mono.score([("fluid dynamics", texts[number]) for number in ("11216", "5299", "3442")])
    assert found == pytest.approx([-2.186, -8.078, -12.726], abs=2.0)
