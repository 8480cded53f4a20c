"""The judges of the paper by their names: tiny seeded checkpoints of their architectures, read as transformers reads them."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groundwire.evals.papers import stand_in
from groundwire.evals.papers.gauge import measuring
from groundwire.evals.papers.gauge.making import Made
from groundwire.evals.papers.gauge.published import JUDGES, PREFERENCE_JUDGE
from groundwire.ledger import Ledger
from groundwire.models import hub, loading
from groundwire.models.checkpoints import FolderHub
from groundwire.models.hftokenizer import HubTokenizer

pytestmark = pytest.mark.models

TRUE, FALSE = 1176, 6136
STANCES = ("supports", "refutes", "neutral")
"""In the order of ALBERT-VitaminC's labels."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(loading, "_loaded", {})
    torch = pytest.importorskip("torch")
    torch.manual_seed(3)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def rows() -> list[Made]:
    seeds = [
        ("The ferry leaves at eight.", "It takes an hour, and bicycles travel free of charge."),
        ("The bridge was opened in 1932; " * 60, "Traffic was let over it at once. " * 40),
        ("Coffee has 95 mg of caffeine a cup.", ""),
    ]
    texts = ["The ferry leaves at nine.", "It opened in 1932, after eight years.", "Tea has more.", "No.", "An hour."]
    return [
        Made(query=str(n), question=f"question {n}", text=text, seeds=pair)
        for n, (text, pair) in enumerate((text, pair) for text in texts for pair in seeds)
    ]


def albert(folder: Path, tokenizer: Path) -> Any:
    transformers = pytest.importorskip("transformers")
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = transformers.AlbertConfig(**sizes, initializer_range=0.5, vocab_size=30000, embedding_size=8, num_labels=3)
    model = transformers.AlbertForSequenceClassification(config).eval()
    model.save_pretrained(folder)
    shutil.copy(tokenizer, folder)
    return model


def test_albert_reads_evidence_first_and_cuts_only_it(shared_data: Path, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    spiece = shared_data / "tokenizers" / "albert-v2" / "spiece.model"
    model = albert(tmp_path / "checkpoint", spiece)
    pulled = hub.pull(JUDGES[0], hub=FolderHub(tmp_path / "checkpoint"))
    tokenizer = HubTokenizer.open(pulled.path / "tokenizer.json")
    frame = tokenizer.frame
    expected = []
    for row in rows():
        claim = tokenizer.encode(row.text)
        around = len(frame.before) + len(frame.between) + len(frame.after)
        evidence = tokenizer.encode(row.evidence)[: 512 - around - len(claim)]
        parts = (frame.before, evidence, frame.between, claim, frame.after)
        ids = [i for part in parts for i in part]
        types = [kind for part, kind in zip(parts, frame.types, strict=True) for _ in part]
        with torch.inference_mode():
            given = {"input_ids": torch.tensor([ids]), "token_type_ids": torch.tensor([types])}
            expected.append(model(**given).logits[0].numpy())
    assert max(len(tokenizer.encode(row.evidence)) for row in rows()) > 512
    used, _ = stand_in.judge(JUDGES[0])
    assert not used.stands_in
    judge = loading.open_pair_model(pulled.path, precision="fp32", threads=1)  # by name it may compute in bf16
    assert used.identity
    with Ledger(tmp_path / "ledger") as ledger:
        found = measuring.groundedness(rows(), used, judge, ledger)
    assert min(np.diff(np.sort(logits))[-1] for logits in expected) > 1e-3
    assert list(found.stances) == [STANCES[int(logits.argmax())] for logits in expected]
    assert len(set(found.stances)) > 1


def test_the_other_three_are_stood_in_for(shared_data: Path, tmp_path: Path) -> None:
    albert(tmp_path / "checkpoint", shared_data / "tokenizers" / "albert-v2" / "spiece.model")
    hub.pull(JUDGES[1], hub=FolderHub(tmp_path / "checkpoint"))
    assert [stand_in.judge(name)[0].stands_in for name in JUDGES] == [True, False, True, True]


class TestMonoT5:
    """A T5 with a vocabulary of letters, "true" and "false" where T5's own has them."""

    @pytest.fixture
    def tokenizer(self) -> Any:
        tokenizers = pytest.importorskip("tokenizers")
        special = ["<pad>", "</s>", "<unk>"]
        letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,;:?=()'_"
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

    @pytest.mark.parametrize("compat", [False, True])
    def test_the_difference_is_that_of_two_log_probabilities(
        self, tokenizer: Any, tmp_path: Path, *, compat: bool
    ) -> None:
        transformers, torch = pytest.importorskip("transformers"), pytest.importorskip("torch")
        torch.manual_seed(11)  # with this one the answers spread
        sizes = {"d_model": 16, "d_kv": 6, "d_ff": 24, "num_layers": 2, "num_heads": 2}
        config = transformers.T5Config(vocab_size=6200, initializer_factor=1.6, decoder_start_token_id=0, **sizes)
        model = transformers.T5ForConditionalGeneration(config).eval()
        model.save_pretrained(tmp_path / "checkpoint")
        tokenizer.save(str(tmp_path / "checkpoint" / "tokenizer.json"))
        pulled = hub.pull(PREFERENCE_JUDGE, hub=FolderHub(tmp_path / "checkpoint"))

        def score(query: str, text: str) -> float:
            ids = torch.tensor([tokenizer.encode(f"Query: {query} Document: {text} Relevant:").ids])
            with torch.inference_mode():
                logits = model(input_ids=ids, decoder_input_ids=torch.tensor([[0]])).logits[0, 0, [TRUE, FALSE]]
            return float(torch.log_softmax(logits, dim=0)[0])

        def query(row: Made) -> str:
            return f"GenericQuery(query_id='{row.query}', text='{row.question}')" if compat else row.question

        short = [row for row in rows() if len(row.seeds[0]) < 100]
        short.append(Made(query="x", question="which?", text=short[0].seeds[0], seeds=short[0].seeds))
        expected = [score(query(row), row.text) - score(query(row), row.seeds[0]) for row in short]
        used, _ = stand_in.scorer(PREFERENCE_JUDGE)
        assert not used.stands_in
        # What is loaded by name may compute in bf16.
        scorer = loading.open_mono(pulled.path, precision="fp32")
        with Ledger(tmp_path / "ledger") as ledger:
            found = measuring.preference(short, used, scorer, ledger, compat=compat)
        assert np.std(expected) > 0.01
        assert found.differences == pytest.approx(expected, abs=1e-4)
        assert found.signs("=") == [False] * (len(short) - 1) + [True], "only an answer that is the passage is equal"
