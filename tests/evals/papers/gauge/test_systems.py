import dataclasses

import pytest

from groundwire.errors import UnknownName, UsageError
from groundwire.evals.papers.gauge.systems import DEFAULT, Calls, systems
from groundwire.recipes import generating


def test_rows_come_in_the_papers_order_as_the_authors_code_ran() -> None:
    found = systems(",".join(DEFAULT))
    assert [system.row for system in found] == ["direct", "gen2ir", "gauge1", "gauge2"]
    assert [system.title for system in found] == ["direct", "Gen²IR", "GAuGE₁", "GAuGE₂"]
    recipes = [generating.parse(system.recipe) for system in found]
    assert [getattr(recipe, "rouge", None) for recipe in recipes] == [None, "none", "1", "2"]
    assert [getattr(recipe, "seed_fitness", None) for recipe in recipes[2:]] == ["code", "code"]
    _, gen2ir, gauge1, _ = recipes
    assert dataclasses.replace(gen2ir, lam=10.0, rouge="1") == gauge1, "the same program without the ROUGE term"


def test_the_variant_of_the_text_scores_seeds_with_rouge_too() -> None:
    (system,) = systems("gaugel", "paper")
    recipe = generating.parse(system.recipe)
    assert (recipe.rouge, recipe.seed_fitness, recipe.prompts) == ("L", "paper", "paper")


def test_any_recipe_may_be_named_with_fields_and_has_no_row() -> None:
    found = systems("generate(depth=50, rouge=L), gauge1")
    assert [(system.row, system.recipe) for system in found][1] == (None, "generate(depth=50, rouge=L)")
    assert found[1].title == "generate(depth=50, rouge=L)"


@pytest.mark.parametrize("names", ["", " , ", "gauge1,gauge1", "gauge-paper(rouge=2"])
def test_lists_that_make_no_sense(names: str) -> None:
    with pytest.raises(UsageError):
        systems(names)


def test_an_unknown_row_names_those_that_are_near() -> None:
    with pytest.raises(UnknownName, match="gauge"):
        systems("gauge3")


def test_calls_of_many_questions() -> None:
    assert Calls(least=12, most=240).times(43) == Calls(least=516, most=10320)
