"""Our checker in other people's tools: pytest, ragas, DeepEval, LangChain, LlamaIndex, Haystack, DSPy and PyTerrier.

One file a tool. None of these packages is imported before something of it is asked for, and none is needed for the rest.
Left out: retrieval for these tools; the server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groundwire.integrations.grounded import assert_grounded

__all__ = ["assert_grounded"]


def __getattr__(name: str) -> Any:
    """Import what is asked for: pytest loads a file of this folder at every start, which must cost nothing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from groundwire.integrations import grounded

    return getattr(grounded, name)
