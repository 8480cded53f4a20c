"""`groundwire eval paper huo2023` from the shell, over an index of a few passages, without an LLM and with a test endpoint."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.index import create_index
from groundwire.testing.endpoint import FaultServer
from groundwire.types import Passage

TEXTS = {
    "p1": "The ferry to the island leaves at eight in the morning. It takes an hour.",
    "p2": "The last ferry leaves the island at nine in the evening. Bicycles travel free of charge.",
    "p3": "A lighthouse stands at the northern end of the island. It was built in 1888.",
    "p4": "The bridge was opened to traffic in 1932. It had taken eight years to build.",
}
ROWS = [
    {
        "id": "7",
        "question": "when does the ferry to the island leave",
        "answer": "The ferry leaves at eight in the morning.",
    },
    {"id": "9", "question": "when was the lighthouse built", "answer": "The lighthouse was built in 1911."},
    {"id": "11", "question": "when was the bridge opened to traffic"},
]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    with create_index(tmp_path / "index") as index:
        index.add(Passage(id=name, text=text) for name, text in TEXTS.items())
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path


def args(place: Path, *more: str) -> list[str]:
    queries = ("--queries", str(place / "queries.jsonl"), "--index", str(place / "index"))
    return ["eval", "paper", "huo2023", *queries, *more]


def table(told: dict[str, Any], name: str) -> dict[str, dict[str, Any]]:
    (found,) = (one for one in told["tables"] if one["name"] == name)
    return {row["system"]: row for row in found["groups"][0]["rows"]}


def test_without_an_llm_all_that_stands_in_is_said(place: Path, run: Callable[..., Any]) -> None:
    done = run(*args(place, "--output", str(place / "run")))
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "no LLM: the built-in model judges, at no call" in done.err
    assert "ours by mini by entailment, a stand-in" in said
    assert "Neural: bm25+mini, a stand-in for neural" in said
    assert "2 the file's, 1 sentences of the index (no LLM was asked)" in said
    assert "83.2 %; by the cells it is 5901 of 6980 = 84.5 %" in said
    told = json.loads((place / "run" / "metrics.json").read_text())
    cell = table(told, "Table 1")["Yes"]["BM25"]
    assert (cell["paper"], cell["ours"], cell["printed"][:2]) == ([5691, 6980], [2, 3], ["5691 (81.5)", "2 (66.7)"])


def test_a_run_goes_on_where_it_was_killed(place: Path, run: Callable[..., Any]) -> None:
    out = place / "run"
    done = run(*args(place, "--output", str(out)))
    lines = (out / "ledger.jsonl").read_bytes().splitlines(keepends=True)
    (out / "ledger.jsonl").write_bytes(b"".join(lines[:-2]) + lines[-2][:30])
    assert run(*args(place, "--output", str(out))).out == done.out
    assert (out / "ledger.jsonl").read_bytes().splitlines(keepends=True)[:-2] == lines[:-2]


def test_people_are_given_items_and_their_judgements_are_read(place: Path, run: Callable[..., Any]) -> None:
    run(*args(place, "--output", str(place / "run")))
    items = [json.loads(line) for line in (place / "run" / "items.jsonl").read_text().splitlines()]
    label = next(item for item in items if item["item"] == "label/Yes/7")
    assert label["choices"] == ["correct", "incorrect", "unsure"]
    assert label["evidence"] == TEXTS["p1"]
    judged = place / "judged.jsonl"
    judged.write_text(json.dumps({"item": label["item"], "annotator": "a", "judgement": "correct"}) + "\n")
    told = json.loads(run(*args(place, "--annotations", str(judged), "--json")).out)
    assert table(told, "Table 2")["Yes"]["correct"]["ours"] == [1, 1]


def test_with_an_llm_it_answers_reads_and_judges(
    place: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "test")

    def reply(prompt: str) -> str:
        return "No" if "Answer1:" in prompt and "1911" in prompt else "Yes" if "Answer1:" in prompt else "In 1932."

    with FaultServer(reply) as server:
        llm = ("--llm", "test-model", "--llm-url", server.url, "--output", str(place / "run"), "--json")
        told = json.loads(run(*args(place, *llm)).out)
        asked = len(server.exchanges)
        assert table(told, "Table 1")["No"]["Neural+Reader"]["ours"] == [1, 3]
        assert told["systems"][0]["used"].startswith("bm25(k1=0.82")
        assert told["systems"][2]["used"].endswith("read by test-model")
        assert told["systems"][0]["judge"] == "test-model, in place of gpt-3.5-turbo"
        assert 0 < asked <= 5 * len(ROWS)
        assert json.loads(run(*args(place, *llm)).out)["tables"] == told["tables"]
        assert len(server.exchanges) == asked


def test_labels_that_failed_are_tried_again(
    place: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    with FaultServer("Yes", faults=lambda number, _: 400 if number == 2 else None) as server:
        llm = ("--llm", "test-model", "--llm-url", server.url, "--output", str(place / "run"), "--json")
        done = run(*args(place, *llm))
        assert done.code == 3, done.err
        assert "labels are missing" in done.err
        assert run(*args(place, *llm)).code == 0


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (["--llm-url", "http://localhost:1"], 2, "--llm-url needs --llm"),
        (["--queries", "nowhere.jsonl"], 2, "cannot read nowhere.jsonl"),
        (["--index", "nowhere"], 3, "holds no index"),
        (["--annotations", "nowhere.jsonl"], 2, "cannot read nowhere.jsonl"),
    ],
)
def test_what_cannot_be_is_one_line(
    place: Path, run: Callable[..., Any], more: list[str], code: int, said: str
) -> None:
    done = run(*args(place, *more))
    assert (done.code, "Traceback" in done.err) == (code, False)
    assert said in done.err
