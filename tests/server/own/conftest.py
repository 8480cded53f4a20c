"""The application over the library: `tests/server/library.py`."""

from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from groundwire.index import LocalIndex
from groundwire.server.app import build
from groundwire.server.settings import Limits, Settings

_SPEC = spec_from_file_location("library_of_tests", Path(__file__).parents[1] / "library.py")
assert _SPEC is not None
assert _SPEC.loader is not None
library_of_tests = module_from_spec(_SPEC)
_SPEC.loader.exec_module(library_of_tests)


@pytest.fixture
def read_events() -> Callable[[str], list[tuple[str | None, Any]]]:
    return library_of_tests.events_of


@pytest.fixture
def library() -> Any:
    return library_of_tests.Library()


@pytest.fixture
def indexed(library: Any, tiny_index: Path) -> Iterator[Any]:
    """The library with the index `tiny`."""
    with LocalIndex.open(tiny_index) as index:
        library.opened["tiny"] = index
        yield library


@pytest.fixture
def limits() -> Limits:
    return Limits()


@pytest.fixture
def ask(library: Any, limits: Limits) -> Iterator[TestClient]:
    """A client of the application over the library."""
    app = build(Settings(limits=limits), library)
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        yield client
