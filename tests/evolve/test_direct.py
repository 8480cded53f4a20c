import pytest

from groundwire.evolve.direct import DirectWriter
from groundwire.testing import ScriptedLLM
from groundwire.types import Completion

SEEDS = ["The bridge opened in 1932.", "Trams cross the bridge."]


def test_one_prompt_with_the_query_and_the_seeds():
    llm = ScriptedLLM("Answer: It opened\nin 1932.", name="m")
    writer = DirectWriter(llm, fenced=False)
    told = writer.write("when did it open", SEEDS, seed=3)
    assert (told.text, told.calls, writer.name) == ("It opened in 1932.", 1, "direct:m")
    assert llm.prompts == [
        "Answer the query from the given documents.\nQuery: when did it open\n"
        "Document 1: The bridge opened in 1932.\nDocument 2: Trams cross the bridge.\nAnswer:"
    ]
    assert llm.seeds == [3]


def test_fenced_by_default():
    llm = ScriptedLLM("In 1932.")
    DirectWriter(llm).write("when", SEEDS)
    assert llm.prompts[0].count("[BEGIN ") == 3
    assert llm.prompts[0].endswith("\nAnswer:")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "unparseable"),
        ("I don't have access to that information.", "unparseable"),
        (Completion(text="No.", status="refused"), "refused"),
        (Completion(text=None, status="error", reason="timeout"), "error"),
    ],
)
def test_without_an_answer_it_says_why(reply, reason):
    told = DirectWriter(ScriptedLLM([reply])).write("when", SEEDS)
    assert told.text is None
    assert told.reason.startswith(f"{reason}: ")


def test_nothing_is_asked_without_documents():
    llm = ScriptedLLM([])
    assert DirectWriter(llm).write("when", []).text is None
    assert llm.calls == 0


def test_a_refusal_is_kept_as_it_comes_where_asked_for():
    assert DirectWriter(ScriptedLLM("I cannot say."), exact=True).write("when", SEEDS).text == "I cannot say."
