"""Our checker in the other projects' own packages. Each test is skipped where its package is absent."""

import asyncio
import inspect
from typing import Any

import pytest

pytestmark = pytest.mark.integrations

QUESTION = "When was the bridge opened?"
RIGHT, WRONG = "It was opened in 1932.", "Opened by an elephant."
CONTEXTS = ["The bridge was opened in 1932. It was steel."]
CHECKER = "peer:overlap"


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    monkeypatch.setenv("RAGAS_DO_NOT_TRACK", "true")
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "false")


def test_ragas_scores_a_sample() -> None:
    ragas = pytest.importorskip("ragas", exc_type=ImportError)
    from groundwire.integrations.ragas import metric

    samples = [
        ragas.SingleTurnSample(user_input=QUESTION, response=answer, retrieved_contexts=CONTEXTS)
        for answer in (RIGHT, WRONG)
    ]
    made = metric(CHECKER)
    assert [asyncio.run(made.single_turn_ascore(sample)) for sample in samples] == [1, 0.25]


def test_ragas_evaluates_a_data_set() -> None:
    ragas = pytest.importorskip("ragas", exc_type=ImportError)
    from groundwire.integrations.ragas import NAME, metric

    rows = [{"user_input": QUESTION, "response": answer, "retrieved_contexts": CONTEXTS} for answer in (RIGHT, WRONG)]
    result = ragas.evaluate(ragas.EvaluationDataset.from_list(rows), metrics=[metric(CHECKER)], show_progress=False)
    assert [score[NAME] for score in result.scores] == [1, 0.25]


def test_deepeval_asserts_a_test_case() -> None:
    deepeval = pytest.importorskip("deepeval")
    from deepeval.test_case import LLMTestCase

    from groundwire.integrations.deepeval import metric

    made = metric(CHECKER)
    cases = [LLMTestCase(input=QUESTION, actual_output=a, retrieval_context=CONTEXTS) for a in (RIGHT, WRONG)]
    assert (made.measure(cases[0]), made.is_successful(), made.threshold) == (1, True, 0.5)
    deepeval.assert_test(cases[0], [made], run_async=False)
    with pytest.raises(AssertionError, match="Groundedness"):
        deepeval.assert_test(cases[1], [metric(CHECKER)], run_async=False)


def test_langchain_runs_it_in_a_chain() -> None:
    runnables = pytest.importorskip("langchain_core.runnables")
    documents = pytest.importorskip("langchain_core.documents")
    from groundwire.integrations.langchain import runnable

    contexts = [documents.Document(page_content=CONTEXTS[0])]
    chain = runnables.RunnableLambda(lambda answer: {"query": QUESTION, "result": answer, "contexts": contexts})
    rows = (chain | runnable(CHECKER)).batch([RIGHT, WRONG])
    assert [row["groundedness"]["score"] for row in rows] == [1, 0.25]
    assert [row["groundedness"]["grounded"] for row in rows] == [True, False]


def test_langsmith_takes_the_evaluator() -> None:
    evaluation = pytest.importorskip("langsmith.evaluation")
    from langsmith.schemas import Run

    from groundwire.integrations.langchain import evaluator

    made = evaluator(CHECKER)
    wrapped = evaluation.run_evaluator(made.__call__)
    run: Any = Run(
        id="00000000-0000-0000-0000-000000000000",
        name="bot",
        start_time="2024-01-01T00:00:00",
        run_type="chain",
        trace_id="00000000-0000-0000-0000-000000000000",
        inputs={"question": QUESTION},
        outputs={"answer": RIGHT, "contexts": CONTEXTS},
    )
    result = wrapped.evaluate_run(run)
    assert (result.key, result.score) == ("groundedness", 1)


def test_llamaindex_evaluates_a_response() -> None:
    evaluation = pytest.importorskip("llama_index.core.evaluation")
    schema = pytest.importorskip("llama_index.core.schema")
    from llama_index.core import Response

    from groundwire.integrations.llamaindex import evaluator

    made = evaluator(CHECKER)
    assert isinstance(made, evaluation.BaseEvaluator)
    nodes = [schema.NodeWithScore(node=schema.TextNode(text=CONTEXTS[0]))]
    right = made.evaluate_response(query=QUESTION, response=Response(response=RIGHT, source_nodes=nodes))
    wrong = made.evaluate(query=QUESTION, response=WRONG, contexts=CONTEXTS)
    none = made.evaluate(query=QUESTION, response=WRONG, contexts=[])
    assert [(r.score, r.passing, r.invalid_result) for r in (right, wrong, none)] == [
        (1, True, False),
        (0.25, False, False),
        (None, None, True),
    ]
    runner = evaluation.BatchEvalRunner({"grounded": made}, workers=1)
    asked: Any = {"queries": [QUESTION], "response_strs": [WRONG], "contexts_list": [CONTEXTS]}
    assert asyncio.run(runner.aevaluate_response_strs(**asked))["grounded"][0].score == 0.25


def test_haystack_runs_and_saves_a_pipeline() -> None:
    haystack = pytest.importorskip("haystack")
    from groundwire.integrations.haystack import GroundednessEvaluator

    pipeline = haystack.Pipeline()
    pipeline.add_component("grounded", GroundednessEvaluator(checker=CHECKER))
    asked = {"questions": [QUESTION] * 3, "contexts": [CONTEXTS] * 3, "predicted_answers": [RIGHT, WRONG, "…"]}
    known = inspect.signature(haystack.Pipeline.loads).parameters
    trusted: Any = {"allowed_modules": ["groundwire.integrations.haystack"]} if "allowed_modules" in known else {}
    again = haystack.Pipeline.loads(pipeline.dumps(), **trusted)
    for one in (pipeline, again):
        result = one.run({"grounded": asked})["grounded"]
        assert (result["score"], result["individual_scores"]) == (0.625, [1, 0.25, None])
    assert result["results"][2]["grounded"] is False


def test_dspy_evaluates_a_program() -> None:
    dspy = pytest.importorskip("dspy")
    from groundwire.integrations.dspy import metric

    class Program(dspy.Module):  # type: ignore[misc, name-defined]
        def forward(self, question: str, said: str) -> Any:
            return dspy.Prediction(answer=said, context=CONTEXTS)

    rows = [dspy.Example(question=QUESTION, said=said).with_inputs("question", "said") for said in (RIGHT, WRONG, "…")]
    result = dspy.Evaluate(devset=rows, metric=metric(CHECKER), num_threads=1, display_progress=False)(Program())
    assert [score for _, _, score in result.results] == [1, 0.25, 0.0]
    assert metric(CHECKER)(rows[0], dspy.Prediction(answer=RIGHT, context=CONTEXTS), trace=[]) is True


def test_pyterrier_adds_columns() -> None:
    pyterrier = pytest.importorskip("pyterrier")
    pandas = pytest.importorskip("pandas")
    from groundwire.integrations.pyterrier import transformer

    rows = [
        {"qid": str(n), "query": QUESTION, "qanswer": a, "qcontext": CONTEXTS[0]} for n, a in enumerate((RIGHT, WRONG))
    ]
    pipeline = pyterrier.Transformer.identity() >> transformer(CHECKER)
    frame = pipeline.transform(pandas.DataFrame(rows))
    assert list(frame["groundedness"]) == [1, 0.25]
    assert list(frame["grounded"]) == [True, False]
    documents = pandas.DataFrame([{**rows[0], "qcontext": [{"text": CONTEXTS[0]}]}, {**rows[1], "qcontext": None}])
    scores = list(pipeline.transform(documents)["groundedness"])
    assert scores[0] == 1
    assert pandas.isna(scores[1])
