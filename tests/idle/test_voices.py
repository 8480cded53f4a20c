"""Voices: who speaks in the contexts, found once."""

from collections.abc import Iterator

import pytest

from groundwire.idle import Voices


class Counted(list[str]):
    """Contexts that count how often they are gone through."""

    times = 0

    def __iter__(self) -> Iterator[str]:
        self.times += 1
        return super().__iter__()


@pytest.mark.parametrize(
    ("sentence", "context", "shared"),
    [
        ("I miss my old school.", "My old friends miss the school.", True),
        ("I miss my old school.", "The old school is one to miss.", False),
        ("I miss my old school.", "Your old friends miss the school.", False),
        ("I miss my old school.", "My old friends left.", False),
        ("I miss my old school.", "My old friends from school left me there.", True),
        ("I miss my old school.", "Our old friends from school left us there.", False),  # told by several
        ("We miss our old school.", "Our old friends from school left us there.", True),
        ("I miss my old school.", "My old friends left me there.", False),
        ("I miss my old school.", "My old friends from school left me. " + "The sea is calm there. " * 20, False),
        ("I miss my old school.", 'An old school. "I left my friends," she said. “It took me years.”', False),
        ("I miss my old school.", "Elizabeth I founded an old school. James I closed it.", False),
        ("You look very tired.", "Your eyes look tired.", True),
        ("You look very tired.", "My eyes look tired.", False),
        ("I see.", "I see it.", False),
        ("That is cool.", "I like it, do you?", False),
    ],
)
def test_who_is_in_both(sentence, context, shared):
    assert Voices([context]).share(sentence) is shared


def test_contexts_are_gone_through_once():
    contexts = Counted(["The dog is called Rex."] * 3)
    voices = Voices(contexts)
    assert not any(voices.share("I miss my old school.") for _ in range(50))
    assert contexts.times == 1


def test_no_contexts_share_nothing():
    assert not Voices().share("I have a dog.")
