import pytest

from groundwire.errors import UsageError
from groundwire.protocols import LLM, Prompt
from groundwire.testing import ScriptedLLM
from groundwire.types import Completion


def texts(llm: ScriptedLLM, *prompts: Prompt) -> list[str | None]:
    return [reply.text for reply in llm.complete(prompts)]


def test_it_fills_the_role_and_remembers() -> None:
    llm = ScriptedLLM("Yes")
    assert isinstance(llm, LLM)
    assert texts(llm, "a", "b") == ["Yes", "Yes"]
    llm.complete(["c"], max_tokens=3, seed=4)
    assert (llm.prompts, llm.calls, llm.batches, llm.settings) == (["a", "b", "c"], 3, [2, 1], [(None, None), (3, 4)])


def test_a_system_message_is_looked_up_with_the_users() -> None:
    llm = ScriptedLLM({"You edit.": "edited", "s\n\nexactly": "whole"})
    assert texts(llm, ("You edit.", "this"), ("s", "exactly")) == ["edited", "whole"]
    assert llm.prompts == [("You edit.", "this"), ("s", "exactly")]
    assert texts(ScriptedLLM(str.upper), ("a", "b")) == ["A\n\nB"]


def test_each_prompt_has_its_seed() -> None:
    llm = ScriptedLLM(lambda prompt: f"{prompt} {llm.seeds[-1]}")
    assert [reply.text for reply in llm.complete(["a", "a"], seed=[7, 8])] == ["a 7", "a 8"]
    llm.complete(["b"])
    llm.complete(["c", "d"], seed=9)
    assert (llm.seeds, llm.settings) == ([7, 8, None, 9, 9], [(None, [7, 8]), (None, None), (None, 9)])
    with pytest.raises(UsageError, match="2 prompts have 1 seeds"):
        llm.complete(["a", "b"], seed=[1])


def test_a_function_a_list_and_a_mapping() -> None:
    assert texts(ScriptedLLM(str.upper), "a") == ["A"]
    assert texts(ScriptedLLM(["1", "2"]), "a", "b") == ["1", "2"]
    assert texts(ScriptedLLM({"Paris": "Yes", "Rome": "No"}), "Paris", "Is it Rome?") == ["Yes", "No"]


def test_a_completion_is_given_as_it_is() -> None:
    refusal = Completion(text="No.", status="refused")
    assert ScriptedLLM([refusal]).complete(["a"]) == [refusal]


def test_it_fails_where_it_should() -> None:
    got = ScriptedLLM(["1", "2"], fail_at={1}).complete(["a", "b", "c"])
    assert [(reply.text, reply.status) for reply in got] == [("1", "ok"), (None, "error"), ("2", "ok")]
    assert got[1].reason


def test_a_script_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(UsageError, match="one more"):
        ScriptedLLM(["1"]).complete(["a", "b"])
    with pytest.raises(UsageError, match="0 keys"):
        ScriptedLLM({"Rome": "No"}).complete(["Paris"])
    with pytest.raises(UsageError, match="2 keys"):
        ScriptedLLM({"Rome": "No", "Paris": "Yes"}).complete(["Rome or Paris?"])
