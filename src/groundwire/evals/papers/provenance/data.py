"""The paper's data sets in a folder: which are there, how many rows of each class, and whether these are the paper's.

A set is a file of rows as `groundwire.cases` reads them, named after the set, in the folder or in one of its folders `check`,
`nli` and `qa`; where there is none, the files that its makers publish (`groundwire.evals.datasets`). Rows that share their
evidence are resampled together. Rows without contexts (TruthfulQA, HaluEval's general part) are checked against the question
itself; what the paper did with them it does not say.

Left out: the published formats of the sets, and downloading them. MS MARCO's made-up answers were never published.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from groundwire.cases import RowError, iter_cases
from groundwire.errors import InputError
from groundwire.evals import datasets
from groundwire.evals.datasets import place
from groundwire.evals.papers.provenance.published import COUNTS
from groundwire.evals.run import sample
from groundwire.types import Case, Label, Passage

FILES: Mapping[str, tuple[str, ...]] = {
    "VITC": ("vitaminc", "vitc"),
    "BEGIN": ("begin",),
    "DIALFACT": ("dialfact", "dialfact-testsmall"),
    "FEVER": ("fever", "fever-rte-dev"),
    "FRANK": ("frank",),
    "MNBM": ("mnbm",),
    "PAWS": ("paws",),
    "Q2": ("q2",),
    "QAGS_CNNDM": ("qags-cnndm",),
    "QAGS_XSUM": ("qags-xsum",),
    "SUMMEVAL": ("summeval",),
    "MSMARCO": ("msmarco",),
    "HOTPOTQA": ("hotpotqa",),
    "HALUBENCH": ("halubench",),
    "TRUTHFULQA": ("truthfulqa", "truthfulqa-v0"),
    "HaluEval Dialogue": ("halueval-dialogue",),
    "HaluEval QA": ("halueval-qa",),
    "HaluEval Summarization": ("halueval-summarization",),
    "HaluEval General": ("halueval-general",),
}
"""Names of each set's file without its ending, the first that is there counts; the ending is .jsonl or .jsonl.gz."""
PUBLISHED: Mapping[str, str] = {
    **{name: f"true:{FILES[name][0]}" for name in list(FILES)[: list(FILES).index("MSMARCO")]},
    "HOTPOTQA": "hotpotqa",
    "HALUBENCH": "halubench",
    "TRUTHFULQA": "truthfulqa",
    **{f"HaluEval {part}": f"halueval:{part.lower()}" for part in ("Dialogue", "QA", "Summarization", "General")},
}
"""The sets that are read as published, by their names in `groundwire.evals.datasets`."""
_FOLDERS = ("", "check", "nli", "qa")
_ENDINGS = (".jsonl", ".jsonl.gz")
_PREFIXES = ("", "true-")
OTHER = "†"
"""Behind the name of a set whose rows are not the paper's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """A set of the paper. `path` is None where it is absent; `hallucinated` and `factual` count the rows of its file.

    `bare` counts the rows without contexts. `limit` is how many rows are drawn with `seed`, None: all.
    """

    name: str
    path: Path | None = None
    hallucinated: int = 0
    factual: int = 0
    bare: int = 0
    limit: int | None = None
    seed: int = 0
    folder: Path | None = None
    """The data folder, where the set lies in it as published."""

    @property
    def rows(self) -> int:
        """Return how many rows the file has."""
        return self.hallucinated + self.factual

    @property
    def taken(self) -> int:
        """Return how many rows are scored."""
        return min(self.rows, self.limit or self.rows)

    @property
    def exact(self) -> bool:
        """True when both classes have as many rows as the paper's."""
        return (self.hallucinated, self.factual) == COUNTS[self.name]

    @property
    def title(self) -> str:
        """Return its name, marked where its rows are not the paper's."""
        return self.name if self.exact or self.path is None else f"{self.name} {OTHER}"

    @property
    def used(self) -> str:
        """Say which rows were really used."""
        if self.path is None:
            return "absent from the data folder"
        whole = f"all {self.rows:,}" if self.taken == self.rows else f"a random {self.taken:,} of {self.rows:,}"
        paper = sum(COUNTS[self.name])
        which = "counts as the paper's" if self.exact else f"other rows than the paper's {paper:,}"
        bare = "; without contexts, so checked against the question" if self.bare else ""
        return f"{whole} rows of {self.path.name.partition('.')[0]}, {which}{bare}"

    def cases(self) -> Iterator[Case]:
        """Read the rows that are scored, in the file's order. Raises InputError as `read`."""
        return iter(()) if self.path is None else sample(_rows(self), self.limit, self.seed)


def find(folder: Path, *, limit: int | None = None, seed: int = 0, only: Sequence[str] = ()) -> list[DataSet]:
    """Return every set of the paper, or `only` some, in the order of table 2.

    Raises InputError when there is no such folder, when it holds none of the sets, or as `read`.
    """
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}", "--data-dir DIR, with files such as qags-cnndm.jsonl.gz")
    found = [_found(folder, name, limit, seed) for name in COUNTS if not only or name in only]
    if all(data.path is None for data in found):
        named = ", ".join(f"{FILES[data.name][0]}.jsonl" for data in found)
        raise InputError(f"{folder} holds none of the paper's data sets", f"files (.gz or not): {named}")
    return found


def read(path: Path) -> Iterator[Case]:
    """Read a set's rows, each with the group that it is resampled with. Raises InputError for a row that has no label."""
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
            for number, case in enumerate(iter_cases(lines, gold=True), 1):
                if isinstance(case, RowError):
                    raise InputError(f"{path}: {case}")
                if case.label is None:
                    raise InputError(f"{path}: row {number} (id {case.id!r}) has no label", "1 (factual) or 0")
                yield _prepared(case)
    except (OSError, EOFError) as error:
        raise InputError(f"cannot read {path}: {error}", "is the file whole?") from error


def _found(folder: Path, name: str, limit: int | None, seed: int) -> DataSet:
    path = _path(folder, name)
    published = None if path else _published(folder, name)
    data = DataSet(name=name, path=path or published, limit=limit, seed=seed, folder=folder if published else None)
    rows = [(case.label is Label.SUPPORTED, _bare(case)) for case in _rows(data)]
    factual, bare = sum(row[0] for row in rows), sum(row[1] for row in rows)
    return replace(data, hallucinated=len(rows) - factual, factual=factual, bare=bare)


def _rows(data: DataSet) -> Iterator[Case]:
    if data.path is None:
        return iter(())
    if data.folder is None:
        return read(data.path)
    return map(_prepared, datasets.open(PUBLISHED[data.name], data=data.folder))


def _path(folder: Path, name: str) -> Path | None:
    stems = (prefix + stem for stem in FILES[name] for prefix in _PREFIXES)
    paths = (folder / inner / f"{stem}{ending}" for stem in stems for inner in _FOLDERS for ending in _ENDINGS)
    return next((path for path in paths if path.is_file()), None)


def _published(folder: Path, name: str) -> Path | None:
    """Return the first of the published files of a set, None where they are not in the folder."""
    if name not in PUBLISHED:
        return None
    try:
        return place.find(datasets.info(PUBLISHED[name]), None, None, folder).files[0]
    except InputError:
        return None


_QUESTION = "question"
"""Id of the only context of a row that brought none."""


def _prepared(case: Case) -> Case:
    """Give a case its group, and its question for a context where it has none."""
    question = (case.question or "").strip()
    texts = [passage.text for passage in case.contexts if passage.text.strip()]
    if not texts and question and case.answer.strip():
        case = replace(case, contexts=(Passage(id=_QUESTION, text=question),), reason=None)
        texts = [question]
    return replace(case, group=case.group or hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16])


def _bare(case: Case) -> bool:
    return len(case.contexts) == 1 and case.contexts[0].id == _QUESTION
