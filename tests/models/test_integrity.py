import random

import pytest

from groundwire.errors import CorruptModel
from groundwire.models import integrity, manifest


def test_a_directory_as_it_was_written(tiny, tmp_path):
    folder = tiny.directory(tmp_path)
    assert integrity.identity(folder) == manifest.digest(folder / "manifest.json")


def test_two_directories_differ_when_any_file_does(tiny, tmp_path):
    one = tiny.directory(tmp_path / "one")
    two = tiny.directory(tmp_path / "two", max_length=32)
    assert integrity.identity(one) != integrity.identity(two)


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt", "config.json"])
def test_every_bit_counts(tiny, tmp_path, name):
    rng = random.Random(name)
    for trial in range(20):
        folder = tiny.directory(tmp_path / str(trial))
        data = bytearray((folder / name).read_bytes())
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        (folder / name).write_bytes(data)
        with pytest.raises(CorruptModel, match=name):
            integrity.identity(folder)


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt", "config.json"])
def test_a_shorter_or_missing_file_is_named(tiny, tmp_path, name):
    cut, gone = tiny.directory(tmp_path / "cut"), tiny.directory(tmp_path / "gone")
    (cut / name).write_bytes((cut / name).read_bytes()[:-1])
    (gone / name).unlink()
    for folder in (cut, gone):
        with pytest.raises(CorruptModel, match=name):
            integrity.identity(folder)


def test_no_manifest_no_model(tiny, tmp_path):
    folder = tiny.directory(tmp_path)
    (folder / "manifest.json").unlink()
    with pytest.raises(CorruptModel, match=r"manifest\.json"):
        integrity.identity(folder)


@pytest.mark.parametrize("location", ["weights.bin", "../weights.bin", "/etc/passwd", ""])
def test_tensors_outside_the_manifest_are_refused(tiny, tmp_path, location):
    folder = tiny.directory(tmp_path / "model", model=tiny.network(location=location))
    (tmp_path / "weights.bin").write_bytes(b"x" * 1000)
    with pytest.raises(CorruptModel, match="which the manifest does not list"):
        integrity.identity(folder)


def test_tensors_in_a_listed_file_are_found(tiny, tmp_path):
    words, _ = tiny.tables()
    folder = tiny.directory(tmp_path, model=tiny.network(location="w.data"), extra={"w.data": words.tobytes()})
    assert integrity.external_files(folder / "model.onnx") == {"w.data"}
    integrity.identity(folder)


def test_sparse_initialisers_are_refused(tiny, tmp_path):
    with pytest.raises(CorruptModel, match="sparse"):
        integrity.identity(tiny.directory(tmp_path, model=tiny.network(sparse=True)))


@pytest.mark.parametrize("model", [b"", b"\xff" * 40, b"\x3a\x7f", b"not an onnx file"], ids=repr)
def test_what_is_no_onnx_file_is_refused(tiny, tmp_path, model):
    with pytest.raises(CorruptModel, match=r"model\.onnx"):
        integrity.identity(tiny.directory(tmp_path, model=model))


def test_every_truncation_ends_in_a_plain_error(tiny, tmp_path):
    whole, path = tiny.network(location="w"), tmp_path / "cut.onnx"
    for size in range(1, len(whole), 7):
        path.write_bytes(whole[:size])
        try:
            integrity.external_files(path)
        except (ValueError, IndexError):
            continue
