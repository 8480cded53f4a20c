from pathlib import Path

import pytest

from groundwire import _env
from groundwire.errors import UsageError


def test_home_is_where_the_variable_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path))
    assert _env.home() == tmp_path
    assert _env.models_folder() == tmp_path / "models"


@pytest.mark.parametrize(
    ("xdg", "expected"), [("", "~/.cache"), ("relative/path", "~/.cache"), ("/var/xdg", "/var/xdg")]
)
def test_home_follows_the_xdg_rules_on_linux(monkeypatch: pytest.MonkeyPatch, xdg: str, expected: str) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("GROUNDWIRE_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", xdg)
    assert _env.home() == Path(expected).expanduser() / "groundwire"


def test_an_empty_home_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", "")
    assert _env.home() != Path.cwd()


@pytest.mark.parametrize(("value", "expected"), [("", False), ("0", False), ("no", False), ("1", True), ("True", True)])
def test_offline(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
    monkeypatch.setenv("GROUNDWIRE_OFFLINE", value)
    assert _env.offline() is expected


def test_an_unclear_offline_is_an_error_and_never_online(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_OFFLINE", "maybe")
    with pytest.raises(UsageError, match="GROUNDWIRE_OFFLINE"):
        _env.offline()


def test_an_empty_token_is_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "")
    assert _env.hub_token() is None
