"""The fixture `tiny`: a model directory of a few kilobytes, written byte by byte, whose numbers numpy can redo.

The network: mean over the attended tokens of tanh(word vector + type vector), [n, 4]. With `tokens` it has an output
more, [n, length]: the sum of each token's four numbers before the mean.
"""

import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from groundwire.models import manifest

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "dog",
    "##s",
    "##ting",
    "who",
    "?",
    ".",
    "ant",
    "an",
]
FLOAT, INT64 = 1, 7
READING = {
    "entailment": {"activation": "softmax", "supports": 0, "refutes": 1, "neutral": 2},
    "relevance": {"column": 3, "order": ["passage", "query"]},
}


@pytest.fixture(scope="session")
def tiny() -> ModuleType:
    """What stands in this file; tests import nothing of each other."""
    return sys.modules[__name__]


def tables() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    return rng.normal(size=(len(WORDS), 4)).astype(np.float32), rng.normal(size=(2, 4)).astype(np.float32)


def expected(ids: list[int], types: list[int]) -> np.ndarray:
    words, kinds = tables()
    return np.tanh(words[ids] + kinds[types]).mean(axis=0)


def expected_tokens(ids: list[int], types: list[int]) -> np.ndarray:
    words, kinds = tables()
    return np.tanh(words[ids] + kinds[types]).sum(axis=1)


def directory(folder: Path, *, model: bytes | None = None, extra: dict[str, bytes] | None = None, **changes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "schema": 1,
        "name": "tiny",
        "architecture": "bert",
        "max_length": 64,
        "inputs": ["input_ids", "attention_mask", "token_type_ids"],
        "tokenizer": {"kind": "wordpiece", "file": "vocab.txt", "lowercase": True},
        "pair": {"kind": "segments"},
        "reading": READING,
    }
    (folder / "config.json").write_text(json.dumps(config | changes))
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    (folder / "model.onnx").write_bytes(network() if model is None else model)
    for name, data in (extra or {}).items():
        (folder / name).write_bytes(data)
    manifest.write(folder, {"name": "tiny", "repo": "", "revision": ""})
    return folder


def network(
    *,
    scale: float = 1.0,
    location: str | None = None,
    sparse: bool = False,
    tokens: bool = False,
    output: str = "logits",
) -> bytes:
    """`scale` multiplies the word vectors; `location` moves them to a file of that name; `sparse` adds what is refused;
    `output` is the name of what it gives.
    """
    words, kinds = tables()
    nodes = [
        node("Gather", ["words", "input_ids"], "w"),
        node("Gather", ["kinds", "token_type_ids"], "t"),
        node("Add", ["w", "t"], "sum"),
        node("Tanh", ["sum"], "act"),
        node("Cast", ["attention_mask"], "m", integer_attribute("to", FLOAT)),
        node("Unsqueeze", ["m", "last"], "mm"),
        node("Mul", ["act", "mm"], "kept"),
        node("ReduceSum", ["kept", "middle"], "total", integer_attribute("keepdims", 0)),
        node("ReduceSum", ["m", "middle"], "count", integer_attribute("keepdims", 1)),
        node("Div", ["total", "count"], output),
    ]
    if tokens:
        nodes.append(node("ReduceSum", ["kept", "last"], "token_logits", integer_attribute("keepdims", 0)))
    weights = [
        tensor("words", FLOAT, words * np.float32(scale), location),
        tensor("kinds", FLOAT, kinds),
        tensor("last", INT64, np.array([2])),
        tensor("middle", INT64, np.array([1])),
    ]
    inputs = [value(name, INT64, ["n", "l"]) for name in ("input_ids", "attention_mask", "token_type_ids")]
    graph = b"".join(
        [
            *(field(1, n) for n in nodes),
            field(2, b"tiny"),
            *(field(5, w) for w in weights),
            *(field(11, i) for i in inputs),
            field(12, value(output, FLOAT, ["n", "k"])),
            field(12, value("token_logits", FLOAT, ["n", "l"])) if tokens else b"",
            field(15, b"") if sparse else b"",
        ]
    )
    return number_field(1, 8) + field(7, graph) + field(8, number_field(2, 17))


def varint(n: int) -> bytes:
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes([*out, n])


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def number_field(number: int, n: int) -> bytes:
    return varint(number << 3) + varint(n)


def tensor(name: str, kind: int, data: np.ndarray, location: str | None = None) -> bytes:
    out = b"".join(number_field(1, d) for d in data.shape) + number_field(2, kind) + field(8, name.encode())
    if location is None:
        return out + field(9, data.tobytes())
    return out + field(13, field(1, b"location") + field(2, location.encode())) + number_field(14, 1)


def node(operator: str, inputs: list[str], output: str, attribute: bytes = b"") -> bytes:
    names = b"".join(field(1, i.encode()) for i in inputs)
    return names + field(2, output.encode()) + field(4, operator.encode()) + attribute


def integer_attribute(name: str, n: int) -> bytes:
    return field(5, field(1, name.encode()) + number_field(3, n) + number_field(20, 2))


def value(name: str, kind: int, shape: list[str]) -> bytes:
    dimensions = b"".join(field(1, field(2, d.encode())) for d in shape)
    return field(1, name.encode()) + field(2, field(1, number_field(1, kind) + field(2, dimensions)))
