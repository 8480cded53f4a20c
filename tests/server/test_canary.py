from dataclasses import dataclass, replace

import pytest

from groundwire import recipes
from groundwire.errors import CorruptModel
from groundwire.server import canary
from groundwire.testing import OverlapModel
from groundwire.types import Entailment


@dataclass
class Constant:
    """A model that says the same of everything."""

    supports: float
    name: str = "constant"

    def entail(self, pairs):
        self.pairs = pairs
        return [Entailment(supports=self.supports, refutes=0.0, neutral=1 - self.supports) for _ in pairs]

    def truncated(self, pairs):
        return [False] * len(pairs)


def test_the_built_in_model_sings():
    canary.sing(recipes.build("default"))
    canary.sing(recipes.build("default", threshold=1.0))


def test_a_model_that_tells_nothing_apart_does_not():
    path = recipes.build("default(fused=no)")
    canary.sing(replace(path, model=OverlapModel()))
    with pytest.raises(CorruptModel, match="constant"):
        canary.sing(replace(path, model=Constant(0.9)))
    with pytest.raises(CorruptModel):
        canary.sing(replace(path, model=Constant(0.9, name="mini")))


def test_warming_reads_about_as_much_as_it_is_told():
    model = Constant(0.5)
    canary.warm(model, tokens=3000)
    words = sum(len(text.split()) for pair in model.pairs for text in pair)
    assert 1500 < words < 4000
    assert len(set(model.pairs)) == len(model.pairs)
