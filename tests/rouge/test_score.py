"""ROUGE against rouge_score, to the last digit, and what a target does with odd texts."""

import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import UnknownName
from groundwire.rouge import KINDS, Score, Target

WORDS = """
The the cat cats sat on mat mats running runs ran flies dying news skies enjoyed enjoys rationally relational geology innings
generalization generalizations successfully succeeded proceed used using use are is was it its of and to a an in 1990 1,990
3.5% x86 U.S. can't don't re-write e-mail naïve Über café İstanbul K \u212a2 漢字 кошка 😀 \ud800 \x00 -- … "quoted" (see)
[1] http://a.example/b?c=d #tag @name a.b.c A B C \n\n \t ’s ‘so’ hopping hoped hopes hope controlling controlled
""".split(" ")
PAIRS = 2000


def pair(rng: random.Random) -> tuple[str, str]:
    """Return two texts: empty, of a few words over and over, of any words, or the second a rewriting of the first."""
    target, text = (rng.choices(vocabulary(rng), k=rng.choice((0, 1, 2, 5, 12, 25, 60))) for _ in range(2))
    if rng.random() < 0.5:
        text = [rng.choice(WORDS) if rng.random() < 0.2 else word for word in target if rng.random() > 0.1]
    if rng.random() < 0.2:
        rng.shuffle(text)
    return " ".join(target), " ".join(text)


def vocabulary(rng: random.Random) -> list[str]:
    return rng.sample(WORDS, rng.choice((2, 6))) if rng.random() < 0.4 else WORDS


@pytest.mark.parametrize("stem", [True, False])
def test_scores_are_those_of_rouge_score(stem: bool) -> None:
    package = pytest.importorskip("rouge_score.rouge_scorer")
    kinds = {"1": "rouge1", "2": "rouge2", "L": "rougeL", "9": "rouge9"}
    reference = package.RougeScorer(list(kinds.values()), use_stemmer=stem)
    rng = random.Random(3)
    some = 0
    for _ in range(PAIRS):
        target, text = pair(rng)
        ours, theirs = Target(target, stem=stem), reference.score(target, text)
        for kind, name in kinds.items():
            score, expected = ours.score(kind, text), theirs[name]
            assert abs(score.precision - expected.precision) <= 1e-9, (kind, target, text)
            assert abs(score.recall - expected.recall) <= 1e-9, (kind, target, text)
            assert abs(score.f - expected.fmeasure) <= 1e-9, (kind, target, text)
            some += score.f > 0
    assert some > PAIRS  # most pairs have something in common, or nothing was tried


def test_by_hand() -> None:
    target = Target("the cat the dog")
    assert target.score("1", "the the the bird") == Score(0.5, 0.5, 0.5)  # two of three are counted
    assert target.score("2", "the cat the bird") == Score(2 / 3, 2 / 3, 2 / 3)
    assert target.score("L", "cat dog the") == Score(2 / 3, 2 / 4, 2 * (2 / 3) * 0.5 / (2 / 3 + 0.5))
    assert target.score("3", "the cat") == Score(0, 0, 0)


def test_stems_are_compared_unless_told_otherwise() -> None:
    assert Target("hopping rabbits").score("1", "hopped rabbit").f == 1
    assert Target("hopping rabbits", stem=False).score("1", "hopped rabbit").f == 0


def test_a_copy_of_one_of_two_seeds() -> None:
    score = Target("red green blue gold pink grey").score("1", "red green blue")
    assert score == Score(1, 0.5, 2 / 3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("target", "text"), [("", ""), ("words", ""), ("", "words"), ("漢字", "漢字"), ("\x00", "\ud800😀")]
)
def test_where_a_side_has_no_words_the_score_is_0(kind: str, target: str, text: str) -> None:
    assert Target(target).score(kind, text) == Score(0, 0, 0)


@pytest.mark.parametrize("kind", ["0", "10", "l", "rouge1", "Lsum", "", None])
def test_other_kinds_are_no_kinds(kind: str) -> None:
    with pytest.raises(UnknownName, match="ROUGE"):
        Target("a").score(kind, "a")


@given(st.lists(st.sampled_from("abcd"), max_size=90), st.lists(st.sampled_from("abcd"), max_size=90))
def test_the_subsequence_is_the_longest(target: list[str], text: list[str]) -> None:
    score = Target(" ".join(target)).score("L", " ".join(text))
    assert score.recall * max(len(target), 1) == pytest.approx(longest(target, text))


@given(st.text(), st.text(), st.sampled_from(KINDS))
def test_any_text_has_a_score_in_range(target: str, text: str, kind: str) -> None:
    score = Target(target).score(kind, text)
    assert 0 <= score.precision <= 1
    assert 0 <= score.recall <= 1
    assert 0 <= score.f <= 1
    assert Target(text).score(kind, target) == Score(score.recall, score.precision, score.f)


def test_a_target_is_the_same_after_many_scores() -> None:
    target = Target("one two three two one")
    before = [target.score(kind, "two one one") for kind in KINDS]
    for text in ("", "one", "four " * 50, "three two one"):
        for kind in KINDS:
            target.score(kind, text)
    assert [target.score(kind, "two one one") for kind in KINDS] == before


def test_long_texts() -> None:
    started = time.perf_counter()
    word = "x" * 10**6
    assert Target(f"a {word}").score("1", word).recall == 0.5
    many = " ".join(str(i) for i in range(30_000))  # no word twice: a number of bits for each would be 50 MB
    target = Target(many)
    assert target.score("1", many).f == target.score("2", many).f == 1
    assert target.score("L", "29999 5 6 7 1").recall == pytest.approx(3 / 30_000)
    assert time.perf_counter() - started < 20


def longest(a: Sequence[str], b: Sequence[str]) -> int:
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], before + 1 if x == y else max(row[j], row[j - 1])
    return row[-1]
