"""The loop of GAuGE, as its code runs it, against a restatement of a few lines: the population after each generation."""

import math
import random
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from groundwire.evolve.draws import Scheme, shares
from groundwire.evolve.fitness import WeightedFitness
from groundwire.evolve.limits import Limits
from groundwire.evolve.llm import LlmBreeder
from groundwire.evolve.operators import family
from groundwire.generate import Breeding, GeneratePath
from groundwire.generate.path import NO_BETTER
from groundwire.generate.pool import Pooling
from groundwire.recipes import build
from groundwire.rerank import PairReranker
from groundwire.rouge import Target
from groundwire.testing import OverlapModel, ScriptedLLM
from groundwire.types import Offspring, Passage

QUESTION = "when was the garo bridge opened"
BRIDGE = Passage(id="bridge", text="The Garo bridge was opened on 19 March 1932. It is 1,149 metres long.")
COST = Passage(id="cost", text="Building the Garo bridge took eight years and cost six million pounds.")
FERRY = Passage(id="ferry", text="Tickets for the ferry cost four pounds for adults.")
WORDS = "when was the garo bridge opened in march 1932 by a premier after eight years of work".split()


@dataclass(frozen=True)
class Recorded(Scheme):
    """A scheme that keeps every draw as (operator, ranks from 0)."""

    draws: list = field(default_factory=list)

    def draw(self, rng, ranked, count, tried=frozenset(), *, beside=()):
        matings = Scheme.draw(self, rng, ranked, count, tried)
        places = [tuple(next(i for i, one in enumerate(ranked) if one is p) for p in m.parents) for m in matings]
        self.draws.append([(m.operator, ranks, m.seed) for m, ranks in zip(matings, places, strict=True)])
        return matings


def editor(prompt: str, seed: int | None) -> str:
    """Reply to a prompt with words of its own; a crossover at times without the cue that its script looks for."""
    draws = random.Random(f"{seed}:{prompt}")
    text = " ".join(draws.choices(WORDS, k=draws.randrange(2, 9)))
    return f"Passage1: x\n\nAnswer: {text}" if "Passage2:" in prompt and draws.random() < 0.8 else text


def editing() -> ScriptedLLM:
    llm = ScriptedLLM(lambda prompt: editor(prompt, llm.seeds[-1]))
    return llm


def published(seeds, draws, names, *, seed_fitness: str, depth: int = 2, budget: int = 12):
    """Section 3.1 in a few lines: yield the population after each generation, as (score, id, text), best first."""
    overlap = OverlapModel()
    target = Target(seeds[0].text + " " + seeds[1].text)

    def electra(text):
        return overlap.score([(QUESTION, text)])[0]

    def f(text):
        return electra(text) + 10 * target.score("1", text).f

    first = f if seed_fitness == "paper" else electra
    pop = [(-math.inf, "", ""), *((first(seed.text), seed.id, seed.text) for seed in seeds)]
    operators = {operator.name: operator for operator in family(names)}
    pop.sort(reverse=True)
    yield pop[:-1]
    for generation in draws:
        assert len(generation) == budget
        old, top, born = pop[depth - 1][0], pop[:2], []
        for name, ranks, seed in generation:
            parents = [top[rank] for rank in ranks]
            prompt = operators[name].propose(QUESTION, [text for _, _, text in parents])
            text = operators[name].parse(editor("\n\n".join(prompt), seed))
            ids = [parent[1] for parent in parents]
            marks = {"random": f"{ids[0]}-r0", "query": f"{ids[0]}-qr0", "crossover": f"({'+'.join(ids)})-0"}
            born.append((f(text), marks[name], text))
        pop += born
        pop.sort(reverse=True)
        yield pop[:-1]
        if pop[depth - 1][0] <= old:
            return
    raise AssertionError("the published loop would have gone on")


ARITIES = {"random": 1, "query": 1, "crossover": 2}
SCHEMES = {
    "code-edit": Scheme(shares=shares(ARITIES, {"random": 0.33, "query": 0.33, "crossover": 0.34})),
    "code-chat": Scheme(shares=shares(ARITIES, dict.fromkeys(ARITIES, 1 / 3)), pairing="first"),
}


@pytest.mark.parametrize("seed_fitness", ["paper", "code"])
@pytest.mark.parametrize("names", ["code-edit", "code-chat"])
@pytest.mark.parametrize("seed", range(6))
def test_the_population_after_each_generation_is_the_published_one(names, seed_fitness, seed):
    seeds = (BRIDGE, COST, FERRY)
    scheme = Recorded(shares=SCHEMES[names].shares, pairing=SCHEMES[names].pairing)
    llm, scorer = editing(), OverlapModel()
    grown = GeneratePath(
        name="gauge",
        pooling=Pooling(retriever=None, relevance=PairReranker(scorer), distinct=False),
        checker=build("default"),
        breedings=(
            Breeding(breeder=LlmBreeder(llm, family(names), sequential=True, blank=True), scheme=scheme, offspring=12),
        ),
        fitness=WeightedFitness(scorer, weight=10.0, rouge="1"),
        seed_fitness=WeightedFitness(scorer, weight=0.0) if seed_fitness == "code" else None,
        distinct=False,
        blank=True,
        seed=seed,
    ).generate(QUESTION, passages=seeds)
    expected = list(published(seeds, scheme.draws, names, seed_fitness=seed_fitness))
    assert len(grown.generations) == len(expected)
    for number, population in enumerate(expected):
        then = [(c.fitness["total"], c.text) for c in grown.lineage if c.generation <= number]
        assert then == [(score, text) for score, _, text in population]
    assert (grown.text, grown.stopped) == (expected[-1][0][2], NO_BETTER)
    assert llm.batches == [1] * 12 * (len(expected) - 1)
    assert llm.seeds == [seed for generation in scheme.draws for *_, seed in generation]


def test_the_loops_above_do_not_all_end_at_once():
    """The parity would say little then."""
    turns = set()
    for seed in range(12):
        scheme, llm = SCHEMES["code-chat"], editing()
        answer = GeneratePath(
            name="gauge",
            pooling=Pooling(retriever=None, relevance=PairReranker(OverlapModel())),
            checker=build("default"),
            breedings=(Breeding(breeder=LlmBreeder(llm, family("code-chat")), scheme=scheme),),
            fitness=WeightedFitness(OverlapModel(), weight=10.0, rouge="1"),
            seed_fitness=WeightedFitness(OverlapModel(), weight=0.0),
            seed=seed,
        ).generate(QUESTION, passages=(BRIDGE, COST))
        turns.add(len(answer.generations) - 1)
    assert max(turns) >= 3


class Copies:
    """A breeder that writes the longest text anew once, and from then on copies what it is given."""

    name = "copies"
    arities: ClassVar = {"random": 1}

    def __init__(self) -> None:
        self.written = False

    def breed(self, question, matings, sources):
        said = " Nobody knows more of it." * (not self.written)
        self.written = True
        return [Offspring(text=mating.parents[0].text + said) for mating in matings]


def test_a_copy_that_is_its_own_parent_does_not_hide_what_it_descends_from():
    """The published loop keeps equal texts; a third passage that the answer was grown from is a source all the same."""
    longest = Passage(id="long", text=f"{FERRY.text} It leaves every hour from the pier below the old market hall.")
    breeder = Copies()
    answer = GeneratePath(
        name="gauge",
        pooling=Pooling(retriever=None, relevance=PairReranker(OverlapModel()), distinct=False),
        checker=build("default"),
        breedings=(Breeding(breeder=breeder, scheme=Scheme(shares=shares(breeder.arities), among=1), offspring=1),),
        fitness=Words(),
        distinct=False,
        top=1,
        limits=Limits(generations=2),
    ).generate(QUESTION, passages=(BRIDGE, COST, longest))
    first = answer.lineage[0]
    assert (answer.text, first.parents) == (f"{longest.text} Nobody knows more of it.", (first.id,))
    assert answer.sources == (BRIDGE, COST, longest)


class Words:
    """A fitness that counts words."""

    name = "words"

    def of(self, question, seeds, pool):
        return self

    def score(self, texts):
        return [{"total": float(len(text.split()))} for text in texts]
