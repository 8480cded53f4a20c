"""Each way in which an endpoint can fail, by the server that does it."""

from collections.abc import Callable
from threading import Thread
from time import monotonic, sleep

import pytest

from groundwire.errors import Unavailable
from groundwire.models.chat import Chat, Policy
from groundwire.testing import Fault, FaultServer
from groundwire.testing.faults import TRANSIENT

Make = Callable[..., Chat]
KINDS = {
    Fault.RATE_LIMIT: "rate_limited",
    Fault.RATE_LIMIT_DATE: "rate_limited",
    Fault.SERVER_ERROR: "server_error",
    Fault.HTML: "server_error",
    Fault.HTML_OK: "malformed",
    Fault.HANG: "timeout",
    Fault.DRIP: "timeout",
    Fault.RESET: "connection",
    Fault.TRUNCATED: "malformed",
    Fault.WRONG_SCHEMA: "malformed",
    Fault.EMPTY_CHOICES: "malformed",
    Fault.HUGE: "too_large",
}
SILENT = {Fault.HANG, Fault.DRIP}
QUICK = {"attempt": 10.0, "call": 20.0, "first_wait": 0.001}


def test_every_fault_is_tested() -> None:
    assert set(KINDS) == set(Fault) - {Fault.REFUSAL, Fault.FILTERED}


@pytest.mark.parametrize("fault", KINDS, ids=lambda fault: fault.name)
def test_a_fault_that_passes_costs_a_retry(fault: Fault, server: FaultServer, chat: Make) -> None:
    server.faults = [fault]
    made = chat(policy=Policy(**{**QUICK, "attempt": 0.3 if fault in SILENT else 10.0}))
    (got,) = made.complete(["q"])
    assert (got.text, got.status) == ("re: q", "ok")
    assert (made.usage.calls, made.usage.retries, made.usage.failed) == (1, 1, 0)


@pytest.mark.parametrize("fault", KINDS, ids=lambda fault: fault.name)
def test_a_fault_that_stays_is_a_value_with_its_class(fault: Fault, server: FaultServer, chat: Make) -> None:
    server.faults = lambda number, prompt: fault
    patience = 0.06 if fault in SILENT else 10.0
    made = chat(policy=Policy(**{**QUICK, "attempt": patience}, retries=2), limit=100_000)
    (got,) = made.complete(["q"])
    assert (got.text, got.status) == (None, "error")
    assert (got.reason or "").startswith(f"{KINDS[fault]}: ")
    assert len(server.exchanges) == 3
    assert (made.usage.retries, made.usage.failed) == (2, 1)


@pytest.mark.parametrize("fault", [Fault.REFUSAL, Fault.FILTERED], ids=lambda fault: fault.name)
def test_a_refusal_is_a_value_and_asked_once(fault: Fault, server: FaultServer, chat: Make) -> None:
    server.faults = [fault]
    (got,) = chat().complete(["q"])
    assert got.status == "refused"
    assert got.text is not None
    assert len(server.exchanges) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422, 302])
def test_what_asking_again_cannot_mend_is_asked_once(status: int, server: FaultServer, chat: Make) -> None:
    server.faults = [None, status]
    made = chat()
    made.complete(["first"])
    (got,) = made.complete(["second"])
    assert got.status == "error"
    assert str(status) in (got.reason or "")
    assert (len(server.exchanges), made.usage.retries) == (2, 0)


@pytest.mark.parametrize("fault", [Fault.RATE_LIMIT, Fault.RATE_LIMIT_DATE], ids=lambda fault: fault.name)
def test_retry_after_is_kept(fault: Fault, server: FaultServer, chat: Make) -> None:
    server.faults, server.retry_after = [fault], 1
    start = monotonic()
    (got,) = chat().complete(["q"])
    assert got.status == "ok"
    assert monotonic() - start >= 0.9


@pytest.mark.parametrize("fault", [Fault.RATE_LIMIT, Fault.RATE_LIMIT_DATE], ids=lambda fault: fault.name)
def test_a_retry_after_beyond_the_deadline_is_not_waited_for(fault: Fault, server: FaultServer, chat: Make) -> None:
    server.faults, server.retry_after = [fault], 3600
    start = monotonic()
    (got,) = chat().complete(["q"])
    assert got.status == "error"
    assert monotonic() - start < 8
    assert len(server.exchanges) == 1


def test_a_retry_after_holds_for_every_call(server: FaultServer, chat: Make) -> None:
    server.faults, server.retry_after = [Fault.RATE_LIMIT], 1
    made = chat()
    first = Thread(target=made.complete, args=(["a"],))
    first.start()
    while not made.usage.retries:
        sleep(0.001)
    start = monotonic()
    assert made.complete(["b"])[0].status == "ok"
    assert monotonic() - start >= 0.8
    first.join()


@pytest.mark.parametrize("fault", [Fault.HANG, Fault.DRIP], ids=lambda fault: fault.name)
def test_the_deadline_of_a_call_holds(fault: Fault, server: FaultServer, chat: Make) -> None:
    server.faults = lambda number, prompt: fault
    start = monotonic()
    (got,) = chat(policy=Policy(attempt=10, call=0.1)).complete(["q"])
    assert got.status == "error"
    assert monotonic() - start < 8


def test_the_deadline_of_a_batch_keeps_what_is_there(server: FaultServer, chat: Make) -> None:
    server.faults = lambda number, prompt: Fault.HANG if prompt == "slow" else None
    start = monotonic()
    got = chat(concurrency=2, policy=Policy(batch=0.6)).complete(["quick", "slow", "quick too"])
    assert [reply.status for reply in got] == ["ok", "error", "ok"]
    assert (got[1].reason or "").startswith("not_asked: ")
    assert monotonic() - start < 8


def test_the_budget_ends_retries_for_all(server: FaultServer, chat: Make) -> None:
    server.faults = lambda number, prompt: 503
    made = chat(policy=Policy(**QUICK, budget=0.1, reserve=5, failures=1000))
    got = made.complete([str(n) for n in range(20)])
    assert {reply.status for reply in got} == {"error"}
    assert 5 <= made.usage.retries <= 7


def test_an_open_breaker_asks_no_more(server: FaultServer, chat: Make) -> None:
    server.faults = lambda number, prompt: 500
    made = chat(concurrency=1, policy=Policy(**QUICK, retries=0, failures=3, cooldown=60))
    got = made.complete([str(n) for n in range(50)])
    assert len(server.exchanges) == 3
    assert (got[-1].reason or "").startswith("not_asked: the endpoint failed 3 times in a row")


def test_a_rate_limit_does_not_open_the_breaker(server: FaultServer, chat: Make) -> None:
    server.faults = [Fault.RATE_LIMIT] * 4
    (got,) = chat(policy=Policy(**QUICK, failures=2)).complete(["q"])
    assert got.status == "ok"


def test_a_breaker_lets_a_probe_through_and_closes(server: FaultServer, chat: Make) -> None:
    server.faults = [500, 500]
    made = chat(policy=Policy(**QUICK, retries=0, failures=2, cooldown=0.01))
    made.complete(["a"])
    made.complete(["b"])
    start = monotonic()
    while made.complete(["c"])[0].status != "ok":
        assert monotonic() - start < 8
    assert made.complete(["d"])[0].status == "ok"


def test_a_server_that_is_not_there_is_a_value(policy: Policy) -> None:
    with FaultServer() as gone:
        url = gone.url
    with Chat("m", base_url=url, policy=Policy(**QUICK, retries=1)) as chat:
        (got,) = chat.complete(["q"])
    assert (got.reason or "").startswith("connection: ")


def test_a_refused_key_is_one_line_with_a_hint(server: FaultServer, chat: Make) -> None:
    server.key = "another"
    with pytest.raises(Unavailable, match=r"refuses the key.*GROUNDWIRE_LLM_API_KEY") as raised:
        chat().complete(["a", "b"])
    assert "\n" not in str(raised.value)


def test_an_unknown_model_is_one_line_with_a_hint(server: FaultServer, chat: Make) -> None:
    server.models = ("other-model",)
    with pytest.raises(Unavailable, match=r"does not know the model 'test-model'.*doctor --llm"):
        chat().complete(["a"])


def test_many_items_under_faults_all_come_home_in_their_order(server: FaultServer, chat: Make) -> None:
    server.faults = lambda number, prompt: TRANSIENT[number // 4 % len(TRANSIENT)] if number % 4 == 0 else None
    prompts = [f"item {n}" for n in range(120)]
    got = chat(policy=Policy(attempt=0.3, call=20, first_wait=0.005, reserve=1000, retries=12)).complete(prompts)
    assert [reply.text for reply in got] == [f"re: {prompt}" for prompt in prompts]
