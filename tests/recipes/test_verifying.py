"""Recipes of verifiers: the paper's parameters as frozen fields, and what each is built of."""

import dataclasses

import pytest

from groundwire.compare import LlmJudge, NliJudge
from groundwire.errors import UnknownName, UsageError
from groundwire.prompts import COMPARE
from groundwire.reader import ExtractiveReader, LlmReader
from groundwire.recipes import verifying
from groundwire.recipes.verifying import RECIPES, parse
from groundwire.stacks import build as build_stack
from groundwire.stacks import parse as parse_stack
from groundwire.testing import ScriptedLLM
from groundwire.types import Case, Hit, Passage


class Finds:
    """A retriever that finds one passage."""

    name = "finds"

    def retrieve(self, queries, k):
        passage = Passage(id="p", text="The door is blue.")
        return [[Hit(passage=passage, score=1.0, by=self.name)] for _ in queries]


class Index:
    """An index that notes how it was asked to be searched."""

    def bm25(self, **options):
        self.options = options
        return Finds()


@pytest.mark.parametrize(
    ("spec", "stack", "reads"),
    [
        ("huo2023", "bm25(k1=0.82,b=0.68,lengths=lucene)", False),
        ("huo2023(bm25)", "bm25(k1=0.82,b=0.68,lengths=lucene)", False),
        ("huo2023(neural)", "neural", False),
        ("huo2023(stack=neural+reader)", "neural", True),
    ],
)
def test_huo2023_is_the_papers(spec, stack, reads):
    recipe = parse(spec)
    llm = ScriptedLLM("Yes")
    path = recipe.make(spec, Finds(), llm)
    assert (recipe.retrieves, recipe.needs_llm) == (stack, True)
    assert (path.passages, path.query, path.name) == (1, "combined", spec)
    assert isinstance(path.judge, LlmJudge)
    assert path.judge.second is None
    assert isinstance(path.reader, LlmReader) is reads
    assert not any(prompt.fenced for prompt in (path.judge.prompt, path.writer.prompt))
    parse_stack(stack)


def test_huo2023_asks_the_bare_prompt_of_figure_4_once():
    llm = ScriptedLLM("Yes.")
    verdict = parse("huo2023").make("huo2023", Finds(), llm).verify(
        [Case(id="c", question="what colour", answer="Blue.", contexts=())]
    )[0]  # fmt: skip
    filled = COMPARE.format(query="what colour", LLM_answer="Blue.", Retriever_answer="The door is blue.")
    assert (llm.prompts, llm.settings) == ([filled], [(None, None)])
    assert (verdict.grounded, verdict.warnings) == (True, ())


def test_its_bm25_has_the_papers_parameters():
    index = Index()
    build_stack(parse("huo2023").retrieves, index)
    assert index.options == {"k1": 0.82, "b": 0.68, "lengths": "lucene"}


def test_ours_are_fields_that_are_off():
    assert dataclasses.asdict(RECIPES["huo2023"]) == {"stack": "bm25", "fence": False, "review": False}
    path = parse("huo2023(fence=yes, review=yes)").make("x", Finds(), ScriptedLLM("Yes"))
    assert path.judge.prompt.fenced
    assert isinstance(path.judge.second, NliJudge)


def test_the_default_needs_no_llm():
    recipe = parse("verify")
    assert dataclasses.asdict(recipe) == {
        "stack": "bm25+mini",
        "query": "combined",
        "passages": 5,
        "reader": "none",
        "judge": "nli",
        "model": "mini",
        "review": True,
        "fence": True,
        "threshold": 0.5,
    }
    path = recipe.make("verify", Finds(), None)
    assert (path.judge.name, path.reader, path.writer) == ("nli:mini", None, None)
    assert path.verify([Case(id="c", question="what colour is the door", answer="Blue.", contexts=())])[0].grounded


@pytest.mark.parametrize("answer", ["1932", "Yes", "Yes.", "Jane Austen"])
def test_a_bare_answer_is_judged_together_with_its_question(answer):
    path = parse("verify").make("verify", Finds(), None)
    (verdict,) = path.verify([Case(id="c", question="Is the door blue?", answer=answer, contexts=())])
    (claim,) = (judged.claim for judged in verdict.claims)
    said = answer.rstrip(".")
    assert (claim.text, claim.idle) == (f"The answer to question Is the door blue? is {said}.", None)
    assert claim.span.of(answer) == answer


def test_the_llm_of_ours_is_fenced_and_reviewed():
    path = parse("verify-llm").make("verify-llm", Finds(), ScriptedLLM("No"))
    assert path.judge.prompt.fenced
    verdict = path.verify([Case(id="c", question="what colour is the door", answer="The door is blue.", contexts=())])[
        0
    ]
    assert verdict.warnings[0].startswith("needs review")


def test_fields_with_brackets_and_commas_of_their_own():
    recipe = parse("verify(stack=bm25(k1=0.82,b=0.68)+mini, passages=3, reader=extractive:2, fence=no)")
    assert recipe.retrieves == "bm25(k1=0.82,b=0.68)+mini"
    assert (recipe.passages, recipe.fence) == (3, False)
    assert isinstance(recipe.make("x", Finds(), None).reader, ExtractiveReader)


@pytest.mark.parametrize(
    ("spec", "error", "says"),
    [
        ("verfy", UnknownName, "verify"),
        ("verify(passages=many)", UsageError, "whole number"),
        ("verify(passages=3", UsageError, "bracket"),
        ("verify(stack=bm25(k1=0.82)", UsageError, "bracket"),
        ("verify(depth=3)", UnknownName, "parameter of verify"),
        ("verify(judge=person)", UnknownName, "judge"),
        ("verify(query=both)", UnknownName, "query"),
        ("verify(reader=fast)", UnknownName, "reader"),
        ("verify(reader=llm:2)", UnknownName, "reader"),
        ("verify(reader=extractive:0)", UnknownName, "reader"),
        ("huo2023(stack=splade)", UnknownName, "stack of huo2023"),
        ("huo2023(foo)", UnknownName, r"stack of huo2023 'foo' \(hint: known: bm25, neural, neural\+reader\)"),
        ("huo2023(foo, review=yes)", UnknownName, "stack of huo2023 'foo'"),
        ("huo2023(foo=bm25)", UnknownName, "parameter of huo2023"),
        ("verify(passages=0)", UsageError, "at least one passage"),
        ("verify(threshold=2)", UsageError, "threshold"),
        ("verify(judge=llm)", UsageError, "asks an LLM"),
        ("verify(reader=llm)", UsageError, "asks an LLM"),
        ("huo2023", UsageError, "asks an LLM"),
    ],
)
def test_what_cannot_be_read_or_built_says_so(spec, error, says):
    with pytest.raises(error, match=says):
        parse(spec).make(spec, Finds(), None)


def test_changes_replace_fields_that_the_recipe_has():
    assert parse("verify", stack="bm25", threshold=None).retrieves == "bm25"
    with pytest.raises(UsageError, match="huo2023 has no threshold"):
        parse("huo2023", threshold=0.4)


def test_another_wording_is_another_configuration():
    assert parse("verify").wording() != parse("verify(fence=no)").wording() == parse("huo2023").wording()
    assert verifying.names() == sorted(RECIPES)
