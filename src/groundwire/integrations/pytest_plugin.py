"""The pytest plugin: a fixture `assert_grounded` that knows the project's checker.

    def test_answer(assert_grounded):
        assert_grounded(bot("When was it opened?"), passages, question="When was it opened?")

`groundwire_checker` and `groundwire_threshold` in pytest's configuration, or the options of the same name, say which
checker. pytest loads this file at every start, so it imports nothing of ours before a test asks for the fixture.

Left out: collecting data files as tests; JUnit (pytest's own, or `groundwire check --junit`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from groundwire.types import Verdict

CHECKER, THRESHOLD = "groundwire_checker", "groundwire_threshold"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and the same as lines of the configuration."""
    group = parser.getgroup("groundwire")
    for name, told in (
        (CHECKER, "The recipe or peer that assert_grounded checks by (default: default)."),
        (THRESHOLD, "The score in [0, 1] from which an answer is grounded (default: the recipe's)."),
    ):
        parser.addini(name, told, default="")
        group.addoption(
            f"--{name.replace('_', '-')}", default=None, metavar="SPEC" if name == CHECKER else "X", help=told
        )


@pytest.fixture(scope="session")
def assert_grounded(pytestconfig: pytest.Config) -> Callable[..., Verdict]:
    """Assert that an answer is grounded in its contexts; see `groundwire.integrations.assert_grounded`."""
    from functools import partial

    from groundwire import integrations

    checker, threshold = (_said(pytestconfig, name) for name in (CHECKER, THRESHOLD))
    return partial(
        integrations.assert_grounded,
        checker=checker or "default",
        threshold=_number(threshold) if threshold else None,
    )


def _said(config: pytest.Config, name: str) -> str:
    return str(config.getoption(name) or config.getini(name) or "")


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise pytest.UsageError(f"{THRESHOLD} is a number in [0, 1], not {value!r}") from error
