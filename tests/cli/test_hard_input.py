"""Hard input through the whole path but the network: the default recipe's parts with a model that counts words."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from groundwire import models
from groundwire.cases import read_case
from groundwire.cli import options
from groundwire.recipes import build
from groundwire.render import draw
from groundwire.testing import OverlapModel

Run = Callable[..., Any]

HARD = {
    "nul": "before\x00after",
    "surrogate": "a lone \ud800 surrogate",
    "rtl": "שלום עולם. מה שלומך היום?",
    "bidi": "user\u202etxt.exe",
    "escape": "\x1b[2J\x1b[31mred",
    "emoji": "👩‍👩‍👧 family. 🏴󠁧󠁢󠁥󠁮󠁧󠁿 flag.",
    "cjk": "水は百度で沸騰する。氷は零度で融ける。",
    "thai": "ภาษาไทยเขียนโดยไม่เว้นวรรคระหว่างคำ",
    "long word": "x" * 1_000_000,
    "markup": "[bold]b[/bold] <b>b</b> [/]",
}


@pytest.fixture
def overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Build the default recipe around the word-counting model."""
    monkeypatch.setattr(models, "load", lambda name: OverlapModel())
    monkeypatch.setattr(options, "build", lambda *_: build("model-alone"))


@pytest.mark.usefixtures("overlap")
@pytest.mark.parametrize("text", HARD.values(), ids=HARD)
def test_hard_texts_are_checked_cited_and_drawn(text: str, run: Run) -> None:
    row = {"question": text, "answer": text, "contexts": ["Something else.", text]}
    got = run("check", "-", stdin=json.dumps(row).encode())
    (record,) = map(json.loads, got.out.splitlines())
    assert got.code in (0, 1)
    for claim in record["claims"]:
        assert text[claim["start"] : claim["end"]] == claim["text"]
        for citation in claim["citations"]:
            assert row["contexts"][citation["index"]][citation["start"] : citation["end"]] == citation["text"]


@pytest.mark.usefixtures("overlap")
@pytest.mark.parametrize(
    "contexts",
    [[f"The {'s' * 80} is grey today. " * 100_000], ["The sky is grey today."] * 10_000],
    ids=["10 MB", "10 000"],
)
def test_much_evidence(contexts: list[str], run: Run) -> None:
    row = {"answer": "The harbour is blue.", "contexts": [*contexts, "The harbour is blue."]}
    got = run("check", "-", stdin=json.dumps(row).encode())
    assert json.loads(got.out)["claims"][0]["citations"][0]["index"] == len(contexts)


@pytest.mark.parametrize(
    ("option", "name", "error"),
    [
        ("--recipe", "provenence", "error: unknown recipe 'provenence' (hint: did you mean provenance"),
        ("--model", "minni", "error: unknown model 'minni' (hint: did you mean mini"),
    ],
)
def test_an_unknown_name_is_exit_2_with_the_near_ones(option: str, name: str, error: str, run: Run) -> None:
    got = run("check", "--answer", "a", "--context", "c", option, name)
    assert (got.code, got.out) == (2, "")
    assert got.err.startswith(error)


def test_a_model_that_was_not_pulled_is_exit_3(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path))
    got = run("check", "--answer", "a", "--context", "c", "--model", "hhem-2.1-open")
    assert (got.code, got.err.count("\n")) == (3, 1)
    assert "groundwire models pull hhem-2.1-open" in got.err


def test_the_demo_runs_as_shipped(run: Run) -> None:
    got = run("demo", "--json")
    records = [json.loads(line) for line in got.out.splitlines()]
    assert (got.code, len(records)) == (0, 6)
    assert all(0 <= record["score"] <= 1 and record["model"] == "mini" for record in records)
    assert all(claim["citations"] for record in records for claim in record["claims"])


@pytest.mark.usefixtures("overlap")
def test_a_verdict_of_hard_text_is_drawn_in_ascii() -> None:
    path = options.build("default", None, None)
    for text in HARD.values():
        (verdict,) = path.check([read_case({"answer": text, "contexts": [text]}, fallback_id="0")])
        file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
        draw(verdict, Console(file=file, width=80))
