"""R24, reduced: reports with all the hostile texts in every place, in a real Chromium; skipped where there is none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.report import page

from .browsing import CHROMIUM, Watched, browser
from .outputs import answer_with
from .payloads import PAYLOADS

pytest.importorskip("playwright.sync_api", reason="playwright is not here")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is here")]


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    with browser() as opened:
        yield Watched(opened)


def test_nothing_in_a_report_runs(watched: Watched, tmp_path: Path) -> None:
    for part in range(2):
        file = tmp_path / f"{part}.html"
        file.write_text(page(answer_with(" ".join(PAYLOADS[part::2]))), encoding="utf-8")
        assert watched.look(file) is None


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        ("<script>window.owned=1</script>", "something ran"),
        ("<img src=x onerror=window.owned=1>", "ran"),
        ("<b onclick=x>b</b>", "elements"),
        ("<div style='background:url(http://evil.example/x)'>x</div>", "asks for"),
        ("<script>alert(1)</script>", "dialog"),
    ],
)
def test_what_runs_is_seen(watched: Watched, tmp_path: Path, payload: str, found: str) -> None:
    """The watch itself: a page that pastes its texts is found out."""
    file = tmp_path / "pasted.html"
    file.write_text(f"<!doctype html><main>{payload}</main>", encoding="utf-8")
    assert found in (watched.look(file) or "")
