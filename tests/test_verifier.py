"""The verifier and the function `verify`: what they take for an index and an LLM, and what they refuse."""

from typing import Any

import pytest

import groundwire
from groundwire import Case, Label, Passage, Verifier, verify
from groundwire.errors import GroundwireError, InputError, MissingIndex, Unavailable, UnknownName, UsageError
from groundwire.testing import ScriptedLLM
from groundwire.types import Hit

DOOR = Passage(id="door", text="The door of the house is blue. It was painted in 1987.")


class Finds:
    """A retriever that finds one passage."""

    name = "finds"

    def retrieve(self, queries, k):
        return [[Hit(passage=DOOR, score=2.5, by=self.name)][:k] for _ in queries]


class Index:
    """An open index of one passage."""

    def bm25(self, **options):
        return Finds()

    def contents(self):
        return "c0ffee"


def test_one_answer_against_a_retriever_or_an_open_index():
    for index in (Finds(), Index()):
        verdict = verify("What colour is the door?", "The door is blue.", index, stack="bm25")
        assert verdict.label is Label.SUPPORTED
        assert verdict.case.contexts == (DOOR,)
        assert verdict.text_of(verdict.claims[0].evidence[0]) == "The door of the house is blue."
        assert verdict.retrieval.rankings[-1].by == "finds"
    assert not verify("When was the door painted?", "The door was painted in 1999.", Finds()).grounded


def test_rows_and_cases_whose_contexts_are_not_read():
    verifier = Verifier(Finds())
    rows = [
        {"question": "q", "answer": "The door is blue.", "contexts": ["red"]},
        Case(id="own", answer="x", contexts=()),
    ]
    verdicts = verifier.verify(rows)
    assert [verdict.case.id for verdict in verdicts] == ["0", "own"]
    assert [verdict.case.contexts for verdict in verdicts] == [(DOOR,), (DOOR,)]
    assert (verifier.name, verifier.threshold) == ("verify", 0.5)
    assert repr(verifier) == "Verifier('verify', stack='finds', judge='nli:mini')"


def test_a_missing_answer_is_asked_of_the_llm():
    verdict = verify("What colour is the door?", None, Finds(), llm=ScriptedLLM("The door is blue."))
    assert (verdict.case.answer, verdict.label) == ("The door is blue.", Label.SUPPORTED)
    assert verify("What colour is the door?", None, Finds()).reason == "the answer is empty"


def test_empty_question_and_answer():
    verdict = verify("", "", Finds())
    assert (verdict.label, verdict.reason) == (Label.NOT_CHECKABLE, "the question and the answer are empty")


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"index": None}, InputError, "index is missing"),
        ({"index": 3}, InputError, "index must be a folder"),
        ({"answer": 3}, InputError, "answer must be a string"),
        ({"question": ["q"]}, InputError, "question must be a string"),
        ({"recipe": 3}, InputError, "recipe must be a string"),
        ({"recipe": "verfy"}, UnknownName, "verify"),
        ({"recipe": "default"}, UnknownName, "recipe"),
        ({"threshold": 2}, InputError, "threshold"),
        ({"stack": 2}, InputError, "stack must be a string"),
        ({"index": Index(), "stack": "bm26"}, UnknownName, "bm26"),
        ({"index": Index(), "stack": "bm25("}, UsageError, "bm25"),
        ({"model": "no-such-model"}, UnknownName, "no-such-model"),
        ({"llm": 3}, InputError, "llm must be an LLM"),
        ({"recipe": "verify-llm"}, UsageError, "asks an LLM"),
    ],
)
def test_bad_input(arguments: dict[str, Any], error: type[GroundwireError], says: str):
    with pytest.raises(error, match=says) as raised:
        verify(**{"question": "q", "answer": "a", "index": Finds(), **arguments})
    assert raised.value.hint


def test_a_batch_is_a_list():
    with pytest.raises(InputError, match="cases must be a list"):
        Verifier(Finds()).verify({"answer": "a"})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="case 0: answer must be a string"):
        Verifier(Finds()).verify([{"answer": 3}])


def test_no_endpoint_is_unavailable(monkeypatch):
    for name in ("GROUNDWIRE_LLM_BASE_URL", "OPENAI_BASE_URL", "GROUNDWIRE_LLM_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(Unavailable) as raised:
        verify("q", "a", Finds(), recipe="verify-llm", llm="some-model")
    assert raised.value.exit_code == 3


def test_no_index_where_one_should_be(tmp_path):
    pytest.importorskip("groundwire.index")
    for folder in (tmp_path / "none", tmp_path):
        with pytest.raises(GroundwireError) as raised:
            verify("q", "a", folder)
        assert raised.value.exit_code in (2, 3)


def test_an_address_on_milvus_is_an_index(tmp_path):
    pytest.importorskip("pymilvus", reason="needs the extra milvus")
    pytest.importorskip("milvus_lite", reason="needs the extra milvus")
    from groundwire.index import create_index

    place = f"milvus:{tmp_path / 'index.db'}"
    with pytest.raises(MissingIndex):
        verify("q", "a", place)
    with create_index(place) as index:
        index.add([DOOR])
    verdict = verify("What colour is the door?", "The door is blue.", place, stack="bm25")
    assert (verdict.label, verdict.case.contexts) == (Label.SUPPORTED, (DOOR,))


def test_what_may_change_a_verdict_is_in_the_identity():
    told = Verifier(Index(), stack="bm25").identity()
    assert told["index"] == {"contents": "c0ffee"}
    assert Verifier(Finds()).identity()["index"] == {}
    assert (told["retriever"], told["judge"], told["prompts"]) == ("finds", "nli:mini", [])
    others = [
        Verifier(Index(), stack="bm25", threshold=0.7),
        Verifier(Index(), "verify(passages=2)", stack="bm25"),
        Verifier(Index(), "verify-llm", stack="bm25", llm=ScriptedLLM("Yes")),
        Verifier(Index(), "verify-llm", stack="bm25", llm=ScriptedLLM("Yes", name="other")),
    ]
    assert len({str(verifier.identity()) for verifier in others} | {str(told)}) == 5


def test_another_text_under_the_same_id_is_another_index(tmp_path):
    from groundwire.index import LocalIndex

    told = []
    with LocalIndex.create(tmp_path / "idx") as index:
        for colour in ("blue", "gray"):
            index.add([Passage(id="door", text=f"The door of the house is {colour}.")], existing="replace")
            told.append(Verifier(tmp_path / "idx", stack="bm25").identity())
    first, second = told
    assert first.pop("index") != second.pop("index")
    assert first == second


def test_it_is_among_what_is_promised():
    assert {"verify", "Verifier"} <= set(groundwire.__all__)
