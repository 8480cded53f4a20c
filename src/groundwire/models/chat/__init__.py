"""Language models behind an endpoint that speaks OpenAI's chat protocol: hosted ones, and servers on this machine.

`Chat` fills the role `LLM`. Left out of this file: how. `request` says what is sent, `wire` sends it, `reply` reads, `policy`
and `breaker` say when to try again, `calls` does, `batch` does it for many and keeps what was paid for, `probe` asks what an
endpoint can do.
"""

from __future__ import annotations

from groundwire.models.chat.chat import Chat
from groundwire.models.chat.policy import Policy
from groundwire.models.chat.usage import Prices, Usage

__all__ = ["Chat", "Policy", "Prices", "Usage"]
