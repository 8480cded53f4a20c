"""One content word changes, both sides are marked, names and small words stay, and the passage lends words too."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from groundwire.training.corrupt import Edit, Pool
from groundwire.training.sample import NOT_SUPPORTED
from groundwire.training.substitute import word
from groundwire.training.vocabulary import FREQUENT, Embeddings, Vocabulary, load_embeddings

TEXT = "The farmer rented a house."
PROSE = [TEXT, "The farmer painted a house.", "The nurse painted a house."] * FREQUENT


def pool(**degrees: float) -> Pool:
    """A pool whose words stand on a circle: their cosine is that of the difference of their angles."""
    turns = np.radians(np.array(list(degrees.values()), dtype=np.float32))
    vectors = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return Pool([], [], [], Vocabulary.of(Embeddings(tuple(degrees), vectors), PROSE))


def drawn(text: str, lender: Pool, passage: str = "", count: int = 40) -> list[Edit]:
    return [edit for seed in range(count) if (edit := word(text, passage, lender, Random(seed)))]


def test_one_word_changes_and_both_sides_are_marked() -> None:
    edits = drawn(TEXT, pool(rented=0, painted=70))
    assert {edit.after.text for edit in edits} == {"The farmer painted a house."}
    edit = edits[0]
    assert [edit.before.text[s:e] for s, e in edit.before.spans] == ["rented"] == [edit.old]
    assert [edit.after.text[s:e] for s, e in edit.after.spans] == ["painted"] == [edit.new]
    assert (edit.label, edit.operator) == (NOT_SUPPORTED, "word")


def test_nothing_is_lent_without_a_vocabulary() -> None:
    assert word(TEXT, TEXT, Pool([], [], []), Random(0)) is None


@pytest.mark.parametrize(
    "text", ["The Farmer painted a house.", "The farmer painted the farmer.", "The farmer painted a nurse."]
)
def test_names_repeated_words_and_words_of_the_sentence_stay(text: str) -> None:
    lender = pool(farmer=0, nurse=70)
    assert drawn("The farmer painted a house.", lender)
    assert drawn(text, lender) == []


def test_words_of_the_passage_are_lent() -> None:
    lender = pool(farmer=0, nurse=85)
    assert drawn("The farmer painted it.", lender) == []
    edits = drawn("The farmer painted it.", lender, "A nurse saw the farmer.")
    assert {edit.new for edit in edits} == {"nurse"}


@pytest.mark.models
def test_real_embeddings_give_other_meanings() -> None:
    pytest.importorskip("torch")
    from groundwire.training.network import base_folder

    roles, verbs = ("doctor", "nurse", "physician", "doctors"), ("bought", "rented", "purchased")
    prose = [f"The {role} {verb} a house." for role in roles for verb in verbs] * FREQUENT
    vocabulary = Vocabulary.of(load_embeddings(Path(base_folder()) / "model.safetensors"), prose)
    assert vocabulary.near["doctor"] == ("nurse",)
    assert vocabulary.near["bought"] == ("rented",)
