"""What the tests of the index on Milvus share: a file to make one in, a server of the protocol, and stand-ins for models."""

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest


@pytest.fixture
def spec(tmp_path: Path) -> str:
    """Where an index may be made; skips where the extra is not installed."""
    pytest.importorskip("pymilvus", reason="needs the extra milvus")
    pytest.importorskip("milvus_lite", reason="needs the extra milvus")
    return f"milvus:{tmp_path / 'index.db'}"


@dataclass(frozen=True)
class Server:
    """A server of the protocol, and the tokens that it was sent."""

    url: str
    tokens: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """milvus-lite as a server that is reached over the network, as a cluster is."""
    grpc = pytest.importorskip("grpc", reason="needs the extra milvus")
    lite = pytest.importorskip("milvus_lite.db", reason="needs the extra milvus")
    from milvus_lite.adapter.grpc.servicer import MilvusServicer
    from pymilvus.grpc_gen import milvus_pb2_grpc

    tokens: list[str] = []

    class Watch(grpc.ServerInterceptor):  # type: ignore[misc, name-defined]
        def intercept_service(self, continuation: Any, details: Any) -> Any:
            tokens.extend(str(value) for name, value in details.invocation_metadata if name == "authorization")
            return continuation(details)

    store = lite.MilvusLite(str(tmp_path_factory.mktemp("server") / "data"))
    made = grpc.server(ThreadPoolExecutor(4), interceptors=[Watch()])
    milvus_pb2_grpc.add_MilvusServiceServicer_to_server(MilvusServicer(store), made)
    port = made.add_insecure_port("127.0.0.1:0")
    made.start()
    yield Server(f"http://127.0.0.1:{port}", tokens)
    made.stop(None).wait(1)
    store.close()


class WordWeights:
    """Weighs the words of passages by their length, and a little by that of the text, so that no two weigh the same."""

    def __init__(self, name: str = "words", identity: str = "1") -> None:
        self.name, self.identity = name, identity

    def encode(self, texts: Sequence[str], *, query: bool) -> list[dict[str, float]]:
        words = [text.lower().split() for text in texts]
        return [
            {w: 1.0 if query else len(w) + len(t) / 1000 for w in some} for t, some in zip(texts, words, strict=True)
        ]


class WordVectors:
    """Adds up a random vector for each word: alike words, alike vectors."""

    def __init__(self, name: str = "vectors", identity: str = "1", size: int = 16) -> None:
        self.name, self.identity, self.size = name, identity, size

    def encode(self, texts: Sequence[str], *, query: bool) -> Any:
        return np.array([self._one(text) for text in texts], np.float32).reshape(len(texts), self.size)

    def _one(self, text: str) -> Any:
        total = np.zeros(self.size)
        for word in text.lower().split():
            seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest(), "little")
            total += np.random.default_rng(seed).normal(size=self.size)
        return total


@pytest.fixture
def word_weights() -> type[WordWeights]:
    """A stand-in for a sparse encoder."""
    return WordWeights


@pytest.fixture
def word_vectors() -> type[WordVectors]:
    """A stand-in for a dense encoder."""
    return WordVectors
