import pytest

from groundwire.errors import UsageError
from groundwire.models.chat.request import Request, messages, seeds_of

URL = "http://127.0.0.1:9/v1"


def key(prompt, endpoint=URL, model="m", **parameters):
    return Request(model=model, prompt=prompt, parameters=parameters).key(endpoint)


def test_the_keys_of_plain_prompts_are_those_of_the_first_version():
    """A reply that was kept by an earlier version is found again."""
    assert key("a", seed=0, temperature=0.0) == "18b84a3b040d6f004e96c0fa29d623e25f8661e0bf7d04d5415b8d00cbc02cc6"
    lone = key("lone \ud800", max_tokens=7, seed=3, temperature=0.0)
    assert lone == "4ac9161ec97c85703428bd3d1e30e78c668ea837ad48af52b4e73df9108f87ed"


def test_whatever_may_change_a_reply_is_in_its_key():
    keys = [
        key("a", seed=0),
        key("a", seed=1),
        key(("", "a"), seed=0),
        key(("s", "a"), seed=0),
        key(("a", "s"), seed=0),
        key("a", seed=0, endpoint="http://127.0.0.1:8/v1"),
        key("a", seed=0, model="n"),
        key("a", seed=0, max_tokens=1),
    ]
    assert len(set(keys)) == len(keys)


def test_messages():
    assert messages("u") == [{"role": "user", "content": "u"}]
    assert [(m["role"], m["content"]) for m in messages(("s", "u"))] == [("system", "s"), ("user", "u")]


def test_seeds():
    assert seeds_of(["a", "b"], None) == [None, None]
    assert seeds_of(["a", "b"], 3) == [3, 3]
    assert seeds_of(["a", "b"], (3, 4)) == [3, 4]
    assert seeds_of([], []) == []
    with pytest.raises(UsageError, match="one for each prompt"):
        seeds_of(["a"], [1, 2])
