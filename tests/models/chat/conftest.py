"""Chats against a server on this machine that fails on command; a socket to anywhere else is an error."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from groundwire.models.chat import Chat, Policy
from groundwire.testing import FaultServer

VARIABLES = ("GROUNDWIRE_LLM_BASE_URL", "GROUNDWIRE_LLM_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_KEY")


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, "GROUNDWIRE_OFFLINE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def only_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        assert self.family == socket.AF_UNIX or address[0] == "127.0.0.1", f"a socket to {address}"
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer(lambda prompt: f"re: {prompt}") as running:
        yield running


@pytest.fixture
def policy() -> Policy:
    """Deadlines and waits of a test."""
    return Policy(attempt=10.0, call=20.0, first_wait=0.005, reserve=1000, failures=1000)


@pytest.fixture
def chat(server: FaultServer, policy: Policy) -> Iterator[Callable[..., Chat]]:
    """Make chats with the server; they are closed at the end."""
    made: list[Chat] = []

    def make(**settings: Any) -> Chat:
        made.append(Chat("test-model", **{"base_url": server.url, "policy": policy, **settings}))
        return made[-1]

    yield make
    for each in made:
        each.close()
