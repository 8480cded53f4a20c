import pytest

from groundwire import models
from groundwire.errors import MissingModel, UsageError
from groundwire.evals.papers.provenance import systems
from groundwire.evals.papers.provenance.systems import ALL, BEST, COMBINED, LITE


@pytest.fixture(autouse=True)
def no_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """Let no pulled model be found, whatever is on this machine."""
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path))


def test_a_stand_in_is_never_named_as_the_papers() -> None:
    found = systems.build(ALL)
    assert list(found) == list(ALL)
    for system in found.values():
        assert models.BUILTIN in system.ours
        assert "a stand-in" in system.ours
        assert models.BUILTIN not in system.paper
    assert found[COMBINED].paper == "mxbai-rerank-base-v1 and hhem-2.1-open"
    assert found[LITE["EXP-0.3"]].paper == "uae-large-v1:cosine and deberta-v2-xxlarge-mnli"


def test_what_ranks_is_what_is_said() -> None:
    found = systems.build(ALL)
    for system in found.values():
        assert system.checker.relevance is not None
        assert system.checker.model.name == system.judges.name
    assert found[LITE["EXP-0.3"]].ranks.name == "mini:cosine"
    assert found[LITE["EXP-0.2"]].ranks.name == "mini"


def test_the_paper_selects_and_joins_as_its_tables_say() -> None:
    assert BEST == "provenance(select=top-k:5, aggregate=max)"
    assert len(set(ALL)) == 1 + 6 + 3
    assert len(systems.models_of(list(systems.build(ALL).values()))) >= 2


def test_a_model_that_is_named_has_to_be_there() -> None:
    with pytest.raises(MissingModel):
        systems.build([COMBINED], model="hhem-1.0")


def test_another_recipe_is_refused() -> None:
    with pytest.raises(UsageError, match="no recipe of Provenance"):
        systems.build(["default"])
