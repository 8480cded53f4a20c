import sys

import pytest

from groundwire.errors import (
    GroundwireError,
    InputError,
    MissingExtra,
    MissingModel,
    Unavailable,
    UnknownName,
    UsageError,
)
from groundwire.evals import peers
from groundwire.protocols import Checker


def test_a_peer_fills_the_role_and_is_called_as_it_was_asked_for() -> None:
    checker = peers.open(" peer:rouge(L) ", threshold=0.3)
    assert isinstance(checker, Checker)
    assert (checker.name, checker.threshold) == ("peer:rouge(L)", 0.3)


def test_names_say_the_fields() -> None:
    assert "peer:rouge(kind, measure)" in peers.names()
    assert "peer:bm25" in peers.names()
    assert (peers.is_peer("peer:bm25"), peers.is_peer("provenance(select=top-k:5)")) == (True, False)


@pytest.mark.parametrize(
    ("spec", "kind", "words"),
    [
        ("peer:overlapp", UnknownName, "overlap"),
        ("peer:rouge(Q)", UnknownName, "'Q'"),
        ("peer:rouge(size=2)", UnknownName, "size"),
        ("peer:rouge(1", UsageError, "closing bracket"),
        ("peer:rouge(1, 2)", UsageError, "'2'"),
        ("peer:rouge(1, kind=2)", UsageError, "once"),
        ("peer:bm25(1)", UsageError, "none"),
        ("peer:minicheck(gpt)", UnknownName, "flan-t5-large"),
        ("peer:alignscore", UsageError, "checkpoint"),
        ("peer:lynx", UsageError, "needs an LLM"),
        ("peer:halueval", UsageError, "needs an LLM"),
        ("peer:lynx(model=)", UsageError, "once, with a value"),
    ],
)
def test_a_spec_that_cannot_be_read_is_one_line(spec: str, kind: type[GroundwireError], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        peers.open(spec)
    assert caught.value.exit_code == 2


def test_a_threshold_lies_in_0_to_1() -> None:
    with pytest.raises(InputError):
        peers.open("peer:overlap", threshold=2)


@pytest.mark.parametrize(
    ("spec", "package"), [("peer:lettucedetect", "lettucedetect"), ("peer:minicheck", "minicheck")]
)
def test_a_peer_whose_package_is_absent_names_the_command_that_brings_it(
    spec: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Absent:
        def find_spec(self, name: str, *_: object) -> None:
            if name == package:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(sys, "meta_path", [Absent(), *sys.meta_path])
    with pytest.raises(MissingExtra, match=f"{package} is not installed.*pip install") as caught:
        peers.open(spec)
    assert caught.value.exit_code == 3


def test_a_model_that_is_not_here_names_the_command_that_pulls_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path_factory.mktemp("home")))
    with pytest.raises(MissingModel, match=r"models pull hhem-2\.1-open"):
        peers.open("peer:hhem")


def test_a_checkpoint_that_is_not_here_is_exit_3() -> None:
    with pytest.raises(Unavailable, match=r"AlignScore-base\.ckpt") as caught:
        peers.open("peer:alignscore(nowhere.ckpt)")
    assert caught.value.exit_code == 3
