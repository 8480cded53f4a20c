"""What somebody gives for a language model: one that is there, or the name of a model behind the endpoint.

Left out: the endpoint itself, which the environment names (`groundwire.models.chat`); it loads only for a name.
"""

from __future__ import annotations

from contextlib import ExitStack

from groundwire.errors import InputError
from groundwire.protocols import LLM


def given(llm: LLM | str | None, opened: ExitStack, *, temperature: float = 0.0) -> LLM | None:
    """Return the LLM as it is, or of a name a chat with this temperature, which is closed with `opened`; None of None.

    Raises InputError for what is neither, and what `Chat` raises.
    """
    if isinstance(llm, str):
        from groundwire.models.chat import Chat

        return opened.enter_context(Chat(llm, temperature=temperature))
    if llm is not None and not hasattr(llm, "complete"):
        raise InputError(f"llm must be an LLM or the name of a model, not {type(llm).__name__}", "llm='gpt-4o-mini'")
    return llm
