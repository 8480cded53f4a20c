"""`pyserini:` — Lucene indexes of Anserini and Pyserini, for who compares with the field's toolkits.

`pyserini:/path/to/index` is an index on this machine, `pyserini:NAME` one of those that Pyserini offers ready-made, which
Pyserini fetches the first time (unless GROUNDWIRE_OFFLINE is set). They are searched and nothing else. Needs the package
`pyserini` and a Java that it runs on (JDK 21 at the time of writing).

Lucene scores, with the one-byte lengths that it keeps (`lengths=lucene`, the only ones there); Anserini rounds scores to
four digits and takes a millionth off for every tie. A passage is what the stored JSON says: `text` or `contents`, and
`title`; anything else that is stored is its text as it stands.

Left out: building such an index; RM3, Rocchio and the other models of Pyserini.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn, Self

from groundwire import _env
from groundwire._optional import require
from groundwire.closing import Closing
from groundwire.errors import InputError, MissingIndex, NetworkError, Unavailable, UsageError
from groundwire.hits import best_first
from groundwire.index.bm25 import K1, B
from groundwire.types import Hit, Passage

SCHEME = "pyserini:"
_BEYOND = 8
"""Hits that are asked for beyond the last one, so that ties there are cut by passage id as everywhere."""


def is_pyserini(spec: object) -> bool:
    """Say whether a place is the address of a Lucene index."""
    return isinstance(spec, str) and spec.startswith(SCHEME)


@dataclass(frozen=True, slots=True, kw_only=True)
class LuceneInfo:
    """What is known of a Lucene index."""

    address: str
    passages: int

    def to_dict(self) -> dict[str, Any]:
        """Return the facts by name."""
        return asdict(self)


class PyseriniIndex(Closing):
    """A Lucene index, open for reading; a context manager. Threads may share it.

    Every method that would change it raises UsageError.
    """

    analyzer = "english"

    def __init__(self, address: str, searcher: Any) -> None:
        self.address, self._searcher = address, searcher
        self._lock = threading.Lock()

    @classmethod
    def open(cls, spec: str) -> Self:
        """Open `pyserini:PATH` or `pyserini:NAME`.

        Raises MissingExtra without the package, Unavailable without a Java that it runs on, MissingIndex for a path that is
        no index or a name that Pyserini does not know, NetworkError for a name when GROUNDWIRE_OFFLINE is set.
        """
        place = spec.removeprefix(SCHEME)
        if not place:
            raise InputError(f"{spec!r} names no index", f"{SCHEME}PATH or {SCHEME}msmarco-v1-passage")
        path = Path(place).expanduser()
        if not path.is_dir() and ("/" in place or place.startswith((".", "~"))):
            raise MissingIndex(place, "there is no such folder")
        make = _package().LuceneSearcher
        if path.is_dir():
            searcher = _asked(lambda: make(str(path)), spec)
        else:
            if _env.offline():
                raise NetworkError(
                    f"{spec} may have to be fetched, and this run is offline", "unset GROUNDWIRE_OFFLINE"
                )
            searcher = _asked(lambda: make.from_prebuilt_index(place), spec)
        if searcher is None:
            raise MissingIndex(place, "Pyserini knows no index of this name")
        return cls(spec, searcher)

    def __repr__(self) -> str:
        return f"PyseriniIndex({self.address!r})"

    def close(self) -> None:
        """Let go of the files. Twice is once."""
        with self._lock:
            searcher, self._searcher = self._searcher, None
            if searcher is not None:
                searcher.close()

    def bm25(self, *, k1: float = K1, b: float = B, lengths: str = "lucene") -> LuceneBm25:
        """Return a retriever that ranks by Lucene's BM25. Raises UsageError for exact lengths, which Lucene has not."""
        if lengths != "lucene":
            raise UsageError(f"{self.address} has Lucene's lengths alone, not {lengths!r}", "leave lengths away")
        return LuceneBm25(self, k1, b)

    def search(self, queries: Sequence[str], k: int, *, k1: float, b: float) -> list[list[Hit]]:
        """Return the best `k` of each query, with the scores of Lucene."""
        with self._lock:
            searcher = self._opened()
            searcher.set_bm25(k1, b)  # the searcher keeps them: nobody else may ask meanwhile
            found = [searcher.search(query, k + _BEYOND) if query.strip() else [] for query in queries]
            return [
                best_first(Hit(passage=self._passage(hit.docid), score=float(hit.score), by="bm25") for hit in hits)[:k]
                for hits in found
            ]

    def info(self) -> LuceneInfo:
        """Return what is known of the index."""
        with self._lock:
            return LuceneInfo(address=self.address, passages=int(self._opened().num_docs))

    def passage(self, id: str) -> Passage:  # noqa: A002 - the field's name
        """Return the passage with this id. Raises InputError when there is none."""
        with self._lock:
            return self._passage(id)

    def held(self, ids: Iterable[str]) -> dict[str, list[Passage]]:
        """Return the passages under these ids, by id; none for an unknown one."""
        with self._lock:
            searcher = self._opened()
            return {id_: [self._passage(id_)] for id_ in dict.fromkeys(ids) if searcher.doc(id_) is not None}

    def passages(self) -> Iterator[Passage]:
        """Give every passage."""
        for number in range(self.info().passages):
            with self._lock:
                document = self._opened().doc(number)
                passage = _read(str(document.docid()), document.raw() or document.contents())
            yield passage

    def check(self) -> list[str]:
        """Return [], for Lucene checks itself as it opens an index."""
        self.info()
        return []

    def add(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse."""
        self._refuse()

    def remove(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse."""
        self._refuse()

    def compact(self) -> NoReturn:
        """Refuse."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise UsageError(f"{self.address} can only be searched", "groundwire index add CORPUS --to DIR")

    def _opened(self) -> Any:
        if self._searcher is None:
            raise Unavailable(f"the index {self.address} is closed", "open it again")
        return self._searcher

    def _passage(self, docid: str) -> Passage:
        document = self._opened().doc(docid)
        if document is None:
            raise InputError(f"the index has no passage {docid!r}", "passage ids are compared letter by letter")
        return _read(docid, document.raw() or document.contents())


@dataclass(frozen=True, slots=True)
class LuceneBm25:
    """BM25 over a Lucene index. Fills Retriever."""

    index: PyseriniIndex
    k1: float = K1
    b: float = B

    def __post_init__(self) -> None:
        if not (0 < self.k1 < math.inf and 0 <= self.b <= 1):
            raise InputError(f"BM25 has no k1={self.k1} with b={self.b}", "k1 is over 0, b between 0 and 1")

    @property
    def name(self) -> str:
        """`bm25`, with what is not the default: `bm25(k1=0.82,b=0.68)`."""
        return "bm25" if (self.k1, self.b) == (K1, B) else f"bm25(k1={self.k1:g},b={self.b:g})"

    def retrieve(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query, best first; of equal scores the smaller passage id comes first."""
        if k < 1:
            raise InputError(f"{k} hits were asked for", "ask for at least 1")
        return self.index.search(queries, k, k1=self.k1, b=self.b)


def _read(docid: str, stored: str | None) -> Passage:
    """Return the passage that is stored as JSON, or as a text."""
    try:
        values = json.loads(stored or "")
    except ValueError:
        values = None
    if not isinstance(values, dict):
        return Passage(id=docid, text=stored or "")
    text = next(
        (values[key] for key in ("text", "contents", "body", "passage") if isinstance(values.get(key), str)), ""
    )
    title = values.get("title")
    return Passage(id=docid, text=text, title=title if isinstance(title, str) and title else None)


def _package() -> Any:
    """Return Pyserini's search module, which starts Java when it is imported."""
    try:
        return require("pyserini.search.lucene", "pyserini")
    except Unavailable:
        raise
    except Exception as error:  # the bridge to Java raises its own kinds
        hint = "it needs a whole JDK 21 (JAVA_HOME), and with some versions of openai an OPENAI_API_KEY of any value"
        raise Unavailable(f"Pyserini cannot be started: {_first_line(error)}", hint) from error


def _asked(make: Callable[[], Any], spec: str) -> Any:
    """Open a searcher; what Java throws becomes an error of ours."""
    try:
        return make()
    except Exception as error:
        raise Unavailable(f"{spec} cannot be opened: {_first_line(error)}", "is it an index of Lucene?") from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
