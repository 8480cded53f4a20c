"""Pulled rerankers and encoders give the numbers of transformers: tiny seeded checkpoints of every architecture.

The reference runs each text alone, unpadded, in torch; ours runs the exported file, in padded batches, in the core runtime.
"""

import json
import shutil
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groundwire import models
from groundwire.errors import CorruptModel, InputError, Unavailable
from groundwire.models import hub, loading
from groundwire.models.checkpoints import FolderHub
from groundwire.models.hftokenizer import HubTokenizer

pytestmark = pytest.mark.models

TRUE, FALSE = 1176, 6136
TEXTS = [
    "The bridge was opened to traffic in 1932.",
    "",
    "Ferry",
    "A cup of brewed coffee has 95 mg of caffeine; " * 6,
    "The ferry leaves at eight, and again at nine; " * 70,
]
SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
SPREAD = {"initializer_range": 0.5}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    torch = pytest.importorskip("torch")
    torch.manual_seed(7)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def run(model: Any, ids: list[int], **more: Any) -> Any:
    torch = pytest.importorskip("torch")
    with torch.inference_mode():
        return model(input_ids=torch.tensor([ids]), **more)


class TestT5:
    """monoT5 and duoT5 on a T5 with a vocabulary of letters, "true" and "false" where T5's own has them."""

    @pytest.fixture
    def model(self) -> Any:
        transformers = pytest.importorskip("transformers")
        pytest.importorskip("torch").manual_seed(11)  # with this one the answers spread
        sizes = {"d_model": 16, "d_kv": 6, "d_ff": 24, "num_layers": 2, "num_heads": 2}
        config = transformers.T5Config(vocab_size=6200, initializer_factor=1.6, decoder_start_token_id=0, **sizes)
        return transformers.T5ForConditionalGeneration(config).eval()

    @pytest.fixture
    def tokenizer(self) -> Any:
        tokenizers = pytest.importorskip("tokenizers")
        special = ["<pad>", "</s>", "<unk>"]
        letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,;:?"
        pieces = [*((token, 0.0) for token in special), ("▁", -2.0), *((letter, -3.0) for letter in letters)]
        pieces += [(f"▁#{i}", -20.0) for i in range(len(pieces), FALSE + 1)]
        pieces[TRUE], pieces[FALSE] = ("▁true", -4.0), ("▁false", -4.0)
        tokenizer = tokenizers.Tokenizer(tokenizers.models.Unigram(pieces, unk_id=2))
        tokenizer.add_special_tokens(special)
        parts = [tokenizers.pre_tokenizers.WhitespaceSplit(), tokenizers.pre_tokenizers.Metaspace()]
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Sequence(parts)
        tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
            single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
        )
        return tokenizer

    @pytest.fixture
    def folder(self, model: Any, tokenizer: Any, tmp_path: Path) -> Path:
        model.save_pretrained(tmp_path / "checkpoint")
        tokenizer.save(str(tmp_path / "checkpoint" / "tokenizer.json"))
        return tmp_path / "checkpoint"

    def true(self, model: Any, ids: list[int]) -> float:
        """log P(true) of one input."""
        torch = pytest.importorskip("torch")
        logits = run(model, ids, decoder_input_ids=torch.tensor([[0]])).logits[0, 0, [TRUE, FALSE]]
        return float(torch.log_softmax(logits, dim=0)[0])

    def test_mono_gives_the_log_probability_of_transformers(self, model: Any, tokenizer: Any, folder: Path) -> None:
        pulled = hub.pull("monot5-base-msmarco-10k", hub=FolderHub(folder))
        assert pulled.agreement is not None
        assert pulled.agreement.largest <= 1e-4
        mono = loading.open_mono(pulled.path, precision="fp32")
        pairs = [("when did the bridge open", text) for text in TEXTS] + [
            ("true", "false"),
            ("ferry  ", "\n at eight "),
        ]
        suffix = tokenizer.encode("Relevant:").ids
        expected = []
        for query, text in pairs:
            ids = tokenizer.encode(f"Query: {query} Document: {text} Relevant:").ids
            kept = ids if len(ids) <= 512 else [*ids[: 512 - len(suffix)], *suffix]
            assert kept[-len(suffix) :] == suffix
            expected.append(self.true(model, kept))
        found = mono.score(pairs)
        assert np.std(expected) > 0.01
        assert found == pytest.approx(expected, abs=1e-4)
        assert mono.truncated(pairs) == [False] * 4 + [True, False, False]
        alone = [loading.open_mono(pulled.path, precision="fp32").score([pair])[0] for pair in pairs[:3]]
        assert alone == pytest.approx(found[:3], abs=1e-5)
        assert models.load_scorer(f"dir:{pulled.path}").name == "monot5-base-msmarco-10k"

    def test_what_a_text_says_forges_no_end(self, tokenizer: Any, folder: Path) -> None:
        pulled = hub.pull("monot5-base-msmarco", hub=FolderHub(folder))
        ids = HubTokenizer.open(pulled.path / "tokenizer.json").encode("</s> a <pad>")
        assert not {0, 1} & set(ids)

    def test_duo_gives_the_probabilities_of_transformers(self, model: Any, tokenizer: Any, folder: Path) -> None:
        pulled = hub.pull("duot5-base-msmarco", hub=FolderHub(folder))
        duo = loading.open_duo(pulled.path, precision="fp32")
        query, texts = "when did it open", TEXTS[:4]
        p = {}
        for i, j in permutations(range(4), 2):
            prompt = f"Query: {query} Document0: {texts[i]} Document1: {texts[j]} Relevant:"
            p[i, j] = np.exp(self.true(model, tokenizer.encode(prompt).ids))
        assert np.std(list(p.values())) > 0.01
        assert duo.compare(query, texts) == pytest.approx(list(p.values()), abs=1e-4)
        sums = [sum(p[i, j] + 1 - p[j, i] for j in range(4) if j != i) for i in range(4)]
        assert duo.prefer(query, texts) == pytest.approx(sums, abs=1e-4)
        assert models.load_duo(f"dir:{pulled.path}").name == "duot5-base-msmarco"

    def test_weights_in_int8_keep_the_scores(self, folder: Path) -> None:
        exact = hub.pull("monot5:some/t5", hub=FolderHub(folder))
        pairs = [("when did the bridge open", text) for text in TEXTS[:4]]
        expected = loading.open_mono(exact.path, precision="fp32").score(pairs)
        small = hub.pull("monot5:some/t5", hub=FolderHub(folder), precision="int8", force=True)
        found = loading.open_mono(small.path, precision="fp32").score(pairs)
        assert found == pytest.approx(expected, abs=0.3)  # a tiny network is a rough one
        assert found != expected

    def test_another_vocabulary_is_corrupt(self, tokenizer: Any, folder: Path) -> None:
        told = json.loads((folder / "tokenizer.json").read_text())
        told["model"]["vocab"][TRUE], told["model"]["vocab"][FALSE] = ["▁false", -4.0], ["▁true", -4.0]
        (folder / "tokenizer.json").write_text(json.dumps(told))
        with pytest.raises(CorruptModel, match="'true' as"):
            hub.pull("monot5-base-msmarco", hub=FolderHub(folder))


def bert(kind: str) -> Any:
    transformers = pytest.importorskip("transformers")
    if kind == "distilbert":
        config = transformers.DistilBertConfig(vocab_size=30522, dim=16, n_layers=2, n_heads=2, hidden_dim=32, **SPREAD)
        return transformers.DistilBertForMaskedLM(config).eval()
    return transformers.BertForMaskedLM(transformers.BertConfig(**SIZES, **SPREAD, vocab_size=30522)).eval()


@pytest.mark.parametrize(
    ("name", "kind", "levels"),
    [("splade-cocondenser-ensembledistil", "bert", 256 / 5), ("distilsplade-max", "distilbert", 100)],
)
def test_splade_gives_the_weights_of_transformers(
    name: str, kind: str, levels: float, shared_data: Path, tmp_path: Path
) -> None:
    tokenizers, torch = pytest.importorskip("tokenizers"), pytest.importorskip("torch")
    model = bert(kind)
    model.save_pretrained(tmp_path / "checkpoint")
    vocabulary = shared_data / "tokenizers" / "bert-base-uncased" / "vocab.txt"
    shutil.copy(vocabulary, tmp_path / "checkpoint")
    pulled = hub.pull(name, hub=FolderHub(tmp_path / "checkpoint"))
    encoder = loading.open_sparse(pulled.path, precision="fp32")
    tokenizer = tokenizers.BertWordPieceTokenizer(str(vocabulary), lowercase=True)
    for query, limit in ((True, 256), (False, 512)):
        found = encoder.encode(TEXTS, query=query)
        for text, terms in zip(TEXTS, found, strict=True):
            ids = tokenizer.encode(text).ids
            kept = ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]]
            weights = torch.log1p(torch.relu(run(model, kept).logits[0])).amax(0).numpy()
            assert weights.std() > 0.01
            row = np.array([terms.get(tokenizer.id_to_token(i), 0.0) for i in range(30522)])
            assert np.abs(row - weights).max() <= 1e-4
    assert encoder.cut(TEXTS, query=True) == [False, False, False, False, True]
    alone = encoder.encode(TEXTS[:1], query=False)[0]
    whole = encoder.encode(TEXTS, query=False)[0]
    assert max(abs(alone.get(term, 0) - whole.get(term, 0)) for term in alone.keys() | whole.keys()) <= 1e-5
    impacts = encoder.impacts(TEXTS[:1], query=True)[0]
    assert impacts == {
        t: round(w * levels) for t, w in encoder.encode(TEXTS[:1], query=True)[0].items() if round(w * levels)
    }


def byte_pairs(folder: Path, target: Path) -> Any:
    """RoBERTa's tokenizer of GPT-2's merges: its ids are the lines of fairseq's dictionary and four special tokens."""
    tokenizers = pytest.importorskip("tokenizers")
    encoder = json.loads((folder / "encoder.json").read_text(encoding="utf-8"))
    by_number = {str(number): piece for piece, number in encoder.items()}
    vocabulary = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
    for i, line in enumerate((folder / "dict.txt").read_text(encoding="utf-8").splitlines()):
        number = line.split()[0]
        vocabulary[by_number.get(number, number)] = i + 4
    merges = [
        tuple(line.split()) for line in (folder / "vocab.bpe").read_text(encoding="utf-8").splitlines()[1:] if line
    ]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, merges))
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>"])
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = tokenizers.processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    tokenizer.save(str(target))
    return tokenizer


class TestAnce:
    @pytest.fixture
    def parts(self) -> tuple[Any, Any, Any]:
        transformers, torch = pytest.importorskip("transformers"), pytest.importorskip("torch")
        config = transformers.RobertaConfig(
            **SIZES, **SPREAD, vocab_size=50265, max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5
        )
        head, norm = torch.nn.Linear(16, 12), torch.nn.LayerNorm(12)
        torch.nn.init.normal_(norm.weight)
        torch.nn.init.normal_(norm.bias)
        return transformers.RobertaModel(config, add_pooling_layer=False).eval(), head, norm

    @pytest.fixture
    def folder(self, parts: tuple[Any, Any, Any], tmp_path: Path) -> Path:
        folder = tmp_path / "checkpoint"
        folder.mkdir()
        parts[0].config.save_pretrained(folder)
        weights = {
            f"{name}.{key}": tensor.clone()
            for name, part in zip(("roberta", "embeddingHead", "norm"), parts, strict=True)
            for key, tensor in part.state_dict().items()
        }
        pytest.importorskip("safetensors.torch").save_file(
            weights, folder / "model.safetensors", metadata={"format": "pt"}
        )
        return folder

    def test_it_gives_the_vectors_of_its_parts(self, parts: Any, folder: Path, shared_data: Path) -> None:
        tokenizer = byte_pairs(shared_data / "tokenizers" / "gpt2-bpe", folder / "tokenizer.json")
        encoder = loading.open_embedder(
            hub.pull("ance-msmarco-passage", hub=FolderHub(folder)).path, cosine=False, precision="fp32"
        )
        torch, (model, head, norm) = pytest.importorskip("torch"), parts
        sides = {}
        for query, limit in ((True, 64), (False, 256)):
            rows = []
            for text in TEXTS:
                ids = tokenizer.encode(text.lower() if query else text).ids
                ids = ids if len(ids) <= limit else [*ids[: limit - 1], 2]
                with torch.inference_mode():
                    rows.append(norm(head(run(model, ids).last_hidden_state[0, 0])).numpy())
            sides[query] = np.array(rows)
            found = encoder.encode(TEXTS, query=query)
            assert found.dtype == np.float32
            assert found.std(axis=0).min() > 0.002
            assert np.abs(found - sides[query]).max() <= 1e-4
        assert encoder.cut(TEXTS, query=True) == [False, False, False, True, True]
        assert encoder.cut(TEXTS, query=False) == [False, False, False, False, True]
        scores = encoder.score([(TEXTS[0], text) for text in TEXTS])
        assert scores == pytest.approx([float(sides[True][0] @ row) for row in sides[False]], abs=1e-3)

    def test_a_checkpoint_without_its_head_is_corrupt(self, parts: Any, folder: Path, shared_data: Path) -> None:
        byte_pairs(shared_data / "tokenizers" / "gpt2-bpe", folder / "tokenizer.json")
        safetensors = pytest.importorskip("safetensors.torch")
        weights = safetensors.load_file(folder / "model.safetensors")
        short = {name: tensor for name, tensor in weights.items() if not name.startswith("norm")}
        safetensors.save_file(short, folder / "model.safetensors", metadata={"format": "pt"})
        with pytest.raises(CorruptModel, match="no weights norm"):
            hub.pull("ance-msmarco-passage", hub=FolderHub(folder))


class TestSentenceEncoders:
    @pytest.mark.parametrize("pooling", ["cls", "mean", "max"])
    def test_they_give_the_vectors_of_sentence_transformers(
        self, pooling: str, shared_data: Path, tmp_path: Path
    ) -> None:
        library = pytest.importorskip("sentence_transformers")
        transformers, torch = pytest.importorskip("transformers"), pytest.importorskip("torch")
        folder, body = tmp_path / "checkpoint", tmp_path / "body"
        transformers.BertModel(transformers.BertConfig(**SIZES, **SPREAD, vocab_size=30522)).save_pretrained(body)
        vocabulary = shared_data / "tokenizers" / "bert-base-uncased" / "vocab.txt"
        transformers.BertTokenizer(str(vocabulary)).save_pretrained(body)
        shutil.copy(vocabulary, body)
        part = pytest.importorskip("sentence_transformers.models")
        more = {
            "cls": [],
            "mean": [part.Normalize()],
            "max": [part.Dense(16, 12), part.LayerNorm(12), part.Normalize()],
        }
        layers = [part.Transformer(str(body), max_seq_length=128), part.Pooling(16, pooling), *more[pooling]]
        theirs = library.SentenceTransformer(modules=layers, device="cpu", prompts={"query": "find: ", "document": ""})
        theirs.save(str(folder))
        shutil.copy(vocabulary, folder)
        encoder = loading.open_embedder(
            hub.pull("encoder:some/bert", hub=FolderHub(folder)).path, cosine=False, precision="fp32"
        )
        with torch.inference_mode():
            assert np.abs(encoder.encode(TEXTS, query=True) - theirs.encode_query(TEXTS)).max() <= 1e-4
            found = encoder.encode(TEXTS, query=False)
            assert np.abs(found - theirs.encode_document(TEXTS)).max() <= 1e-4
        assert found.std(axis=0).min() > 0.01
        assert np.abs(encoder.encode(TEXTS[:1], query=False) - found[:1]).max() <= 1e-5

    def test_all_minilm_itself_gives_the_vectors_of_sentence_transformers(self) -> None:
        library = pytest.importorskip("sentence_transformers")
        network = pytest.importorskip("groundwire.training.network")
        try:
            folder = network.base_folder()
        except Unavailable as error:
            pytest.skip(str(error))
        pulled = hub.pull("all-minilm-l6-v2", hub=FolderHub(folder))
        assert pulled.agreement is not None
        assert pulled.agreement.largest <= 1e-5
        encoder = loading.open_embedder(pulled.path, cosine=False, precision="fp32")
        found = encoder.encode(TEXTS, query=False)
        assert found.shape == (5, 384)
        assert np.abs(found - library.SentenceTransformer(str(folder), device="cpu").encode(TEXTS)).max() <= 1e-4
        assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(5), abs=1e-5)
        assert encoder.cut(TEXTS, query=False) == [False, False, False, False, True]
        one, other = encoder.score([("how fast is a ferry", "Ferries make 20 knots."), ("how fast is a ferry", "No.")])
        assert one > other + 0.2
        assert models.load_encoder(f"dir:{pulled.path}").encode(["a"], query=True).shape == (1, 384)

    def test_a_checkpoint_that_does_not_say_how_it_pools_is_refused(self, shared_data: Path, tmp_path: Path) -> None:
        transformers = pytest.importorskip("transformers")
        folder = tmp_path / "checkpoint"
        transformers.BertModel(transformers.BertConfig(**SIZES, vocab_size=30522)).save_pretrained(folder)
        shutil.copy(shared_data / "tokenizers" / "bert-base-uncased" / "vocab.txt", folder)
        with pytest.raises(InputError, match=r"no modules\.json"):
            hub.pull("encoder:some/bert", hub=FolderHub(folder))
