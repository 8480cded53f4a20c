"""One write path: whole or not at all, the lock of the one writer, and what is swept."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire import durable
from groundwire.errors import Unavailable


def test_what_is_written_is_there_and_replaces_what_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    durable.write(path, b"one")
    durable.write(path, b"two")
    assert path.read_bytes() == b"two"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_the_order_is_write_fsync_rename_fsync_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, os.replace

    def flushed(handle: int) -> None:
        calls.append("folder" if os.path.isdir(f"/proc/self/fd/{handle}") else "file")
        fsync(handle)

    def renamed(old: Path, new: Path) -> None:
        assert Path(old).read_bytes() == b"all of it"
        assert Path(old).parent == Path(new).parent
        calls.append("rename")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(os, "replace", renamed)
    durable.write(tmp_path / "file", b"all of it")
    assert calls == ["file", "rename", "folder"]


@pytest.mark.parametrize("name", ["fsync", "replace"])
def test_a_full_disk_names_the_path_and_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / "file"
    durable.write(path, b"old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, name, full)
    with pytest.raises(Unavailable, match=r"file: No space left on device.*free some space"):
        durable.write(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_with_too_few_descriptors_nothing_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    durable.write(path, b"old")

    def none_left(*_: object, **__: object) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(os, "open", none_left)
    with pytest.raises(Unavailable, match=r"file: Too many open files.*ulimit -n"):
        durable.write(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_an_error_of_the_block_leaves_nothing_and_passes(tmp_path: Path) -> None:
    def half(path: Path) -> None:
        with durable.replacing(path) as file:
            file.write(b"half")
            raise KeyError

    with pytest.raises(KeyError):
        half(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="nowhere"):
        durable.write(tmp_path / "nowhere" / "file", b"")


def test_the_names_of_new_folders_are_flushed_from_the_top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[str] = []
    monkeypatch.setattr(
        os, "fsync", lambda handle: flushed.append(os.path.basename(os.readlink(f"/proc/self/fd/{handle}")))
    )
    durable.make_folder(tmp_path / "one" / "two")
    assert flushed == [tmp_path.name, "one"]
    durable.make_folder(tmp_path / "one" / "two")
    assert len(flushed) == 2


def test_the_digest_is_sha256_and_size(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert durable.digest(tmp_path / "file") == (sha256, 3)


def test_only_unknown_files_of_ours_are_swept(tmp_path: Path) -> None:
    for name in ("a.part", "b.part", "mine.txt", "old.data", "new.data"):
        (tmp_path / name).write_bytes(b"")
    assert durable.sweep(tmp_path, ["b.part"]) == ["a.part"]
    assert durable.sweep(tmp_path, ["b.part", "new.data"], (".part", ".data")) == ["old.data"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["b.part", "mine.txt", "new.data"]


def test_a_folder_that_cannot_be_listed_is_swept_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.part").write_bytes(b"")

    def none_left(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with monkeypatch.context() as short:
        short.setattr(os, "listdir", none_left)
        short.setattr(os, "scandir", none_left)
        assert durable.sweep(tmp_path, []) == []
    assert durable.sweep(tmp_path, []) == ["a.part"]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with durable.single_writer(lock):
        with pytest.raises(Unavailable, match="another process is writing"), durable.single_writer(lock):
            pass
        program = (
            "from pathlib import Path; from groundwire import durable\n"
            f"with durable.single_writer(Path({str(lock)!r})): pass"
        )
        other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert "another process is writing" in other.stderr
    with durable.single_writer(lock):
        pass


def test_a_lock_that_cannot_be_made_names_its_path(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="gone"), durable.single_writer(tmp_path / "gone" / "lock"):
        pass
