from collections.abc import Sequence
from pathlib import Path

import pytest

from groundwire.evals.papers.gauge.making import Made
from groundwire.evals.papers.gauge.measuring import Preference, groundedness, preference, stance
from groundwire.evals.papers.stand_in import Used
from groundwire.ledger import Ledger
from groundwire.types import Entailment

USED = Used(wanted="monot5", name="monot5", identity="abc")


def made(text: str, top: str = "top", query: str = "7", question: str = "when?") -> Made:
    return Made(query=query, question=question, text=text, seeds=(top, "second"))


class Length:
    """Scores the length of the passage."""

    name = "length"

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.pairs += pairs
        return [len(passage) * (1 + 1e-9 * (passage == "tup")) for _, passage in pairs]


def test_the_sign_is_that_of_answer_less_top_passage(tmp_path: Path) -> None:
    rows = [made("longer"), made("top"), made("a"), made("tup"), made("")]
    scorer = Length()
    with Ledger(tmp_path / "ledger") as ledger:
        found = preference(rows, USED, scorer, ledger)
    assert found.differences[:3] == (3.0, 0.0, -2.0)
    assert found.differences[4] is None, "no answer is neither better nor worse"
    assert found.signs("+") == [True, False, False, True, False]
    assert found.signs("=") == [False, True, False, False, False], "= is exact"
    assert found.signs("−") == [False, False, True, False, False]
    assert found.near == 2
    assert ("when?", "top") in scorer.pairs


def test_compat_hands_the_judge_the_tuple_of_the_authors_code(tmp_path: Path) -> None:
    scorer = Length()
    with Ledger(tmp_path / "ledger") as ledger:
        preference([made("longer", question="what's up")], USED, scorer, ledger, compat=True)
        preference([made("longer", question="what's up")], USED, scorer, ledger)
    assert {query for query, _ in scorer.pairs} == {
        "GenericQuery(query_id='7', text=\"what's up\")",
        "what's up",
    }


def test_scores_are_kept_by_model(tmp_path: Path) -> None:
    scorer = Length()
    with Ledger(tmp_path / "ledger") as ledger:
        for _ in range(2):
            preference([made("longer")], USED, scorer, ledger)
        assert len(scorer.pairs) == 2
        preference([made("longer")], Used(wanted="monot5", name="monot5", identity="other weights"), scorer, ledger)
    assert len(scorer.pairs) == 4


class Judge:
    name = "judge"

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def entail(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        self.pairs += pairs
        return [Entailment(supports=0.5 if claim == "yes" else 0.2, refutes=0.1, neutral=0.3) for _, claim in pairs]


def test_evidence_is_both_seeds_and_comes_first(tmp_path: Path) -> None:
    judge = Judge()
    with Ledger(tmp_path / "ledger") as ledger:
        found = groundedness([made("yes"), made("no"), made("")], USED, judge, ledger)
    assert judge.pairs == [("top second", "yes"), ("top second", "no")]
    assert found.stances == ("supports", "neutral", "none")
    assert found.are("supports") == [True, False, False]


@pytest.mark.parametrize(
    ("probabilities", "said"),
    [
        ((0.4, 0.3, 0.3), "supports"),
        ((0.3, 0.4, 0.3), "refutes"),
        ((0.3, 0.3, 0.4), "neutral"),
        ((0.4, 0.4, 0.2), "supports"),
        ((0.2, 0.4, 0.4), "refutes"),
        ((0.7, None, None), "supports"),
        ((0.3, None, None), "neutral"),
    ],
)
def test_the_largest_counts_and_of_equal_ones_the_first_label(
    probabilities: tuple[float, float | None, float | None], said: str
) -> None:
    supports, refutes, neutral = probabilities
    assert stance(Entailment(supports=supports, refutes=refutes, neutral=neutral)) == said


def test_no_answer_at_all_has_no_differences() -> None:
    assert Preference(used=USED, differences=(None,)).near == 0
