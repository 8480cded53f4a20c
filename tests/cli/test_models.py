import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from groundwire.cli.models import models
from groundwire.errors import MissingModel, Unavailable
from groundwire.models import hub
from groundwire.models.agreement import Agreement


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The commands over an empty home and without torch: what is exported is two small files."""
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("GROUNDWIRE_OFFLINE", raising=False)

    def export(
        checkpoint: Path, tokenizer: Path, card: object, target: Path, *, precision: str, progress: object
    ) -> Agreement:
        (target / "model.onnx").write_bytes(b"weights")
        (target / "config.json").write_text("{}")
        return Agreement(pairs=16, largest=2e-6, pearson=1.0, spearman=1.0)

    monkeypatch.setattr(hub, "export", export)
    monkeypatch.setattr(hub, "check", lambda precision: None)
    return lambda *arguments: CliRunner().invoke(models, list(arguments))


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    for name in ("config.json", "model.safetensors"):
        (folder / name).write_text("{}")
    return folder


def rows(result: Result) -> Sequence[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_pull_says_what_it_did_and_how_well_the_file_agrees(run: Callable[..., Result], checkpoint: Path) -> None:
    result = run("pull", "nli:some/model", "--checkpoint", str(checkpoint), "--offline")
    assert result.exit_code == 0
    assert "agreement with torch: max |Δ| 2e-06, Pearson 1.000000" in result.stdout
    assert "nli:some/model is installed (fp32, revision local)" in result.stdout
    assert "looking up some/model ..." in result.stderr
    again = run("pull", "nli:some/model", "--checkpoint", str(checkpoint))
    assert "is installed already" in again.stdout


def test_list_shows_known_and_installed_models(run: Callable[..., Result], checkpoint: Path) -> None:
    run("pull", "nli:some/model", "--checkpoint", str(checkpoint))
    run("pull", "monoelectra", "--checkpoint", str(checkpoint), "--precision", "int8")
    listed = {row["name"]: row for row in rows(run("list", "--json"))}
    assert listed["nli:some/model"]["installed"] is True
    assert listed["monoelectra"]["precision"] == "int8"
    assert listed["hhem-1.0"]["installed"] is False
    assert listed["hhem-1.0"]["licence"] == "Apache-2.0"
    assert listed["monoelectra"]["licence"] is None
    assert len({tuple(row) for row in listed.values()}) == 1
    assert listed["mini"]["licence"] == "Apache-2.0"
    assert all(row["precision"] != "" and row["revision"] != "" for row in listed.values())
    drawn = run("list").stdout
    assert all(str(name) in drawn for name in listed)


def test_verify_passes_and_then_names_the_file_that_differs(run: Callable[..., Result], checkpoint: Path) -> None:
    run("pull", "hhem-1.0", "--checkpoint", str(checkpoint))
    assert run("verify", "hhem-1.0").stdout == "hhem-1.0: ok\n"
    (hub.folder_of("hhem-1.0") / "model.onnx").write_bytes(b"Weights")
    broken = run("verify", "hhem-1.0")
    assert broken.exit_code == 3
    assert "model.onnx: its sha256" in broken.stdout
    (row,) = rows(run("verify", "hhem-1.0", "--json"))
    assert row["ok"] is False
    assert row["problems"] == ["model.onnx: its sha256 is not the manifest's"]


def test_verify_without_a_name_takes_all_that_are_here(run: Callable[..., Result], checkpoint: Path) -> None:
    run("pull", "hhem-1.0", "--checkpoint", str(checkpoint))
    names = {row["name"] for row in rows(run("verify", "--json"))}
    assert names >= {"hhem-1.0"}
    assert names <= {"hhem-1.0", "mini"}


def test_errors_are_left_to_the_main_command(run: Callable[..., Result], checkpoint: Path) -> None:
    assert isinstance(run("verify", "hhem-1.0").exception, MissingModel)
    (checkpoint / "model.safetensors").rename(checkpoint / "pytorch_model.bin")
    assert isinstance(run("pull", "hhem-1.0", "--checkpoint", str(checkpoint)).exception, Unavailable)


def test_an_unknown_precision_is_a_usage_error(run: Callable[..., Result]) -> None:
    assert run("pull", "hhem-1.0", "--precision", "int4").exit_code == 2
