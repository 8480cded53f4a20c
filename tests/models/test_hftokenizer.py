import json
from pathlib import Path

import pytest

from groundwire.errors import CorruptModel, InputError
from groundwire.models import hftokenizer
from groundwire.models.catalogue import HHEM_PROMPT
from groundwire.models.hftokenizer import Frame, HubTokenizer


def checkpoint(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("settings", "lowercase"), [("{}", True), ('{"do_lower_case": false}', False), ('{"do_lower_case": true}', True)]
)
def test_a_bert_vocabulary_is_taken_for_the_cores_own_wordpiece(tmp_path: Path, settings: str, lowercase: bool) -> None:
    source, target = tmp_path / "from", tmp_path / "to"
    source.mkdir()
    target.mkdir()
    checkpoint(source, {"vocab.txt": "[PAD]\n[UNK]\n", "tokenizer_config.json": settings, "tokenizer.json": "unread"})
    told = hftokenizer.write(source, "electra", target)
    assert told == {"kind": "wordpiece", "file": "vocab.txt", "lowercase": lowercase}
    assert (target / "vocab.txt").read_text() == "[PAD]\n[UNK]\n"


@pytest.mark.parametrize("model_type", ["gpt2", "deberta-v2", "bert"])
def test_a_checkpoint_without_a_tokenizer_is_an_error(tmp_path: Path, model_type: str) -> None:
    with pytest.raises(InputError, match="no tokenizer that can be read"):
        hftokenizer.write(tmp_path, model_type, tmp_path)


@pytest.mark.models
class TestTokenizerJson:
    @pytest.fixture
    def t5(self, tmp_path: Path) -> Path:
        """Letters and a few words in the manner of T5: <pad> 0, </s> 1, <unk> 2, white space as ▁."""
        tokenizers = pytest.importorskip("tokenizers")
        words = ["▁", "▁Premise", "▁Hypothesis", "▁Determine", "▁the", ":", "?", *"abcdefghijklmnopqrstuvwxyzPHD"]
        vocabulary = [
            ("<pad>", 0.0),
            ("</s>", 0.0),
            ("<unk>", 0.0),
            *((word, -float(i + 2)) for i, word in enumerate(words)),
        ]
        tokenizer = tokenizers.Tokenizer(tokenizers.models.Unigram(vocabulary, unk_id=2))
        tokenizer.add_special_tokens(["<pad>", "</s>", "<unk>"])
        split, space = tokenizers.pre_tokenizers.WhitespaceSplit(), tokenizers.pre_tokenizers.Metaspace()
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Sequence([split, space])
        tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
            single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
        )
        tokenizer.enable_truncation(4)
        tokenizer.enable_padding(length=64)
        tokenizer.save(str(tmp_path / "tokenizer.json"))
        return tmp_path / "tokenizer.json"

    @pytest.mark.parametrize(
        ("a", "b"), [("the cat", "a dog sat"), ("", ""), ("x", ""), ("ends.\n\n", "  begins"), ("é ü", "the?")]
    )
    def test_the_parts_of_a_prompt_are_the_ids_of_the_whole(self, t5: Path, a: str, b: str) -> None:
        hub = HubTokenizer.open(t5, HHEM_PROMPT)
        parts = [*hub.frame.before, *hub.encode(a), *hub.frame.between, *hub.encode(b), *hub.frame.after]
        whole = pytest.importorskip("tokenizers").Tokenizer.from_file(str(t5))
        whole.no_truncation()
        whole.no_padding()
        assert parts == whole.encode(HHEM_PROMPT.format(a=a, b=b)).ids
        assert parts[0] == 0
        assert parts[-1] == 1

    @pytest.mark.parametrize("text", ["</s>", "a</s>b", "<pad>", "the <pad> </s>"])
    def test_a_text_cannot_forge_a_special_token(self, t5: Path, text: str) -> None:
        assert not {0, 1} & set(HubTokenizer.open(t5).encode(text))

    def test_nothing_is_cut_or_padded_whatever_the_file_says(self, t5: Path) -> None:
        hub = HubTokenizer.open(t5)
        assert len(hub.encode("the " * 50)) == 50
        assert hub.encode("") == []

    def test_berts_frame_and_types(self, shared_data: Path) -> None:
        bert = shared_data / "tokenizers" / "bert-base-uncased"
        expected = Frame(before=(101,), between=(102,), after=(102,), types=(0, 0, 0, 1, 1))
        assert HubTokenizer.open(bert / "tokenizer.json").frame == expected
        plain = HubTokenizer.of_vocabulary(bert / "vocab.txt", lowercase=True)
        assert plain.frame == expected
        assert plain.encode("Hello [SEP] world") == HubTokenizer.open(bert / "tokenizer.json").encode(
            "hello [SEP] World"
        )
        assert 102 not in plain.encode("Hello [SEP] world")

    def test_robertas_frame_has_two_tokens_between(self, tmp_path: Path) -> None:
        tokenizers = pytest.importorskip("tokenizers")
        vocabulary = {token: i for i, token in enumerate(["<s>", "<pad>", "</s>", "<unk>", "a", "b"])}
        tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, [], unk_token="<unk>"))
        tokenizer.post_processor = tokenizers.processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
        tokenizer.save(str(tmp_path / "tokenizer.json"))
        assert HubTokenizer.open(tmp_path / "tokenizer.json").frame == Frame((0,), (2, 2), (2,), (0, 0, 0, 0, 0))

    @pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\x00", "😀" * 3, "\u202e"])
    def test_any_text_is_read(self, t5: Path, text: str) -> None:
        hub = HubTokenizer.open(t5)
        assert hub.encode(text) == hub.encode(text.replace("\ud800", "\ufffd").replace("\udfff", "\ufffd"))

    @pytest.mark.parametrize("text", ["", "{", "[]", json.dumps({"version": "1.0", "model": {"type": "Nothing"}})])
    def test_a_file_that_cannot_be_read_is_corrupt(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "tokenizer.json").write_text(text)
        with pytest.raises(CorruptModel, match=r"tokenizer\.json cannot be read"):
            HubTokenizer.open(tmp_path / "tokenizer.json")
