"""What a collection holds: its fields, the card that says how it was made, and a passage as a row and back.

A passage is kept as the JSON of its noun, so that it comes back exactly as it was given, and is known by the hash of its
id: ids are any text, and nothing that a corpus holds is ever written into a filter. What BM25 indexes are the terms of our
own analyser, spelled so that the tokenizer of every Milvus leaves them whole; the ranking is then that of the local index.

Left out: adding (`adding`) and searching (`retrievers`).
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from groundwire.errors import InputError, MissingIndex, Unavailable
from groundwire.index import store
from groundwire.index.bm25 import K1, B
from groundwire.index.milvus.connection import WORKING, Connection, package
from groundwire.types import Passage

KIND = "groundwire-index"
SCHEMA = 1
CARD = "groundwire.card"
"""The property that holds the card; the description of the collection holds it too, since not every Milvus keeps both."""

MOST_BYTES = 65_535
"""The longest string that Milvus keeps, in bytes of UTF-8: a passage as JSON, and its terms."""
KEY_BYTES = 16
_NO_TERM = 0
"""The dimension of a sparse vector that has no other: Milvus keeps no empty ones. No query asks for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vectors:
    """Which model made the vectors of a field: its name, the sha256 of its manifest, and of dense ones size and metric."""

    model: str
    identity: str = ""
    dimensions: int = 0
    metric: str = "IP"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """How a collection was made. Nothing of it can be changed later."""

    analyzer: str
    k1: float = K1
    b: float = B
    sparse: Vectors | None = None
    dense: Vectors | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that can be searched."""
        return ("bm25", *(name for name in ("sparse", "dense") if getattr(self, name)))

    def dump(self) -> str:
        """Return the card as JSON."""
        return json.dumps({"kind": KIND, "schema": SCHEMA, **asdict(self)}, sort_keys=True)


def check_bm25(k1: float, b: float) -> None:
    """Raise InputError for what Milvus has no BM25 for."""
    if not (math.isfinite(k1) and 0 < k1 <= 3 and 0 <= b <= 1):
        raise InputError(f"Milvus has no BM25 with k1={k1} and b={b}", "k1 is over 0 and at most 3, b between 0 and 1")


def create(connection: Connection, card: Card) -> None:
    """Make the collection and its indexes, and load it."""
    types = package("pymilvus")
    client = types.MilvusClient
    schema = client.create_schema(auto_id=False, enable_dynamic_field=False, description=card.dump())
    text, sparse = types.DataType.VARCHAR, types.DataType.SPARSE_FLOAT_VECTOR
    schema.add_field("key", text, is_primary=True, max_length=2 * KEY_BYTES)
    schema.add_field("document", text, max_length=2 * KEY_BYTES)
    schema.add_field("content", text, max_length=2 * KEY_BYTES)
    schema.add_field("tokens", types.DataType.INT64)
    schema.add_field("passage", text, max_length=MOST_BYTES)
    # Our terms stand between blanks; milvus-lite has one tokenizer for that, Milvus a plainer one.
    tokenizer = {"tokenizer": "standard" if connection.lite else "whitespace"}
    schema.add_field("terms", text, max_length=MOST_BYTES, enable_analyzer=True, analyzer_params=tokenizer)
    schema.add_field("bm25", sparse)
    make = types.Function
    function = make("bm25", types.FunctionType.BM25, input_field_names=["terms"], output_field_names=["bm25"])
    schema.add_function(function)
    if card.sparse:
        schema.add_field("sparse", sparse)
    if card.dense:
        schema.add_field("dense", types.DataType.FLOAT_VECTOR, dim=card.dense.dimensions)
    name = connection.address.collection
    connection.call(
        "create_collection", name, schema=schema, properties={CARD: card.dump()}, consistency_level="Session"
    )
    try:
        # Each index would be waited for half a second; of an empty collection there is nothing to build.
        connection.call("create_index", name, _indexes(client, card, connection.lite), sync=False)
        connection.call("load_collection", name, timeout=WORKING)
        if problem := wrong_parameters(connection, card):
            raise Unavailable(f"{connection.address}: {problem}", "another version of Milvus or pymilvus may take them")
    except BaseException:
        connection.call("drop_collection", name)
        raise


def _indexes(client: Any, card: Card, lite: bool) -> Any:
    indexes = client.prepare_index_params()
    inverted = "SPARSE_INVERTED_INDEX"
    asked: dict[str, Any] = {"bm25_k1": card.k1, "bm25_b": card.b}
    if lite:  # it reads them one level lower than pymilvus puts them, and has others where it finds none
        asked["params"] = dict(asked)
    indexes.add_index("bm25", index_type=inverted, metric_type="BM25", params=asked)
    if card.sparse:
        indexes.add_index("sparse", index_type=inverted, metric_type="IP")
    if card.dense:
        # milvus-lite holds what an exact search is quick enough for.
        kind = "FLAT" if lite else "AUTOINDEX"
        indexes.add_index("dense", index_type=kind, metric_type=card.dense.metric)
    for field in ("document", "content"):
        indexes.add_index(field, index_type="INVERTED")
    return indexes


def wrong_parameters(connection: Connection, card: Card) -> str | None:
    """Return what is wrong with the k1 and b of the index of BM25; None when they are those of the card."""
    described = connection.call("describe_index", connection.address.collection, "bm25") or {}
    has = {**described, **(described.get("params") or {})}
    for name, value in (("bm25_k1", card.k1), ("bm25_b", card.b)):
        # A server that does not say what its index was built with is believed; milvus-lite is known to lose it.
        if (connection.lite or name in has) and float(has.get(name, "nan")) != value:
            return f"its index of BM25 has {name}={has.get(name)}, not {value:g}"
    return None


def read_card(connection: Connection) -> Card:
    """Return the card of the collection. Raises MissingIndex where there is none of ours, Unavailable for a newer one."""
    name = connection.address.collection
    if not connection.call("has_collection", name):
        raise MissingIndex(str(connection.address), f"it has no collection {name!r}")
    described = connection.call("describe_collection", name)
    values = _values(described.get("description")) or _values((described.get("properties") or {}).get(CARD))
    reason = f"its collection {name!r} was made by another program"
    foreign = MissingIndex(str(connection.address), reason, taken=True)
    if values is None:
        raise foreign
    schema = values.pop("schema", None)
    if isinstance(schema, int) and schema > SCHEMA:
        hint = "upgrade groundwire, or build the index again"
        raise Unavailable(f"{connection.address} was written by a newer version (schema {schema})", hint)
    try:
        vectors = {kind: values[kind] and Vectors(**values[kind]) for kind in ("sparse", "dense")}
        card = Card(**{**values, **vectors})
    except (KeyError, TypeError) as error:
        raise foreign from error
    missing = {"key", "document", "content", "tokens", "passage", "terms", *card.fields}
    missing -= {field["name"] for field in described["fields"]}
    if missing:
        hint = "build it again under another name"
        raise Unavailable(f"{connection.address}: its collection has no field {min(missing)!r}", hint)
    return card


def _values(text: Any) -> dict[str, Any] | None:
    try:
        values = json.loads(text)
    except (TypeError, ValueError):
        return None
    if not isinstance(values, dict) or values.pop("kind", None) != KIND:
        return None
    return values


def key(text: str) -> str:
    """Return what a passage, a document or a content is known by."""
    return _hash(store.encoded(text))


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=KEY_BYTES).hexdigest()


def row(passage: Passage, terms: Sequence[str]) -> dict[str, Any]:
    """Return a passage as a row, without its vectors. Raises InputError for one that is too long, or not JSON."""
    try:
        kept = json.dumps(passage.to_dict(), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        hint = "meta holds what JSON has words for"
        raise InputError(f"the passage {passage.id!r} cannot be written as JSON: {error}", hint) from error
    if not _is_text(kept):  # a lone surrogate, which UTF-8 has no bytes for
        kept = json.dumps(passage.to_dict(), separators=(",", ":"))
    spelled_terms = spelled(terms)
    longest = max(len(kept.encode()), len(spelled_terms.encode()))
    if longest > MOST_BYTES:
        hint = "cut documents into passages"
        raise InputError(f"the passage {passage.id!r} takes {longest} bytes, and Milvus keeps {MOST_BYTES}", hint)
    return {
        "key": key(passage.id),
        "document": key(store.document_of(passage)),
        "content": _hash(store.content_of(passage)),
        "tokens": len(terms),
        "passage": kept,
        "terms": spelled_terms,
    }


def passage_of(kept: str) -> Passage:
    """Return the passage of a row."""
    return Passage.from_dict(json.loads(kept))


def spelled(terms: Iterable[str]) -> str:
    """Return terms as one string whose words are these terms to any tokenizer: letters, digits and _, all lower case."""
    return " ".join(map(_spelled, terms))


def _spelled(term: str) -> str:
    if term.isascii() and term.isalnum() and term.islower():
        return term
    return "".join(c if c.isalnum() and c.lower() == c else f"_{ord(c):x}_" for c in term)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def dimensions(weights: Mapping[str, float]) -> dict[int, float]:
    """Return a sparse vector by number: terms as 32-bit hashes. Of 30 000 terms, one in ten times two share a number."""
    found: dict[int, float] = {}
    for term, weight in weights.items():
        number = int.from_bytes(hashlib.blake2b(store.encoded(term), digest_size=4).digest()) % (2**32 - 2) + 1
        found[number] = found.get(number, 0.0) + float(weight)
    return found


def kept_dimensions(weights: Mapping[str, float]) -> dict[int, float]:
    """Return a sparse vector that Milvus keeps: never an empty one."""
    return dimensions(weights) or {_NO_TERM: 1e-6}
