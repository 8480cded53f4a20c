"""The page in a real Chromium; skipped where there is none, or no playwright to drive it."""

from collections.abc import Iterator
from typing import Any

import pytest

from groundwire.annotate.items import Item

from ..hostile import browsing  # noqa: TID252 - the browser that all tests of pages have
from .conftest import Site

pytest.importorskip("playwright.sync_api", reason="playwright is not here")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(browsing.CHROMIUM is None, reason="no Chromium is here")]


@pytest.fixture
def browser() -> Iterator[Any]:
    with browsing.browser() as opened:
        yield opened


def opened(browser: Any, **options: Any) -> tuple[Any, list[str]]:
    """Return a page of a window of its own, and what it complains about."""
    page = browser.new_context(**options).new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return page, complaints


def press(page: Any, key: str) -> int:
    """Press a key that leads to another item, and return its position."""
    with page.expect_navigation():
        page.keyboard.press(key)
    return int(page.get_attribute("main", "data-at"))


def begin(page: Any, site: Site, name: str) -> None:
    page.goto(site.address)
    page.fill("#name", name)
    press(page, "Enter")


def test_all_items_are_judged_with_the_keyboard(browser: Any, site: Site, items: list[Item]) -> None:
    page, complaints = opened(browser)
    begin(page, site, "Ann")
    for at, item in enumerate(items):
        assert int(page.get_attribute("main", "data-at")) == at
        press(page, "2")
        assert site.book.said(item.item)["Ann"].judgement == item.offered[1][1]
    assert "All 12 items are judged" in page.inner_text("main")
    assert len(site.book) == 12
    assert complaints == []


def test_back_change_undo_and_resume(browser: Any, site: Site, items: list[Item]) -> None:
    page, complaints = opened(browser)
    begin(page, site, "Ann")
    assert [press(page, key) for key in "113"] == [1, 2, 3]
    assert press(page, "k") == 2
    assert page.inner_text("[aria-pressed=true]").split()[:2] == ["3", "unsure"]
    assert press(page, "1") == 3
    assert press(page, "u") == 2
    assert items[2].item not in {line.item for line in site.book.standing()}
    assert press(page, "u") == 1
    assert press(page, "j") == 2
    assert press(page, "n") == 1
    page.keyboard.press("9")
    page.keyboard.press("x")
    again, _ = opened(browser)
    begin(again, site, "Ann")
    assert int(again.get_attribute("main", "data-at")) == 1
    again.keyboard.press("u")
    again.wait_for_function("document.getElementById('said').textContent.includes('Nothing to undo')")
    assert len(site.book) == 6
    assert complaints == []


def test_a_press_that_was_not_saved_is_said_and_can_be_made_again(browser: Any, site: Site, items: list[Item]) -> None:
    page, _ = opened(browser)
    begin(page, site, "Ann")
    page.route("**/judge", lambda route: route.abort())
    page.keyboard.press("1")
    page.wait_for_function("document.getElementById('said').textContent.includes('Not saved')")
    assert len(site.book) == 0
    page.unroute("**/judge")
    assert press(page, "1") == 1
    assert list(site.book.said(items[0].item)) == ["Ann"]


def test_two_windows_at_once_and_a_decision_between_them(browser: Any, site: Site, items: list[Item]) -> None:
    windows = [opened(browser)[0] for _ in range(2)]
    for page, name in zip(windows, ("Ann", "Bo"), strict=True):
        begin(page, site, name)
    for at in range(6):
        for page, key in zip(windows, ("1", "1" if at % 2 else "2"), strict=True):
            press(page, key)
    assert len(site.book) == 12
    page = windows[0]
    with page.expect_navigation():
        page.keyboard.press("o")
    assert "3 items, 3 undecided" in page.inner_text("main")
    with page.expect_navigation():
        page.click("text=Adjudicate")
    assert "Bo incorrect" in " ".join(page.inner_text(".others").split())
    for _ in range(3):
        press(page, "2")
    assert "Nothing is left to adjudicate" in page.inner_text("main")
    decided = [site.book.decided(item.item) for item in items[:6]]
    assert [one.judgement if one else None for one in decided] == ["incorrect", None] * 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 420, 1280])
def test_nothing_runs_over_the_edge(browser: Any, site: Site, width: int, scheme: str) -> None:
    page, complaints = opened(browser, viewport={"width": width, "height": 800}, color_scheme=scheme)
    for query in ("", "?name=Ann", "?name=Ann&at=9", "?name=Ann&view=standing"):
        page.goto(site.address + query)
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), query
    assert complaints == []
