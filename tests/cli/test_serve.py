"""`groundwire serve` on a command line: what it refuses, what it says, and how it ends."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.cli.main import main
from groundwire.server import run
from groundwire.server.settings import Settings

KEY = "a-key-for-tests-0123456789"
Served = Callable[..., Settings]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """What the server was told, in place of serving."""
    monkeypatch.delenv("GROUNDWIRE_SERVER_KEYS", raising=False)
    settings: list[Settings] = []

    def serve(given: Settings, announce: Callable[[str], None]) -> bool:
        settings.append(given)
        announce("http://127.0.0.1:9")
        return False

    monkeypatch.setattr(run, "serve", serve)
    return settings


def exit_code(*args: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["serve", *args])
    return int(ended.value.code or 0)


def test_what_it_is_told_reaches_the_server(told: list[Settings], capsys: pytest.CaptureFixture[str]) -> None:
    code = exit_code(
        "--index", "docs=./a=b", "--index", "more=milvus:./x.db", "--upstream", "http://localhost:1/v1", "--port", "0",
        "--recipe", "provenance", "--threshold", "0.25", "--allow-host", "check.example.org", "--log-level", "warning",
        "--queue-seconds", "0.5",
    )  # fmt: skip
    assert code == 0
    (settings,) = told
    assert settings.indexes == {"docs": "./a=b", "more": "milvus:./x.db"}
    assert (settings.upstream, settings.port, settings.recipe) == ("http://localhost:1/v1", 0, "provenance")
    assert (settings.threshold, settings.allowed_hosts, settings.log_level) == (0.25, ("check.example.org",), "warning")
    assert (settings.host, settings.keys, settings.limits.queue_seconds) == ("127.0.0.1", (), 0.5)
    assert capsys.readouterr().err == "groundwire listens on http://127.0.0.1:9\n"


def test_keys_come_from_the_environment_and_from_a_file(
    told: list[Settings], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GROUNDWIRE_SERVER_KEYS", f" {KEY}1 ,{KEY}2,")
    file = tmp_path / "keys"
    file.write_text(f"# ours\n{KEY}3\n\n", encoding="utf-8")
    assert exit_code("--host", "0.0.0.0", "--key-file", str(file)) == 0
    assert told[0].keys == (f"{KEY}1", f"{KEY}2", f"{KEY}3")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--host", "0.0.0.0"], "without an API key only this machine is served"),
        (["--host", "::"], "without an API key only this machine is served"),
        (["--index", "docs"], "NAME=INDEX"),
        (["--index", "a=x", "--index", "a=y"], "same name"),
        (["--index", "a/b=x"], "cannot be called"),
        (["--upstream", "localhost"], "no http or https URL"),
        (["--threshold", "2"], "not in [0, 1]"),
        (["--port", "70000"], "port"),
        (["--key-file", "nowhere"], "nowhere"),
        (["--allow-host", "*"], "without an API key"),
        (["--no-such-option"], "no such option"),
    ],
)
@pytest.mark.contract("bind")
def test_what_cannot_be_served_is_a_usage_error(
    told: list[Settings], capsys: pytest.CaptureFixture[str], args: list[str], says: str
) -> None:
    assert exit_code(*args) == 2
    error = capsys.readouterr().err
    assert says.lower() in error.lower()
    assert error.startswith("error: ")
    assert told == []


@pytest.mark.parametrize("content", [b"", b"# nothing\n", b"\xff\xfe", b"x" * 70_000])
def test_a_key_file_without_keys_is_one_too(
    told: list[Settings], capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "keys"
    file.write_bytes(content)
    assert exit_code("--key-file", str(file)) == 2
    assert told == []


def test_a_short_key_is_refused_and_not_said(
    told: list[Settings], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GROUNDWIRE_SERVER_KEYS", "hunter2")
    assert exit_code() == 2
    assert "hunter2" not in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install(
    told: list[Settings], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from groundwire.cli import serve
    from groundwire.errors import MissingExtra

    def require(package: str, extra: str) -> Any:
        raise MissingExtra(package, extra)

    monkeypatch.setattr(serve, "require", require)
    assert exit_code() == 3
    assert re.search(r"groundwire\[server\]", capsys.readouterr().err)
    assert exit_code("mcp") == 3
    assert re.search(r"groundwire\[mcp\]", capsys.readouterr().err)


def test_an_address_that_is_taken_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert exit_code("--port", str(taken.getsockname()[1])) == 2
    assert "--port 0" in capsys.readouterr().err
    assert exit_code("--host", "192.0.2.1") == 2


def test_mcp_is_told_what_it_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    from groundwire.server import mcp

    settings: list[Settings] = []
    monkeypatch.setattr(mcp, "run", settings.append)
    assert exit_code("mcp", "--index", "docs=./a", "--recipe", "provenance") == 0
    assert (settings[0].indexes, settings[0].recipe) == ({"docs": "./a"}, "provenance")
