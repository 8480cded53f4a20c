"""What is sent for one prompt: its messages and the fields of its request, and the key that its reply is kept under.

Left out: sending it (`wire`), and where replies are kept (`groundwire.cache`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.errors import UsageError
from groundwire.ledger import key_of
from groundwire.protocols import Prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One chat request: a model, a prompt, and all further fields of the body (temperature, seed, ...)."""

    model: str
    prompt: Prompt
    parameters: Mapping[str, Any]

    def key(self, endpoint: str) -> str:
        """Return what the reply is kept under: endpoint, model, messages and parameters, whatever may change it."""
        parts = {"endpoint": endpoint, "model": self.model, "messages": messages(self.prompt)}
        return key_of({**parts, "parameters": self.parameters})

    def sendable(self) -> list[dict[str, str]]:
        """Return the messages without lone surrogates, which no encoding can carry."""
        return [{**message, "content": _encodable(message["content"])} for message in messages(self.prompt)]


def messages(prompt: Prompt) -> list[dict[str, str]]:
    """Return the messages of a prompt: the user's, and before it the system's where there is one."""
    if isinstance(prompt, str):
        return [{"role": "user", "content": prompt}]
    system, user = prompt
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def seeds_of(prompts: Sequence[Prompt], seed: int | Sequence[int] | None) -> list[int | None]:
    """Return each prompt's seed. Raises UsageError where there are not as many seeds as prompts."""
    if seed is None or isinstance(seed, int):
        return [seed] * len(prompts)
    if len(seed) != len(prompts):
        raise UsageError(f"{len(prompts)} prompts have {len(seed)} seeds", "give one seed, or one for each prompt")
    return list(seed)


def _encodable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
