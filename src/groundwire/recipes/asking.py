"""What recipes have in common that find their passages and may ask a language model: generators' and verifiers'.

Left out: what else they are made of (`generating`, `verifying`), and reaching an endpoint.
"""

from __future__ import annotations

from typing import Protocol

from groundwire.errors import UsageError
from groundwire.protocols import LLM


class Asking(Protocol):
    """A system as data that is given a retriever and, where it asks one, an LLM."""

    @property
    def retrieves(self) -> str:
        """The stack that finds the passages, as `groundwire.stacks.build` reads it."""
        ...

    @property
    def needs_llm(self) -> bool:
        """True when it cannot do without an LLM."""
        ...

    def wording(self) -> list[str]:
        """Return what names the prompts that it sends, for the key of a ledger."""
        ...


def required(name: str, llm: LLM | None) -> LLM:
    """Return the LLM. Raises UsageError for a recipe of this name that was given none."""
    if llm is None:
        raise UsageError(f"the recipe {name} asks an LLM, and none was given", "--llm MODEL --llm-url URL")
    return llm
