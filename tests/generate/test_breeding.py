"""Who breeds: the seeds stay among the parents of a language model where its breeding says so."""

import pytest

from groundwire.recipes.generating import parse
from groundwire.testing import ScriptedLLM
from groundwire.types import Passage

QUESTION = "what colour is the door of the harbour office"
SEEDS = (
    Passage(id="door", text="The door of the harbour office is blue."),
    Passage(id="gate", text="The gate behind the harbour is made of iron."),
)
OTHER = Passage(id="ferry", text="Tickets for the ferry cost four pounds.")


@pytest.mark.parametrize("seeded", ["yes", "no"])
def test_the_seeds_stay_parents_wherever_they_rank(seeded):
    llm = ScriptedLLM(lambda prompt: f"{QUESTION}: {len(llm.prompts)}")  # nearer to the question than any passage
    fields = "normalize=none, lam=0, support=0, asked=0, brief=0, again=yes, offspring=24, generations=3"
    spec = f"generate(breeder=llm, seeded={seeded}, {fields}, patience=9)"
    answer = parse(spec).make(spec, None, llm).generate(QUESTION, passages=[*SEEDS, OTHER])
    assert [turn.wanted for turn in answer.generations[1:]] == [24] * 3
    last = " ".join(map(str, llm.prompts[-24:]))
    assert [seed.text in last for seed in SEEDS] == [seeded == "yes"] * 2
    assert OTHER.text not in " ".join(map(str, llm.prompts)), "it is no seed"
