import os
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


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("GROUNDWIRE_LLM_BASE_URL", "GROUNDWIRE_LLM_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_nothing_is_asked_by_default(endpoint: pytest.MonkeyPatch) -> None:
    endpoint.setenv("OPENAI_API_KEY", "theirs")
    assert _env.llm_base_url() is None


def test_the_endpoint_of_our_own_variable_comes_first(endpoint: pytest.MonkeyPatch) -> None:
    endpoint.setenv("OPENAI_BASE_URL", "https://a.example/v1")
    assert _env.llm_base_url() == "https://a.example/v1"
    endpoint.setenv("GROUNDWIRE_LLM_BASE_URL", "https://b.example/v1")
    assert _env.llm_base_url() == "https://b.example/v1"


def test_the_key_of_another_endpoint_is_not_given_out(endpoint: pytest.MonkeyPatch) -> None:
    endpoint.setenv("OPENAI_BASE_URL", "https://a.example/v1/")
    endpoint.setenv("OPENAI_API_KEY", "theirs")
    assert _env.llm_key("https://a.example/v1") == "theirs"
    assert _env.llm_key("https://api.openai.com/v1") == "theirs"
    assert _env.llm_key("https://b.example/v1") is None
    endpoint.setenv("GROUNDWIRE_LLM_API_KEY", " ours ")
    assert _env.llm_key("https://b.example/v1") == "ours"


def test_the_token_of_milvus_is_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_MILVUS_TOKEN", " ")
    assert _env.milvus_token() is None
    monkeypatch.setenv("GROUNDWIRE_MILVUS_TOKEN", "me:secret ")
    assert _env.milvus_token() == "me:secret"


def test_an_import_leaves_the_environment_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", "mine")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with _env.kept():
        os.environ.update(GROUNDWIRE_HOME="theirs", OPENAI_API_KEY="theirs")
    assert os.environ["GROUNDWIRE_HOME"] == "mine"
    assert "OPENAI_API_KEY" not in os.environ
