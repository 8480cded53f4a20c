"""Recipes: the papers' parameters as frozen fields, and the strings that change them."""

import dataclasses

import pytest

from groundwire import recipes
from groundwire.errors import MissingModel, UnknownName, UsageError
from groundwire.recipes import RECIPES, parse


def test_provenance_has_the_parameters_of_the_paper():
    paper = parse("provenance")
    assert dataclasses.asdict(paper) == {
        "relevance": "mxbai-rerank-base-v1",
        "model": "hhem-2.1-open",
        "sources": "sentence",
        "select": "top-p:0.9",
        "premises": "per-source",
        "aggregate": "max",
        "query": "question",
        "template": "The answer to question {question} is {answer}.",
        "strip_period": True,
        "threshold": 0.5,
    }


@pytest.mark.parametrize(
    ("name", "premises", "relevance"),
    [
        ("provenance-lite-0.1", "combined:score", "uae-large-v1"),
        ("provenance-lite-0.2", "combined", "uae-large-v1"),
        ("provenance-lite-0.3", "combined", "uae-large-v1:cosine"),
    ],
)
def test_the_three_preliminary_experiments(name, premises, relevance):
    lite = parse(name)
    assert (lite.premises, lite.relevance) == (premises, relevance)
    assert lite.model == "deberta-v2-xxlarge-mnli"
    assert lite.query == "claim"
    assert lite.template == "The answer to the question {question} is {answer}."


def test_recipes_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        RECIPES["default"].threshold = 0.9


def test_parameters_can_be_named():
    changed = parse("provenance(select=top-k:5, premises=combined, threshold=0.4)")
    assert (changed.select, changed.premises, changed.threshold) == ("top-k:5", "combined", 0.4)
    assert parse("provenance").select == "top-p:0.9"


@pytest.mark.parametrize(
    ("spec", "error", "says"),
    [
        ("provenence", UnknownName, "provenance"),
        ("provenance(selct=all)", UnknownName, "select"),
        ("provenance(select=all", UsageError, "bracket"),
        ("default(threshold=high)", UsageError, "number"),
        ("default(fused=maybe)", UsageError, "yes or no"),
        ("default(premises=shortlist:4:4", UsageError, "bracket"),
    ],
)
def test_what_cannot_be_read_says_so(spec, error, says):
    with pytest.raises(error, match=says):
        parse(spec)


@pytest.mark.parametrize(
    "spec", ["default(sources=words)", "default(premises=all)", "default(answer=sum)", "provenance(query=x)"]
)
def test_unknown_parts_are_named_before_any_model_is_loaded(spec):
    with pytest.raises(UnknownName):
        recipes.build(spec)


def test_a_recipe_whose_models_are_not_here_says_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path))
    with pytest.raises(MissingModel, match="groundwire models pull"):
        recipes.build("provenance")


def test_a_threshold_outside_zero_to_one():
    with pytest.raises(UsageError, match="threshold"):
        recipes.build("default", threshold=2.0)


def test_names_are_all_buildable_specs():
    assert recipes.names() == sorted(RECIPES)
    assert all(parse(name) is RECIPES[name] for name in recipes.names())
