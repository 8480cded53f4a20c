from collections.abc import Mapping
from typing import Any

import pytest

from groundwire.errors import MissingModel, UsageError
from groundwire.evals.papers.gauge.building import Built, build
from groundwire.evals.papers.gauge.systems import Calls, System, systems


class Opened:
    """Keeps what it was opened with; ELECTRA is not on this machine unless `here`."""

    here = False

    def __init__(self, recipe: str, fields: Mapping[str, Any]) -> None:
        if not self.here and fields.get("relevance") != "mini:cosine" and not recipe.startswith("generate"):
            raise MissingModel("monoelectra")
        self.fields = dict(fields)


class Llm:
    name = "some-model"


def built(name: str, llm: Any = None, **more: Any) -> Built | None:
    return build(systems(name)[0], Opened, llm, **more)


def test_with_everything_at_hand_it_is_the_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Opened, "here", True)
    found = built("gauge2", Llm())
    assert found is not None
    assert found.generator.fields == {}
    assert found.calls == Calls(least=12, most=240)
    assert found.system.used == "gauge-code(rouge=2,sequential=no); some-model; ranked by monoelectra"
    assert found.system.ranked_by == "monoelectra"


def test_without_an_llm_extractive_operators_breed_at_no_call() -> None:
    found = built("gauge1")
    assert found is not None
    fields = {"breeder": "extractive", "relevance": "mini:cosine", "normalize": "zscore", "lam": 1.0}
    assert found.generator.fields == fields
    assert found.calls == Calls()
    assert "extractive operators, no LLM" in found.system.used
    assert "mini:cosine for monoelectra with λ = 1 on z-scores" in found.system.used


def test_gen2ir_stays_without_rouge() -> None:
    found = built("gen2ir", Llm())
    assert found is not None
    assert found.generator.fields == {"relevance": "mini:cosine", "normalize": "zscore"}
    assert found.calls == Calls(least=12, most=240)


def test_a_single_prompt_is_nothing_without_an_llm() -> None:
    assert built("direct") is None
    with pytest.raises(UsageError, match="asks an LLM"):
        built("direct(depth=10)")
    found = built("direct", Llm())
    assert found is not None
    assert found.calls == Calls(least=1, most=1)


def test_a_recipe_that_is_named_outright_is_not_changed() -> None:
    with pytest.raises(MissingModel):
        built("gauge-paper(rouge=2)", Llm())
    found = built("generate(generations=3,offspring=12,again=no)", Llm())
    assert found is not None
    assert found.generator.fields == {}
    assert found.calls == Calls(least=1, most=36), "a mating that was tried is not drawn again, so there may be fewer"


def test_a_budget_of_calls_is_the_most() -> None:
    found = built("generate(calls=7)", Llm())
    assert found is not None
    assert found.calls.most == 7


def test_a_run_without_any_limit_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing limits"):
        built("generate(generations=none)", Llm())


def test_a_run_may_rank_less_and_says_so() -> None:
    found = built("gauge1", depth=100)
    assert found is not None
    assert found.generator.fields["depth"] == 100
    assert found.system.used.endswith(", 100 passages for 1000")
    unchanged = built("gauge1", depth=2000)
    assert unchanged is not None
    assert "depth" not in unchanged.generator.fields


def test_the_row_is_known_before_it_is_built() -> None:
    assert System(name="gauge1", recipe="gauge-code(rouge=1)", row="gauge1").used == ""
