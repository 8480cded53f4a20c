from groundwire.prompts import ANSWER, Prompt
from groundwire.testing import ScriptedLLM
from groundwire.writer import LlmWriter


def test_the_question_is_asked_by_figure_2():
    llm = ScriptedLLM(["one", "two"])
    writer = LlmWriter(llm, Prompt(ANSWER, fenced=False))
    assert [reply.text for reply in writer.write(["first?", "second?"])] == ["one", "two"]
    assert llm.prompts == [ANSWER.format(query="first?"), ANSWER.format(query="second?")]
    assert writer.name == "llm:scripted"
