"""Makes `conftest_runs` importable, here and in the child process of the kill test."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest_runs import SETS

from groundwire.evals.runs import Data
from groundwire.types import Case


@pytest.fixture
def opened() -> Callable[[Data], Iterator[Case]]:
    return lambda data: iter(SETS[data.name])
