"""Texts of other rows: around the evidence, or in its place; never the evidence itself."""

from random import Random

from groundwire.training.distractors import LONGEST, Distractors, words_of

TEXTS = [
    "The bridge over the river was opened in 1932.",
    "The river froze and the old bridge was closed.",
    "Bees are kept for honey and for wax in spring.",
    "A violin has four strings and no frets at all.",
]
OTHERS = Distractors(TEXTS)


def test_content_words_and_figures() -> None:
    assert words_of("The bridge of 1932 was it.") == {"bridge", "1932"}


def test_evidence_stays_whole_among_others() -> None:
    for seed in range(20):
        text = OTHERS.around(TEXTS[0], Random(seed))
        assert text.count(TEXTS[0]) == 1
        assert len(text) > len(TEXTS[0])
        assert len(text.split()) <= LONGEST


def test_long_evidence_is_left_alone() -> None:
    long = "word " * LONGEST
    assert OTHERS.around(long, Random(0)) == long


def test_hard_distractors_share_words_and_never_hold_the_evidence() -> None:
    drawn = [OTHERS.instead("The bridge was closed in 1932.", TEXTS[0], Random(seed), hard=True) for seed in range(20)]
    assert all(text is not None and text.startswith(TEXTS[1]) and TEXTS[0] not in text for text in drawn)


def test_nothing_to_draw_from() -> None:
    assert Distractors([]).instead("a claim", "its evidence", Random(0), hard=True) is None
    assert Distractors(TEXTS[:1]).instead("a claim", TEXTS[0], Random(0), hard=False) is None
    assert Distractors([]).around("its evidence", Random(0)) == "its evidence"
