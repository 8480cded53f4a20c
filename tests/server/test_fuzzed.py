"""R11, reduced: what the description says is what happens, and nothing that it makes possible is answered with a 5xx."""

from collections.abc import Iterator

import pytest

from groundwire.server.app import Served, build
from groundwire.server.engine import Engine
from groundwire.server.settings import Settings

from .fuzzed import Fuzz, asked
from .quick import quickly, upstream


@pytest.fixture(scope="module")
def whole(engine: Engine) -> Iterator[Served]:
    """The application over the real engine, whose network computes nothing, in front of an upstream."""
    served = build(Settings(upstream="http://upstream.example/v1"), engine)
    served.app.state.upstream = upstream()
    with quickly(engine):
        yield served


def test_nothing_that_the_description_makes_possible_is_a_5xx(whole: Served) -> None:
    with asked(whole) as ask:
        fuzz = Fuzz(whole.app.openapi(), ask)
        fuzz.run(80)
    assert fuzz.problems == []
    assert fuzz.n >= 60
    assert fuzz.statuses["200"] > 10
