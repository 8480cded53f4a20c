"""How an index on Milvus is named."""

from pathlib import Path

import pytest

from groundwire.errors import UsageError
from groundwire.index.milvus.address import Address, is_milvus, read


@pytest.mark.parametrize(
    ("spec", "address"),
    [
        ("milvus:./file.db", Address(path=Path("file.db"))),
        ("milvus:/some/where/a.db/notes", Address(path=Path("/some/where/a.db"), collection="notes")),
        ("milvus:http://host:19530", Address(url="http://host:19530")),
        ("milvus:http://host:19530/", Address(url="http://host:19530")),
        ("milvus:https://host.example/my_notes", Address(url="https://host.example", collection="my_notes")),
        ("milvus:http://[::1]:19530/a", Address(url="http://[::1]:19530", collection="a")),
    ],
)
def test_an_address_is_read_and_printed(spec: str, address: Address) -> None:
    assert read(spec) == address
    assert read(str(address)) == address


@pytest.mark.parametrize(
    "spec",
    [
        "milvus:",
        "milvus:localhost:19530",
        "milvus:folder",
        "milvus:ftp://host/x",
        "milvus:http://",
        "milvus:http://host:port",
        "milvus:http://host/a/b",
        "milvus:http://host/1st",
        'milvus:a.db/x" or "',
        "milvus:http://ho st:1",
    ],
)
def test_what_is_no_address_is_refused(spec: str) -> None:
    with pytest.raises(UsageError) as refused:
        read(spec)
    assert refused.value.hint


@pytest.mark.parametrize("spec", ["milvus:http://me:secret@host:19530", "milvus:https://host?token=secret"])
def test_a_password_in_an_address_is_refused_and_not_repeated(spec: str) -> None:
    with pytest.raises(UsageError, match="may hold no name") as refused:
        read(spec)
    assert "secret" not in str(refused.value)
    assert "GROUNDWIRE_MILVUS_TOKEN" in refused.value.hint


def test_this_machine_is_told_from_the_others() -> None:
    assert [read(f"milvus:{place}").local for place in ("a.db", "http://localhost:1", "http://127.0.0.2:1")] == [
        True
    ] * 3
    assert [read(f"milvus:{place}").local for place in ("http://10.0.0.1:1", "https://host.example")] == [False] * 2


def test_a_folder_is_no_address() -> None:
    assert is_milvus("milvus:a.db")
    assert not is_milvus("./milvus:a.db")
    assert not is_milvus(Path("milvus:a.db"))
