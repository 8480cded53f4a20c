"""Pulled models give the logits of transformers: tiny seeded checkpoints of every architecture of the catalogue.

The reference runs each pair alone, unpadded, in torch; ours runs the exported file, in padded batches, in the core runtime.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groundwire.errors import CorruptModel
from groundwire.models import hub, loading
from groundwire.models.catalogue import HHEM_PROMPT
from groundwire.models.checkpoints import FolderHub
from groundwire.models.hftokenizer import HubTokenizer

pytestmark = pytest.mark.models

PAIRS = [
    ("The bridge was opened in 1932.", "The bridge opened in 1932."),
    ("The bridge was opened in 1932.", "It did not open."),
    ("no", "Coffee has 95 mg of caffeine a cup, the label says."),
    ("The ferry leaves at eight, and again at nine; " * 24, "It leaves twice."),
    ("", "An empty premise."),
]
SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
"""Small, but with weights large enough (`initializer_range`) that scores spread and a wrong one shows."""
SPREAD = {"initializer_range": 0.5}
DEBERTA = {
    "vocab_size": 128100,
    "relative_attention": True,
    "position_buckets": 256,
    "pos_att_type": ["p2c", "c2p"],
    "share_att_key": True,
    "position_biased_input": False,
    "norm_rel_ebd": "layer_norm",
    "type_vocab_size": 0,
    "layer_norm_eps": 1e-7,
}
MNLI = {0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}

Make = Callable[[Any], tuple[Any, list[str]]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    torch = pytest.importorskip("torch")
    torch.manual_seed(7)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def checkpoint(folder: Path, model: Any, tokenizer_files: list[Path]) -> Path:
    folder.mkdir()
    model.eval().save_pretrained(folder)
    for file in tokenizer_files:
        shutil.copy(file, folder)
    return folder


def deberta_v3(t: Any) -> tuple[Any, list[str]]:
    config = t.DebertaV2Config(**SIZES, **SPREAD, **DEBERTA, num_labels=1, pooler_hidden_size=16)
    return t.DebertaV2ForSequenceClassification(config), ["deberta-v3/spm.model"]


def deberta_v2_with_convolution(t: Any) -> tuple[Any, list[str]]:
    labels = {"id2label": MNLI, "label2id": {label: i for i, label in MNLI.items()}}
    more = {"conv_kernel_size": 3, "conv_act": "gelu", "attention_head_size": 8, "pooler_hidden_size": 16}
    return t.DebertaV2ForSequenceClassification(t.DebertaV2Config(**SIZES, **SPREAD, **DEBERTA, **labels, **more)), [
        "deberta-v3/spm.model"
    ]


def albert(t: Any) -> tuple[Any, list[str]]:
    config = t.AlbertConfig(**SIZES, **SPREAD, vocab_size=30000, embedding_size=8, num_labels=3)
    return t.AlbertForSequenceClassification(config), ["albert-v2/spiece.model"]


def electra(t: Any) -> tuple[Any, list[str]]:
    config = t.ElectraConfig(**SIZES, **SPREAD, vocab_size=30522, embedding_size=8, num_labels=2)
    return t.ElectraForSequenceClassification(config), ["bert-base-uncased/vocab.txt"]


def bert(t: Any) -> tuple[Any, list[str]]:
    labels = {0: "contradiction", 1: "entailment", 2: "neutral"}
    config = t.BertConfig(
        **SIZES, **SPREAD, vocab_size=30522, id2label=labels, label2id={v: k for k, v in labels.items()}
    )
    return t.BertForSequenceClassification(config), ["bert-base-uncased/vocab.txt"]


CASES: dict[str, Make] = {
    "mxbai-rerank-base-v1": deberta_v3,
    "hhem-1.0": deberta_v3,
    "deberta-v2-xxlarge-mnli": deberta_v2_with_convolution,
    "albert-base-vitaminc": albert,
    "monoelectra": electra,
    "nli:some/bert": bert,
}


def reference(model: Any, folder: Path, pairs: list[tuple[str, str]]) -> np.ndarray:
    """Logits of each pair alone, its ids those of the tokenizer of the directory (BERT's: of `tokenizers`)."""
    torch = pytest.importorskip("torch")
    if (folder / "vocab.txt").exists():
        tokenizer = HubTokenizer.of_vocabulary(folder / "vocab.txt", lowercase=True)
    else:
        tokenizer = HubTokenizer.open(folder / "tokenizer.json")
    rows = []
    for a, b in pairs:
        frame = tokenizer.frame
        parts = (frame.before, tokenizer.encode(a), frame.between, tokenizer.encode(b), frame.after)
        ids = torch.tensor([[i for part in parts for i in part]])
        types = torch.tensor([[k for part, k in zip(parts, frame.types, strict=True) for _ in part]])
        given = {"token_type_ids": types} if model.config.type_vocab_size > 1 else {}
        with torch.inference_mode():
            rows.append(model(input_ids=ids, attention_mask=torch.ones_like(ids), **given).logits[0].numpy())
    return np.array(rows)


@pytest.mark.parametrize("name", CASES)
def test_a_pulled_model_gives_the_logits_of_transformers(name: str, shared_data: Path, tmp_path: Path) -> None:
    model, files = CASES[name](pytest.importorskip("transformers"))
    folder = checkpoint(tmp_path / "checkpoint", model, [shared_data / "tokenizers" / file for file in files])
    pulled = hub.pull(name, hub=FolderHub(folder))
    assert pulled.agreement is not None
    assert pulled.agreement.largest <= 1e-4
    ours = loading.open_pair_model(pulled.path, precision="fp32", threads=1)
    expected = reference(model, pulled.path, PAIRS)
    assert expected.std(axis=0).min() > 0.02
    assert np.abs(ours.logits(PAIRS) - expected).max() <= 1e-4
    if name in ("mxbai-rerank-base-v1", "monoelectra"):
        column = {"mxbai-rerank-base-v1": 0, "monoelectra": 1}[name]
        assert ours.score(PAIRS) == pytest.approx(expected[:, column], abs=1e-4)
    elif name == "hhem-1.0":
        assert [e.supports for e in ours.entail(PAIRS)] == pytest.approx(1 / (1 + np.exp(-expected[:, 0])), abs=1e-4)
    else:
        supports = {"deberta-v2-xxlarge-mnli": 2, "albert-base-vitaminc": 0, "nli:some/bert": 1}[name]
        powers = np.exp(expected)
        assert [e.supports for e in ours.entail(PAIRS)] == pytest.approx(powers[:, supports] / powers.sum(1), abs=1e-4)


def test_int8_weights_keep_the_scores_in_a_smaller_file(shared_data: Path, tmp_path: Path) -> None:
    name = "nli:some/bert"
    model, files = bert(pytest.importorskip("transformers"))
    folder = checkpoint(tmp_path / "checkpoint", model, [shared_data / "tokenizers" / file for file in files])
    exact = hub.pull(name, hub=FolderHub(folder))
    size = (exact.path / "model.onnx").stat().st_size
    small = hub.pull(name, hub=FolderHub(folder), precision="int8", force=True)
    assert (small.path / "model.onnx").stat().st_size < 0.45 * size
    assert small.agreement is not None
    assert small.agreement.pearson > 0.99
    expected = reference(model, small.path, PAIRS)
    found = loading.open_pair_model(small.path, precision="fp32", threads=1).logits(PAIRS)
    assert 0 < np.abs(found - expected).max() < 0.1 * (expected.max() - expected.min())


def test_an_embedder_gives_the_vector_of_the_first_token(shared_data: Path, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    model = transformers.BertModel(
        transformers.BertConfig(**SIZES, **SPREAD, vocab_size=30522), add_pooling_layer=False
    )
    vocabulary = shared_data / "tokenizers" / "bert-base-uncased" / "vocab.txt"
    pulled = hub.pull("uae-large-v1", hub=FolderHub(checkpoint(tmp_path / "checkpoint", model, [vocabulary])))
    tokenizer = HubTokenizer.of_vocabulary(vocabulary, lowercase=True)
    texts = [text for pair in PAIRS for text in pair]
    expected = []
    for text in texts:
        ids = torch.tensor([[101, *tokenizer.encode(text), 102]])
        with torch.inference_mode():
            expected.append(model(input_ids=ids).last_hidden_state[0, 0].numpy())
    dots = [float(a @ b) for a, b in zip(expected[::2], expected[1::2], strict=True)]
    norms = [float(np.linalg.norm(vector)) for vector in expected]
    cosines = [dot / a / b for dot, a, b in zip(dots, norms[::2], norms[1::2], strict=True)]
    exact = [
        loading.open_embedder(pulled.path, cosine=cosine, precision="fp32").score(PAIRS) for cosine in (False, True)
    ]
    assert exact[0] == pytest.approx(dots, abs=1e-3)
    assert exact[1] == pytest.approx(cosines, abs=1e-4)
    # What is loaded by name may compute in bf16, where the CPU has it.
    assert loading.scorer(f"dir:{pulled.path}").score(PAIRS) == pytest.approx(dots, abs=0.3)
    assert loading.scorer(f"dir:{pulled.path}:cosine").score(PAIRS) == pytest.approx(cosines, abs=0.02)


class TestHhem:
    """HHEM-2.1-Open: our T5 head on weights named as those of the published checkpoint."""

    LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,;:?"

    @pytest.fixture
    def model(self) -> Any:
        transformers = pytest.importorskip("transformers")
        config = transformers.T5Config(
            vocab_size=96,
            d_model=16,
            d_kv=6,
            d_ff=24,
            num_layers=3,
            num_heads=2,
            feed_forward_proj="gated-gelu",
            num_labels=2,
            initializer_factor=3.0,
            is_encoder_decoder=False,
            use_cache=False,
        )
        return transformers.T5ForTokenClassification(config).eval()

    @pytest.fixture
    def folder(self, model: Any, tmp_path: Path) -> Path:
        tokenizers = pytest.importorskip("tokenizers")
        special = ["<pad>", "</s>", "<unk>"]
        vocabulary = [*((token, 0.0) for token in special), ("▁", -2.0), *((letter, -3.0) for letter in self.LETTERS)]
        tokenizer = tokenizers.Tokenizer(tokenizers.models.Unigram(vocabulary, unk_id=2))
        tokenizer.add_special_tokens(special)
        parts = [tokenizers.pre_tokenizers.WhitespaceSplit(), tokenizers.pre_tokenizers.Metaspace()]
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Sequence(parts)
        tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
            single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
        )
        folder = tmp_path / "checkpoint"
        folder.mkdir()
        tokenizer.save(str(folder / "tokenizer.json"))
        (folder / "config.json").write_text(json.dumps({"model_type": "HHEMv2Config", "auto_map": {}}))
        self.save(folder, {f"t5.{name}": tensor for name, tensor in model.state_dict().items()})
        return folder

    def save(self, folder: Path, weights: dict[str, Any]) -> None:
        kept = {name: tensor.clone().contiguous() for name, tensor in weights.items()}
        pytest.importorskip("safetensors.torch").save_file(kept, folder / "model.safetensors")

    def test_it_gives_the_logits_of_transformers_at_the_first_token(self, model: Any, folder: Path) -> None:
        torch = pytest.importorskip("torch")
        tokenizer = pytest.importorskip("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
        pulled = hub.pull("hhem-2.1-open", hub=FolderHub(folder))
        ours = loading.open_pair_model(pulled.path, precision="fp32", threads=1)
        expected = []
        for a, b in PAIRS:
            ids = torch.tensor([tokenizer.encode(HHEM_PROMPT.format(a=a, b=b)).ids])
            assert ids[0, 0] == 0
            with torch.inference_mode():
                expected.append(model(input_ids=ids, attention_mask=torch.ones_like(ids)).logits[0, 0].numpy())
        logits = np.array(expected)
        assert logits.std(axis=0).min() > 0.02
        assert np.abs(ours.logits(PAIRS) - logits).max() <= 1e-4
        powers = np.exp(logits)
        found = ours.entail(PAIRS)
        assert [e.supports for e in found] == pytest.approx(powers[:, 1] / powers.sum(1), abs=1e-4)
        assert {e.refutes for e in found} == {None}
        assert ours.truncated([("long " * 900, "claim")]) == [False]

    def test_the_table_may_be_stored_once_under_either_name(self, model: Any, folder: Path) -> None:
        t5 = pytest.importorskip("groundwire.models.t5")
        weights = {f"t5.{name}": tensor for name, tensor in model.state_dict().items()}
        ids = pytest.importorskip("torch").arange(3, 20).reshape(1, -1)
        both = t5.load(folder)(ids, ids > 0)
        for name in ("t5.transformer.shared.weight", "t5.transformer.encoder.embed_tokens.weight"):
            self.save(folder, {key: tensor for key, tensor in weights.items() if key != name})
            assert (t5.load(folder)(ids, ids > 0) == both).all()

    @pytest.mark.parametrize("change", ["two tables", "missing", "left over", "another head"])
    def test_weights_that_do_not_fit_are_corrupt(self, model: Any, folder: Path, change: str) -> None:
        t5 = pytest.importorskip("groundwire.models.t5")
        weights = {f"t5.{name}": tensor.clone() for name, tensor in model.state_dict().items()}
        norm = "t5.transformer.encoder.final_layer_norm.weight"
        if change == "two tables":
            weights["t5.transformer.shared.weight"] += 1
        elif change == "missing":
            del weights[norm]
        elif change == "left over":
            weights["t5.decoder.weight"] = weights[norm]
        else:
            weights["t5.classifier.weight"] = weights["t5.classifier.weight"][:, :4]
        self.save(folder, weights)
        with pytest.raises(CorruptModel):
            t5.load(folder)
