"""A language model for tests of your own: its replies are yours, and it remembers what it was asked.

Left out: an endpoint (`groundwire.testing.endpoint` has one), tokens, and time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence

from groundwire.errors import UsageError
from groundwire.models.chat.request import seeds_of
from groundwire.protocols import Prompt
from groundwire.types import Completion

Reply = str | Completion
Replies = Callable[[str], Reply] | Mapping[str, Reply] | Sequence[Reply]


class ScriptedLLM:
    """Fills the role LLM. `replies` is a function of the prompt; a mapping from a prompt, or from words that only one of its
    keys has in common with the prompt; or a list, given out in order. One text alone answers everything. A prompt with a
    system message is, to a function and to a mapping, the two messages with a blank line between them.

    `fail_at` are the numbers of the prompts, from 0 in the order in which they came, that fail with the status "error".
    Raises UsageError for a prompt that the script has no reply to, and when the list is at its end.
    """

    def __init__(self, replies: Replies, *, name: str = "scripted", fail_at: Collection[int] = ()) -> None:
        self.name = name
        self.prompts: list[Prompt] = []
        """Every prompt as it was given, in the order in which they came."""
        self.seeds: list[int | None] = []
        """The seed of every prompt; while a function is asked, the last one is that of its prompt."""
        self.batches: list[int] = []
        """How many prompts each `complete` had."""
        self.settings: list[tuple[int | None, int | Sequence[int] | None]] = []
        """The (max_tokens, seed) of each `complete`, as they were given."""
        self._replies = replies
        self._fail_at = frozenset(fail_at)
        self._given = 0
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"ScriptedLLM(name={self.name!r}, calls={self.calls})"

    @property
    def calls(self) -> int:
        """How many prompts were asked."""
        return len(self.prompts)

    def complete(
        self, prompts: Sequence[Prompt], *, max_tokens: int | None = None, seed: int | Sequence[int] | None = None
    ) -> list[Completion]:
        """Answer each prompt from the script, in order. Raises UsageError for more or fewer seeds than prompts."""
        seeds = seeds_of(prompts, seed)
        with self._lock:
            self.batches.append(len(prompts))
            self.settings.append((max_tokens, seed))
            return [self._answered(*each) for each in zip(prompts, seeds, strict=True)]

    def _answered(self, prompt: Prompt, seed: int | None) -> Completion:
        number = len(self.prompts)
        self.prompts.append(prompt)
        self.seeds.append(seed)
        if number in self._fail_at:
            return Completion(text=None, status="error", reason="scripted: the call fails")
        reply = self._reply(prompt if isinstance(prompt, str) else "\n\n".join(prompt))
        return Completion(text=reply) if isinstance(reply, str) else reply

    def _reply(self, prompt: str) -> Reply:
        if isinstance(self._replies, str):
            return self._replies
        if isinstance(self._replies, Mapping):
            return _looked_up(self._replies, prompt)
        if callable(self._replies):
            return self._replies(prompt)
        if self._given == len(self._replies):
            raise UsageError(f"the script has {self._given} replies and was asked for one more", "add one")
        self._given += 1
        return self._replies[self._given - 1]


def _looked_up(replies: Mapping[str, Reply], prompt: str) -> Reply:
    if prompt in replies:
        return replies[prompt]
    inside = [words for words in replies if words in prompt]
    if len(inside) != 1:
        message = f"{len(inside)} keys of the script stand in the prompt {prompt[:80]!r}"
        raise UsageError(message, "exactly one has to, or the whole prompt is a key")
    return replies[inside[0]]
