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
        ("I have a dog.", "My dog is called Rex.", True),
        ("I have a dog.", "The dog is called Rex.", False),
        ("I have a dog.", "Your dog is called Rex.", False),
        ("You are covered.", "Your fees are covered.", True),
        ("I have a dog.", "I have a cat.", False),
        ("You are covered.", "My policy covers this.", False),
        ("I hope it helps you.", "You are covered.", False),
        ("That is cool.", "I like it, do you?", False),
    ],
)
def test_who_is_in_both(sentence, context, shared):
    assert Voices([context]).share(sentence) is shared


def test_contexts_are_gone_through_once():
    contexts = Counted(["The dog is called Rex."] * 3)
    voices = Voices(contexts)
    assert not any(voices.share("I love it!") for _ in range(50))
    assert contexts.times == 1


def test_no_contexts_share_nothing():
    assert not Voices().share("I have a dog.")
