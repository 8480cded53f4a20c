"""An index in a collection of Milvus: the verbs of the index in a folder, for a corpus that one machine does not hold.

What differs from the folder: k1 and b are chosen when the collection is made, for Milvus builds its index with them; BM25
is Milvus' own, whose statistics still count what was removed until Milvus compacts (and in milvus-lite are those of each
segment by itself, so that scores of passages that were added in several calls do not quite compare); a passage takes at
most 65 535 bytes as JSON; and how durable an added passage is, is the server's affair.

Left out: collections that another program has made, partitions, databases other than the default one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from groundwire.analysis import analyzer as open_analyzer
from groundwire.closing import Closing
from groundwire.errors import InputError, Unavailable, UnknownName, UsageError
from groundwire.index.bm25 import K1, B
from groundwire.index.encoders import DenseTexts
from groundwire.index.milvus import address, encoders, layout
from groundwire.index.milvus.adding import ASKED, MOST_ROWS, Adding, filters, held
from groundwire.index.milvus.connection import WORKING, Connection, connect
from groundwire.index.milvus.encoders import SparseTexts
from groundwire.index.milvus.layout import Card
from groundwire.index.milvus.retrievers import FieldRetriever, HybridRetriever, Part
from groundwire.index.writer import EXISTING, Added
from groundwire.types import Passage

CONSTANT, DEPTH = 60, 1000
"""Of hybrid search: the constant of reciprocal rank fusion, and the hits that each part is asked for."""
_ROWS = 500
"""Rows that are read at once: at the longest they are 64 MB, which is what a message may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MilvusInfo:
    """What is in a collection. `tokens` are after analysis; `sparse` and `dense` are the models of the vectors, if any.

    `bytes` are those of milvus-lite's files; None for a server, which does not say.
    """

    address: str
    server: str
    analyzer: str
    k1: float
    b: float
    sparse: str | None
    dense: str | None
    passages: int
    documents: int
    tokens: int
    bytes: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return the facts by name."""
        return asdict(self)


class MilvusIndex(Closing):
    """An index on Milvus; a context manager. Threads may share it.

    Every method raises NetworkError when the server does not answer, and Unavailable when it refuses.
    """

    def __init__(
        self,
        connection: Connection,
        card: Card,
        sparse: str | SparseTexts | None = None,
        dense: str | DenseTexts | None = None,
    ) -> None:
        self._connection, self.card = connection, card
        self._analyzer = open_analyzer(card.analyzer)
        self._models: dict[str, Any] = {"sparse": sparse, "dense": dense}

    @classmethod
    def create(
        cls,
        spec: str,
        *,
        analyzer: str = "english",
        k1: float = K1,
        b: float = B,
        sparse: str | SparseTexts | None = None,
        dense: str | DenseTexts | None = None,
        metric: str = "ip",
    ) -> Self:
        """Make an empty index at `milvus:./file.db` or `milvus:http://host:19530`, in a collection of its own.

        `sparse` and `dense` are encoders, or names of models: passages get vectors by them when they are added. `metric` is
        "ip" or "cosine". None of this can be changed later. Raises UsageError where the collection is there already or the
        file is another program's, UnknownName for an unknown analyser, InputError for parameters that Milvus has not, and
        what connecting raises.
        """
        where = address.read(spec)
        layout.check_bm25(k1, b)
        name = open_analyzer(analyzer).name
        weighs = None if sparse is None else encoders.sparse(sparse)
        embeds = None if dense is None else encoders.dense(dense)
        card = Card(
            analyzer=name,
            k1=float(k1),
            b=float(b),
            sparse=None if weighs is None else encoders.described_sparse(weighs),
            dense=None if embeds is None else encoders.described_dense(embeds, metric),
        )
        connection = connect(where, make=True)
        try:
            if connection.call("has_collection", where.collection):
                raise UsageError(f"{where} holds a collection {where.collection!r} already", "name another collection")
            layout.create(connection, card)
        except BaseException:
            connection.close()
            raise
        return cls(connection, card, weighs, embeds)

    @classmethod
    def open(cls, spec: str, *, sparse: str | SparseTexts | None = None, dense: str | DenseTexts | None = None) -> Self:
        """Open the index at an address. Encoders that are not given are opened by their names when they are needed.

        Raises MissingIndex where there is none, or a collection that another program has made, and what connecting raises.
        """
        connection = connect(address.read(spec), make=False)
        try:
            card = layout.read_card(connection)
            connection.call("load_collection", connection.address.collection, timeout=WORKING)
            return cls(connection, card, sparse, dense)
        except BaseException:
            connection.close()
            raise

    def __repr__(self) -> str:
        return f"MilvusIndex({str(self._connection.address)!r})"

    @property
    def analyzer(self) -> str:
        """The name of what takes texts apart."""
        return self.card.analyzer

    def close(self) -> None:
        """Let go of the server. Twice is once."""
        self._connection.close()

    def add(
        self,
        passages: Iterable[Passage],
        *,
        unique: bool = False,
        existing: str = "error",
        progress: Callable[[int], None] | None = None,
    ) -> Added:
        """Add passages, in constant memory; Milvus has flushed them when this returns.

        A long run is flushed piece by piece; `progress` is then called with how many were added so far. `unique` drops
        passages whose title and text are there already. `existing` says what becomes of a passage whose id is there:
        "error" (InputError that names it; what was sent before stays), "skip", or "replace".
        """
        if existing not in EXISTING:
            raise UnknownName("way to treat existing ids", existing, EXISTING)
        options: dict[str, Any] = {"unique": unique, "existing": existing, "progress": progress}
        return Adding(self._connection, self._analyzer, self, **options).run(passages)

    def remove(self, ids: Iterable[str]) -> int:
        """Remove passages by their ids, or all passages of documents by theirs; return how many passages went."""
        wanted = [layout.key(id_) for id_ in dict.fromkeys(ids)]
        removed = 0
        for start in range(0, len(wanted), ASKED):
            some = wanted[start : start + ASKED]
            for field in ("key", "document"):
                # A document may have more passages than one answer holds.
                while found := [row["key"] for row in held(self._connection, field, some, ["key"], most=ASKED)]:
                    self._connection.call("delete", self._collection, ids=found)
                    removed += len(found)
        if removed:
            self._connection.call("flush", self._collection, timeout=WORKING)
        return removed

    def compact(self) -> None:
        """Ask Milvus to compact the collection, which it does in its own time."""
        self._connection.call("compact", self._collection)

    def check(self) -> list[str]:
        """Read every passage of the collection; return what is wrong with it, [] when it is sound."""
        problems = []
        try:
            layout.read_card(self._connection)
        except Unavailable as error:
            problems.append(error.message)
        indexed = self._connection.call("list_indexes", self._collection)
        problems += [f"the field {name!r} has no index" for name in self.card.fields if name not in indexed]
        if "bm25" in indexed and (problem := layout.wrong_parameters(self._connection, self.card)):
            problems.append(problem)
        for row in self._connection.rows(["key", "document", "content", "passage"], at_once=_ROWS):
            try:
                made = layout.row(layout.passage_of(row["passage"]), [])
            except (ValueError, TypeError, InputError):
                made = {}
            if any(row[name] != made.get(name) for name in ("key", "document", "content")):
                problems.append(f"the passage under the key {row['key']} is not what its key says")
        return problems

    def info(self) -> MilvusInfo:
        """Return what is in the index. It walks through all rows to count documents: seconds a million passages."""
        documents: set[str] = set()
        passages = tokens = 0
        for row in self._connection.rows(["document", "tokens"], at_once=32 * _ROWS):
            documents.add(row["document"])
            passages, tokens = passages + 1, tokens + int(row["tokens"])
        path = self._connection.address.path
        card = self.card
        return MilvusInfo(
            address=str(self._connection.address),
            server=str(self._connection.call("get_server_version")),
            analyzer=card.analyzer,
            k1=card.k1,
            b=card.b,
            sparse=card.sparse.model if card.sparse else None,
            dense=card.dense.model if card.dense else None,
            passages=passages,
            documents=len(documents),
            tokens=tokens,
            bytes=sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) if path else None,
        )

    def contents(self) -> str:
        """Return a digest, in hex, of what is searched: whatever is added, removed or replaced changes it.

        It walks through all rows, as `info` does.
        """
        # Milvus keeps no digest of a collection, but each of our rows holds those of its passage's id, document, and title
        # with text. The rows come in no fixed order, so their digests are added up. A passage's meta and its offsets in the
        # document are not among them: neither is searched or judged.
        told = 0
        for row in self._connection.rows(["key", "document", "content"], at_once=32 * _ROWS):
            data = "\n".join((row["key"], row["document"], row["content"])).encode()
            told += int.from_bytes(hashlib.sha256(data).digest())
        return hashlib.sha256(f"{self.card.dump()}\n{told}".encode()).hexdigest()

    def passage(self, id: str) -> Passage:  # noqa: A002 - the field's name
        """Return the passage with this id. Raises InputError when there is none."""
        for row in held(self._connection, "key", [layout.key(id)], ["passage"]):
            return layout.passage_of(row["passage"])
        raise InputError(f"the index has no passage {id!r}", "passage ids are compared letter by letter")

    def held(self, ids: Iterable[str]) -> dict[str, list[Passage]]:
        """Return the passages under these ids and those of the documents with these ids, by id; none for an unknown one."""
        wanted = {layout.key(id_): id_ for id_ in ids}
        places = [(key, key) for key in wanted]
        for where in filters("document", list(wanted)):
            # Documents have any number of passages, so they are walked through; passages are asked for, which is quicker.
            rows = self._connection.rows(["document", "key"], at_once=MOST_ROWS, where=where)
            places += [(row["document"], row["key"]) for row in rows]
        there = self._under(list(dict.fromkeys(key for _, key in places)))
        found: dict[str, list[Passage]] = {}
        for asked, key in dict.fromkeys(places):
            if key in there:
                found.setdefault(wanted[asked], []).append(there[key])
        return found

    def _under(self, keys: Sequence[str]) -> dict[str, Passage]:
        """Return the passages under these keys, by key."""
        found: dict[str, Passage] = {}
        for start in range(0, len(keys), _ROWS):
            rows = held(self._connection, "key", keys[start : start + _ROWS], ["key", "passage"])
            found.update((row["key"], layout.passage_of(row["passage"])) for row in rows)
        return found

    def passages(self) -> Iterator[Passage]:
        """Give every passage."""
        return (layout.passage_of(row["passage"]) for row in self._connection.rows(["passage"], at_once=_ROWS))

    def bm25(self, *, k1: float | None = None, b: float | None = None, lengths: str = "accurate") -> FieldRetriever:
        """Return a retriever that ranks by BM25, with the k1 and b that the collection was made with.

        Raises UsageError for others, and for `lengths` other than "accurate": Milvus cannot choose them at query time.
        """
        return FieldRetriever(self._connection, self._bm25(k1, b, lengths))

    def sparse(self, model: str | None = None) -> FieldRetriever:
        """Return a retriever that ranks by the product of sparse vectors.

        Raises Unavailable when the collection has none, or those of another model than `model`.
        """
        return FieldRetriever(self._connection, self._sparse(model))

    def dense(self, model: str | None = None) -> FieldRetriever:
        """Return a retriever that ranks by the inner product of dense vectors, or their cosine, as the collection was made.

        Raises Unavailable when the collection has none, or those of another model than `model`.
        """
        return FieldRetriever(self._connection, self._dense(model))

    def hybrid(
        self, parts: Sequence[str] = ("bm25", "dense"), *, constant: int = CONSTANT, depth: int = DEPTH
    ) -> HybridRetriever:
        """Return a retriever that has Milvus fuse two or three of "bm25", "sparse" and "dense" by their ranks."""
        makers: dict[str, Callable[[], Part]] = {"bm25": self._bm25, "sparse": self._sparse, "dense": self._dense}
        if unknown := [name for name in parts if name not in makers]:
            raise UnknownName("field", unknown[0], makers)
        if len(set(parts)) != len(parts) or len(parts) < 2:
            raise UsageError("hybrid search needs two different parts or three", 'hybrid(("bm25", "dense"))')
        if constant < 1 or depth < 1:
            raise UsageError(f"hybrid search needs a constant and a depth over 0, got {constant} and {depth}")
        told = "" if constant == CONSTANT else f",k={constant}"
        made = [makers[name]() for name in parts]
        return HybridRetriever(self._connection, made, constant=constant, depth=depth, told=told)

    def vectors(self, texts: Sequence[str]) -> list[dict[str, Any]]:
        """Return the vector fields of some passages, by what is encoded of them. Only `add` calls this."""
        rows: list[dict[str, Any]] = [{} for _ in texts]
        if not rows:
            return rows
        if self.card.sparse:
            for row, weights in zip(rows, self._model("sparse").encode(texts, query=False), strict=True):
                row["sparse"] = layout.kept_dimensions(weights)
        if self.card.dense:
            for row, vector in zip(rows, self._model("dense").encode(texts, query=False), strict=True):
                row["dense"] = vector.tolist()
        return rows

    @property
    def _collection(self) -> str:
        return self._connection.address.collection

    def _bm25(self, k1: float | None = None, b: float | None = None, lengths: str = "accurate") -> Part:
        has = (self.card.k1, self.card.b)
        if (has[0] if k1 is None else k1, has[1] if b is None else b) != has:
            made = f"the collection was made with k1={has[0]:g} and b={has[1]:g}"
            hint = "leave k1 and b away, or make another collection: Milvus cannot choose them at query time"
            raise UsageError(f"{made}, and is searched by no others", hint)
        if lengths != "accurate":
            raise UsageError(f"Milvus has no lengths={lengths}", "lengths=accurate is what it has")
        name = "bm25" if has == (K1, B) else f"bm25(k1={has[0]:g},b={has[1]:g})"

        def encode(queries: Sequence[str]) -> list[str | None]:
            return [layout.spelled(self._analyzer.terms(query)) or None for query in queries]

        return Part(name=name, field="bm25", metric="BM25", encode=encode, scale=1 / (has[0] + 1))

    def _sparse(self, model: str | None = None) -> Part:
        self._named("sparse", model)

        def encode(queries: Sequence[str]) -> list[dict[int, float] | None]:
            weighed = self._model("sparse").encode(queries, query=True)
            return [layout.dimensions(weights) or None for weights in weighed]

        return Part(name="sparse", field="sparse", metric="IP", encode=encode)

    def _dense(self, model: str | None = None) -> Part:
        metric = self._named("dense", model).metric

        def encode(queries: Sequence[str]) -> list[list[float] | None]:
            asked = [place for place, query in enumerate(queries) if query.strip()]
            found: list[list[float] | None] = [None] * len(queries)
            vectors = self._model("dense").encode([queries[place] for place in asked], query=True)
            for place, vector in zip(asked, vectors, strict=True):
                found[place] = vector.tolist()
            return found

        return Part(name="dense", field="dense", metric=metric, encode=encode)

    def _named(self, kind: str, model: str | None) -> layout.Vectors:
        made: layout.Vectors | None = getattr(self.card, kind)
        if made is None:
            raise Unavailable(f"{self._connection.address} holds no {kind} vectors", "it can be searched by bm25")
        if model is not None and model != made.model:
            where = f"{self._connection.address} holds vectors of {made.model}, not of {model}"
            raise Unavailable(where, f"search it by {made.model}")
        return made

    def _model(self, kind: str) -> Any:
        """Return an encoder of the collection, opened at its first use and checked to be the one that it was made with."""
        made = getattr(self.card, kind)
        given = self._models[kind] or made.model
        model = self._models[kind] = getattr(encoders, kind)(given)
        encoders.check_same(model, made, str(self._connection.address))
        return model
