import sys
from collections.abc import Iterator

import pytest

from groundwire.cli.progress import Pace, counted, duration


def clock(*times: float) -> Iterator[float]:
    yield from times
    while True:
        yield times[-1]


def test_where_there_is_no_terminal_a_line_comes_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    ticks = clock(0.0, 5.0, 10.0)
    with Pace("notes", "passages", clock=lambda: next(ticks)) as pace:
        pace.show(1000, 0.1)
        pace.show(20000, 0.25)
    assert capsys.readouterr().err == "notes: 20 000 passages, 2 000 a second, 30 s left\n"
    assert pace.rate() == 2000


def test_on_a_terminal_nothing_is_left_behind_but_what_was_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Pace("notes [b]", "passages") as pace:
        pace.show(1000, None)
        pace.show(2000, 1.0)
        pace.say("error: [red] " + "long " * 40)
    assert "error: [red] " + "long " * 40 in capsys.readouterr().err


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.04, "0.0 s"),
        (0.4, "0.4 s"),
        (9.97, "10 s"),
        (59.4, "59 s"),
        (200, "3 min 20 s"),
        (7500, "2 h 05 min"),
        (3599.6, "1 h 00 min"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_numbers_are_grouped() -> None:
    assert [counted(n) for n in (0, 999, 1234567)] == ["0", "999", "1 234 567"]
