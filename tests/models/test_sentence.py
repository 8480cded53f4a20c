import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.models import sentence
from groundwire.models.config import Side
from groundwire.models.sentence import Step

BODY, POOL = ("Transformer", ""), ("Pooling", "1_Pooling")
MEAN = {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True, "word_embedding_dimension": 8}


def folder(
    path: Path, modules: list[tuple[str, str]], pooling: dict[str, Any], files: dict[str, dict[str, Any]] | None = None
) -> Path:
    told = [
        {"idx": i, "path": where, "type": f"sentence_transformers.models.{kind}"}
        for i, (kind, where) in enumerate(modules)
    ]
    (path / "modules.json").write_text(json.dumps(told))
    for name, data in {"1_Pooling/config.json": pooling, **(files or {})}.items():
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).write_text(json.dumps(data))
    return path


def test_pooling_and_steps_are_those_of_the_modules(tmp_path: Path) -> None:
    tanh = {"in_features": 8, "out_features": 4, "activation_function": "torch.nn.modules.activation.Tanh"}
    plain = {"activation_function": "torch.nn.modules.linear.Identity"}
    modules = [
        BODY,
        POOL,
        ("Dense", "2_Dense"),
        ("Dense", "3_Dense"),
        ("LayerNorm", "4_LayerNorm"),
        ("Normalize", "5_N"),
    ]
    told = sentence.read(folder(tmp_path, modules, MEAN, {"2_Dense/config.json": tanh, "3_Dense/config.json": plain}))
    assert told.pooling == "mean"
    assert told.steps == (
        Step(kind="dense", folder="2_Dense", tanh=True),
        Step(kind="dense", folder="3_Dense"),
        Step(kind="layernorm", folder="4_LayerNorm"),
        Step(kind="normalize", folder="5_N"),
    )
    assert (told.max_length, told.query, told.passage) == (None, Side(), Side())


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ({"pooling_mode": "cls"}, "cls"),
        ({"pooling_mode": ["max"]}, "max"),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode_max_tokens": True}, "max"),
    ],
)
def test_both_ways_of_saying_a_pooling_are_read(tmp_path: Path, pooling: dict[str, Any], expected: str) -> None:
    assert sentence.read(folder(tmp_path, [BODY, POOL], pooling)).pooling == expected


@pytest.mark.parametrize(
    "pooling",
    [
        {},
        {"pooling_mode": "lasttoken"},
        {"pooling_mode": ["cls", "mean"]},
        {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True},
        {"pooling_mode_weightedmean_tokens": True},
        MEAN | {"include_prompt": False},
    ],
)
def test_other_poolings_are_an_error(tmp_path: Path, pooling: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="pools by"):
        sentence.read(folder(tmp_path, [BODY, POOL], pooling))


def test_limits_case_and_prompts_are_read(tmp_path: Path) -> None:
    files = {
        "sentence_bert_config.json": {"max_seq_length": 128, "do_lower_case": True},
        "config_sentence_transformers.json": {"prompts": {"query": "query: ", "passage": "passage: "}},
    }
    told = sentence.read(folder(tmp_path, [BODY, POOL], MEAN, files))
    assert told.max_length == 128
    assert told.query == Side(prefix="query: ", lowercase=True)
    assert told.passage == Side(prefix="passage: ", lowercase=True)


def test_a_default_prompt_stands_for_the_sides_that_have_none(tmp_path: Path) -> None:
    prompts = {"prompts": {"query": "find: ", "plain": "text: "}, "default_prompt_name": "plain"}
    told = sentence.read(folder(tmp_path, [BODY, POOL], MEAN, {"config_sentence_transformers.json": prompts}))
    assert (told.query.prefix, told.passage.prefix) == ("find: ", "text: ")


def test_a_folder_that_does_not_say_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no modules\.json"):
        sentence.read(tmp_path)


@pytest.mark.parametrize(
    ("modules", "files"),
    [
        ([POOL], {}),
        ([BODY], {}),
        ([("Transformer", "0_Transformer"), POOL], {}),
        ([BODY, POOL, ("LSTM", "2_LSTM")], {}),
        (
            [BODY, POOL, ("Dense", "2_D")],
            {"2_D/config.json": {"activation_function": "torch.nn.modules.activation.GELU"}},
        ),
        ([BODY, POOL, ("Dense", "2_D")], {"2_D/config.json": {"use_residual": True}}),
        ([BODY, POOL, ("Dense", "2_D")], {"2_D/config.json": {"module_input_name": "token_embeddings"}}),
    ],
)
def test_what_is_not_done_here_is_an_error(tmp_path: Path, modules: Any, files: Any) -> None:
    with pytest.raises(InputError):
        sentence.read(folder(tmp_path, modules, MEAN, files))
