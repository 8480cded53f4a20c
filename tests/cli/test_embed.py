import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import MissingModel
from groundwire.index import LocalIndex, encoders
from groundwire.testing import WordVectors, WordWeights
from groundwire.types import Passage

Run = Callable[..., Any]
TEXTS = {"fox": "the quick brown fox", "bread": "flour water yeast and salt", "moon": "the moon and the earth"}


@pytest.fixture
def index(tmp_path: Path) -> str:
    with LocalIndex.create(tmp_path / "index") as made:
        made.add(Passage(id=id_, text=text) for id_, text in TEXTS.items())
    return str(tmp_path / "index")


@pytest.fixture(autouse=True)
def _models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two encoders have names here; no weights are read."""
    known = {"all-minilm-l6-v2": (WordVectors, "dense"), "splade-cocondenser-ensembledistil": (WordWeights, "sparse")}
    real = encoders.opened

    def opened(model: Any, kind: Any = None) -> Any:
        if not isinstance(model, str) or model not in known:
            return real(model, kind)
        made, found = known[model]
        encoders._expect(model, found, kind)
        return made(model), found, model

    monkeypatch.setattr(encoders, "opened", opened)


def test_an_index_is_encoded_and_searched(run: Run, index: str) -> None:
    ran = run("index", "embed", index, "--model", "all-minilm-l6-v2")
    assert ran.code == 0
    said = json.loads(ran.out)
    assert {k: said[k] for k in ("model", "kind", "storage", "size", "encoded", "skipped", "cut", "identity")} == {
        "model": "all-minilm-l6-v2",
        "kind": "dense",
        "storage": "float32",
        "size": 16,
        "encoded": 3,
        "skipped": 0,
        "cut": 0,
        "identity": "1",
    }
    assert json.loads(run("index", "embed", index, "--model", "splade-cocondenser-ensembledistil").out)["encoded"] == 3
    assert json.loads(run("index", "embed", index, "--model", "all-minilm-l6-v2").out)["encoded"] == 0
    for stack in ("dense", "minilm", "dense(model=all-minilm-l6-v2)", "sparse", "splade", "rrf(bm25,dense)"):
        ran = run("search", "yeast and flour", "--index", index, "--stack", stack, "-k", "1")
        assert ran.code == 0, ran.err
        found = json.loads(ran.out)
        assert (found["id"], found.get("stack", stack)) == ("bread", stack)
    info = json.loads(run("index", "info", index, "--json").out)
    assert [(facts["model"], facts["kind"], facts["passages"]) for facts in info["vectors"]] == [
        ("all-minilm-l6-v2", "dense", 3),
        ("splade-cocondenser-ensembledistil", "sparse", 3),
    ]


@pytest.mark.parametrize(("options", "storage"), [(["--int8"], "int8"), (["--int8", "--keep-float32"], "int8+float32")])
def test_the_storage_is_chosen(run: Run, index: str, options: list[str], storage: str) -> None:
    ran = run("index", "embed", index, "--model", "all-minilm-l6-v2", "--cosine", *options)
    assert json.loads(ran.out)["storage"] == storage
    again = run("index", "embed", index, "--model", "all-minilm-l6-v2")
    assert again.code == 2
    assert "--again" in again.err
    assert json.loads(run("index", "embed", index, "--model", "all-minilm-l6-v2", "--again").out)["encoded"] == 3


def test_what_is_missing_is_said_with_the_command(run: Run, index: str) -> None:
    ran = run("search", "fox", "--index", index, "--stack", "minilm")
    assert ran.code == 3
    assert f"groundwire index embed {index} --model all-minilm-l6-v2" in ran.err
    assert run("search", "fox", "--index", index, "--stack", "dense(model=uae-large-v1)").code == 3
    ran = run("index", "embed", index, "--model", "uae-large-v1")
    assert ran.code == MissingModel.exit_code
    assert "models pull uae-large-v1" in ran.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--model", "no-such-model"], "unknown model"),
        (["--model", "all-minilm-l6-v2", "--kind", "sparse"], "no sparse encoder"),
        (["--model", "all-minilm-l6-v2", "--keep-float32"], "goes with --int8"),
        (["--model", "splade-cocondenser-ensembledistil", "--int8"], "makes no vectors"),
        ([], "--model"),
    ],
)
def test_wrong_requests_are_one_line(run: Run, index: str, given: list[str], said: str) -> None:
    ran = run("index", "embed", index, *given)
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_an_interruption_says_what_is_kept(run: Run, index: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object, **more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(LocalIndex, "embed", interrupted)
    ran = run("index", "embed", index, "--model", "all-minilm-l6-v2")
    assert ran.code == 130
    assert "call it again to go on" in ran.err
