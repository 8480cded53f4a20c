import pytest

from groundwire import models
from groundwire.errors import MissingModel, UnknownName
from groundwire.evals.papers import stand_in


class Model:
    def __init__(self, name: str) -> None:
        self.name, self.identity = name, f"sha of {name}"


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The models that are on this machine."""
    names = {"mini"}

    def load(name: str) -> Model:
        if name == "misspelt":
            raise UnknownName("model", name, names)
        if name not in names:
            raise MissingModel(name)
        return Model(name)

    monkeypatch.setattr(models, "load", load)
    monkeypatch.setattr(models, "load_scorer", load)
    return names


def test_the_papers_model_judges_where_it_is(here: set[str]) -> None:
    here.add("albert")
    used, model = stand_in.judge("albert")
    assert (used.name, used.identity, used.stands_in, used.title) == ("albert", "sha of albert", False, "albert")
    assert model.name == "albert"


@pytest.mark.parametrize("ask", [stand_in.judge, stand_in.scorer])
def test_a_stand_in_never_has_the_papers_name(ask: object) -> None:
    used, model = ask("albert")
    assert (used.name, used.stands_in, model.name) == ("mini", True, "mini")
    assert used.title == "mini, a stand-in"


def test_what_is_named_is_not_replaced() -> None:
    used, _ = stand_in.scorer("monot5", "mini")
    assert (used.wanted, used.name, used.stands_in) == ("monot5", "mini", True)
    with pytest.raises(MissingModel):
        stand_in.scorer("monot5", "electra")
    with pytest.raises(UnknownName):
        stand_in.judge("misspelt")
