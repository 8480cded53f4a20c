import json

import pytest

from groundwire.errors import CorruptModel
from groundwire.models import config
from groundwire.models.reading import TokenReading

ENTAILMENT = {"entailment": {"activation": "softmax", "supports": 0}}


def test_tokens_are_read_where_a_model_says_so(tiny, tmp_path):
    assert config.read(tiny.directory(tmp_path / "older")).reading.tokens is None
    reading = ENTAILMENT | {"tokens": {"output": "token_logits", "segment": 1, "positive": "unsupported"}}
    told = config.read(tiny.directory(tmp_path / "newer", reading=reading)).reading
    assert told.tokens == TokenReading(output="token_logits")
    assert config.read(tiny.directory(tmp_path / "again", reading=told.to_dict())).reading == told


def test_the_contract(tiny, tmp_path):
    told = config.read(tiny.directory(tmp_path))
    assert (told.name, told.max_length, told.output, told.prompt, told.evidence) == ("tiny", 64, "logits", None, 0)
    assert told.inputs == ("input_ids", "attention_mask", "token_type_ids")
    assert told.reading.entailment.activation == "softmax"
    assert told.reading.relevance.column == 3


def test_the_passage_is_the_evidence_of_a_ranker(tiny, tmp_path):
    reading = {"entailment": None, "relevance": {"column": 0, "order": ["query", "passage"]}}
    assert config.read(tiny.directory(tmp_path, reading=reading)).evidence == 1


def test_an_encoder_says_how_its_sides_go_in(tiny, tmp_path):
    plain = config.read(tiny.directory(tmp_path / "plain"))
    assert (plain.query, plain.passage, plain.impact) == (config.ANY, config.ANY, None)
    sides = {"query": {"max_length": 64, "lowercase": True}, "passage": {"prefix": "passage: "}}
    told = config.read(
        tiny.directory(tmp_path / "told", output="terms", sides=sides, impact={"range": 5, "levels": 256})
    )
    assert told.query == config.Side(max_length=64, lowercase=True)
    assert told.passage == config.Side(prefix="passage: ")
    assert told.impact == config.Impact(range=5.0, levels=256)
    for wrong in ({"sides": {"query": {"max_length": 0}}}, {"impact": {"range": 0, "levels": 1}}, {"impact": {}}):
        with pytest.raises(CorruptModel):
            config.read(tiny.directory(tmp_path / "wrong", **wrong))


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": 2},
        {"max_length": 0},
        {"max_length": True},
        {"max_length": "512"},
        {"inputs": ["pixels"]},
        {"output": "tokens"},
        {"tokenizer": {"kind": "bpe", "file": "x"}},
        {"tokenizer": {"kind": "wordpiece", "file": "../vocab.txt"}},
        {"pair": {"kind": "prompt"}},
        {"reading": {"entailment": {"activation": "none", "supports": 0}}},
        {"reading": None},
        {"reading": ENTAILMENT | {"tokens": {"output": "token_logits", "segment": 0}}},
        {"reading": ENTAILMENT | {"tokens": {"output": "token_logits", "positive": "supported"}}},
        {"reading": ENTAILMENT | {"tokens": {"segment": 1}}},
        {"reading": {"relevance": {"column": 0}, "tokens": {"output": "token_logits"}}},
        {"reading": {"entailment": {"activation": "softmax", "supports": 0}, "relevance": {"column": 1}}},
    ],
)
def test_what_is_not_of_the_contract_is_refused(tiny, tmp_path, changes):
    with pytest.raises(CorruptModel, match=r"config\.json"):
        config.read(tiny.directory(tmp_path, **changes))


@pytest.mark.parametrize("text", ["", "{", "[]", json.dumps({"schema": 1})])
def test_what_is_no_configuration_is_refused(tiny, tmp_path, text):
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(CorruptModel, match=r"config\.json"):
        config.read(tmp_path)


def test_the_languages_are_told_where_they_are_known(tiny, tmp_path):
    assert config.read(tiny.directory(tmp_path / "none")).languages == ()
    assert config.read(tiny.directory(tmp_path / "told", languages=["en", "de"])).languages == ("en", "de")
    with pytest.raises(CorruptModel):
        config.read(tiny.directory(tmp_path / "wrong", languages=7))
