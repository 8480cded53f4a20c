import pytest

from groundwire.errors import Unavailable, UsageError
from groundwire.models.chat import Chat
from groundwire.models.chat.endpoint import NO_KEY, find

CANARY = "sk-canary-4711"
AWAY = "https://llm.example/v1"


def test_no_endpoint_is_an_error_with_a_hint() -> None:
    with pytest.raises(Unavailable, match=r"no endpoint.*GROUNDWIRE_LLM_BASE_URL"):
        Chat("m")


def test_no_key_is_an_error_with_a_hint() -> None:
    with pytest.raises(Unavailable, match=r"no key for https://llm.example/v1.*GROUNDWIRE_LLM_API_KEY"):
        Chat("m", base_url=AWAY)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/v1", "http://localhost:8000/v1/", "http://[::1]/v1"])
def test_this_machine_needs_no_key(url: str) -> None:
    found = find(url)
    assert (found.key, found.local) == (NO_KEY, True)
    assert found.url == url.rstrip("/")


def test_our_own_variables_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://other.example/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "other")
    assert find().url == "https://other.example/v1"
    assert find().key == "other"
    monkeypatch.setenv("GROUNDWIRE_LLM_BASE_URL", AWAY)
    monkeypatch.setenv("GROUNDWIRE_LLM_API_KEY", CANARY)
    assert (find().url, find().key) == (AWAY, CANARY)
    assert find("http://127.0.0.1/v1").key == CANARY


def test_a_key_goes_only_where_it_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    assert find("https://api.openai.com/v1").key == CANARY
    assert find("http://127.0.0.1:1/v1").key == NO_KEY
    with pytest.raises(Unavailable, match="no key"):
        find(AWAY)
    with pytest.raises(Unavailable, match="no key"):
        find("https://api.openai.com.example/v1")


@pytest.mark.parametrize(
    "url",
    [
        f"https://user:{CANARY}@llm.example/v1",
        f"https://{CANARY}@llm.example/v1",
        f"https://llm.example/v1?key={CANARY}",
        f"https://llm.example/v1#{CANARY}",
        f"https://llm.example:{CANARY}/v1",
        f"http://[{CANARY}/v1",
    ],
)
def test_a_secret_in_the_url_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageError) as raised:
        find(url)
    assert CANARY not in str(raised.value)


@pytest.mark.parametrize(
    "url", ["ftp://llm.example", "llm.example/v1", "https://", "https://a b/v1", "file:///etc/hosts"]
)
def test_other_nonsense_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="base URL"):
        find(url)


def test_a_key_that_no_header_carries_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_LLM_API_KEY", f"{CANARY}\nX-Other: é")
    with pytest.raises(UsageError) as raised:
        find(AWAY)
    assert CANARY not in str(raised.value)


def test_the_key_is_in_no_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_LLM_API_KEY", CANARY)
    assert CANARY not in repr(find(AWAY))
    assert repr(Chat("m", base_url=AWAY)) == f"Chat('m', base_url='{AWAY}')"


@pytest.mark.parametrize("settings", [{"model": " "}, {"concurrency": 0}, {"limit": 0}])
def test_arguments_that_make_no_sense_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Chat(**{"model": "m", "base_url": "http://127.0.0.1/v1", **settings})
