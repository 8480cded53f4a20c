import math

import pytest

from groundwire.evals import peers
from groundwire.evals.peers.lexical import NO_TERMS, NO_WORDS
from groundwire.types import Case, Label, Passage


def case(answer: str, *contexts: str) -> Case:
    return Case(id="0", answer=answer, contexts=tuple(Passage(id=str(n), text=t) for n, t in enumerate(contexts)))


def score(spec: str, answer: str, *contexts: str) -> float | None:
    return peers.open(spec).check([case(answer, *contexts)])[0].score


def test_overlap_is_the_share_of_the_words_that_stand_somewhere() -> None:
    assert score("peer:overlap", "The red door, the blue door.", "A RED thing.", "the doors") == 3 / 6
    assert score("peer:overlap(words)", "red", "blue") == 0


def test_bigrams_do_not_run_over_the_end_of_a_context() -> None:
    assert score("peer:overlap(bigrams)", "red door opens", "a red door", "opens") == 1 / 2
    assert score("peer:overlap(of=bigrams)", "red", "a red door") == 1


def test_rouge_is_that_of_the_answer_against_all_contexts() -> None:
    said = "the cat sat", ("the cat", "on a mat")
    assert score("peer:rouge", said[0], *said[1]) == 2 / 3
    assert score("peer:rouge(1, measure=recall)", said[0], *said[1]) == 2 / 5
    assert score("peer:rouge(1, measure=f)", said[0], *said[1]) == 0.5
    assert score("peer:rouge(2)", said[0], *said[1]) == 1 / 2
    assert score("peer:rouge(L)", "sat the cat", *said[1]) == 2 / 3


def test_bm25_share_weighs_what_stands_nowhere_most() -> None:
    # Two sentences: "bridg" in both, "steel" in one, "wooden" in none.
    both, one, none = (math.log(1 + (2 - n + 0.5) / (n + 0.5)) for n in (2, 1, 0))
    got = score("peer:bm25", "The wooden steel bridge.", "The bridge is of steel. The bridge is old.")
    assert got == pytest.approx((both + one) / (both + one + none), abs=1e-12)
    assert score("peer:bm25", "Bridges.", "A bridge.") == 1


@pytest.mark.parametrize(
    ("spec", "reason"), [("peer:overlap", NO_WORDS), ("peer:bm25", NO_TERMS), ("peer:rouge(2)", "ROUGE-2")]
)
def test_an_answer_without_anything_to_count_is_not_checkable_and_not_0(spec: str, reason: str) -> None:
    verdict = peers.open(spec).check([case("…!", "A bridge.")])[0]
    assert (verdict.label, verdict.score, verdict.claims) == (Label.NOT_CHECKABLE, None, ())
    assert reason in (verdict.reason or "")


@pytest.mark.parametrize("spec", ["peer:overlap", "peer:overlap(bigrams)", "peer:rouge(L)", "peer:bm25"])
def test_a_copy_is_wholly_backed(spec: str) -> None:
    text = "The bridge was opened in 1932."
    assert score(spec, text, f"{text} Toll was taken.") == pytest.approx(1)
