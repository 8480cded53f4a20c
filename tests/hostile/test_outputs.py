"""R24, reduced: a hostile text is shown, and nothing more, wherever a text is shown; the browser's part beside the page."""

import pytest

from . import outputs
from .payloads import PAYLOADS

EVERY = 4


def test_there_are_three_hundred_different_ones() -> None:
    assert len(PAYLOADS) == len(set(PAYLOADS)) == 300


@pytest.mark.parametrize("name", outputs.CHECKS)
def test_a_text_stays_a_text(name: str) -> None:
    check, every = outputs.CHECKS[name], 1 if name in ("CSV", "log", "events", "header") else EVERY
    found = {payload: wrong for payload in PAYLOADS[::every] if (wrong := check(payload))}
    assert found == {}
