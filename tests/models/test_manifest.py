import json
from pathlib import Path

import pytest

from groundwire.errors import CorruptModel
from groundwire.models import manifest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.onnx").write_bytes(b"weights")
    (tmp_path / "config.json").write_text("{}")
    manifest.write(tmp_path, {"name": "some", "revision": "abc"})
    return tmp_path


def test_a_manifest_names_every_file_with_sha256_and_size(folder: Path) -> None:
    told = manifest.read(folder)
    assert (told["schema"], told["name"], told["revision"]) == (1, "some", "abc")
    assert told["files"].keys() == {"model.onnx", "config.json"}
    # printf weights | sha256sum
    digest = "9a129038d9a00aed0cf6a7ea059ca50a813449061ab87848cf1a13eafdf33b2c"
    assert told["files"]["model.onnx"] == {"sha256": digest, "size": 7}
    assert manifest.problems(folder) == []


def test_every_difference_is_named(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"Weights")
    (folder / "config.json").unlink()
    (folder / "extra.bin").write_bytes(b"")
    assert manifest.problems(folder) == [
        "config.json: missing",
        "extra.bin: not in the manifest",
        "model.onnx: its sha256 is not the manifest's",
    ]


def test_another_size_is_told_without_reading_the_file(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"more weights")
    assert manifest.problems(folder) == ["model.onnx: its size is not the manifest's"]


def test_a_folder_in_a_files_place_is_a_difference(folder: Path) -> None:
    (folder / "config.json").unlink()
    (folder / "config.json").mkdir()
    assert manifest.problems(folder) == ["config.json: its size is not the manifest's"]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{", '{"schema": 2, "files": {}}', '{"schema": 1}', '{"schema": 1, "files": {"a": 1}}', "\xff"],
)
def test_what_is_no_manifest_is_corrupt(folder: Path, text: str) -> None:
    (folder / manifest.FILE).write_bytes(text.encode("latin-1"))
    with pytest.raises(CorruptModel, match=r"manifest\.json"):
        manifest.read(folder)
    assert len(manifest.problems(folder)) == 1


def test_a_manifest_is_plain_json(folder: Path) -> None:
    assert json.loads((folder / manifest.FILE).read_text())["schema"] == manifest.SCHEMA
