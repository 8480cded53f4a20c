"""Whoever comes with a keyboard, a screen reader, a phone or poor sight: names, contrast, order of focus, landmarks, widths."""

from pathlib import Path
from typing import Any

import pytest

from .conftest import Window

pytestmark = pytest.mark.slow
CHECKS = Path(__file__).with_name("access.js").read_text(encoding="utf-8").rstrip().removesuffix(";")


def filled(window: Window, view: str) -> Any:
    """Open a view and bring it to where it shows most."""
    page = window.go(view)
    if view == "check":
        page.click("text=Try an example")
        page.wait_for_function("() => document.querySelectorAll('.context').length === 5")
        page.click("button.primary")
        page.wait_for_selector(".result .seal")
        page.click("text=The same numbers as a table")
    elif view == "verify":
        page.wait_for_selector("option", state="attached")
        page.fill("textarea >> nth=0", "When was the Eiffel Tower finished?")
        page.fill("textarea >> nth=1", "The Eiffel Tower was finished in 1901. It is made of iron. Sure!")
        page.click("button.primary")
        page.wait_for_selector(".ranks table")
    elif view == "generate":
        page.fill("textarea >> nth=0", "How high is the mast?")
        page.wait_for_selector("option >> nth=1", state="attached")
        page.select_option("select", "")
        page.fill(".context textarea", "The mast is 9 metres high. It is painted red. It stands on a hill.")
        page.click("button.primary")
        page.wait_for_selector(".result .seal", timeout=60_000)
    else:
        page.wait_for_selector(".hits li, .tile")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["check", "verify", "generate", "corpus", "operate"])
def test_every_control_has_a_name_and_every_text_a_contrast(special: Any, view: str, scheme: str) -> None:
    window = special(color_scheme=scheme, reduced_motion="reduce")
    page = filled(window, view)
    for check in ("unnamed", "contrast", "structure"):
        assert page.evaluate(CHECKS, check) == [], check
    for width in (1280, 768, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.eval_on_selector_all(
        "button, select, summary, input:not([type=file]), textarea",
        """all => all.filter((n) => n.checkVisibility() && n.getBoundingClientRect().height < 22)
                  .map((n) => n.outerHTML.slice(0, 80))""",
    )
    assert small == [], "too small for a finger"
    assert window.complaints == []


def test_the_form_is_gone_through_in_the_order_it_is_read(window: Window) -> None:
    page = window.go("check")
    page.evaluate("document.activeElement.blur()")
    order = []
    for _ in range(15):
        page.keyboard.press("Tab")
        order.append(
            page.evaluate(
                """() => {
                  const node = document.activeElement;
                  return (node.labels?.[0] ?? node).textContent.trim() || node.getAttribute("aria-label");
                }"""
            )
        )
    wanted = [
        "Skip to the content",
        "Check",
        "Verify",
        "Generate",
        "Corpus",
        "Operate",
        "Question",
        "Answer",
        "Context",
        "×Remove this context",
        "Add a context",
        "Choose files",
        "Check",
        "Try an example",
        "Clear",
    ]
    assert order == wanted
    assert (
        page.evaluate(
            "() => { document.querySelector('.skip').focus(); return getComputedStyle(document.activeElement).outlineStyle }"
        )
        != "none"
    )


def test_the_skip_link_leads_to_the_content_and_not_away_from_the_view(window: Window) -> None:
    page = window.go("corpus")
    page.wait_for_selector(".hits li")
    page.focus(".skip")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'main'")
    assert page.get_attribute("#views [aria-current]", "data-view") == "corpus"


def test_whoever_changes_the_view_is_told_where_they_are(window: Window) -> None:
    page = window.go("check")
    page.click("#views >> text=Operate")
    page.wait_for_function("() => document.activeElement.tagName === 'H1'")
    assert page.evaluate("document.activeElement.textContent") == "How is it doing?"


def in_view(page: Any, selector: str) -> bool:
    """Say whether an element stands in the window, once nothing moves."""
    return page.eval_on_selector(
        selector,
        """(node) => {
          const box = node.getBoundingClientRect();
          return node.checkVisibility() && box.top >= 0 && box.bottom <= innerHeight;
        }""",
    )


@pytest.mark.parametrize("way", ["finger", "keyboard"])
def test_on_a_phone_there_is_a_way_back_from_the_evidence_to_the_sentence(special: Any, way: str) -> None:
    window = special(reduced_motion="reduce", viewport={"width": 360, "height": 640}, has_touch=True)
    page = filled(window, "check")
    page.tap('.claim[data-n="2"]')
    assert not in_view(page, '.claim[data-n="2"]')
    assert in_view(page, ".back button")
    page.locator(".side .passage").last.scroll_into_view_if_needed()
    assert in_view(page, ".back button")  # however far one has read
    back = page.get_by_role("region", name="Evidence for the chosen sentence").get_by_role(
        "button", name="Back to the answer"
    )
    if way == "finger":
        back.tap()
    else:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "↑ Back to the answer"
        page.keyboard.press("Enter")
    assert in_view(page, '.claim[data-n="2"]')
    assert page.evaluate("document.activeElement.dataset.n") == "2"
    page.set_viewport_size({"width": 1280, "height": 900})  # beside the answer nobody needs it
    assert not page.is_visible(".back")
    assert window.complaints == []


def test_without_colour_the_states_are_told_apart(window: Window) -> None:
    page = filled(window, "check")
    seen = page.eval_on_selector_all(
        ".answer .claim",
        """all => all.map((c) => {
          const look = getComputedStyle(c);
          const mark = c.querySelector(".mark").textContent;
          return [c.classList[1], mark, look.borderBottomStyle, look.backgroundImage.split("(")[0]].join(" ");
        })""",
    )
    assert set(seen) == {
        "supported ✓ solid none",
        "contradicted ✗ double repeating-linear-gradient",
        "open ? dotted radial-gradient",
    }


def test_who_wants_no_motion_gets_none(special: Any) -> None:
    window = special(reduced_motion="reduce")
    page = filled(window, "generate")
    moving = page.evaluate("document.getAnimations().filter((a) => a.playState === 'running').length")
    assert moving == 0
    assert page.locator(".node").first.evaluate("n => getComputedStyle(n).animationName") == "none"


def test_without_scripts_the_page_says_what_else_there_is(special: Any) -> None:
    window = special(java_script_enabled=False)
    window.page.goto(window.site)
    assert "groundwire check" in window.page.inner_text("noscript")
