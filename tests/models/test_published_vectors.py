"""The scores printed on the models' cards, on the cards' own pairs. They run where the weights are installed, in fp32."""

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


def installed(name: str) -> PairModel:
    try:
        folder = hub.resolve(name)
    except MissingModel as error:
        pytest.skip(str(error))
    precision = {model.name: model.precision for model in hub.installed()}[name]
    if precision != "fp32":
        pytest.skip(f"{name} is here in {precision}; the card's scores are those of fp32")
    return loading.open_pair_model(folder, precision="fp32")


@pytest.mark.models
@pytest.mark.parametrize(
    ("name", "expected", "tolerance"),
    [("hhem-1.0", HHEM_1_0, 1e-4), ("hhem-2.1-open", HHEM_2_1_OPEN, 6e-5)],
    ids=["hhem-1.0", "hhem-2.1-open"],
)
def test_the_cards_scores_are_reproduced(name: str, expected: dict[tuple[str, str], float], tolerance: float) -> None:
    found = [entailment.supports for entailment in installed(name).entail(list(expected))]
    assert found == pytest.approx(list(expected.values()), abs=tolerance)
