import json
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from groundwire.errors import (
    CorruptModel,
    MissingExtra,
    MissingModel,
    NetworkError,
    Unavailable,
    UnknownName,
    UsageError,
)
from groundwire.models import hub
from groundwire.models.agreement import Agreement
from groundwire.models.checkpoints import Listing

AGREEMENT = Agreement(pairs=16, largest=1e-6, pearson=1.0, spearman=1.0)


class Shelf:
    """A hub of two commits; counts what is asked of it."""

    def __init__(self, folder: Path, names: Sequence[str] = ("config.json", "model.safetensors", "vocab.txt")) -> None:
        self.folder, self.names = folder, tuple(names)
        self.asked: list[tuple[str, str]] = []
        self.fetched: list[tuple[str, str, tuple[str, ...]]] = []

    def files(self, repo: str, revision: str) -> Listing:
        self.asked.append((repo, revision))
        return Listing(f"commit-of-{revision}", self.names)

    def fetch(self, repo: str, commit: str, names: Sequence[str]) -> Path:
        self.fetched.append((repo, commit, tuple(names)))
        return self.folder


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """A hub, an empty home, and in the place of the export (which needs torch) one that writes two small files."""
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))

    def export(
        checkpoint: Path, tokenizer: Path, card: object, target: Path, *, precision: str, progress: object
    ) -> Agreement:
        (target / "model.onnx").write_bytes(precision.encode())
        (target / "config.json").write_text("{}")
        return AGREEMENT

    monkeypatch.setattr(hub, "export", export)
    monkeypatch.setattr(hub, "check", lambda precision: None)
    return Shelf(tmp_path)


def models_in(home: Path) -> list[str]:
    folder = home / "home" / "models"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_pull_pins_the_revision_and_installs_a_verified_directory(shelf: Shelf) -> None:
    pulled = hub.pull("hhem-1.0", hub=shelf)
    assert shelf.asked == [("vectara/hallucination_evaluation_model", "hhem-1.0-open")]
    repo, commit, names = shelf.fetched[0]
    assert (repo, commit) == ("vectara/hallucination_evaluation_model", "commit-of-hhem-1.0-open")
    assert names == ("config.json", "model.safetensors", "vocab.txt")
    assert pulled.revision == "commit-of-hhem-1.0-open"
    assert pulled.agreement == AGREEMENT
    assert hub.resolve("hhem-1.0") == pulled.path
    assert hub.verify("hhem-1.0").ok
    told = json.loads((pulled.path / "manifest.json").read_text())
    assert told["name"] == "hhem-1.0"
    assert told["repo"] == "vectara/hallucination_evaluation_model"
    assert told["revision"] == "commit-of-hhem-1.0-open"
    assert told["licence"] == "Apache-2.0"
    assert told["agreement"]["largest"] == 1e-6
    assert told["files"].keys() == {"model.onnx", "config.json"}


def test_a_tokenizer_that_lies_elsewhere_is_fetched_from_there(shelf: Shelf) -> None:
    hub.pull("hhem-2.1-open", hub=shelf)
    assert shelf.fetched[1] == ("google/flan-t5-base", "commit-of-main", ("vocab.txt",))


def test_a_sentence_encoder_comes_with_its_modules(shelf: Shelf) -> None:
    shelf.names += ("modules.json", "1_Pooling/config.json")
    hub.pull("encoder:some/model", hub=shelf)
    assert shelf.fetched[0][2][-2:] == ("1_Pooling/config.json", "modules.json")
    hub.pull("uae-large-v1", hub=shelf)
    assert "modules.json" not in shelf.fetched[1][2]


def test_a_checkpoint_that_is_on_no_hub_is_taken_from_a_folder(shelf: Shelf) -> None:
    with pytest.raises(Unavailable, match="distilsplade-max is on no hub") as caught:
        hub.pull("distilsplade-max")
    assert "--checkpoint DIR" in caught.value.hint
    assert hub.pull("distilsplade-max", hub=shelf).path == hub.resolve("distilsplade-max")


def test_nothing_else_opens_a_socket(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.pull("hhem-1.0", hub=shelf)

    def refuse(*_: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    hub.resolve("hhem-1.0")
    hub.verify("hhem-1.0")
    hub.installed()
    with pytest.raises(MissingModel):
        hub.resolve("monoelectra")


def test_a_known_model_that_is_not_here_names_the_pull_command(shelf: Shelf) -> None:
    with pytest.raises(MissingModel) as caught:
        hub.resolve("nli:some/model")
    assert caught.value.hint == "groundwire models pull nli:some/model"
    assert caught.value.exit_code == 3


def test_an_unknown_name_is_a_usage_error(shelf: Shelf) -> None:
    for ask in (hub.resolve, hub.verify, lambda name: hub.pull(name, hub=shelf)):
        with pytest.raises(UnknownName):
            ask("hhem")
    assert shelf.asked == []


def test_names_that_differ_have_folders_that_differ(shelf: Shelf) -> None:
    names = ["nli:a/b", "nli:a-b/c", "cross-encoder:a/b", "hhem-1.0", "hhem-1.0@x", "nli:a/b@refs/pr/1", "nli:a/b%2F"]
    folders = {hub.folder_of(name) for name in names[:-1]}
    assert len(folders) == len(names) - 1
    assert {folder.parent for folder in folders} == {hub.folder_of("hhem-1.0").parent}
    with pytest.raises(UsageError):
        hub.folder_of(names[-1])


def test_what_is_here_is_left_alone_unless_forced(shelf: Shelf) -> None:
    hub.pull("hhem-1.0", hub=shelf)
    again = hub.pull("hhem-1.0", hub=shelf)
    assert again.agreement is None
    assert len(shelf.fetched) == 1
    hub.pull("hhem-1.0", hub=shelf, force=True)
    assert len(shelf.fetched) == 2
    assert hub.verify("hhem-1.0").ok


def test_another_precision_replaces_only_when_forced(shelf: Shelf) -> None:
    hub.pull("hhem-1.0", hub=shelf)
    with pytest.raises(UsageError, match="--force"):
        hub.pull("hhem-1.0", hub=shelf, precision="int8")
    pulled = hub.pull("hhem-1.0", hub=shelf, precision="int8", force=True)
    assert (pulled.path / "model.onnx").read_bytes() == b"int8"
    assert [model.precision for model in hub.installed() if model.name == "hhem-1.0"] == ["int8"]


def test_a_broken_pull_leaves_the_old_model_and_nothing_else(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.pull("hhem-1.0", hub=shelf)

    def fail(*_: object, **__: object) -> None:
        raise CorruptModel("half way")

    monkeypatch.setattr(hub, "export", fail)
    with pytest.raises(CorruptModel):
        hub.pull("hhem-1.0", hub=shelf, force=True)
    with pytest.raises(CorruptModel):
        hub.pull("monoelectra", hub=shelf)
    assert models_in(tmp_path) == ["hhem-1.0"]
    assert hub.verify("hhem-1.0").ok


def test_a_directory_without_a_manifest_does_not_count_and_is_replaced(shelf: Shelf) -> None:
    folder = hub.folder_of("hhem-1.0")
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"half")
    with pytest.raises(MissingModel):
        hub.resolve("hhem-1.0")
    assert "hhem-1.0" not in {model.name for model in hub.installed()}
    hub.pull("hhem-1.0", hub=shelf)
    assert hub.verify("hhem-1.0").ok


def test_a_changed_file_is_found(shelf: Shelf) -> None:
    pulled = hub.pull("hhem-1.0", hub=shelf)
    (pulled.path / "model.onnx").write_bytes(b"fp23")
    assert hub.verify("hhem-1.0").problems == ("model.onnx: its sha256 is not the manifest's",)


def test_what_is_missing_is_said_before_anything_is_fetched(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(precision: str) -> None:
        raise MissingExtra("torch", "models")

    monkeypatch.setattr(hub, "check", fail)
    with pytest.raises(MissingExtra, match=r"groundwire\[models\]"):
        hub.pull("hhem-1.0", hub=shelf)
    assert shelf.asked == []


def test_a_pickle_is_never_fetched(tmp_path: Path, shelf: Shelf) -> None:
    only_pickle = Shelf(tmp_path, ["config.json", "pytorch_model.bin"])
    with pytest.raises(Unavailable, match="a pickle"):
        hub.pull("albert-base-vitaminc", hub=only_pickle)
    assert only_pickle.fetched == []


def test_offline_never_asks_the_network(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Recorder:
        def __init__(self, *, offline: bool, token: str | None) -> None:
            made.append(offline)

        def files(self, repo: str, revision: str) -> Listing:
            raise NetworkError("nothing here")

    monkeypatch.setattr(hub, "HuggingFaceHub", Recorder)
    monkeypatch.delenv("GROUNDWIRE_OFFLINE", raising=False)
    for ask, variable in ((True, "0"), (False, "1"), (False, "0")):
        monkeypatch.setenv("GROUNDWIRE_OFFLINE", variable)
        with pytest.raises(NetworkError):
            hub.pull("hhem-1.0", offline=ask)
    assert made == [True, True, False]


def test_the_built_in_model_is_not_pulled(shelf: Shelf) -> None:
    with pytest.raises(UsageError, match="built in"):
        hub.pull("mini", hub=shelf)


def test_a_package_without_its_model_says_so(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "BUILTIN_FOLDER", tmp_path / "nowhere")
    with pytest.raises(CorruptModel, match="built-in model"):
        hub.resolve("mini")
    assert hub.installed() == []


def test_a_spoilt_manifest_does_not_hide_the_other_models(shelf: Shelf) -> None:
    hub.pull("hhem-1.0", hub=shelf)
    pulled = hub.pull("monoelectra", hub=shelf)
    (pulled.path / "manifest.json").write_text("{")
    here = {model.name: model.precision for model in hub.installed() if model.name != "mini"}
    assert here == {"hhem-1.0": "fp32", "monoelectra": "unreadable"}
