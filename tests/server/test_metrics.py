"""Verdicts and stages are counted, each once."""

from typing import Any

from groundwire.server.access_record import AccessRecord
from groundwire.server.counting import Counting
from groundwire.server.metrics import Metrics
from groundwire.types import Answer, Case, Label, Stage, Trace, Verdict


def metrics() -> Metrics:
    return Metrics(lambda: {"queue_tokens": 3})


def verdict(label: Label, trace: Trace | None = None) -> Verdict:
    return Verdict(case=Case(id="1", answer="x", contexts=()), label=label, score=None, threshold=0.5, trace=trace)


def value(counted: Metrics, name: str, **labels: str) -> float | None:
    return counted.registry.get_sample_value(name, labels)


def test_a_batch_s_stages_are_counted_once_however_many_verdicts_it_made() -> None:
    counted = metrics()
    trace = Trace(recipe="r", model="m", stages=(Stage(name="entail", items=4, seconds=0.2),))
    counted.verdicts([verdict(Label.SUPPORTED, trace), verdict(Label.SUPPORTED, trace), verdict(Label.CONTRADICTED)])
    assert value(counted, "groundwire_verdicts_total", label="supported") == 2
    assert value(counted, "groundwire_verdicts_total", label="contradicted") == 1
    assert value(counted, "groundwire_stage_seconds_count", stage="entail") == 1
    assert counted.history.to_dict()["verdicts"]["supported"] == 2


def test_a_method_that_nobody_knows_makes_no_new_series() -> None:
    counted = metrics()
    for method in ("BREW", "x" * 99):
        counted.request(
            AccessRecord(id="a", client="b", method=method, route="none", status=405, refused="", seconds=0.1)
        )
    assert value(counted, "groundwire_requests_total", method="other", route="none", status="405") == 2


def test_whatever_gives_a_verdict_counts_it() -> None:
    class Engine:
        threshold = 0.5

        async def check(self, cases: list[Case], ticket: Any) -> list[Verdict]:
            return [verdict(Label.SUPPORTED) for _ in cases]

        async def verify(self, case: Case, index_name: str, ticket: Any) -> Verdict:
            return verdict(Label.SUPPORTED)

        async def unfold(self, case: Case, ticket: Any, known: tuple[Any, ...] = ()) -> Any:
            yield "a claim"
            yield verdict(Label.SUPPORTED)

        async def generate(self, question: str, ticket: Any) -> Any:
            yield "a generation"
            yield Answer(question="q", text="x", sources=(), verdict=verdict(Label.SUPPORTED))

    import asyncio

    counted = metrics()
    engine = Counting(Engine(), counted)  # type: ignore[arg-type]

    async def run() -> list[int]:
        case = Case(id="1", answer="x", contexts=())
        checked = await engine.check([case, case], None)  # type: ignore[arg-type]
        await engine.verify(case, "i", None)  # type: ignore[arg-type]
        unfolded = [item async for item in engine.unfold(case, None, known=())]  # type: ignore[arg-type]
        generated = [item async for item in engine.generate("q", None)]  # type: ignore[arg-type]
        return [len(checked), len(unfolded), len(generated)]

    assert asyncio.run(run()) == [2, 2, 2]
    assert engine.threshold == 0.5
    assert value(counted, "groundwire_verdicts_total", label="supported") == 5
