"""A tiny tokenizer, a tiny network and a few samples: what the tests of the training machinery run on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire.training.sample import NEI, NOT_SUPPORTED, REFUTES, SUPPORTS, UNKNOWN, Sample

WORDS = ("the", "town", "paid", "12", "13", "14", "15", "workers", "in", "1932", "1933", "1934", "and", "it", "rained")
WORDS += ("well", ".")


@pytest.fixture(scope="session")
def tokenizer_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A WordPiece tokenizer.json over twenty words, with BERT's pair template ([SEP] is 102, as in BERT)."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    names = ["[PAD]", *(f"[unused{i}]" for i in range(99)), "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    tokenizer = Tokenizer(models.WordPiece({name: i for i, name in enumerate(names)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(["[CLS]", "[SEP]"])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 101), ("[SEP]", 102)],
    )
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    tokenizer.save(str(path))
    return path


@pytest.fixture
def samples() -> Sequence[Sample]:
    """Supported claims and twins with another number, a two-way row and a relevance row."""
    made = []
    for i in range(12):
        evidence, number = f"The town paid {12 + i % 4} workers in {1932 + i % 3} .", f"{12 + (i + 1) % 4}"
        made.append(Sample(evidence=evidence, claim=evidence, label=SUPPORTS, relevance=1, spans=(), source="a"))
        wrong = f"The town paid {number} workers."
        made.append(
            Sample(evidence=evidence, claim=wrong, label=REFUTES, spans=((14, 16),), source="a", operator="number")
        )
    made.append(Sample(evidence="It rained.", claim="The town paid well.", label=NEI, source="b"))
    made.append(Sample(evidence="It rained.", claim="It rained well.", label=NOT_SUPPORTED, source="b"))
    made.append(Sample(evidence="It rained.", claim="who paid", label=UNKNOWN, relevance=0, source="b"))
    return made


@pytest.fixture
def network() -> Any:
    """A seeded network of one layer."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    import torch

    from groundwire.training.network import PairNetwork, body_config

    torch.manual_seed(1)
    return PairNetwork(body_config(layers=1, hidden=32, vocabulary=200), "eager").eval()
