"""The mixture: which sets give how many samples of which kind, shuffled by one seed, with validation kept apart.

Reads `mixture.toml`; writes train.jsonl and validation.jsonl of samples, and the human-labelled validation rows for the
fitting of the fusion. Leaves out: tokens and batches (`batches`).
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from groundwire.errors import InputError
from groundwire.training.claims import qa_claims, relevance_pairs
from groundwire.training.compounds import compounds
from groundwire.training.digest import digests
from groundwire.training.framed import framed
from groundwire.training.labelled import labelled
from groundwire.training.neighbours import neighbours
from groundwire.training.passages import Passage, passages, pool_of
from groundwire.training.prose import minimal_pairs
from groundwire.training.sample import NAMES, SUPPORTS, UNKNOWN, Sample
from groundwire.training.sources import Row, clean, evaluation_texts, group_key, held_out, read
from groundwire.training.statements.worlds import statements
from groundwire.training.teacher import RANKS, Embed, graded_pairs
from groundwire.training.vocabulary import Embeddings, Vocabulary
from groundwire.training.written.borrowed import FOLDERS, borrowed
from groundwire.training.written.claims import written
from groundwire.training.written.documents import Document, load_documents

KINDS = ("labelled", "claims", "relevance", "graded", "prose", "digest", "neighbours")
LATER = ("digest", "graded", "neighbours")
"""Kinds that older mixture files do not have: they may be left out."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """Counts by kind and set, the seed, the share of passages held out, and the sets kept whole for the fusion.

    `statements` is how many samples are of small worlds and `written` how many of written documents, which need no set;
    documents of the `kept` registers are for the fusion alone. `compounds` is how many samples say two things at once, beside
    those of written documents.
    """

    seed: int
    validation_share: float
    counts: dict[str, dict[str, int]]
    fusion: tuple[str, ...] = ()
    statements: int = 0
    written: int = 0
    kept: tuple[str, ...] = ()
    compounds: int = 0

    def holds_out(self, row: Row) -> bool:
        """Whether a row of a set is for validation; see `group_key`."""
        return held_out(group_key(row), self.validation_share)


def load_mixture(path: Path | None = None) -> Mixture:
    """The mixture of a TOML file; the package's own by default. Raises InputError where a key is missing."""
    path = path or Path(__file__).with_name("mixture.toml")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        counts = {kind: dict(table[kind] if kind not in LATER else table.get(kind, {})) for kind in KINDS}
        return Mixture(
            int(table["seed"]),
            float(table["validation_share"]),
            counts,
            tuple(table.get("fusion", ())),
            int(table.get("statements", 0)),
            int(table.get("written", {}).get("samples", 0)),
            tuple(table.get("written", {}).get("kept", ())),
            int(table.get("compounds", 0)),
        )
    except (KeyError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} is no mixture: {error}") from error


@dataclass(slots=True)
class Side:
    """One side of the split: its rows by set, and its written documents."""

    rows: dict[str, list[Row]]
    documents: tuple[Document, ...] = ()

    def passages(self, names: Iterable[str], seed: int) -> dict[str, list[Passage]]:
        """Prose passages by set."""
        return {name: passages(self.rows[name], name, Random(f"{seed}/{name}/passages")) for name in names}


def split(mixture: Mixture, data: Path) -> tuple[Side, Side]:
    """Rows for training and for validation, without any that repeat an evaluation set."""
    evaluation = evaluation_texts(data)
    train: dict[str, list[Row]] = {}
    valid: dict[str, list[Row]] = {}
    for name in sorted({name for counts in mixture.counts.values() for name in counts}):
        train[name], valid[name] = [], []
        for row in clean(read(name, data), evaluation):
            (valid if mixture.holds_out(row) else train)[name].append(row)
    documents: dict[bool, list[Document]] = {True: [], False: []}
    for document in load_documents():
        if document.register not in mixture.kept:
            documents[held_out(document.sentences[0], mixture.validation_share)].append(document)
    return _side(train, documents[False]), _side(valid, documents[True])


def _side(rows: dict[str, list[Row]], documents: Sequence[Document]) -> Side:
    return Side(rows, (*documents, *(document for folder in FOLDERS for document in borrowed(rows, folder))))


@dataclass(frozen=True, slots=True)
class Tools:
    """What some kinds of samples are made with: the meanings of words (substitutions), the embedder (graded relevance).

    Without one, its kind is left out.
    """

    meanings: Embeddings | None = None
    embed: Embed | None = None


def samples(mixture: Mixture, side: Side, scale: float = 1.0, tools: Tools | None = None) -> list[Sample]:
    """All samples of one side in shuffled order; `scale` multiplies every count."""
    tools = tools or Tools()
    found: list[Sample] = []
    for kind, maker in (("labelled", labelled), ("claims", qa_claims), ("relevance", relevance_pairs)):
        for name, count in mixture.counts[kind].items():
            rng = Random(f"{mixture.seed}/{kind}/{name}")
            rows = list(side.rows[name])
            rng.shuffle(rows)
            found += islice(maker(rows, rng), round(count * scale))
    found += _prose(mixture, side, scale, tools.meanings)
    if tools.embed:
        found += _graded(mixture, side, scale, tools.embed)
    # Another scale is the other side of the split, which must not draw the same worlds.
    found += islice(statements(Random(f"{mixture.seed}/statements/{scale}")), round(mixture.statements * scale))
    found += islice(written(side.documents, Random(f"{mixture.seed}/written")), round(mixture.written * scale))
    found += islice(compounds(found, Random(f"{mixture.seed}/compounds")), round(mixture.compounds * scale))
    Random(mixture.seed).shuffle(found)
    return found


def _graded(mixture: Mixture, side: Side, scale: float, embed: Embed) -> Iterator[Sample]:
    for name, count in mixture.counts.get("graded", {}).items():
        wanted = round(count * scale)
        rng = Random(f"{mixture.seed}/graded/{name}")
        yield from islice(graded_pairs(side.rows[name], embed, rng, -(-wanted // len(RANKS))), wanted)


def _prose(mixture: Mixture, side: Side, scale: float, meanings: Embeddings | None) -> Iterator[Sample]:
    words = None
    for kind, maker in (("prose", minimal_pairs), ("digest", digests), ("neighbours", neighbours)):
        counts = mixture.counts.get(kind, {})
        by_set = side.passages(counts, mixture.seed)
        every = [p for found in by_set.values() for p in found]
        if meanings and words is None:
            words = Vocabulary.of(meanings, (s for p in every for s in p.sentences))
        pool = pool_of(every, words)
        for name, count in counts.items():
            yield from islice(maker(by_set[name], pool, Random(f"{mixture.seed}/{kind}/{name}")), round(count * scale))


def write(found: Iterable[Sample], path: Path) -> int:
    """Write samples as JSON lines; returns how many."""
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with path.open("w", encoding="utf-8") as handle:
        for sample in found:
            handle.write(json.dumps(sample.to_dict(), ensure_ascii=True) + "\n")
            count += 1
    return count


def load_samples(path: Path) -> list[Sample]:
    """Samples that `write` wrote. Raises InputError where the file is missing."""
    if not path.is_file():
        raise InputError(f"no prepared samples at {path}", "run the step prepare first")
    with path.open(encoding="utf-8") as handle:
        return [Sample.from_dict(json.loads(line)) for line in handle]


def case_row(sample: Sample, number: int) -> Row:
    """A validation sample in the evaluation format (question, answer, contexts, label, label3, source)."""
    return {
        "id": f"validation-{number}",
        "dataset": sample.source,
        "subset": sample.operator or None,
        "question": None,
        "answer": sample.claim,
        "contexts": [sample.evidence],
        "label": int(sample.label == SUPPORTS),
        "label3": NAMES.get(sample.label),
        "source": f"{sample.source}/{sample.operator}" if sample.operator else sample.source,
    }


def prepare(mixture: Mixture, data: Path, work: Path, load: Callable[[], Tools] = Tools) -> dict[str, int]:
    """Write the train and validation samples, and validation.jsonl in the evaluation format; returns their counts.

    `load` gives the tools, once the data are there. Only what is trained on is put in frames (`framed`).
    """
    train, valid = split(mixture, data)
    tools = load()
    train_samples = framed(samples(mixture, train, tools=tools), Random(f"{mixture.seed}/framed"))
    valid_samples = samples(mixture, valid, mixture.validation_share * 1.2, tools)
    rows = [case_row(s, i) for i, s in enumerate(valid_samples) if s.label != UNKNOWN]
    work.mkdir(parents=True, exist_ok=True)
    with (work / "validation.jsonl").open("w", encoding="utf-8") as handle:
        handle.writelines(json.dumps(row, ensure_ascii=True) + "\n" for row in rows)
    return {
        "train": write(train_samples, work / "training" / "train.jsonl"),
        "validation": write(valid_samples, work / "training" / "validation.jsonl"),
    }
