"""`groundwire generate`: one question against a small index, by sentences of the sources or by a language model."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.cli.growing import Growth
from groundwire.index import LocalIndex
from groundwire.testing import Fault, FaultServer
from groundwire.types import Answer, Candidate, Generation, Passage

Run = Callable[..., Any]
QUESTION = "When was the Garo bridge opened?"
PASSAGES = (
    Passage(id="bridge", text="The Garo bridge was opened on 19 March 1932. It is 1,149 metres long."),
    Passage(id="cost", text="Building the Garo bridge took eight years and cost six million pounds."),
    Passage(id="ferry", text="Tickets for the ferry cost four pounds for adults."),
    Passage(id="hostile", text="Zebras \x1b[31m<script>alert(1)</script> \u202e graze here. They eat grass all day."),
)


@pytest.fixture
def place(tmp_path: Path) -> str:
    with LocalIndex.create(tmp_path / "idx") as index:
        index.add(list(PASSAGES))
    return str(tmp_path / "idx")


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GROUNDWIRE_LLM_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_KEY", "GROUNDWIRE_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GROUNDWIRE_LLM_API_KEY", "k")


def test_an_answer_is_one_object(run: Run, place: str) -> None:
    got = run("generate", QUESTION, "--index", place)
    assert (got.code, got.err) == (0, "")
    told = json.loads(got.out)
    assert list(told) == [
        "question", "text", "sources", "verdict", "lineage", "generations", "stopped", "reason", "broken", "warnings",
        "trace",
    ]  # fmt: skip
    assert "19 March 1932" in told["text"]
    assert [source["id"] for source in told["sources"]] == ["bridge", "cost"]
    assert told["verdict"]["grounded"]
    assert told["verdict"]["claims"][0]["citations"][0]["context_id"] in ("bridge", "cost")
    assert told["lineage"][0]["text"] == told["text"]
    assert told["trace"]["recipe"] == "generate"
    again = json.loads(run("generate", QUESTION, "--index", place, "--seed", "0").out)
    assert (again["lineage"], again["verdict"]["claims"]) == (told["lineage"], told["verdict"]["claims"])


def test_passages_of_a_file_or_of_standard_input(run: Run, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps({"id": p.id, "text": p.text}) + "\n" for p in PASSAGES), encoding="utf-8")
    text = tmp_path / "note.txt"
    text.write_text(PASSAGES[0].text, encoding="utf-8")
    for args, stdin in (
        ((QUESTION, "--passages", str(rows)), b""),
        ((QUESTION, "--passages", str(text)), b""),
        ((QUESTION, "--passages", "-"), rows.read_bytes()),
        (("-", "--passages", str(rows)), QUESTION.encode()),
    ):
        got = run("generate", *args, stdin=stdin)
        assert got.code == 0, got.err
        assert "1932" in json.loads(got.out)["text"]


def test_nothing_found_is_exit_1_with_the_reason(run: Run, place: str) -> None:
    for question in ("xylophones", "коли відкрили міст"):
        got = run("generate", question, "--index", place)
        told = json.loads(got.out)
        assert (got.code, told["text"], told["sources"], told["lineage"]) == (1, "", [], [])
        assert told["reason"].startswith("no evidence")
        assert told["verdict"]["verdict"] == "not_checkable"


def test_budget_zero_is_the_best_passage(run: Run, place: str) -> None:
    for name in ("generations", "calls", "tokens", "seconds"):
        told = json.loads(run("generate", QUESTION, "--index", place, f"--{name}", "0").out)
        assert told["text"] == PASSAGES[0].text
        assert told["stopped"] == f"the budget of 0 {name} is spent"


def test_the_trace_is_lossless_and_the_page_is_made(run: Run, place: str, tmp_path: Path) -> None:
    trace, report = tmp_path / "answer.json", tmp_path / "answer.html"
    got = run("generate", "What do zebras eat?", "--index", place, "--trace", str(trace), "--report", str(report))
    answer = Answer.from_dict(json.loads(trace.read_text(encoding="utf-8")))
    assert answer.text == json.loads(got.out)["text"]
    page = report.read_text(encoding="utf-8")
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert "<script>alert(1)" not in page


def test_a_language_model_writes_and_its_replies_are_kept(run: Run, place: str, tmp_path: Path) -> None:
    cache = str(tmp_path / "replies.cache")
    with FaultServer("The Garo bridge was opened in March 1932.") as server:
        asked = ("generate", QUESTION, "--index", place, "--llm", "m", "--llm-url", server.url, "--cache", cache)
        first = json.loads(run(*asked).out)
        calls = len(server.exchanges)
        assert sum(turn["calls"] for turn in first["generations"]) == calls > 0
        again = json.loads(run(*asked).out)
        assert len(server.exchanges) == calls
        assert {exchange.request["temperature"] for exchange in server.exchanges} == {0.7}
    assert sum(turn["calls"] for turn in again["generations"]) == 0
    assert again["text"] == first["text"]
    assert {one["operator"] for one in first["lineage"]} > {"seed"}


def test_an_endpoint_that_only_fails_leaves_what_needs_none_and_a_warning(run: Run, place: str) -> None:
    with FaultServer("never", faults=lambda n, prompt: Fault.SERVER_ERROR if n else 400) as server:
        got = run("generate", QUESTION, "--index", place, "--llm", "m", "--llm-url", server.url, "--calls", "1")
        told = json.loads(got.out)
        assert (got.code, told["broken"]) == (3, True), "what was asked for is not what came"
        assert told["verdict"]["grounded"], "made of the passages' sentences, before anybody was asked"
        last = told["generations"][-1]
        assert (last["wanted"], last["failed"]) == (1, 1)
        assert told["warnings"][0].startswith(f"every offspring of generation {last['number']} was lost")
        recipe = "direct(relevance=mini:cosine)"
        got = run("generate", QUESTION, "--index", place, "--llm", "m", "--llm-url", server.url, "--recipe", recipe)
        assert (got.code, json.loads(got.out)["reason"][:5]) == (3, "error")


def test_what_is_not_grounded_is_exit_1(run: Run, place: str) -> None:
    with FaultServer("The Garo bridge was opened by Queen Anne in 1702 with a parade of nine elephants.") as server:
        got = run(
            *("generate", QUESTION, "--index", place, "--llm", "m", "--llm-url", server.url),
            *("--recipe", "direct(relevance=mini:cosine)"),
        )
    told = json.loads(got.out)
    assert (got.code, told["verdict"]["grounded"], told["reason"]) == (1, False, None)


def test_on_a_terminal_it_is_drawn(run: Run, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    got = run("generate", QUESTION, "--index", place)
    assert got.code == 0
    assert QUESTION in got.out
    plain = " ".join(re.sub("\x1b\\[[0-9;]*m", "", got.out).split())
    assert "19 March 1932. [1]" in plain
    assert "[1] bridge" in plain
    assert "supported" in got.out
    assert "generation" in got.out
    hostile = run("generate", "What do zebras eat?", "--index", place)
    assert "\x1b[31m" not in hostile.out
    assert "\u202e" not in hostile.out
    nothing = run("generate", "xylophones", "--index", place)
    assert (nothing.code, "no evidence" in nothing.out) == (1, True)
    assert json.loads(run("generate", QUESTION, "--index", place, "--json").out)["text"]


@pytest.mark.parametrize(
    ("args", "code", "error"),
    [
        (["q"], 2, "give --index or --passages"),
        (["q", "--index", "IDX", "--passages", "x"], 2, "give --index or --passages, not both"),
        ([" ", "--index", "IDX"], 2, "the question is empty"),
        (["-", "--passages", "-"], 2, "standard input (-) can be read only once"),
        (["q", "--passages", "no-such.jsonl"], 2, "cannot read no-such.jsonl"),
        (["q", "--index", "IDX", "--recipe", "generat"], 2, "unknown recipe 'generat'"),
        (["q", "--index", "IDX", "--recipe", "gauge-code"], 2, "the recipe gauge-code asks an LLM, and none was given"),
        (["q", "--index", "IDX", "--recipe", "generate(rouge=9)"], 2, "unknown rouge '9'"),
        (["q", "--index", "IDX", "--stack", "bm26"], 2, "unknown retriever 'bm26'"),
        (["q", "--index", "IDX", "--model", "none-such"], 2, "unknown model 'none-such'"),
        (["q", "--index", "IDX", "--threshold", "2"], 2, "Invalid value for '--threshold'"),
        (["q", "--index", "IDX", "--calls", "-1"], 2, "Invalid value for '--calls'"),
        (["q", "--index", "IDX", "--llm-url", "http://127.0.0.1:1/v1"], 2, "--llm-url needs --llm MODEL"),
        (["q", "--index", "IDX", "--cache", "c"], 2, "--cache needs --llm MODEL"),
        (["q", "--index", "IDX", "--trace", "no/such/file"], 2, "cannot write no/such/file"),
        (["q", "--index", "IDX", "--report", "no/such/file"], 2, "cannot write no/such/file"),
        (["q", "--index", "IDX", "--llm", "m"], 3, ""),
        (["q", "--index", "missing"], 3, "missing holds no index"),
        (["q", "--index", "IDX", "--recipe", "gen2ir", "--llm", "m", "--llm-url", "http://127.0.0.1:9/v1"], 3, "model"),
    ],
)
def test_bad_usage(
    args: list[str], code: int, error: str, run: Run, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("GROUNDWIRE_LLM_API_KEY")
    got = run("generate", *(place if arg == "IDX" else arg for arg in args))
    assert (got.code, got.out) == (code, "")
    assert got.err.startswith(f"error: {error}")
    assert "(hint: " in got.err


def test_progress_says_generation_fitness_cost_and_time_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    best = Candidate(id="b", text="x", fitness={"relevance": 0.71, "rouge": 0.5, "total": 4.2})
    with Growth(20, 30.0, clock=lambda: now[0]) as growth:
        growth(Generation(number=0, wanted=2, new=2, failed=0, repeated=0, best="b"), best)
        now[0] = 12.0
        growth(
            Generation(
                number=1,
                wanted=12,
                new=5,
                failed=1,
                repeated=6,
                best="b",
                calls=12,
                prompt_tokens=900,
                reply_tokens=350,
            ),
            best,
        )
    said = "generation 1 of at most 20: best 4.20 (relevance 0.71, rouge 0.50), 5 new of 12, 18 s left, 12 calls, 1 250 tokens"
    assert capsys.readouterr().err == said + "\n"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with Growth(None, None) as growth:
        growth(Generation(number=1, wanted=2, new=2, failed=0, repeated=0, best="b"), best)
    assert "generation 1: best 4.20" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["rows.jsonl", "notes.txt"])
def test_a_file_without_a_passage_is_bad_input(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    got = run("generate", "where?", "--passages", str(tmp_path / name))
    assert (got.code, got.out) == (2, "")
    assert got.err.startswith(f"error: no passage in {tmp_path / name} (hint: ")
