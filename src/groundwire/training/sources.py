"""The data sets that may train shipped weights, read into rows, and the split that keeps validation apart.

Leaves out: every set that is not listed here. A set whose manifest entry says *eval only* or *not for shipped weights*
is refused by name, and a row that repeats an evaluation row's claim or evidence is dropped.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.errors import InputError

Row = dict[str, Any]
SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Source:
    """A data set that may be trained on: its place under the data folder, its licence, and whom to cite."""

    name: str
    folder: str
    licence: str
    citation: str

    def path(self, data: Path) -> Path:
        """Its file under the data folder."""
        return data / self.folder / f"{self.name}.jsonl.gz"


_TABLE = """
check covidfact             | none stated                                  | Saakyan et al. 2021, COVID-Fact
check factcheckgpt-stance   | Apache-2.0                                   | Wang et al. 2023, Factcheck-GPT
check feverous-s-dev        | MIT, CC BY-SA 3.0 (data) | Aly et al. 2021, FEVEROUS; Pan et al. 2023, ProgramFC
check squad-model-answers   | CC BY-SA 4.0 (XQuAD), MIT (predictions) | Rajpurkar et al. 2016; Artetxe et al. 2020, XQuAD
check wice-tokens-train     | ODC-BY, CC BY-SA and Common Crawl terms (text) | Kamoi et al. 2023, WiCE
nli fever-rte-dev           | CC BY-SA 3.0                                 | Thorne et al. 2018, FEVER
nli feversymmetric-v1-full  | CC BY-SA 3.0                                 | Schuster et al. 2019, FEVER-Symmetric
nli feversymmetric-v2-dev   | CC BY-SA 3.0                                 | Schuster et al. 2019, FEVER-Symmetric
nli foolmetwice-gold-dev    | Apache-2.0                                   | Eisenschlos et al. 2021, Fool Me Twice
nli foolmetwice-retrieved-dev | Apache-2.0                                 | Eisenschlos et al. 2021, Fool Me Twice
nli healthver-dev           | none stated                                  | Sarrouti et al. 2021, HealthVer
nli infotabs-dev            | Apache-2.0                                   | Gupta et al. 2020, InfoTabS
nli infotabs-train          | Apache-2.0                                   | Gupta et al. 2020, InfoTabS
nli lingnli-train           | none stated                                  | Parrish et al. 2021, LingNLI
nli lingnli-val             | none stated                                  | Parrish et al. 2021, LingNLI
nli rte-train               | none stated                                  | Dagan et al. 2005 and later, RTE (GLUE)
nli tabfact-pairs           | MIT                                          | Chen et al. 2020, TabFact
qa boolq-dev                | Apache-2.0 (repository), CC BY-SA 3.0 (data) | Clark et al. 2019, BoolQ
qa covidqa-all              | Apache-2.0                                   | Möller et al. 2020, COVID-QA
qa factor-completions       | MIT (expert), ODC-BY (news)                  | Muhlgay et al. 2023, FACTOR
qa nq-openbook-short        | Apache-2.0 (repository), CC BY-SA 3.0 (data) | Kwiatkowski et al. 2019, Natural Questions
qa nqopen-oracle-dev        | MIT (repository), CC BY-SA 3.0 (data)        | Lee et al. 2019, NQ-Open; Liu et al. 2023
qa quac-dev1000             | Apache-2.0 (repository), CC BY-SA 4.0 (data) | Choi et al. 2018, QuAC
qa xquad-en-test            | CC BY-SA 4.0                                 | Artetxe et al. 2020, XQuAD
"""


def _parse(line: str) -> Source:
    place, licence, citation = (part.strip() for part in line.split("|"))
    folder, name = place.split()
    return Source(name, folder, licence, citation)


SOURCES = {source.name: source for source in map(_parse, _TABLE.strip().splitlines())}

HELD_OUT = ("climatefever-pairs",)
"""Free to train on, left out on purpose: the claims of the test set climatefever-claim stand in it."""

EVAL_ONLY = tuple(
    f"check/{name}"
    for name in [
        "bamboo-abshallu-4k",
        "bamboo-senhallu-4k",
        "bump",
        "climatefever-claim",
        "dialfact-testsmall",
        "expertqa-claims",
        "qags-cnndm",
        "summedits",
        "felm-segment-with-refs",
        "summeval",
        "wice-claim-fullarticle-dev",
        "wice-claim-oracle-dev",
        "wice-tokens-dev",
    ]
) + tuple(
    f"nli/{name}"
    for name in [
        "feversymmetric-v2-test",
        "foolmetwice-gold-test",
        "foolmetwice-retrieved-test",
        "healthver-test",
        "infotabs-test-alpha1",
        "infotabs-test-alpha2",
        "rte-dev",
    ]
)
"""Evaluation sets that are read for one purpose: to drop training rows that repeat them."""


def read(name: str, data: Path) -> Iterator[Row]:
    """The rows of a listed source, in file order.

    Raises InputError when the set is not listed as free to train on, or when its file is not there.
    """
    if name not in SOURCES:
        raise InputError(f"{name!r} may not train shipped weights", f"allowed: {', '.join(sorted(SOURCES))}")
    path = SOURCES[name].path(data)
    if not path.is_file():
        raise InputError(f"training set {name!r} is not at {path}", "give the data folder with --data")
    yield from _lines(path)


def _lines(path: Path) -> Iterator[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as handle:
        for line in handle:
            yield json.loads(line)


def normal(text: str) -> str:
    """The text without case, punctuation spacing or runs of white space: what two copies of it share."""
    return SPACE.sub("", text).casefold()


def row_contexts(row: Row) -> list[str]:
    """The passages of a row of either format (`contexts` or `context`)."""
    return list(row["contexts"]) if "contexts" in row else [row["context"]]


def evaluation_texts(data: Path, names: Iterable[str] = EVAL_ONLY) -> frozenset[str]:
    """Normal forms of every claim and every passage of the evaluation sets that are present."""
    texts: set[str] = set()
    for name in names:
        path = data / f"{name}.jsonl.gz"
        if not path.is_file():
            continue
        for row in _lines(path):
            texts.update(normal(text) for text in (row["answer"], *row["contexts"]) if len(text) > 20)
    return frozenset(texts)


def clean(rows: Iterable[Row], evaluation: frozenset[str]) -> Iterator[Row]:
    """The rows whose claim and passages stand in no evaluation set."""
    for row in rows:
        texts = [*row_contexts(row), row["answer"]] if "answer" in row else row_contexts(row)
        if not any(normal(text) in evaluation for text in texts):
            yield row


def group_key(row: Row) -> str:
    """What ties a row to its siblings: rows with one key must fall on one side of the split.

    Natural Questions by question (both releases ask the same ones over differently cut passages), Fool Me Twice by
    claim (gold and retrieved evidence for one claim), tables by table, everything else by its first passage.
    """
    dataset, meta = row["dataset"], row.get("meta", {})
    if dataset in ("nq", "nq-open"):
        return normal(row["question"]).rstrip("?")
    if dataset == "foolmetwice":
        return normal(row["answer"])
    if dataset in ("tabfact", "infotabs"):
        return str(meta.get("table") or meta.get("table_id"))
    return normal(row_contexts(row)[0])[:200]


def held_out(key: str, share: float) -> bool:
    """Whether what has this key (`group_key`) belongs to validation, by a stable hash; no passage stands on both sides."""
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64
