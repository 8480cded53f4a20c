"""The mixture file reads, samples survive their file, and preparing is the same for the same seed."""

import gzip
import json
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.training.mixture import KINDS, Mixture, case_row, load_mixture, load_samples, prepare, samples, split
from groundwire.training.sample import Sample
from groundwire.training.sources import SOURCES
from groundwire.training.written.documents import load_documents


def test_the_own_mixture_names_listed_sets_only() -> None:
    mixture = load_mixture()
    assert {name for kind in KINDS for name in mixture.counts[kind]} <= set(SOURCES)
    assert set(mixture.fusion) <= set(SOURCES)
    assert not {name for kind in KINDS for name in mixture.counts[kind]} & set(mixture.fusion)


def test_a_broken_mixture_is_named(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text("seed = 1")
    with pytest.raises(InputError, match="no mixture"):
        load_mixture(tmp_path / "m.toml")


def test_prepare_is_reproducible_and_splits(tmp_path: Path) -> None:
    (tmp_path / "nli").mkdir()
    rows = [
        {
            "id": str(i),
            "dataset": "rte",
            "question": None,
            "answer": f"The town of Brook{i} paid {i} workers.",
            "contexts": [f"In {1900 + i}, the town of Brook{i} paid {i + 10} workers well."],
            "label": i % 2,
            "label3": None,
            "meta": {},
        }
        for i in range(80)
    ]
    with gzip.open(tmp_path / "nli" / "rte-train.jsonl.gz", "wt") as handle:
        handle.writelines(json.dumps(row) + "\n" for row in rows)
    counts = {"labelled": {"rte-train": 80}, "claims": {}, "relevance": {}, "prose": {"rte-train": 60}}
    for name in ("a", "b"):
        prepare(Mixture(7, 0.2, counts), tmp_path, tmp_path / name)
    texts = [(tmp_path / name / "training" / "train.jsonl").read_text() for name in ("a", "b")]
    assert texts[0] == texts[1]
    train = load_samples(tmp_path / "a" / "training" / "train.jsonl")
    valid = load_samples(tmp_path / "a" / "training" / "validation.jsonl")
    evidence = {s.evidence for s in train if s.source == "rte"}
    assert evidence
    assert not evidence & {s.evidence for s in valid if s.source == "rte"}


def test_written_documents_stand_on_one_side_and_kept_registers_on_none() -> None:
    kept = load_mixture().kept
    mixture = Mixture(7, 0.2, {kind: {} for kind in KINDS}, written=30000, kept=kept)
    train, valid = split(mixture, Path())
    sides = [{document.sentences for document in side.documents} for side in (train, valid)]
    assert sides[0]
    assert sides[1]
    assert not sides[0] & sides[1]
    registers = {document.register for document in load_documents()}
    assert set(kept) <= registers
    assert {document.register for document in (*train.documents, *valid.documents)} == registers - set(kept)
    assert len(samples(mixture, train)) == 30000


def test_samples_must_be_prepared_first(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="prepare"):
        load_samples(tmp_path / "train.jsonl")


def test_case_rows_have_the_evaluation_format() -> None:
    row = case_row(Sample(evidence="e", claim="c", label=2, source="s", operator="removed"), 3)
    assert (row["answer"], row["contexts"], row["label"], row["label3"]) == ("c", ["e"], 0, "nei")


def test_an_older_mixture_without_digests_loads(tmp_path: Path) -> None:
    tables = "".join(f"[{kind}]\n" for kind in KINDS if kind != "digest")
    (tmp_path / "m.toml").write_text(f"seed = 1\nvalidation_share = 0.1\n{tables}")
    assert load_mixture(tmp_path / "m.toml").counts["digest"] == {}
