import pytest

from groundwire.errors import Unavailable, UsageError
from groundwire.models.chat.probe import probe
from groundwire.testing import Fault, FaultServer


def found(server: FaultServer, model: str | None = None, deadline: float = 10.0) -> dict[str, bool | None]:
    return {finding.name: finding.ok for finding in probe(model, base_url=server.url, deadline=deadline)}


def test_an_endpoint_that_can_everything() -> None:
    with FaultServer("yes", models=["one"]) as server:
        got = found(server)
    assert got == {"reachable": True, "model": True, "json_schema": True, "logprobs": True, "seed": True}


@pytest.mark.parametrize("missing", ["json_schema", "logprobs", "seed"])
def test_what_it_cannot_do_is_said(missing: str) -> None:
    everything = {"json_schema", "logprobs", "seed"}
    with FaultServer("yes", models=["one"], features=frozenset(everything - {missing})) as server:
        got = found(server, "one")
    assert got.pop(missing) is False
    assert set(got.values()) == {True}


def test_a_schema_that_is_accepted_and_ignored_is_no_support() -> None:
    with FaultServer("yes", features=frozenset({"json_schema", "logprobs", "seed", "ignores_schema"})) as server:
        assert found(server, "one")["json_schema"] is False


def test_an_unknown_model_ends_the_probing_and_names_the_others() -> None:
    with FaultServer(models=["one", "two"]) as server:
        last = probe("three", base_url=server.url)[-1]
    assert (last.name, last.ok) == ("model", False)
    assert "it lists one, two" in last.note


def test_without_a_name_there_has_to_be_one_model() -> None:
    with FaultServer(models=["one", "two"]) as server, pytest.raises(UsageError, match=r"has 2 models.*one, two"):
        probe(base_url=server.url)
    with FaultServer() as server, pytest.raises(Unavailable, match="lists no models"):
        probe(base_url=server.url)


def test_an_endpoint_that_is_not_there_or_wants_another_key() -> None:
    with FaultServer(key="another") as server:
        (only,) = probe("one", base_url=server.url)
    assert (only.ok, only.note[:12]) == (False, "key_refused:")
    (only,) = probe("one", base_url=server.url)
    assert (only.ok, only.note[:11]) == (False, "connection:")


def test_a_probe_has_a_deadline() -> None:
    with FaultServer(models=["one"], faults=[Fault.HANG]) as server:
        got = found(server, deadline=0.3)
    assert got == {"reachable": True, "model": False}


def test_one_broken_connection_says_nothing() -> None:
    with FaultServer(models=["one"], faults=[Fault.RESET]) as server:
        assert found(server)["model"] is True
