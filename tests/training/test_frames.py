"""A claim that is spoken is the same claim, and its marks still lie on the same words."""

from random import Random

from groundwire.training.frames import framed, spoken
from groundwire.training.sample import Marked

CLAIM = Marked("Ann Lee opened a school in the town of York.").mark(39, 43)


def test_the_marks_stay_on_their_words() -> None:
    for seed in range(300):
        for text in (framed(CLAIM, Random(seed)), spoken(CLAIM, Random(seed))):
            assert [text.text[s:e].lower() for s, e in text.spans] == ["york"]


def test_a_turn_says_more_than_the_claim() -> None:
    turns = {spoken(CLAIM, Random(seed)).text for seed in range(200)}
    assert len(turns) > 40
    assert all("opened a school in the town of York" in turn for turn in turns)


def test_frames_do_not_depend_on_marks() -> None:
    for seed in range(100):
        assert framed(CLAIM, Random(seed)).text == framed(Marked(CLAIM.text), Random(seed)).text
