"""Everything that a run on another machine needs, small enough to be sent there: samples, bodies, tokenizer.

A machine with a GPU is often lent without a network and for minutes. A million samples share their texts, so each text goes
once, as tokens (17 bytes a sample); weights go rounded (`rounding`). Leaves out: the run itself (`trainer`) and how the
parcel gets there. Imports safetensors and torch.
"""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from groundwire.errors import InputError
from groundwire.training.batches import LONGEST, Encoded, encode, load_tokenizer
from groundwire.training.larger import larger_weights
from groundwire.training.material import ENCODED, keep
from groundwire.training.mixture import load_samples
from groundwire.training.network import BASE_PACKAGE, base_folder, base_weights
from groundwire.training.ragged import Texts, apart, joined, places, together
from groundwire.training.rounding import ROUNDED_FROM, origin, restored, rounded

BASE_STEP, LARGER_STEP = 0.06, 0.15
"""The base model is what vectors are held to, so it is kept better than a body that is only begun from."""
BESIDE = ("tokenizer.json", "vocab.txt")
PARTS = {"samples": "samples.npz", "validation": "validation.zip", "base": "base.npz", "larger": "larger.npz"}
OF = "of"
"""The entry of a body's file that names the SHA-256 of what it was rounded from."""
HUNDREDTHS = 100
CHUNK = 200_000
"""Samples put together at a time: what is in memory besides them stays below a gigabyte."""


def pack(folders: Sequence[Path], target: Path, body: Path | None = None) -> dict[str, int]:
    """Write a parcel of what `prepare` wrote to the folders (each holds train.jsonl; the first one's validation.jsonl goes
    along), of the base model, and of a larger body where one is named. Returns the bytes of its files."""
    if not folders:
        raise InputError("nothing to pack", "name folders that hold a train.jsonl with --runs")
    target.mkdir(parents=True, exist_ok=True)
    tokenizer = load_tokenizer(base_folder() / "tokenizer.json", LONGEST)
    data = (encode(load_samples(folder / "train.jsonl"), tokenizer, LONGEST) for folder in folders)
    save(target / PARTS["samples"], packed(joined(*data)))
    with zipfile.ZipFile(target / PARTS["validation"], "w", zipfile.ZIP_LZMA) as archive:
        archive.write(folders[0] / "validation.jsonl", "validation.jsonl")
    save(target / PARTS["base"], _weights(base_weights(), BASE_STEP))
    for name in BESIDE:
        shutil.copyfile(base_folder() / name, target / name)
    if body is not None:
        save(target / PARTS["larger"], _weights(larger_weights(body), LARGER_STEP))
        shutil.copyfile(body / "config.json", target / "config.json")
    return {path.name: path.stat().st_size for path in sorted(target.iterdir())}


def unpack(parcel: Path, work: Path, seed: int = 0) -> None:
    """Write what a parcel holds where `train` looks for it: samples (in an order drawn by the seed) and validation under
    work/training, the package of the base model in work/base, which then belongs on PYTHONPATH, a larger body in work/larger.

    Raises InputError where there is no parcel.
    """
    if not (parcel / PARTS["samples"]).is_file():
        raise InputError(f"no parcel in {parcel}", "the step pack writes one")
    (work / "training").mkdir(parents=True, exist_ok=True)
    keep(work / "training" / ENCODED, unpacked(np.load(parcel / PARTS["samples"]), seed))
    with zipfile.ZipFile(parcel / PARTS["validation"]) as archive:
        archive.extractall(work / "training")
    package = work / "base" / BASE_PACKAGE
    _unpack_body(parcel, "base", package / "model", BESIDE)
    (package / "__init__.py").write_text("")
    if (parcel / PARTS["larger"]).is_file():
        _unpack_body(parcel, "larger", work / "larger", ("config.json",))


def _unpack_body(parcel: Path, kind: str, target: Path, beside: Sequence[str]) -> None:
    from safetensors.numpy import save_file

    target.mkdir(parents=True, exist_ok=True)
    weights = dict(np.load(parcel / PARTS[kind]))
    of = str(weights.pop(OF))
    save_file(restored(weights), target / "model.safetensors", {ROUNDED_FROM: of})
    for name in beside:
        shutil.copyfile(parcel / name, target / name)


def packed(data: Encoded) -> dict[str, Any]:
    """Samples as arrays that compress well: distinct texts in the order of their tokens, samples in that of their evidence."""
    evidence, claims, of_evidence, of_claim = apart(data)
    (evidence, of_evidence), (claims, of_claim) = _sorted(evidence, of_evidence), _sorted(claims, of_claim)
    order = np.lexsort((of_claim, of_evidence))
    begins, counts = data.starts[:-1] + data.claims, data.lengths - data.claims - 1
    return {
        "evidence": evidence.tokens.astype(np.uint16),
        "evidence_lengths": evidence.lengths.astype(np.uint16),
        "claims": claims.tokens.astype(np.uint16),
        "claim_lengths": claims.lengths.astype(np.uint16),
        "of_evidence": np.diff(of_evidence[order], prepend=0).astype(np.int32),
        "of_claim": of_claim[order].astype(np.int32),
        "labels": data.labels[order].astype(np.int8),
        "relevance": np.rint(data.relevance[order] * HUNDREDTHS).astype(np.int8),
        "targets": data.targets[places(begins[order], counts[order])[0]],
    }


def unpacked(arrays: Mapping[str, Any], seed: int) -> Encoded:
    """The samples that `packed` was given, in another order; relevance to two digits, and nobody's readings of them."""
    evidence = _texts(arrays["evidence"], arrays["evidence_lengths"])
    claims = _texts(arrays["claims"], arrays["claim_lengths"])
    of_evidence, of_claim = np.cumsum(arrays["of_evidence"]), arrays["of_claim"]
    targets = Texts(arrays["targets"], np.concatenate(([0], np.cumsum(claims.lengths[of_claim]))))
    labels, relevance = arrays["labels"].astype(np.int64), arrays["relevance"].astype(np.float32) / HUNDREDTHS
    if not len(labels):
        raise InputError("the parcel holds no samples")
    order = np.random.default_rng(seed).permutation(len(labels))
    found = []
    for at in range(0, len(order), CHUNK):
        part = order[at : at + CHUNK]
        pairs = together(evidence.take(of_evidence[part]), claims.take(of_claim[part]), LONGEST)
        begins = pairs.starts[:-1] + pairs.claims
        pairs.targets[places(begins, pairs.lengths - pairs.claims - 1)[0]] = targets.take(part).tokens
        pairs.labels[:], pairs.relevance[:] = labels[part], relevance[part]
        found.append(pairs)
    return joined(*found)


def save(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays as `numpy.load` reads them, compressed."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.asanyarray(array), allow_pickle=False)


def _weights(path: Path, step: float) -> dict[str, Any]:
    from safetensors.numpy import load_file

    left_out = ("pooler", "position_ids")
    found = {name: tensor for name, tensor in load_file(path).items() if not any(part in name for part in left_out)}
    return {**rounded(found, step), OF: np.array(origin(path))}


def _sorted(texts: Texts, numbers: Any) -> tuple[Texts, Any]:
    order = sorted(range(len(texts)), key=lambda i: texts[i].tobytes())
    back = np.empty(len(order), dtype=np.int64)
    back[order] = np.arange(len(order))
    return texts.take(np.array(order, dtype=np.int64)), back[numbers]


def _texts(tokens: Any, lengths: Any) -> Texts:
    return Texts(tokens.astype(np.int32), np.concatenate(([0], np.cumsum(lengths.astype(np.int64)))))
