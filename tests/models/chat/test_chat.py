import asyncio
import gc
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.cache import Cache
from groundwire.errors import NetworkError, Unavailable, UsageError
from groundwire.models.chat import Chat, Prices
from groundwire.protocols import LLM
from groundwire.testing import Fault, FaultServer

Make = Callable[..., Chat]


def test_it_fills_the_role(chat: Make) -> None:
    made = chat()
    assert isinstance(made, LLM)
    assert made.name == "test-model"
    assert made.complete([]) == []


def test_a_prompt_is_one_user_message_at_temperature_0_with_a_seed(server: FaultServer, chat: Make) -> None:
    made = chat(options={"logprobs": True})
    made.complete(["Is water wet?"], max_tokens=5)
    made.complete(["Is water wet?"], seed=7)
    first, second = (exchange.request for exchange in server.exchanges)
    assert first == {
        "model": "test-model",
        "messages": [{"role": "user", "content": "Is water wet?"}],
        "temperature": 0.0,
        "seed": 0,
        "max_tokens": 5,
        "logprobs": True,
    }
    assert (second["seed"], "max_tokens" in second) == (7, False)


def test_a_temperature_of_none_is_not_sent(server: FaultServer, chat: Make) -> None:
    chat(temperature=None, seed=None).complete(["q"])
    assert set(server.exchanges[0].request) == {"model", "messages"}


def test_replies_come_in_the_order_of_the_prompts(chat: Make) -> None:
    prompts = [f"item {n}" for n in range(60)]
    assert [reply.text for reply in chat().complete(prompts)] == [f"re: {prompt}" for prompt in prompts]


def test_equal_prompts_are_asked_once(server: FaultServer, chat: Make) -> None:
    made = chat()
    got = made.complete(["a", "b", "a", "a"])
    assert [reply.text for reply in got] == ["re: a", "re: b", "re: a", "re: a"]
    assert [reply.cached for reply in got] == [False, False, True, True]
    assert len(server.exchanges) == 2
    assert (made.usage.calls, made.usage.cached, made.usage.prompt_tokens) == (2, 2, 2)


def test_a_system_message_goes_before_the_users(server: FaultServer, chat: Make) -> None:
    (got,) = chat().complete([("You edit.", "Edit this.")])
    assert got.text == "re: Edit this."
    assert server.exchanges[0].request["messages"] == [
        {"role": "system", "content": "You edit."},
        {"role": "user", "content": "Edit this."},
    ]
    assert got.prompt_tokens == 4


def test_each_prompt_has_its_seed_on_the_wire(server: FaultServer, chat: Make) -> None:
    made = chat(temperature=0.7, concurrency=1)
    made.complete(["a", ("s", "b"), "c"], seed=[5, 6, 5])
    sent = [(exchange.prompt, exchange.request["seed"]) for exchange in server.exchanges]
    assert sent == [("a", 5), ("b", 6), ("c", 5)]


def test_equal_prompts_are_asked_once_for_each_seed(server: FaultServer, chat: Make) -> None:
    got = chat(concurrency=1).complete(["a", "a", "a", ("", "a")], seed=[1, 2, 1, 1])
    assert [reply.cached for reply in got] == [False, False, True, False]
    assert [exchange.request["seed"] for exchange in server.exchanges] == [1, 2, 1]


def test_as_many_seeds_as_prompts(server: FaultServer, chat: Make) -> None:
    with pytest.raises(UsageError, match="2 prompts have 1 seeds"):
        chat().complete(["a", "b"], seed=[1])
    assert server.exchanges == []


def test_replies_are_kept_for_each_seed_and_system_message(server: FaultServer, chat: Make, tmp_path: Path) -> None:
    with Cache(tmp_path / "replies") as cache:
        prompts = ["a", "a", ("s", "a"), ("t", "a")]
        chat(cache=cache).complete(prompts, seed=[1, 2, 1, 1])
        assert len(cache) == 4
        made = chat(cache=cache)
        made.forget(["a", ("s", "a")], seed=[2, 1])
        got = made.complete(prompts, seed=[1, 2, 1, 1])
    assert [reply.cached for reply in got] == [True, False, False, True]


def test_no_more_than_so_many_at_a_time(server: FaultServer, chat: Make) -> None:
    lock, now, most = threading.Lock(), 0, 0
    gate = threading.Event()

    def reply(prompt: str) -> str:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        gate.wait(0.01)
        with lock:
            now -= 1
        return prompt

    server.reply = reply
    made = chat(concurrency=3)
    threads = [threading.Thread(target=made.complete, args=([f"{n} {m}" for m in range(6)],)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.exchanges) == 24
    assert most == 3


def test_usage_and_cost_are_counted(server: FaultServer, chat: Make) -> None:
    server.faults = [500]
    made = chat(prices=Prices(prompt=2_000_000, reply=500_000), concurrency=1)
    made.complete(["one two three", "four"])
    usage = made.usage
    assert (usage.calls, usage.retries, usage.prompt_tokens, usage.reply_tokens) == (2, 1, 4, 6)
    assert usage.cost == 4 * 2 + 6 * 0.5
    assert chat().usage.cost is None


def test_cached_replies_are_not_asked_again(server: FaultServer, chat: Make, tmp_path: Path) -> None:
    with Cache(tmp_path / "replies") as cache:
        chat(cache=cache).complete(["a", "b"])
        made = chat(cache=cache)
        got = made.complete(["b", "a", "c"])
    assert [(reply.text, reply.cached) for reply in got] == [("re: b", True), ("re: a", True), ("re: c", False)]
    assert (made.usage.calls, made.usage.cached, made.usage.prompt_tokens) == (1, 2, 1)
    assert len(server.exchanges) == 3


@pytest.mark.parametrize("changed", [{"seed": 1}, {"temperature": 0.5}, {"options": {"top_p": 0.5}}])
def test_other_parameters_are_other_replies(changed: dict, server: FaultServer, chat: Make, tmp_path: Path) -> None:
    with Cache(tmp_path / "replies") as cache:
        chat(cache=cache).complete(["a"])
        chat(cache=cache).complete(["a"], max_tokens=9)
        chat(cache=cache, **changed).complete(["a"])
        with FaultServer("elsewhere") as other:
            (got,) = chat(cache=cache, base_url=other.url).complete(["a"])
    assert got.text == "elsewhere"
    assert len(server.exchanges) == 3


@pytest.mark.parametrize("wrong", [Fault.REFUSAL, Fault.FILTERED, 400], ids=str)
def test_only_good_replies_are_cached(wrong: Fault | int, server: FaultServer, chat: Make, tmp_path: Path) -> None:
    server.faults = [wrong]
    with Cache(tmp_path / "replies") as cache:
        chat(cache=cache).complete(["a"])
        assert len(cache) == 0
        (got,) = chat(cache=cache).complete(["a"])
    assert (got.text, got.cached) == ("re: a", False)


def test_a_reply_that_cannot_be_parsed_can_be_forgotten(server: FaultServer, chat: Make, tmp_path: Path) -> None:
    with Cache(tmp_path / "replies") as cache:
        made = chat(cache=cache)
        made.complete(["a", "b"], max_tokens=3)
        made.forget(["a"])
        made.forget(["a"], max_tokens=3)
        assert [reply.cached for reply in made.complete(["a", "b"], max_tokens=3)] == [False, True]
    chat().forget(["a"])


def test_a_cache_that_fails_loses_no_reply(chat: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise Unavailable("the disk is full")

    with Cache(tmp_path / "replies") as cache:
        monkeypatch.setattr(Cache, "put", full)
        made = chat(cache=cache)
        assert made.complete(["a"])[0].text == "re: a"
    assert made.usage.unkept == 1


def test_a_cache_that_fails_to_forget_loses_no_reply(
    chat: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def damaged(*_: object) -> None:
        raise Unavailable("the cache is damaged")

    with Cache(tmp_path / "replies") as cache:
        made = chat(cache=cache)
        made.complete(["a"])
        monkeypatch.setattr(Cache, "drop", damaged)
        made.forget(["a"])
        assert "could not be forgotten: the cache is damaged" in caplog.text
        assert made.complete(["a"])[0].cached


def test_offline_the_cache_still_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GROUNDWIRE_OFFLINE", "1")
    monkeypatch.setenv("GROUNDWIRE_LLM_API_KEY", "key")
    with Cache(tmp_path / "replies") as cache, Chat("m", base_url="https://llm.example/v1", cache=cache) as made:
        with pytest.raises(NetworkError, match=r"https://llm.example/v1.*offline"):
            made.complete(["a"])
        cache.put(made._request("a", None, None).key(made.endpoint), b'{"text": "kept", "reason": null}')
        assert made.complete(["a"])[0].text == "kept"


def test_any_text_travels(server: FaultServer, chat: Make, tmp_path: Path) -> None:
    texts = ["", "\0", "line\u2028end", "\N{GRINNING FACE}" * 3, "a" * 200_000, "\u202e</s><|im_end|>"]
    with Cache(tmp_path / "replies") as cache:
        for _ in range(2):
            assert [reply.text for reply in chat(cache=cache).complete(texts)] == [f"re: {text}" for text in texts]
    assert chat().complete(["lone \ud800 surrogate"])[0].text == "re: lone \ufffd surrogate"
    chat().complete([("system \udfff", "user")])
    assert server.exchanges[-1].request["messages"][0]["content"] == "system \ufffd"


def test_it_works_inside_a_running_loop(chat: Make) -> None:
    made = chat()

    async def inside() -> str | None:
        return made.complete(["a"])[0].text

    assert asyncio.run(inside()) == "re: a"


def test_closing_frees_the_thread_and_the_chat_can_go_on(chat: Make) -> None:
    def threads() -> int:
        return sum(thread.name.startswith("groundwire-chat") for thread in threading.enumerate())

    made = chat()
    made.complete(["a"])
    assert threads() == 1
    made.close()
    made.close()
    assert threads() == 0
    assert made.complete(["b"])[0].status == "ok"


def test_a_chat_that_nobody_holds_goes_by_itself(server: FaultServer) -> None:
    Chat("m", base_url=server.url).complete(["a"])
    gc.collect()
    assert not any(thread.name.startswith("groundwire-chat") for thread in threading.enumerate())


def test_sixteen_threads_share_a_chat_and_a_cache(server: FaultServer, chat: Make, tmp_path: Path) -> None:
    """R15, reduced: no error, no mixed-up reply."""
    wrong: list[object] = []
    with Cache(tmp_path / "replies") as cache:
        made = chat(cache=cache, concurrency=8)

        def work(start: int) -> None:
            prompts = [f"item {(start * 7 + n) % 60}" for n in range(25)]
            replies = made.complete(prompts)
            wrong.extend(r for p, r in zip(prompts, replies, strict=True) if r.text != f"re: {p}")

        threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(cache) == 60
    assert wrong == []
