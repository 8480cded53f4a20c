import json
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.errors import CorruptModel, UnknownName
from groundwire.models import hub

Run = Callable[..., Any]

KEYS = {"groundwire", "python", "platform", "runtime", "builtin", "canary", "models", "offline", "ok"}


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the built-in model be as its manifest says, whatever lies in its folder."""

    def verify(name: str) -> hub.Verified:
        return hub.Verified(name=name, path=hub.BUILTIN_FOLDER, problems=())

    monkeypatch.setattr(hub, "verify", verify)


@pytest.mark.usefixtures("checker", "whole")
def test_all_is_well(run: Run) -> None:
    got = run("doctor", "--json")
    found = json.loads(got.out)
    assert (got.code, got.err, set(found)) == (0, "", KEYS)
    assert found["ok"] is True
    assert found["canary"]["verdict"] == "supported"


@pytest.mark.usefixtures("checker", "whole")
def test_it_says_so_in_words(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_OFFLINE", "1")
    got = run("doctor")
    assert got.code == 0
    assert got.out.splitlines()[-1] == "all is well"
    assert "no socket is ever opened" in got.out


@pytest.mark.usefixtures("checker")
def test_a_changed_file_is_exit_3(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    problems = ("model.onnx: its sha256 is not the manifest's",)
    monkeypatch.setattr(hub, "verify", lambda name: hub.Verified(name=name, path=hub.BUILTIN_FOLDER, problems=problems))
    got = run("doctor")
    assert got.code == 3
    assert problems[0] in got.out


@pytest.mark.usefixtures("whole")
@pytest.mark.parametrize("error", [CorruptModel("mini is broken"), UnknownName("model", "mini", ["maxi"])])
def test_a_model_that_does_not_load_is_exit_3(error: Exception, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("groundwire.cli.options.build", fail)
    got = run("doctor", "--json")
    assert got.code == 3
    assert json.loads(got.out)["canary"] == {"verdict": None, "error": str(error)}
