import pytest

from groundwire.errors import UnknownName, UsageError
from groundwire.models import catalogue
from groundwire.models.config import Impact, Side
from groundwire.models.reading import EntailmentReading, Reading, RelevanceReading


def test_every_card_is_found_by_its_name_and_says_what_it_is_for() -> None:
    for name, card in catalogue.CARDS.items():
        assert catalogue.find(name) is card
        assert card.name == name
        assert card.purpose
        assert card.reading is not None
        assert card.reading.columns() > 0 or catalogue.OUTPUTS[card.kind] in ("vectors", "terms")
        assert (card.impact is not None) == (catalogue.OUTPUTS[card.kind] == "terms")
        assert card.repo or name == "distilsplade-max"


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
        "ance-msmarco-passage",
        "all-minilm-l6-v2",
        "splade-cocondenser-ensembledistil",
        "splade-cocondenser-selfdistil",
        "distilsplade-max",
        "monot5-base-msmarco-10k",
        "monot5-base-msmarco",
        "monot5-3b-msmarco",
        "duot5-base-msmarco",
        "duot5-3b-msmarco",
    }


def test_rerankers_that_answer_have_their_prompt_and_t5s_tokenizer() -> None:
    for card in (card for name, card in catalogue.CARDS.items() if "t5-" in name):
        assert card.kind == "seq2seq"
        assert card.repo == f"castorini/{card.name}"
        assert card.tokenizer_repo == "google-t5/t5-base"
        assert card.max_length == 512
        assert card.prompt == (catalogue.DUO_PROMPT if card.name.startswith("duo") else catalogue.MONO_PROMPT)
    assert catalogue.WORDS == {"true": 1176, "false": 6136}


def test_sides_and_impacts_are_those_of_the_published_systems() -> None:
    ance, uae = catalogue.find("ance-msmarco-passage"), catalogue.find("uae-large-v1")
    assert (ance.query, ance.passage) == (Side(max_length=64, lowercase=True), Side(max_length=256))
    assert uae.query == Side(prefix="Represent this sentence for searching relevant passages: ")
    assert uae.passage is None
    for name in ("splade-cocondenser-ensembledistil", "splade-cocondenser-selfdistil", "distilsplade-max"):
        card = catalogue.find(name)
        assert (card.query, card.passage) == (Side(max_length=256), Side(max_length=512))
        assert card.impact == (
            Impact(range=1, levels=100) if name.startswith("distil") else Impact(range=5, levels=256)
        )
        assert card.licence == "CC BY-NC-SA 4.0"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("encoder:a/b", "sentence"), ("splade:a/b", "splade"), ("monot5:a/b", "seq2seq"), ("duot5:a/b@main", "seq2seq")],
)
def test_open_forms_of_retrieval_take_all_from_the_checkpoint(name: str, kind: str) -> None:
    card = catalogue.find(name)
    assert (card.name, card.kind, card.repo) == (name, kind, "a/b")
    assert (card.licence, card.parameters, card.tokenizer_repo) == (None, None, None)


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


def test_entailment_models_for_english_say_so_and_open_forms_say_nothing() -> None:
    told = {name for name, card in catalogue.CARDS.items() if card.languages == ("en",)}
    assert told == {name for name, card in catalogue.CARDS.items() if card.reading and card.reading.entailment}
    assert catalogue.find("nli:some/model").languages == ()
