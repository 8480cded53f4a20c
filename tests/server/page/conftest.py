"""A real server with an index behind a real Chromium; skipped where there is none, or no playwright to drive it."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.types import Passage

from ...hostile import browsing  # noqa: TID252 - the browser that all tests of pages have
from ..conftest import PASSAGES, child, indexed  # noqa: TID252 - the children that all of the server's tests have

NOTES = (
    *PASSAGES,
    *(
        Passage(id=f"note-{n}", title=f"Note {n}", text=f"On night {n} the comet stood at {n} degrees.")
        for n in range(40)
    ),
)


@pytest.fixture(scope="session")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an index of 43 passages."""
    return indexed(tmp_path_factory.mktemp("page") / "notes", NOTES)


@pytest.fixture(scope="session")
def site(notes: Path) -> Iterator[str]:
    """The address of `groundwire serve` over that index, ready."""
    import httpx

    with child("--index", f"notes={notes}") as running:
        until = time.monotonic() + 60
        while httpx.get(f"{running.address}/readyz").status_code != 200:
            assert time.monotonic() < until
            time.sleep(0.05)
        yield running.address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium. For a module and no longer: while its driver runs, no other test can begin an event loop."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not here")
    if browsing.CHROMIUM is None:
        pytest.skip("no Chromium is here")
    with browsing.browser() as opened:
        yield opened


class Window:
    """A page, with all it complains about and every address that it asks for."""

    def __init__(self, context: Any, site: str) -> None:
        self.site, self.context = site, context
        self.page = context.new_page()
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append("a dialog"), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def go(self, view: str) -> Any:
        """Open a view and return the page."""
        self.page.goto(f"{self.site}/#{view}")
        self.page.wait_for_selector(".view h1")
        return self.page

    def strangers(self) -> list[str]:
        """Return the addresses that were asked for and are not this server's."""
        return [url for url in self.asked if not url.startswith((self.site, "blob:", "data:", "file:"))]


@pytest.fixture(scope="module")
def context(browser: Any) -> Any:
    """A browser's context that is shared, so that the page's files are fetched once."""
    return browser.new_context(viewport={"width": 1280, "height": 900})


@pytest.fixture
def window(context: Any, site: str) -> Iterator[Window]:
    """A window of 1280 by 900."""
    opened = Window(context, site)
    yield opened
    opened.page.close()


@pytest.fixture
def special(browser: Any, site: str) -> Iterator[Any]:
    """Make a window in a context of its own, with options of the browser's."""
    made: list[Window] = []

    def opened(**options: Any) -> Window:
        made.append(Window(browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options}), site))
        return made[-1]

    yield opened
    for window in made:
        window.context.close()
