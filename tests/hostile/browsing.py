"""A file in a real Chromium: whether anything of its texts ran, asked elsewhere, or became more than text."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ALIEN = """img, iframe, object, embed, video, audio, math, marquee, base, form, input, textarea, select, template, noscript,
link, main style, main script, a[href]:not([href^='#']), [onerror], [onload], [onfocus], [onclick], [onmouseover], [ontoggle]"""


@contextmanager
def browser() -> Iterator[Any]:
    """Give a Chromium. Raises ImportError or FileNotFoundError where there is none to drive."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        raise FileNotFoundError("chromium")
    options = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=options)
        yield opened
        opened.close()


class Watched:
    """A window in which files are opened one after another."""

    def __init__(self, browser: Any) -> None:
        self._page = browser.new_context().new_page()
        self._told: list[str] = []
        self._page.on("console", lambda message: self._told.append(f"console: {message.text[:80]}"))
        self._page.on("pageerror", lambda error: self._told.append(f"error: {error}"))
        self._page.on("dialog", lambda dialog: (self._told.append("a dialog"), dialog.dismiss()))
        self._page.on("request", lambda asked: self._told.append(f"asks for {asked.url[:80]}"))
        self._page.context.on("page", lambda _: self._told.append("another window"))

    def look(self, file: Path, own: str = "main") -> str | None:
        """Open a file, go over it with the pointer and the keyboard; return what came of it that should not have."""
        self._told.clear()
        address = file.as_uri()
        self._page.goto(address)
        self._page.wait_for_selector(own, state="attached")
        for at in (40, 240, 440):
            self._page.mouse.move(at, at)
        self._page.keyboard.press("Tab")
        self._page.keyboard.press("End")
        aliens = self._page.eval_on_selector_all(ALIEN, "all => all.map((n) => n.outerHTML.slice(0, 90))")
        ran = self._page.evaluate("window.owned") is not None
        found = [line for line in self._told if line != f"asks for {address[:80]}"]
        found += ["something ran"] * ran + ([f"elements of the text: {aliens[:2]}"] if aliens else [])
        return "; ".join(found) or None
