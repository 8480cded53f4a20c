"""The way to Milvus: what is not there, does not answer, or belongs to another."""

import base64
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import MissingExtra, MissingIndex, NetworkError, Unavailable, UsageError
from groundwire.index import MilvusIndex, open_index
from groundwire.index.milvus import connection
from groundwire.types import Passage


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pymilvus", None)
    monkeypatch.setattr(connection, "package", connection.package.__wrapped__)
    with pytest.raises(MissingExtra, match="pymilvus") as missing:
        MilvusIndex.create(f"milvus:{tmp_path / 'a.db'}")
    assert "groundwire[milvus]" in missing.value.hint
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_not_there_is_said_at_once(spec: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"milvus:http://127.0.0.1:{taken.getsockname()[1]}"
        start = time.monotonic()
        for enter in (MilvusIndex.open, MilvusIndex.create):
            with pytest.raises(NetworkError, match="does not answer") as missing:
                enter(address)
            assert missing.value.exit_code == 3
            assert missing.value.hint
    assert time.monotonic() - start < 5


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"milvus:http://127.0.0.1:{listening.getsockname()[1]}"


def test_a_server_that_says_nothing_is_waited_for_for_seconds(
    spec: str, silent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert connection.CONNECTING <= 10
    monkeypatch.setattr(connection, "CONNECTING", 0.3)
    start = time.monotonic()
    with pytest.raises(NetworkError, match="does not answer"):
        open_index(silent)
    assert time.monotonic() - start < 5


def test_an_offline_run_asks_this_machine_alone(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_OFFLINE", "1")
    with pytest.raises(NetworkError, match="offline"):
        open_index("milvus:http://milvus.example:19530")
    MilvusIndex.create(spec).close()


def test_a_server_is_used_as_a_file_is(server: Any) -> None:
    address = f"milvus:{server.url}/notes"
    with pytest.raises(MissingIndex, match="no collection 'notes'"):
        open_index(address)
    with closing(MilvusIndex.create(address)) as index:
        index.add([Passage(id="1", text="over the network")])
    with closing(open_index(address)) as index:
        assert index.bm25().retrieve(["networks"], 1)[0][0].passage.id == "1"
        facts = index.info().to_dict()
    assert (facts["address"], facts["bytes"], facts["passages"]) == (address, None, 1)


def test_the_token_comes_from_the_environment_and_goes_to_the_server(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_MILVUS_TOKEN", "me:secret")
    with closing(MilvusIndex.create(f"milvus:{server.url}/tokens")) as index:
        assert base64.b64encode(b"me:secret").decode() in "".join(server.tokens)
        assert "secret" not in repr(index)
    before = len(server.tokens)
    monkeypatch.delenv("GROUNDWIRE_MILVUS_TOKEN")
    open_index(f"milvus:{server.url}/tokens").close()
    assert len(server.tokens) == before


def test_a_server_that_goes_away_is_said(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "ASKING", 0.5)
    with closing(MilvusIndex.create(spec)) as index:
        for served in connection._served.values():
            served.server.stop(None).wait(1)
        with pytest.raises(NetworkError, match="does not answer"):
            index.bm25().retrieve(["anything"], 1)


@pytest.mark.skipif(sys.platform == "win32", reason="locks are of another kind there")
def test_a_file_that_another_program_has_open_is_said(spec: str) -> None:
    import fcntl

    MilvusIndex.create(spec).close()
    with (Path(spec.removeprefix("milvus:")) / "LOCK").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with pytest.raises(Unavailable, match="another program has"):
            open_index(spec)
    open_index(spec).close()


def test_the_last_one_to_close_lets_go_of_the_file(spec: str) -> None:
    first = MilvusIndex.create(spec)
    second = open_index(spec)
    assert len(connection._served) == 1
    first.close()
    first.close()
    assert second.info().to_dict()["passages"] == 0
    second.close()
    assert not connection._served


def test_several_collections_are_kept_apart(spec: str) -> None:
    with closing(MilvusIndex.create(spec)) as one, closing(MilvusIndex.create(f"{spec}/other")) as two:
        one.add([Passage(id="1", text="here")])
        two.add([Passage(id="1", text="there")])
        assert (one.passage("1").text, two.passage("1").text) == ("here", "there")
        with pytest.raises(UsageError, match="'other' already"):
            MilvusIndex.create(f"{spec}/other")
