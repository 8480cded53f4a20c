"""The adapters against tiny fakes of what each project asks its metrics to be. The real ones: `make test-integrations`."""

import asyncio
import importlib
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from groundwire.errors import InputError, MissingExtra
from groundwire.integrations import dspy, langchain

QUESTION = "When was the bridge opened?"
RIGHT, WRONG = "It was opened in 1932.", "Opened by an elephant."
CONTEXTS = ["The bridge was opened in 1932. It was steel."]
CHECKER = "peer:overlap"

Fake = Callable[..., None]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Put a package that holds these members into the place of the real one."""

    def put(module: str, **members: Any) -> None:
        parts = module.split(".")
        for n in range(1, len(parts) + 1):
            name = ".".join(parts[:n])
            monkeypatch.setitem(sys.modules, name, ModuleType(name))
        for key, value in members.items():
            setattr(sys.modules[module], key, value)

    return put


@pytest.mark.parametrize(
    ("module", "opens", "package"),
    [
        ("ragas", "metric", "ragas"),
        ("deepeval", "metric", "deepeval"),
        ("langchain", "runnable", "langchain_core"),
        ("llamaindex", "evaluator", "llama_index"),
        ("haystack", "GroundednessEvaluator", "haystack"),
        ("pyterrier", "transformer", "pyterrier"),
    ],
)
def test_an_adapter_without_its_package_says_how_to_install_it(
    module: str, opens: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Absent:
        def find_spec(self, name: str, *_: object) -> None:
            if name == package:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Absent(), *sys.meta_path])
    adapter = importlib.import_module(f"groundwire.integrations.{module}")
    with pytest.raises(MissingExtra, match=f"{package} is not installed.*pip install"):
        getattr(adapter, opens)()


def test_a_metric_of_ragas(fake: Fake) -> None:
    @dataclass
    class SingleTurnMetric:
        name: str = ""
        _required_columns: dict[Any, Any] = field(default_factory=dict)

    fake("ragas.metrics.base", SingleTurnMetric=SingleTurnMetric, MetricType=SimpleNamespace(SINGLE_TURN="single"))
    made = importlib.import_module("groundwire.integrations.ragas").metric(CHECKER)

    def score(answer: str, contexts: list[str]) -> float:
        sample = SimpleNamespace(user_input=QUESTION, response=answer, retrieved_contexts=contexts)
        return float(asyncio.run(made._single_turn_ascore(sample, callbacks=None)))

    assert (score(RIGHT, CONTEXTS), score(WRONG, CONTEXTS)) == (1, 0.25)
    assert math.isnan(score(RIGHT, []))
    assert made._required_columns == {"single": {"response", "retrieved_contexts", "user_input:optional"}}


def test_a_metric_of_deepeval(fake: Fake) -> None:
    class BaseMetric:
        score = success = reason = None

    fake("deepeval.metrics", BaseMetric=BaseMetric)
    made = importlib.import_module("groundwire.integrations.deepeval").metric(CHECKER, threshold=0.6)

    def case(answer: str, contexts: Any) -> Any:
        return SimpleNamespace(input=QUESTION, actual_output=answer, retrieval_context=contexts, context=None)

    assert (made.measure(case(RIGHT, CONTEXTS)), made.is_successful()) == (1, True)
    wrapped = [SimpleNamespace(context=CONTEXTS[0], source="a.md")]
    assert (asyncio.run(made.a_measure(case(WRONG, wrapped))), made.is_successful()) == (0.25, False)
    assert WRONG in made.reason
    assert (made.measure(case(WRONG, [])), made.is_successful(), made.score) == (None, False, None)
    assert (made.threshold, made.__name__) == (0.6, "Groundedness")


def test_an_evaluator_of_langchain_and_langsmith() -> None:
    made = langchain.evaluator(CHECKER)
    got = made.evaluate_strings(prediction=WRONG, reference=CONTEXTS[0], input=QUESTION)
    assert (got["score"], got["value"]) == (0.25, "N")
    assert WRONG in got["reasoning"]
    assert asyncio.run(made.aevaluate_strings(prediction=RIGHT, reference=CONTEXTS))["value"] == "Y"
    assert made({"question": QUESTION}, {"output": RIGHT, "source_documents": CONTEXTS})["score"] == 1
    assert made({"question": QUESTION, "contexts": CONTEXTS}, {"answer": WRONG})["score"] == 0.25
    assert made({"question": QUESTION}, {"answer": WRONG})["score"] is None


def test_a_runnable_of_langchain(fake: Fake) -> None:
    class RunnableLambda:
        def __init__(self, function: Callable[[Any], Any], name: str) -> None:
            self.invoke, self.name = function, name

    fake("langchain_core.runnables", RunnableLambda=RunnableLambda)
    row = {"query": QUESTION, "result": RIGHT, "contexts": CONTEXTS, "kept": 1}
    got = langchain.runnable(CHECKER).invoke(row)
    assert {**row, "groundedness": got["groundedness"]} == got
    assert (got["groundedness"]["score"], got["groundedness"]["grounded"]) == (1, True)


def test_an_evaluator_of_llamaindex(fake: Fake) -> None:
    fake("llama_index.core.evaluation", BaseEvaluator=object, EvaluationResult=SimpleNamespace)
    made = importlib.import_module("groundwire.integrations.llamaindex").evaluator(CHECKER)
    right = asyncio.run(made.aevaluate(query=QUESTION, response=RIGHT, contexts=CONTEXTS))
    none = asyncio.run(made.aevaluate(query=QUESTION, response=RIGHT, contexts=None, sleep_time_in_seconds=1))
    assert (right.score, right.passing, right.invalid_result, right.invalid_reason) == (1, True, False, None)
    assert (none.score, none.passing, none.invalid_result) == (None, None, True)
    assert "no contexts" in none.invalid_reason


def test_a_component_of_haystack(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    class Component:
        def __call__(self, made: type) -> type:
            return made

        def output_types(self, **types: Any) -> Callable[[Any], Any]:
            assert set(types) == {"score", "individual_scores", "results"}
            return lambda run: run

    fake("haystack", component=Component())
    module = importlib.import_module("groundwire.integrations.haystack")
    monkeypatch.delitem(vars(module), "GroundednessEvaluator", raising=False)
    made = module.GroundednessEvaluator(checker=CHECKER, threshold=0.5)
    got = made.run(questions=[QUESTION] * 3, contexts=[CONTEXTS] * 3, predicted_answers=[RIGHT, WRONG, "…"])
    assert (got["score"], got["individual_scores"]) == (0.625, [1, 0.25, None])
    assert [result["grounded"] for result in got["results"]] == [True, False, False]
    saved = made.to_dict()
    assert saved["type"] == "groundwire.integrations.haystack.GroundednessEvaluator"
    assert type(made).from_dict(saved).to_dict() == saved
    assert made.run(questions=[], contexts=[], predicted_answers=[])["score"] is None
    monkeypatch.delitem(vars(module), "GroundednessEvaluator")
    with pytest.raises(AttributeError, match="Other"):
        _ = module.Other


def test_a_metric_of_dspy() -> None:
    made = dspy.metric(CHECKER, answer="said")
    example = SimpleNamespace(question=QUESTION, context=CONTEXTS)
    assert made(example, {"said": WRONG}) == 0.25
    assert made(example, {"said": RIGHT, "context": CONTEXTS}) == 1
    assert made(example, {"said": RIGHT}, trace=[]) is True
    assert made(example, {"said": WRONG}, trace=[]) is False
    with pytest.raises(InputError, match="cannot be checked"):
        made(SimpleNamespace(question=QUESTION), {"said": RIGHT})


def test_a_transformer_of_pyterrier(fake: Fake) -> None:
    class Frame:
        def __init__(self, rows: list[dict[str, Any]], columns: list[str]) -> None:
            self.rows, self.columns = rows, columns

        def to_dict(self, kind: str) -> list[dict[str, Any]]:
            assert kind == "records"
            return self.rows

        def assign(self, **columns: list[Any]) -> dict[str, list[Any]]:
            return columns

    fake("pyterrier", Transformer=object)
    made = importlib.import_module("groundwire.integrations.pyterrier").transformer(CHECKER)
    rows = [
        {"query": QUESTION, "qanswer": RIGHT, "qcontext": CONTEXTS[0]},
        {"query": QUESTION, "qanswer": WRONG, "qcontext": [{"text": CONTEXTS[0]}]},
        {"query": QUESTION, "qanswer": WRONG, "qcontext": math.nan},
    ]
    got = made.transform(Frame(rows, list(rows[0])))
    assert (got["groundedness"], got["grounded"]) == ([1, 0.25, None], [True, False, False])
    assert made.transform(Frame([], list(rows[0]))) == {"groundedness": [], "grounded": [], "groundedness_reason": []}
    with pytest.raises(InputError, match="no column qcontext, only qid, qanswer"):
        made.transform(Frame([], ["qid", "qanswer"]))
