import json
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.errors import CorruptModel, UnknownName
from groundwire.models import hub
from groundwire.testing import FaultServer

Run = Callable[..., Any]

KEYS = {"groundwire", "python", "platform", "runtime", "builtin", "canary", "models", "index_loops", "offline", "ok"}


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


@pytest.fixture
def no_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GROUNDWIRE_LLM_BASE_URL", "GROUNDWIRE_LLM_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("checker", "whole", "no_endpoint")
def test_an_endpoint_is_probed_on_request(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultServer("yes", models=["one"], features=frozenset({"json_schema", "seed"})) as server:
        monkeypatch.setenv("GROUNDWIRE_LLM_BASE_URL", server.url)
        got = run("doctor", "--llm")
        found = json.loads(run("doctor", "--llm", "one", "--json").out)
    lines = [line for line in got.out.splitlines() if line.startswith("llm ")]
    assert [line.split(":")[0].split() for line in lines] == [
        ["llm", "reachable", "yes"],
        ["llm", "model", "yes"],
        ["llm", "json_schema", "yes"],
        ["llm", "logprobs", "no"],
        ["llm", "seed", "yes"],
    ]
    assert (got.code, got.out.splitlines()[-1]) == (0, "all is well")
    assert set(found) == KEYS | {"llm"}
    assert found["llm"][0]["ok"] is True


@pytest.mark.usefixtures("checker", "whole", "no_endpoint")
def test_an_endpoint_that_is_of_no_use_is_exit_3(run: Run) -> None:
    with FaultServer(models=["one"]) as server:
        got = run("doctor", "--llm", "two", "--llm-url", server.url)
        assert (got.code, got.out.splitlines()[-1]) == (3, "the endpoint of language models cannot be used")
        url = server.url
    assert run("doctor", "--llm", "one", "--llm-url", url).code == 3


@pytest.mark.usefixtures("checker", "whole", "no_endpoint")
def test_no_endpoint_is_one_line_with_a_hint(run: Run) -> None:
    got = run("doctor", "--llm")
    assert (got.code, got.out) == (3, "")
    hint = "--llm-url URL, or set GROUNDWIRE_LLM_BASE_URL"
    assert got.err == f"error: no endpoint for language models is configured (hint: {hint})\n"
    assert run("doctor", "--llm-url", "http://127.0.0.1/v1").code == 2
