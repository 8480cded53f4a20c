import json
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.cases import read_case
from groundwire.cli.demo import examples

Run = Callable[..., Any]


def test_the_examples_are_whole() -> None:
    cases = [read_case(row, fallback_id="") for row in examples()]
    assert len(cases) == 6
    assert all(case.id and case.question and case.reason is None for case in cases)
    assert any(len(case.contexts) > 3 for case in cases)


@pytest.mark.usefixtures("checker")
def test_the_demo_draws_every_example_and_says_what_is_next(run: Run) -> None:
    got = run("demo")
    assert got.code == 0
    assert all(row["note"].split(" (")[0] in got.out for row in examples())
    assert got.out.splitlines()[-1].startswith("Now yours: groundwire check")


@pytest.mark.usefixtures("checker")
def test_the_demo_as_json(run: Run) -> None:
    got = run("demo", "--json")
    assert [json.loads(line)["id"] for line in got.out.splitlines()] == [row["id"] for row in examples()]
