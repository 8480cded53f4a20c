"""What a training run learns from and is measured on: samples as tokens, and pairs without labels beside them.

Tokens that were kept (train.npz, as `unpack` leaves it) are taken as they are, else train.jsonl is encoded. Leaves out: how
samples are made (`mixture`) and sent (`parcel`). Imports torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from groundwire.errors import InputError
from groundwire.models.wordpiece import WordPiece
from groundwire.training.batches import Encoded, encode, load_tokenizer
from groundwire.training.device import attention_of, device_of
from groundwire.training.mixture import load_samples
from groundwire.training.network import base_folder, from_base
from groundwire.training.ragged import chosen, joined
from groundwire.training.sample import Sample
from groundwire.training.settings import Settings
from groundwire.training.transfer import transfer

ENCODED = "train.npz"


@dataclass(frozen=True, slots=True)
class Material:
    """What a run learns from, and the samples that it is measured on."""

    train: Encoded
    samples: list[Sample]
    valid: Encoded


def load_material(data: Path, settings: Settings) -> Material:
    """The samples of train.jsonl and validation.jsonl that `settings` asks for, as `prepare` wrote them.

    Raises InputError where none are left.
    """
    tokenizer = load_tokenizer(base_folder() / "tokenizer.json", settings.max_length)
    train = _labelled(data, tokenizer, settings)
    if settings.transfer:
        train = joined(train, unlabelled(data, train, settings))
    samples = load_samples(data / "validation.jsonl")[: settings.validate_samples]
    return Material(train, samples, encode(samples, tokenizer, settings.max_length))


def _labelled(data: Path, tokenizer: Any, settings: Settings) -> Encoded:
    found: Encoded | None
    within = slice(settings.skip, settings.skip + settings.samples)
    if (data / ENCODED).is_file():
        whole = kept(data / ENCODED)
        index = np.arange(len(whole.labels))[within]
        found = chosen(whole, index) if len(index) < len(whole.labels) else whole
    else:
        taken = load_samples(data / "train.jsonl")[within]
        found = encode(taken, tokenizer, settings.max_length) if taken else None
    if found is None or not len(found.labels):
        raise InputError(f"no samples are left behind the first {settings.skip}", "a smaller --skip")
    return found


def unlabelled(data: Path, train: Encoded, settings: Settings) -> Encoded:
    """The pairs without labels of a folder of samples; made of `train` and kept there where there are none yet."""
    path = data / f"transfer-{settings.transfer}.npz"
    if path.is_file():
        return kept(path)
    words = WordPiece.open(base_folder() / "vocab.txt", lowercase=True).vocabulary
    device = device_of()
    base = from_base(attention_of(device)).eval().to(device)
    made = transfer(train, base, words, settings.transfer, settings.seed)
    keep(path, made)
    return made


def keep(path: Path, data: Encoded) -> None:
    """Write encoded samples; a file is never there by half."""
    aside = path.with_name("writing-" + path.name)
    np.savez(aside, **{name: getattr(data, name) for name in Encoded.__slots__})
    aside.replace(path)


def kept(path: Path) -> Encoded:
    """Encoded samples that `keep` wrote."""
    found = np.load(path)
    return Encoded(**{name: found[name] for name in Encoded.__slots__})
