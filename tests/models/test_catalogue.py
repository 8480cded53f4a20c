import pytest

from groundwire.errors import UnknownName, UsageError
from groundwire.models import catalogue
from groundwire.models.reading import EntailmentReading, Reading, RelevanceReading


def test_every_card_is_found_by_its_name_and_says_what_it_is_for() -> None:
    for name, card in catalogue.CARDS.items():
        assert catalogue.find(name) is card
        assert card.name == name
        assert card.purpose
        assert card.reading is not None
        assert card.reading.columns() > 0 or card.kind == "embedder"


def test_the_models_of_the_papers_are_known() -> None:
    assert catalogue.CARDS.keys() == {
        "mxbai-rerank-xsmall-v1",
        "mxbai-rerank-base-v1",
        "mxbai-rerank-large-v1",
        "hhem-1.0",
        "hhem-2.1-open",
        "albert-base-vitaminc",
        "albert-base-vitaminc-fever",
        "albert-xlarge-vitaminc",
        "albert-xlarge-vitaminc-fever",
        "monoelectra",
        "deberta-v2-xxlarge-mnli",
        "uae-large-v1",
    }


def test_columns_are_those_of_the_cards() -> None:
    readings = {name: card.reading for name, card in catalogue.CARDS.items()}
    assert readings["deberta-v2-xxlarge-mnli"] == Reading(
        entailment=EntailmentReading(activation="softmax", supports=2, refutes=0, neutral=1)
    )
    assert readings["albert-xlarge-vitaminc"] == Reading(
        entailment=EntailmentReading(activation="softmax", supports=0, refutes=1, neutral=2)
    )
    assert readings["hhem-1.0"] == Reading(entailment=EntailmentReading(activation="sigmoid", supports=0))
    assert readings["hhem-2.1-open"] == Reading(entailment=EntailmentReading(activation="softmax", supports=1))
    assert readings["monoelectra"] == Reading(relevance=RelevanceReading(column=1))
    assert readings["mxbai-rerank-base-v1"] == Reading(relevance=RelevanceReading(column=0))


def test_the_two_hhem_lie_on_two_branches_of_one_repository() -> None:
    old, new = catalogue.find("hhem-1.0"), catalogue.find("hhem-2.1-open")
    assert old.repo == new.repo == "vectara/hallucination_evaluation_model"
    assert (old.revision, new.revision) == ("hhem-1.0-open", "main")


@pytest.mark.parametrize("name", ["cross-encoder:cross-encoder/ms-marco-MiniLM-L6-v2", "nli:some-org/Some_Model.v2"])
def test_open_forms_name_any_repository(name: str) -> None:
    card = catalogue.find(name)
    assert card.name == name
    assert card.repo == name.partition(":")[2]
    assert card.reading is None


def test_a_revision_may_follow_any_name() -> None:
    card = catalogue.find("albert-base-vitaminc@refs/pr/1")
    assert (card.repo, card.revision) == ("tals/albert-base-vitaminc", "refs/pr/1")
    assert card.name == "albert-base-vitaminc@refs/pr/1"


def test_an_unknown_name_tells_which_are_near() -> None:
    with pytest.raises(UnknownName, match=r"unknown model 'hhem-2\.1'.*did you mean hhem-2\.1-open") as caught:
        catalogue.find("hhem-2.1")
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "name",
    ["nli:", "nli:model", "nli:a/b/c", "nli:../x", "nli:a/..", "cross-encoder:a/b c", "nli:é/x", "mini@", "nli:a/b@"],
)
def test_what_names_no_repository_or_revision_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError):
        catalogue.find(name)
