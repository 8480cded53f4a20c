"""Recipes of generators: the paper's parameters and the code's as frozen fields, and what each is built of."""

import dataclasses

import pytest

from groundwire.errors import MissingModel, UnknownName, UsageError
from groundwire.evolve.extractive import ExtractiveBreeder
from groundwire.evolve.llm import LlmBreeder
from groundwire.generate import DirectPath, GeneratePath
from groundwire.recipes import generating
from groundwire.recipes.generating import RECIPES, parse
from groundwire.testing import OverlapModel, ScriptedLLM
from groundwire.types import Hit, Passage

DOOR = Passage(id="door", text="The door of the house is blue. It was painted in 1987 by the owner.")
LLM = ScriptedLLM("The door is blue.")
PUBLISHED = {
    "stack": "bm25",
    "relevance": "monoelectra",
    "depth": 1000,
    "seeds": 2,
    "members": None,
    "offspring": 12,
    "free": 1,
    "among": 2,
    "top": 2,
    "lam": 10.0,
    "rouge": "2",
    "normalize": "none",
    "floor": 0.0,
    "support": 0.0,
    "seed_fitness": "paper",
    "stop": "score",
    "breeder": "llm",
    "prompts": "paper",
    "fence": False,
    "temperature": 0.7,
    "reply": 1024,
    "sequential": False,
    "dedupe": True,
    "blank": False,
    "again": "yes",
    "asked": 0.0,
    "brief": 0.0,
    "sentences": 4,
    "words": 80,
    "seeded": False,
    "patience": 1,
    "generations": 20,
    "calls": None,
    "tokens": None,
    "seconds": None,
    "seed": 0,
    "model": "mini",
    "threshold": 0.5,
}


class Finds:
    name = "finds"

    def retrieve(self, queries, k):
        return [[Hit(passage=DOOR, score=1.0, by=self.name)] for _ in queries]


@pytest.fixture
def electra(monkeypatch):
    """A stand-in for the weights of monoELECTRA."""
    loaded = []
    monkeypatch.setattr(generating.models, "load_scorer", lambda spec: loaded.append(spec) or OverlapModel())
    return loaded


def differing(name: str) -> dict:
    told = dataclasses.asdict(RECIPES[name])
    return {field: value for field, value in told.items() if value != PUBLISHED[field]}


def test_the_papers_parameters():
    assert dataclasses.asdict(RECIPES["gauge-paper"]) == PUBLISHED


def test_the_code_differs_where_it_differs_from_the_paper():
    assert differing("gauge-code") == {
        "seed_fitness": "code",
        "prompts": "code-chat",
        "sequential": True,
        "dedupe": False,
        "blank": True,
        "reply": None,
    }
    assert differing("gen2ir") == {"lam": 0.0, "rouge": "none"}


@pytest.mark.parametrize("rouge", ["1", "2", "L"])
def test_gauge_code_is_built_of_the_codes_parts(electra, rouge):
    path = parse(f"gauge-code(rouge={rouge})").make("gauge-code", Finds(), LLM)
    assert electra == ["monoelectra"]
    assert path.fitness.name == f"overlap+10*rouge{rouge}"
    assert path.seed_fitness.name == "overlap"
    scheme = path.breedings[0].scheme
    assert (scheme.pairing, scheme.among, scheme.again) == ("first", 2, "yes")
    assert {share.operator: share.weight for share in path.breedings[0].scheme.shares} == pytest.approx(
        dict.fromkeys(("random", "query", "crossover"), 1 / 3)
    )
    breeder = path.breedings[0].breeder
    assert isinstance(breeder, LlmBreeder)
    assert (breeder.sequential, breeder.blank, breeder.max_tokens) == (True, True, None)
    assert (path.pooling.depth, path.pooling.distinct, path.distinct, path.blank) == (1000, False, False, True)
    assert (path.seeds, path.breedings[0].offspring, path.top, path.members, path.stop) == (2, 12, 2, None, "score")


def test_the_script_for_edits_is_a_field(electra):
    scheme = parse("gauge-code(prompts=code-edit)").make("x", None, LLM).breedings[0].scheme
    assert [(share.operator, share.weight) for share in scheme.shares] == [
        ("random", 0.33),
        ("query", 0.33),
        ("crossover", 0.34),
    ]
    assert scheme.pairing == "drawn"


def test_the_papers_prompts_are_bare_and_its_random_operator_is_two(electra):
    path = parse("gauge-paper").make("gauge-paper", Finds(), LLM)
    weights = {share.operator: share.weight for share in path.breedings[0].scheme.shares}
    assert weights == {"summarize": 1 / 6, "random": 1 / 6, "query": 1 / 3, "crossover": 1 / 3}
    assert not any(operator.fenced for operator in path.breedings[0].breeder.operators)
    assert path.seed_fitness is None
    assert parse("gen2ir").make("gen2ir", None, LLM).fitness.name == "overlap"


def test_the_default_needs_no_llm_and_takes_one():
    recipe = parse("generate")
    path = recipe.make("generate", Finds(), None)
    assert isinstance(path, GeneratePath)
    (free,) = path.breedings
    assert isinstance(free.breeder, ExtractiveBreeder)
    assert (free.offspring, free.paid) == (24, False)
    assert path.fitness.name == "zscore(mini:cosine,floor=0.05)+0.5*rouge2+1*support(default)+2*asked+1*brevity"
    with_llm = recipe.make("generate", Finds(), LLM)
    first, asking = with_llm.breedings
    assert isinstance(first.breeder, ExtractiveBreeder)
    assert isinstance(asking.breeder, LlmBreeder)
    assert all(operator.fenced for operator in asking.breeder.operators)
    assert asking.breeder.max_tokens == 1024
    assert parse("generate(reply=none)").make("generate", None, LLM).breedings[1].breeder.max_tokens is None
    assert (asking.offspring, asking.scheme.again, asking.paid) == (4, "new", True)
    assert (first.patience, asking.patience) == (1, 2)
    assert (first.seeded, asking.seeded) == (False, True)
    assert parse("generate(patience=3)").make("generate", None, LLM).breedings[1].patience == 3
    (only,) = parse("generate(breeder=extractive, sentences=8, words=240)").make("x", None, None).breedings
    assert only.breeder == ExtractiveBreeder(sentences=8, words=240)
    answer = path.generate("what colour is the door")
    assert "blue" in answer.text
    assert answer.verdict.grounded


def test_an_llm_that_would_never_be_asked_is_refused():
    spec = "generate(breeder=extractive)"
    assert [parse(name).takes_llm for name in (spec, "generate", "gauge-paper", "direct")] == [False, True, True, True]
    with pytest.raises(UsageError, match="breeds without an LLM") as raised:
        parse(spec).make(spec, None, LLM)
    assert raised.value.hint


def test_a_weight_beside_another_scorers_raw_scores_is_said_with_every_answer(electra):
    def warned(spec: str) -> list[str]:
        answer = parse(spec).make(spec, Finds(), LLM).generate("what colour is the door")
        return [warning for warning in answer.warnings if "raw scores" in warning]

    (told,) = warned("gauge-paper(relevance=mini, depth=2)")
    assert "λ = 10" in told
    assert "normalize=zscore" in told
    for spec in ("gauge-paper(relevance=mini, normalize=zscore)", "gauge-paper", "gen2ir(relevance=mini)", "generate"):
        assert warned(spec) == [], spec


def test_direct_is_the_papers_baseline(electra):
    path = parse("direct").make("direct", Finds(), LLM)
    assert isinstance(path, DirectPath)
    assert (path.seeds, path.pooling.depth, path.writer.fenced) == (2, 1000, False)
    assert path.writer.max_tokens == 1024
    assert parse("direct(reply=300)").make("direct", None, LLM).writer.max_tokens == 300
    assert path.generate("what colour is the door").text == "The door is blue."


@pytest.mark.parametrize("name", ["gauge-paper", "gauge-code", "gen2ir", "direct"])
def test_weights_that_are_not_here_are_an_error_with_the_command_that_brings_them(name, tmp_path, monkeypatch):
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path))
    with pytest.raises(MissingModel, match="groundwire models pull monoelectra"):
        parse(name).make(name, Finds(), LLM)


@pytest.mark.parametrize(
    ("spec", "error", "says"),
    [
        ("generat", UnknownName, "generate"),
        ("generate(depth=many)", UsageError, "whole number"),
        ("generate(calls=many)", UsageError, "whole number"),
        ("generate(seconds=soon)", UsageError, "a number"),
        ("generate(depth=3", UsageError, "bracket"),
        ("generate(width=3)", UnknownName, "parameter of generate"),
        ("generate(breeder=person)", UnknownName, "breeder"),
        ("generate(prompts=none)", UnknownName, "prompts"),
        ("generate(stop=never)", UnknownName, "stop"),
        ("generate(again=maybe)", UnknownName, "again"),
        ("generate(patience=0)", UsageError, "patience"),
        ("generate(brief=-1)", UsageError, "brief"),
        ("generate(rouge=3)", UnknownName, "rouge"),
        ("generate(normalize=log)", UnknownName, "normalize"),
        ("generate(seed_fitness=none)", UnknownName, "seed_fitness"),
        ("generate(relevance=no-such)", UnknownName, "no-such"),
        ("generate(depth=0)", UsageError, "depth=0"),
        ("generate(seeds=0)", UsageError, "seeds"),
        ("generate(calls=-1)", UsageError, "a budget of calls"),
        ("generate(lam=-1)", UsageError, "lam is"),
        ("generate(lam=nan)", UsageError, "lam is"),
        ("generate(reply=0)", UsageError, "reply is 1 or more"),
        ("generate(floor=-1)", UsageError, "floor"),
        ("generate(breeder=llm)", UsageError, "asks an LLM"),
        ("gauge-paper", UsageError, "asks an LLM"),
        ("direct", UsageError, "asks an LLM"),
    ],
)
def test_what_cannot_be_read_or_built_says_so(spec, error, says):
    with pytest.raises(error, match=says) as raised:
        parse(spec).make(spec, Finds(), None)
    assert raised.value.hint
    assert raised.value.exit_code == 2


def test_a_budget_may_be_none_or_a_number():
    recipe = parse("generate(generations=none, calls=40, seconds=2.5, tokens=0)")
    assert (recipe.generations, recipe.calls, recipe.seconds, recipe.tokens) == (None, 40, 2.5, 0)
    assert parse("generate", calls=7, seed=None).calls == 7
    assert parse("generate(members=none)").members is None
    assert parse("generate(seeds=3)").make("x", None, None).members == 3
    with pytest.raises(UsageError, match="threshold"):
        parse("generate(threshold=2)").make("x", None, None)


def test_another_wording_is_another_configuration():
    told = [parse(spec).wording() for spec in ("generate", "gauge-paper", "gauge-code", "direct", "direct(fence=yes)")]
    assert len(set(map(str, told))) == 5
    assert generating.names() == sorted(RECIPES)
