"""The expected ids are those of the sentencepiece package (0.2) on the same files."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.models import hftokenizer

pytestmark = pytest.mark.models

DEBERTA_V3 = {
    "The bridge was opened in 1932.": [279, 3579, 284, 1932, 267, 19631, 260],
    "  two  spaces\tand\nlines ": [375, 3654, 263, 1728],
    "café naïve ﬁ Å ①": [15924, 34972, 16466, 37483, 376],
    "ＦＵＬＬ width": [22827, 6459],
    "日本語のテキスト。": [507, 100868, 89387, 9456, 62105, 73878, 88237, 10548],
    "emoji 😀 \u200b\u00ad": [30151, 54783, 507, 198, 177],
    "(A.B.C-d_e)": [287, 558, 260, 983, 260, 711, 271, 407, 616, 473, 285],
    "don't ``quote'' it's": [418, 280, 297, 9043, 5459, 33601, 280, 280, 278, 280, 268],
    "": [],
    "\x00": [507, 4],
}
ALBERT_V2 = {
    "The bridge was opened in 1932.": [14, 955, 23, 520, 19, 4863, 9],
    "  Two  spaces\tand\nlines ": [81, 7644, 17, 1560],
    "café naïve ﬁ Å ①": [6241, 16288, 6028, 21, 137],
    "(A.B.C-d_e)": [13, 5, 58, 9, 220, 9, 150, 8, 43, 1, 62, 6],
    "well-known (see p. 4)": [134, 8, 2929, 13, 5, 1798, 351, 9, 268, 6],
}


def tokenizer(shared_data: Path, folder: Path, file: str, model_type: str) -> hftokenizer.HubTokenizer:
    source, target = folder / "checkpoint", folder / "model"
    source.mkdir()
    target.mkdir()
    shutil.copy(shared_data / "tokenizers" / file, source)
    assert hftokenizer.write(source, model_type, target) == {"kind": "tokenizer_json", "file": "tokenizer.json"}
    return hftokenizer.HubTokenizer.open(target / "tokenizer.json")


@pytest.fixture(scope="module")
def deberta(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> hftokenizer.HubTokenizer:
    return tokenizer(shared_data, tmp_path_factory.mktemp("deberta"), "deberta-v3/spm.model", "deberta-v2")


@pytest.fixture(scope="module")
def albert(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> hftokenizer.HubTokenizer:
    return tokenizer(shared_data, tmp_path_factory.mktemp("albert"), "albert-v2/spiece.model", "albert")


def test_deberta_ids_are_those_of_sentencepiece(deberta: hftokenizer.HubTokenizer) -> None:
    assert {text: deberta.encode(text) for text in DEBERTA_V3} == DEBERTA_V3


def test_albert_ids_are_those_of_sentencepiece_on_its_plainer_text(albert: hftokenizer.HubTokenizer) -> None:
    assert {text: albert.encode(text) for text in ALBERT_V2} == ALBERT_V2


def test_albert_parts_a_comma_from_the_number_before_it(albert: hftokenizer.HubTokenizer) -> None:
    number, comma = albert.encode("2018"), albert.encode("x,")[-1]
    assert albert.encode("2018, 31,") == [*number, comma, *albert.encode("31"), comma]


def test_special_tokens_stand_around_a_pair(deberta: hftokenizer.HubTokenizer) -> None:
    assert deberta.frame == hftokenizer.Frame(before=(1,), between=(2,), after=(2,), types=(0, 0, 0, 1, 1))


@pytest.mark.parametrize("text", ["[SEP]", "a [SEP] b", "[CLS]", "[PAD]", "[MASK]", "<0x41>"])
def test_a_text_cannot_forge_a_special_token(deberta: hftokenizer.HubTokenizer, text: str) -> None:
    assert not {0, 1, 2} & set(deberta.encode(text))


@pytest.mark.parametrize("content", [b"no protocol buffer", b""])
def test_a_file_of_another_kind_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "spm.model").write_bytes(content)
    with pytest.raises(InputError, match=r"spm\.model"):
        hftokenizer.write(tmp_path, "deberta-v2", tmp_path)


def test_offsets_are_code_points_of_the_given_text(deberta: hftokenizer.HubTokenizer) -> None:
    text = "😀 café 1932"
    spans: list[Any] = deberta.offsets(text)
    assert len(spans) == len(deberta.encode(text))
    assert text[spans[-1][0] : spans[-1][1]].strip() == "1932"
