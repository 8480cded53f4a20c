"""`groundwire eval paper gauge` from the shell, over an index of a few passages and without an LLM."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import Unavailable
from groundwire.index import create_index
from groundwire.testing.endpoint import FaultServer
from groundwire.types import Passage

TEXTS = {
    "p1": "The ferry to the island leaves at eight in the morning. It takes an hour.",
    "p2": "The last ferry leaves the island at nine in the evening. Bicycles travel free of charge.",
    "p3": "A lighthouse stands at the northern end of the island. It was built in 1888.",
    "p4": "The bridge was opened to traffic in 1932. It had taken eight years to build.",
}
QUERIES = {"7": "when does the ferry leave", "9": "when was the lighthouse built"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    with create_index(tmp_path / "index") as index:
        index.add(Passage(id=name, text=text) for name, text in TEXTS.items())
    (tmp_path / "queries.jsonl").write_text(
        "".join(json.dumps({"_id": name, "text": text}) + "\n" for name, text in QUERIES.items())
    )
    return tmp_path


def args(place: Path, *more: str) -> list[str]:
    queries = ("--queries", str(place / "queries.jsonl"), "--index", str(place / "index"))
    return ["eval", "paper", "gauge", *queries, "--recipes", "gauge1,direct", *more]


def test_a_run_is_kept_and_goes_on(place: Path, run: Callable[..., Any]) -> None:
    out = str(place / "run")
    done = run(*args(place, "--set", "dl19", "--output", out, "--quick"))
    assert done.code == 0, done.err
    assert "2 answers (1 × 2 queries), 0 done before" in done.err
    assert "direct is left out" in done.err
    assert "Table 1" in done.out
    assert "Table 2" in done.out
    assert "the paper's judged by monot5-base-msmarco, ours by mini, a stand-in" in " ".join(done.out.split())
    assert {"config.json", "environment.json", "ledger.jsonl", "metrics.json", "tables.md"} <= {
        file.name for file in Path(out).iterdir()
    }
    again = run(*args(place, "--set", "dl19", "--output", out, "--quick"))
    assert "2 answers (1 × 2 queries), 2 done before" in again.err
    assert again.out == done.out


def test_json_is_one_object(place: Path, run: Callable[..., Any]) -> None:
    done = run(*args(place, "--json"))
    told = json.loads(done.out)
    assert (told["paper"], told["set"], told["n"], told["llm"]) == ("gauge", None, 2, None)
    assert told["planned"]["calls"]["gauge1"] == {"least": 0, "most": 0}
    assert "nothing is kept without --output" in done.err


def test_the_path_may_tell_the_set(place: Path, run: Callable[..., Any]) -> None:
    (place / "dl19.tsv").write_text("7\twhen does the ferry leave\n")
    done = run("eval", "paper", "gauge", "--queries", str(place / "dl19.tsv"), *args(place)[5:], "--json")
    assert json.loads(done.out)["set"] == "dl19"
    assert "compared with the paper's DL19" in done.err


def test_only_judged_queries_are_asked(place: Path, run: Callable[..., Any]) -> None:
    (place / "qrels").write_text("9 0 p3 2\n")
    assert json.loads(run(*args(place, "--qrels", str(place / "qrels"), "--json")).out)["n"] == 1


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    """An endpoint whose reply holds words of the prompt, so that offspring differ."""
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    with FaultServer(lambda prompt: f"The ferry leaves at eight. {len(prompt)}") as server:
        yield server


def announced(err: str) -> tuple[int, int]:
    """Return the least and the most calls that a run says it will make."""
    found = re.search(r"at least ([\d ]+) and at most ([\d ]+);", err)
    assert found is not None, err
    least, most = (int(number.replace(" ", "")) for number in found.groups())
    return least, most


def test_a_run_costs_the_calls_that_it_says_and_nothing_twice(
    place: Path, run: Callable[..., Any], endpoint: FaultServer
) -> None:
    llm = ("--llm", "test-model", "--llm-url", endpoint.url, "--output", str(place / "run"))
    done = run(*args(place, *llm, "--json"))
    assert done.code == 0, done.err
    least, most = announced(done.err)
    assert (least, most) == (2 * (12 + 1), 2 * (240 + 1))
    told = json.loads(done.out)
    calls = {system["name"]: system["calls"] for system in told["systems"]}
    asked = len(endpoint.exchanges)
    assert calls["direct"] == 2
    assert sum(calls.values()) == asked <= most
    again = run(*args(place, *llm, "--json"))
    assert announced(again.err) == (0, 0)
    assert len(endpoint.exchanges) == asked
    assert json.loads(again.out)["tables"] == told["tables"]
    assert [row["used"].split("; ")[1] for row in told["tables"][0]["groups"][0]["rows"]] == ["test-model"] * 2


def test_answers_that_failed_are_tried_again(
    place: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    out = ("--recipes", "direct", "--output", str(place / "run"), "--json")
    with FaultServer("At eight.", faults=lambda number, _: 400 if number == 1 else None) as server:
        llm = ("--llm", "test-model", "--llm-url", server.url)
        done = run(*args(place, *llm, *out))
        assert done.code == 3, done.err
        assert json.loads(done.out)["systems"][0]["failed"] == 1
        assert "answers are missing: 1; the same command tries them again" in done.err
        again = run(*args(place, *llm, *out))
        assert again.code == 0
        assert json.loads(again.out)["systems"][0]["answers"] == 2
        assert len(server.exchanges) == 3


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (["--recipes", "gauge7"], 2, "unknown recipe 'gauge7'"),
        (["--recipes", "direct"], 2, "prompt to an LLM"),
        (["--llm-url", "http://localhost:1"], 2, "--llm-url needs --llm"),
        (["--judge", "albert-base-vitaminc"], 3, "groundwire models pull albert-base-vitaminc"),
        (["--queries", "nowhere.jsonl"], 2, "cannot read nowhere.jsonl"),
        (["--index", "nowhere"], 3, "holds no index"),
    ],
)
def test_what_cannot_be_is_one_line(
    place: Path, run: Callable[..., Any], more: list[str], code: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(place / "home"))
    done = run(*args(place, *more))
    assert done.code == code
    assert said in done.err
    assert "Traceback" not in done.err


def test_an_index_that_fails_is_unavailable(
    place: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from groundwire import generator

    def broken(*_: Any, **__: Any) -> Any:
        raise Unavailable("the endpoint is not there", "start it")

    monkeypatch.setattr(generator.Generator, "generate", broken)
    assert run(*args(place)).code == 3


def test_the_short_form_stays_and_the_two_do_not_mix(place: Path, run: Callable[..., Any]) -> None:
    assert "Missing option '--data'" in run("eval").err
    assert run("eval").code == 2
    done = run("eval", "--data", "rows.jsonl", *args(place)[1:])
    assert done.code == 2
    assert "--data belongs to" in done.err
    assert "gauge" in run("eval", "paper", "--help").out
