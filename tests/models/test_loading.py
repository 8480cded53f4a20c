from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from groundwire import models
from groundwire.errors import CorruptModel, MissingModel, UnknownName, UsageError

PROMPT = "Query: {a} Document: {b} Relevant:"
OUTPUTS: dict[str, dict[str, Any]] = {
    "pair": {},
    "mono": {"output": "answer", "pair": {"kind": "prompt", "prompt": PROMPT}},
    "duo": {"output": "answer", "pair": {"kind": "prompt", "prompt": PROMPT + " {c}"}},
    "dense": {"output": "vectors"},
    "sparse": {"output": "terms", "impact": {"range": 5, "levels": 256}},
}
DOORS: list[tuple[Callable[[str], Any], set[str]]] = [
    (models.load, {"pair"}),
    (models.load_scorer, {"pair", "mono", "dense"}),
    (models.load_duo, {"duo"}),
    (models.load_encoder, {"dense"}),
    (models.load_sparse, {"sparse"}),
]


@pytest.mark.parametrize(("door", "takes"), DOORS, ids=lambda value: getattr(value, "__name__", ""))
@pytest.mark.parametrize("kind", OUTPUTS)
def test_a_door_opens_only_what_it_says(
    door: Callable[[str], Any], takes: set[str], kind: str, tiny: ModuleType, tmp_path: Path
) -> None:
    if kind in takes:
        return
    folder = tiny.directory(tmp_path / "model", **OUTPUTS[kind])
    with pytest.raises(UsageError, match=r"^tiny is a") as caught:
        door(f"dir:{folder}")
    assert "load" in caught.value.hint


@pytest.mark.parametrize(("door", "_"), DOORS, ids=lambda value: getattr(value, "__name__", ""))
def test_what_is_not_here_says_how_it_comes(
    door: Callable[[str], Any], _: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path))
    with pytest.raises(MissingModel) as caught:
        door("duot5-base-msmarco")
    assert caught.value.hint == "groundwire models pull duot5-base-msmarco"
    assert caught.value.exit_code == 3
    with pytest.raises(UnknownName, match="did you mean"):
        door("hhem-2.1")


def test_an_encoder_is_one_however_it_is_asked_for(tiny: ModuleType, tmp_path: Path) -> None:
    folder = tiny.directory(tmp_path / "model", model=tiny.network(output="vectors"), output="vectors")
    encoder = models.load_encoder(f"dir:{folder}")
    assert encoder is models.load_scorer(f"dir:{folder}")
    assert encoder is not models.load_scorer(f"dir:{folder}:cosine")
    assert len(encoder.identity) == 64
    found = encoder.encode(["the cat sat", "mat"], query=False)
    expected = [tiny.expected([2, 4, 5, 6, 3], [0] * 5), tiny.expected([2, 9, 3], [0] * 3)]
    assert np.abs(found - np.array(expected)).max() < 0.02  # by name it may compute in bf16


def test_a_sparse_encoder_is_opened_by_name(tiny: ModuleType, tmp_path: Path) -> None:
    told = OUTPUTS["sparse"] | {"name": "narrow"}
    folder = tiny.directory(tmp_path / "model", model=tiny.network(output="terms"), **told)
    encoder = models.load_sparse(f"dir:{folder}")
    assert encoder is models.load_sparse(f"dir:{folder}")
    with pytest.raises(CorruptModel, match="narrow: model weighs 4 terms of 18"):
        encoder.encode(["the cat"], query=True)


def test_a_model_says_which_languages_it_reads(tiny: ModuleType, tmp_path: Path) -> None:
    assert models.load(f"dir:{tiny.directory(tmp_path / 'silent')}").languages == ()
    assert models.load(f"dir:{tiny.directory(tmp_path / 'told', languages=['en', 'de'])}").languages == ("en", "de")
    # The built-in one, whose card is the catalogue's.
    assert models.load(f"dir:{tiny.directory(tmp_path / 'mini', name='mini')}").languages == ("en",)


def test_an_unknown_name_is_told_the_models_that_fit_there() -> None:
    with pytest.raises(UnknownName) as caught:
        models.load("nope")
    known = caught.value.hint.removeprefix("known: ").split(", ")
    assert {"mini", "hhem-2.1-open", "albert-base-vitaminc", "nli:ORG/NAME"} <= set(known)
    assert not [name for name in known if name.startswith(("splade", "mono", "duo", "ance", "mxbai", "all-minilm"))]
    with pytest.raises(UnknownName, match="splade"):
        models.load_scorer("nope")
