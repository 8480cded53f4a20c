"""A statement gets another subject of the same run, never one that may be the same thing."""

from random import Random

import pytest

from groundwire.training.subjects import swapped

RUN = ("Ann Lee opened a school in the town of York.", "Jane Doe built a bridge over the river in Leeds.")


def test_the_subject_is_another_of_the_run() -> None:
    swap = swapped(RUN, 0, Random(1))
    assert swap is not None
    assert swap.wrong.text == "Jane Doe opened a school in the town of York."
    assert [swap.wrong.text[s:e] for s, e in swap.wrong.spans] == ["Jane Doe"]
    assert [swap.right.text[s:e] for s, e in swap.right.spans] == ["Ann Lee"]
    assert swap.operator == "spliced"


def test_a_pronoun_is_resolved_to_the_wrong_name() -> None:
    run = (*RUN, "Ann Lee was proud of the school.", "She gave all of her money to the town of York.")
    swap = swapped(run, 3, Random(1))
    assert swap is not None
    assert (swap.operator, swap.at) == ("resolution", 3)
    assert swap.right.text == "Ann Lee gave all of her money to the town of York."
    assert swap.wrong.text == "Jane Doe gave all of her money to the town of York."
    loose = swapped(run, 3, Random(1), consecutive=False)
    assert loose is None or loose.operator != "resolution"


def test_words_go_to_another_speaker() -> None:
    swap = swapped((RUN[1], '"The old bridge over the river will be closed," said Ann Lee.'), 1, Random(1))
    assert swap is not None
    assert swap.operator == "attribution"
    assert swap.wrong.text == "Jane Doe said that the old bridge over the river will be closed."


@pytest.mark.parametrize(
    "run",
    [
        ("Ann Lee opened a school in the town of York.", "Lee built a bridge over the river in Leeds."),
        ("Ann Lee also opened a school in the town of York.", "Jane Doe also built a bridge over the river in Leeds."),
        ("The song was released in the spring of 1990.", "The single was played on the radio in the summer."),
    ],
)
def test_what_may_be_the_same_or_as_true_is_left_alone(run: tuple[str, ...]) -> None:
    assert swapped(run, 0, Random(1)) is None
