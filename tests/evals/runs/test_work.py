"""What a kept score belongs to: the models of a checker, and whatever else decides what it says."""

from dataclasses import replace

from conftest_runs import Known

from groundwire import recipes
from groundwire.check import CheckPath
from groundwire.evals.runs.work import Worker
from groundwire.judge import FusedJudge
from groundwire.premises import Shortlist


def identity(checker: object) -> dict[str, object]:
    return Worker("default", checker).identity()  # type: ignore[arg-type]


def test_a_checker_is_the_same_only_with_the_same_parts_under_its_name() -> None:
    path = recipes.build("default")
    assert isinstance(path, CheckPath)
    assert isinstance(path.judge, FusedJudge)
    same, wider = identity(recipes.build("default")), identity(replace(path, premises=Shortlist(2, 4, 250)))
    refitted = replace(path, judge=replace(path.judge, fusion=replace(path.judge.fusion, bias=0.5)))
    assert same == identity(path)
    assert wider != same != identity(refitted) != wider
    assert {**wider, "settings": None} == {**same, "settings": None}


def test_no_part_is_told_by_where_it_lies_in_memory() -> None:
    for name in ("default", "provenance(model=mini, relevance=mini)", "model-alone"):
        assert " at 0x" not in str(identity(recipes.build(name))["settings"])


def test_a_checker_without_parts_is_told_by_its_name() -> None:
    assert identity(Known("a"))["settings"] == {}
    assert identity(Known("a")) != identity(Known("b"))
