import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groundwire.errors import CorruptModel, InputError, UsageError
from groundwire.models import catalogue, hub, loading
from groundwire.models.agreement import SAMPLES, Agreement, compare
from groundwire.models.checkpoints import FolderHub
from groundwire.models.export import export, read_labels

MNLI = {0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}


def test_a_card_fixes_the_reading_of_labels_that_do_not_tell() -> None:
    card = catalogue.find("albert-base-vitaminc")
    assert read_labels(card, {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}) == card.reading
    assert read_labels(card, {0: "SUPPORTS", 1: "REFUTES", 2: "NOT ENOUGH INFO"}) == card.reading


def test_a_card_and_labels_that_tell_otherwise_are_an_error() -> None:
    with pytest.raises(CorruptModel, match="otherwise than its card"):
        read_labels(catalogue.find("albert-base-vitaminc"), MNLI)


def test_too_few_logits_are_an_error() -> None:
    with pytest.raises(CorruptModel, match="gives 1 logits, not 2"):
        read_labels(catalogue.find("monoelectra"), {0: "LABEL_0"})


def test_an_open_form_is_read_by_its_labels_or_not_at_all() -> None:
    reading = read_labels(catalogue.find("nli:some/model"), MNLI)
    assert reading.entailment is not None
    assert (reading.entailment.supports, reading.entailment.refutes, reading.entailment.neutral) == (2, 0, 1)
    with pytest.raises(InputError, match="0 = LABEL_0"):
        read_labels(catalogue.find("nli:some/model"), {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"})


def test_an_unknown_precision_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="fp32, int8"):
        export(tmp_path, tmp_path, catalogue.find("hhem-1.0"), tmp_path, precision="int4")  # type: ignore[arg-type]


def test_agreement_is_that_of_the_worst_column() -> None:
    original = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]], dtype=np.float32)
    exported = original.copy()
    exported[1, 1], exported[2, 1] = 2.0, 1.0
    assert compare(original, exported) == Agreement(
        pairs=4, largest=1.0, pearson=pytest.approx(0.8), spearman=pytest.approx(0.8)
    )
    assert compare(original, original).largest == 0


def test_samples_differ() -> None:
    assert len(set(SAMPLES)) == len(SAMPLES) == 16


@pytest.mark.models
class TestCheckpoints:
    @pytest.fixture(autouse=True)
    def home(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """A tiny BERT with three labels and a vocabulary of letters."""
        transformers, torch = pytest.importorskip("transformers"), pytest.importorskip("torch")
        torch.manual_seed(3)
        letters = [f"{part}{letter}" for letter in "abcdefghijklmnopqrstuvwxyz0123456789.,?" for part in ("", "##")]
        tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters]
        config = transformers.BertConfig(
            vocab_size=len(tokens),
            hidden_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=256,
            initializer_range=0.4,
            id2label=dict(MNLI),
            label2id={label: i for i, label in MNLI.items()},
        )
        folder = tmp_path / "checkpoint"
        transformers.BertForSequenceClassification(config).save_pretrained(folder)
        (folder / "vocab.txt").write_text("\n".join(tokens))
        return folder

    def test_config_says_how_texts_go_in_and_numbers_come_out(self, folder: Path) -> None:
        pulled = hub.pull("nli:some/model", hub=FolderHub(folder))
        assert json.loads((pulled.path / "config.json").read_text()) == {
            "schema": 1,
            "name": "nli:some/model",
            "architecture": "bert",
            "max_length": 256,
            "inputs": ["input_ids", "attention_mask", "token_type_ids"],
            "output": "logits",
            "tokenizer": {"kind": "wordpiece", "file": "vocab.txt", "lowercase": True},
            "pair": {"kind": "segments"},
            "reading": {
                "entailment": {"activation": "softmax", "supports": 2, "refutes": 0, "neutral": 1},
                "relevance": None,
            },
        }

    def test_weights_beyond_one_file_lie_beside_it_and_in_the_manifest(self, folder: Path, tmp_path: Path) -> None:
        whole = hub.pull("nli:some/model", hub=FolderHub(folder))
        parted = tmp_path / "parted"
        shutil.copytree(whole.path, parted)
        card = catalogue.find("nli:some/model")
        agreement = export(folder, folder, card, parted, largest_proto=1000)
        assert agreement.largest <= 1e-4
        hub.manifest.write(parted, {"name": card.name})
        assert "model.onnx.data" in hub.manifest.read(parted)["files"]
        pairs = [("the bridge", "a bridge"), ("", "1932")]
        found = loading.open_pair_model(parted, precision="fp32").logits(pairs)
        assert np.abs(found - loading.open_pair_model(whole.path, precision="fp32").logits(pairs)).max() <= 1e-6

    def test_weights_that_are_missing_are_never_made_up(self, folder: Path) -> None:
        self.change(folder, lambda weights: weights.pop("classifier.weight"))
        with pytest.raises(CorruptModel, match=r"lacks 1 of the model's weights.*classifier\.weight"):
            hub.pull("nli:some/model", hub=FolderHub(folder))

    def test_weights_of_another_shape_are_corrupt(self, folder: Path) -> None:
        self.change(folder, lambda weights: weights.update({"classifier.bias": weights["classifier.bias"][:2].clone()}))
        with pytest.raises((CorruptModel, InputError)):
            hub.pull("nli:some/model", hub=FolderHub(folder))

    def change(self, folder: Path, how: Any) -> None:
        safetensors = pytest.importorskip("safetensors.torch")
        weights = safetensors.load_file(folder / "model.safetensors")
        how(weights)
        safetensors.save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    def test_code_of_a_checkpoint_is_never_run(self, folder: Path, tmp_path: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        config["model_type"] = "their_own"
        config["auto_map"] = dict.fromkeys(("AutoConfig", "AutoModelForSequenceClassification"), "theirs.Model")
        (folder / "config.json").write_text(json.dumps(config))
        (folder / "theirs.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Model: pass\n")
        with pytest.raises(InputError, match="none that can be exported"):
            hub.pull("nli:some/model", hub=FolderHub(folder))
        assert not (tmp_path / "ran").exists()

    def test_a_spoilt_weights_file_is_an_error_of_ours(self, folder: Path) -> None:
        (folder / "model.safetensors").write_bytes(b"not safetensors")
        with pytest.raises((CorruptModel, InputError)):
            hub.pull("nli:some/model", hub=FolderHub(folder))
