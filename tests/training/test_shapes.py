"""Every shape of a claim says what the sentences say, and gives None where that is not sure."""

from random import Random

import pytest

from groundwire.training.sample import Marked
from groundwire.training.shapes import antecedent, draw_shape, merged, reordered, reported, resolved, several, shaped

BORN = ["Ann Lee was born in York.", "She won a medal at the games."]


def texts(*sentences: str) -> list[Marked]:
    return [Marked(s) for s in sentences]


def test_a_pronoun_gets_the_name_before_it() -> None:
    claim = resolved(texts(*BORN), 1, Random(1))
    assert claim is not None
    assert claim.text == "Ann Lee won a medal at the games."


@pytest.mark.parametrize(
    "sentences",
    [
        ["Ann Lee was married to Jane Doe.", "She won a medal at the games."],
        ["Ann Lee left and his brother stayed.", "She won a medal at the games."],
        ["The band released the album in May.", "It reached the top of the charts."],
        ["The tower was built in May.", "It is said that the king came."],
        ["She won a medal at the games."],
    ],
)
def test_a_pronoun_that_may_mean_another_stays(sentences: list[str]) -> None:
    assert antecedent(sentences, len(sentences) - 1) is None


def test_two_sentences_of_one_subject_become_one() -> None:
    claim = merged(texts(*BORN), 0, Random(1))
    assert claim is not None
    assert claim.text.replace(",", "") == "Ann Lee was born in York and won a medal at the games."
    assert merged(texts("Ann Lee was born in York.", "Jane Doe won a medal."), 0, Random(1)) is None
    assert merged(texts("In 1990, Ann Lee moved to York.", "In 1995, she won a medal."), 0, Random(1)) is None


def test_a_mark_in_the_second_sentence_is_carried_along() -> None:
    sentences = texts(*BORN)
    sentences[1] = sentences[1].mark(10, 15)
    claim = shaped("merged", sentences, 0, Random(1))
    assert claim is not None
    assert [claim.text[s:e] for s, e in claim.spans] == ["medal"]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ('"The old bridge will be closed in May," said Ann Lee.', "Ann Lee said that the old bridge will be closed in May."),
        ("The old bridge will close, Ann Lee said on Monday.", "Ann Lee said on Monday that the old bridge will close."),
    ],
)  # fmt: skip
def test_quotes_become_reported_speech(sentence: str, told: str) -> None:
    claim = reported(texts(sentence), 0, Random(1))
    assert claim is not None
    assert claim.text == told


def test_first_person_is_not_reported() -> None:
    assert reported(texts('"We will close the old bridge in May," said Ann Lee.'), 0, Random(1)) is None


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        (
            "When the war ended in May, Ann Lee moved back to York.",
            "Ann Lee moved back to York when the war ended in May.",
        ),
        ("The old hall was designed by Ann Lee in 1920.", "Ann Lee designed the old hall in 1920."),
    ],
)
def test_clauses_trade_places(sentence: str, other: str) -> None:
    claim = reordered(texts(sentence), 0, Random(1))
    assert claim is not None
    assert claim.text == other


def test_a_summary_takes_its_sentence_and_others() -> None:
    sentences = texts("Ann Lee was born in the town of York.", "The town of York grew in the years after the war.")
    claim = several(sentences, 0, Random(1))
    assert claim is not None
    assert all(s.text in claim.text for s in sentences)


def test_a_shape_is_drawn_with_a_place_where_it_goes() -> None:
    sentences = texts(*BORN)
    drawn = draw_shape(sentences, Random(1))
    assert drawn is not None
    assert shaped(drawn[0], sentences, drawn[1], Random(2)) is not None
    assert draw_shape(texts("Rain."), Random(1)) is None
