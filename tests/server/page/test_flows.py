"""What people do on the page, view by view, in a real Chromium over the real server."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from groundwire.api import Checker
from groundwire.server.page.about import examples

from .conftest import Window

pytestmark = pytest.mark.slow
WEBB = examples()[0]


def checked(window: Window) -> Any:
    """Check the first example and return the page."""
    page = window.go("check")
    page.click("text=Try an example")
    page.wait_for_function("() => document.querySelectorAll('.context').length === 5")
    page.click("button.primary")
    page.wait_for_selector(".result .seal")
    return page


def states(page: Any) -> list[str]:
    """Return the state of each sentence, as its class."""
    return [
        name.split()[1] for name in page.eval_on_selector_all(".answer .claim", "all => all.map((c) => c.className)")
    ]


def test_an_example_is_checked_and_its_sentences_are_in_their_states(window: Window) -> None:
    page = checked(window)
    looks = {"supported": "supported", "contradicted": "contradicted", "not_enough_info": "open"}
    verdict = Checker().check([WEBB])[0]
    assert states(page) == [looks[claim.label] for claim in verdict.claims]
    assert page.inner_text(".verdict").split()[-1] == "Contradicted"
    unbacked = [WEBB["answer"][span.start : span.end] for claim in verdict.claims for span in claim.spans]
    assert page.eval_on_selector_all(".answer .unbacked", "all => all.map((u) => u.textContent)") == unbacked
    assert any("seven" in words for words in unbacked)
    assert page.text_content("#live").startswith("The answer is contradicted. 6 sentences: 3 supported")
    assert window.complaints == []
    assert window.strangers() == []


def test_an_answer_is_drawn_in_the_direction_that_it_is_read_in(window: Window) -> None:
    page = window.go("check")
    page.fill("textarea >> nth=1", "התורן בגובה 9 מטרים. הוא אדום.")
    page.fill(".context textarea", "התורן בגובה 9 מטרים.")
    page.click("button.primary")
    page.wait_for_selector(".result .seal")
    assert len(states(page)) == 2
    assert page.evaluate("getComputedStyle(document.querySelector('.answer')).direction") == "rtl"


def test_a_click_shows_the_evidence_in_the_whole_of_its_context(window: Window) -> None:
    page = checked(window)
    page.click('.claim[data-n="3"]')
    assert page.get_attribute('.claim[data-n="3"]', "aria-pressed") == "true"
    assert page.inner_text(".side .source h4").split() == ["[3]", "Partners"]
    assert page.text_content(".side .passage") == WEBB["contexts"][2]["text"]
    assert page.text_content(".side mark.contradicted").startswith("The telescope is a joint project")
    assert "refutes" in page.inner_text(".side .readings")


def test_the_keyboard_goes_from_sentence_to_sentence(window: Window) -> None:
    page = checked(window)
    page.focus(".claim[tabindex='0']")
    page.keyboard.press("Home")
    for key, n in (("ArrowRight", 1), ("ArrowDown", 2), ("ArrowLeft", 1), ("End", 5), ("ArrowRight", 5), ("Home", 0)):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.n") == str(n)
        assert page.get_attribute(f'.claim[data-n="{n}"]', "aria-pressed") == "true"
    assert page.locator(".claim[tabindex='0']").count() == 1
    assert page.text_content("#live").startswith("Sentence 1: supported. Evidence: The James Webb")


def test_the_threshold_relabels_while_it_moves(window: Window) -> None:
    page = checked(window)
    asked = len(window.asked)
    page.focus("#threshold")
    for key, threshold in (("End", 1.0), ("Home", 0.0)):
        page.keyboard.press(key)
        looks = {"supported": "supported", "contradicted": "contradicted", "not_enough_info": "open"}
        assert states(page) == [looks[c.label] for c in Checker(threshold=threshold).check([WEBB])[0].claims]
    assert page.inner_text(".verdict").split()[-1] == "Supported"
    assert "6 of 6 sentences supported" in page.get_attribute("#threshold", "aria-valuetext")
    page.click("text=back to 0.50")
    assert states(page).count("supported") == 3
    assert len(window.asked) == asked, "nothing is asked of the server for it"


def test_the_waterfall_has_every_stage_and_the_same_numbers_in_a_table(window: Window) -> None:
    page = checked(window)
    page.click('.claim[data-n="2"]')
    stages = page.eval_on_selector_all(".stage h4", "all => all.map((s) => s.textContent)")
    assert stages == ["Relevance", "Selection weight", "Entailment", "Aggregation", "Threshold"]
    claim = Checker().check([WEBB])[0].claims[2]
    page.click("text=The same numbers as a table")
    table = page.inner_text(".waterfall table")
    said = re.search(r"score\s+(0\.\d{4})", table)
    assert said
    assert float(said[1]) == pytest.approx(claim.score, abs=0.002)
    logit = re.search(r"most relevant text, logit\s+(-?\d+\.\d+)", table)
    assert logit
    assert float(logit[1]) == pytest.approx(claim.signals["relevance"], abs=0.05)
    assert "names not found" in table
    spoken = page.get_attribute(".stage:nth-child(4) svg", "aria-label")
    parts = [float(n.replace("−", "-")) for n in re.findall(r"[+−]?\d+\.\d+", spoken)]
    assert sum(parts[:-1]) == pytest.approx(parts[-1], abs=0.04)


def test_what_is_missing_is_said_and_focused(window: Window) -> None:
    page = window.go("check")
    page.click("button.primary")
    assert page.inner_text("[role=alert]") == "An answer is needed."
    page.keyboard.type("The mast is 9 metres high.")
    page.keyboard.press("Control+Enter")
    assert page.inner_text("[role=alert]") == "At least one context is needed."
    page.keyboard.type("The mast is 9 metres high.")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".result .seal")
    assert states(page) == ["supported"]
    page.click("text=Edit the question")
    assert page.evaluate("document.activeElement.value") == "The mast is 9 metres high."


def test_contexts_are_added_removed_and_read_from_files(window: Window, tmp_path: Path) -> None:
    page = window.go("check")
    (tmp_path / "mast.txt").write_text("The mast is 9 metres high.", encoding="utf-8")
    (tmp_path / "case.json").write_text(
        json.dumps(
            {"user_input": "How?", "response": "So.", "retrieved_contexts": ["one", {"text": "two", "title": "Second"}]}
        )
    )
    (tmp_path / "rows.jsonl").write_text('"three"\n{"text": "four", "id": "4th"}\n')
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe")
    page.set_input_files("input[type=file]", [str(file) for file in sorted(tmp_path.iterdir())])
    page.wait_for_function("() => document.querySelectorAll('.context').length === 5")
    texts = page.eval_on_selector_all(".context textarea", "all => all.map((t) => t.value)")
    assert sorted(texts) == sorted(["one", "two", "The mast is 9 metres high.", "three", "four"])
    assert page.inner_text(".drop .wrong") == "Not read: broken.json: is not JSON; bytes.txt: is not UTF-8 text."
    assert page.eval_on_selector_all("form > .field textarea", "all => all.map((t) => t.value)") == ["How?", "So."]
    page.click("text=Add a context")
    assert page.locator(".context").count() == 6
    page.locator(".context .bare").last.click()
    assert page.locator(".context").count() == 5


def test_files_can_be_dropped(window: Window) -> None:
    page = window.go("check")
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["The mast is 9 metres high."], "mast.md"));
          const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
          document.querySelector(".drop").dispatchEvent(drop);
        }"""
    )
    page.wait_for_function("() => document.querySelector('.context textarea').value.startsWith('The mast')")
    assert page.inner_text(".context .name") == "mast.md"


def test_a_verdict_is_saved_as_a_page_that_needs_nothing(window: Window, special: Any, tmp_path: Path) -> None:
    page = checked(window)
    with page.expect_download() as saving:
        page.click("text=Save as HTML")
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    content = file.read_text(encoding="utf-8")
    assert "<script" not in content
    assert not re.search(r"\s(?:src|on[a-z]+|style)=", content)
    apart = special(offline=True, java_script_enabled=False)
    alone = apart.page
    alone.goto(file.as_uri())
    assert alone.inner_text("h1") == WEBB["question"]
    assert alone.locator(".answer .claim").count() == 6
    assert alone.locator(".told > li").count() == 6
    assert alone.locator(".stages").count() == 6
    tinted = alone.locator(".answer .contradicted").first.evaluate("c => getComputedStyle(c).backgroundImage")
    assert tinted.startswith("repeating-linear-gradient"), "the style that it carries is allowed"
    alone.click(".answer .claim >> nth=2")
    assert alone.url.endswith("#s3")
    assert apart.complaints == []


def test_a_verdict_is_saved_as_json_that_can_be_checked_again(window: Window, tmp_path: Path) -> None:
    page = checked(window)
    with page.expect_download() as saving:
        page.click("text=Save as JSON")
    file = tmp_path / "verdict.json"
    saving.value.save_as(file)
    saved = json.loads(file.read_text(encoding="ascii"))
    verdict = Checker().check([saved])[0]
    assert saved["threshold"] == 0.5
    assert saved["verdict"] == verdict.label
    assert [claim["verdict"] for claim in saved["claims"]] == [claim.label for claim in verdict.claims]


@pytest.mark.parametrize(
    ("status", "headers", "error", "told"),
    [
        (
            401,
            {},
            {"message": "no key"},
            "This server asks for a key. Reload the page and give it as the password; any name will do. (request r-1)",
        ),
        (
            429,
            {"Retry-After": "7"},
            {"message": "the queue is full"},
            "the queue is full. Try again in 7 s. (request r-1)",
        ),
        (
            503,
            {"Retry-After": "2"},
            {"message": "the server is draining"},
            "the server is draining. Try again in 2 s. (request r-1)",
        ),
        (422, {}, {"message": "too long", "param": "answer"}, "too long (answer). (request r-1)"),
        (500, {}, {}, "The server answered with status 500. (request r-1)"),
    ],
)
def test_an_error_is_one_clear_line(
    window: Window, status: int, headers: dict[str, str], error: dict[str, str], told: str
) -> None:
    page = window.go("check")
    body = json.dumps({"error": {"type": "t", "code": "c", "request_id": "r-1", **error}})
    page.route(
        "**/v1/check/stream",
        lambda route: route.fulfill(status=status, headers=headers, body=body, content_type="application/json"),
    )
    asked(page)
    page.wait_for_selector("[role=alert]")
    assert page.inner_text("[role=alert]") == told
    assert page.is_hidden(".result")


def asked(page: Any) -> None:
    page.fill("textarea[placeholder='What a model said']", "The mast is 9 metres high. It is red.")
    page.fill(".context textarea", "The mast is 9 metres high.")
    page.click("button.primary")


def test_what_breaks_off_is_said_and_can_be_asked_again(window: Window) -> None:
    page = window.go("check")
    told = {"text": "The mast is 9 metres high.", "start": 0, "end": 26, "verdict": "supported", "score": 0.9}
    claim = f"event: claim\ndata: {json.dumps({**told, 'citations': []})}\n\n"
    page.route(
        "**/v1/check/stream", lambda route: route.fulfill(status=200, body=claim, content_type="text/event-stream")
    )
    asked(page)
    page.wait_for_selector("[role=alert]")
    assert page.inner_text("[role=alert]") == "The connection broke off before the verdict. Try again."
    late = claim + 'event: error\ndata: {"error":{"message":"the deadline has passed","request_id":"r-2"}}\n\n'
    page.unroute("**/v1/check/stream")
    page.route(
        "**/v1/check/stream", lambda route: route.fulfill(status=200, body=late, content_type="text/event-stream")
    )
    page.click("button.primary")
    page.wait_for_function("() => document.querySelector('[role=alert]')?.textContent.includes('deadline')")
    page.unroute("**/v1/check/stream")
    page.route("**/v1/check/stream", lambda route: route.abort())
    page.click("button.primary")
    page.wait_for_function("() => document.querySelector('[role=alert]')?.textContent.includes('cannot be reached')")
    page.unroute("**/v1/check/stream")
    page.click("button.primary")
    page.wait_for_selector(".result .seal")
    assert states(page)[0] == "supported"


def test_an_answer_is_verified_against_an_index(window: Window) -> None:
    page = window.go("verify")
    page.wait_for_selector("option", state="attached")
    page.fill("textarea >> nth=0", "When was the Eiffel Tower finished?")
    page.fill("textarea >> nth=1", "The Eiffel Tower was finished in 1901.")
    page.click("button.primary")
    page.wait_for_selector(".result .seal")
    assert page.inner_text(".verdict").split()[-1] == "No"
    assert "finished in 1889" in page.inner_text(".because")
    heads = page.eval_on_selector_all(".ranks th[scope=col]", "all => all.map((t) => t.textContent)")
    assert heads == ["Passage", "bm25", "bm25+mini"]
    assert page.inner_text(".ranks tbody tr >> nth=0").split()[:3] == ["[1]", "tower", "#1"]
    assert "The Eiffel Tower in Paris was finished in 1889. It is 330 metres high." in page.inner_text(".side .passage")
    page.fill("textarea >> nth=1", "The Eiffel Tower was finished in 1889.")
    page.click("button.primary")
    page.wait_for_function("() => document.querySelector('.verdict')?.textContent.includes('Yes')")
    assert window.complaints == []


def test_where_nothing_can_be_judged_only_the_reason_is_shown(window: Window) -> None:
    page = window.go("verify")
    page.wait_for_selector("option", state="attached")
    page.fill("textarea >> nth=0", "When was the Eiffel Tower finished?")
    page.click("button.primary")
    page.wait_for_selector(".result .seal")
    assert page.inner_text(".verdict").split()[-2:] == ["Not", "checkable"]
    assert "The answer is empty." in page.inner_text(".result")
    assert page.locator(".answer").count() == 0
    assert page.inner_text(".side") == ""
    assert page.is_hidden(".ruler")


def test_an_answer_is_grown_before_ones_eyes(window: Window) -> None:
    page = window.go("generate")
    page.wait_for_selector("option >> nth=1", state="attached")
    page.fill("textarea >> nth=0", "How high is the Eiffel Tower?")
    assert page.input_value("select") == "notes"  # where there is an index, it is what is asked
    assert page.is_hidden(".drop")
    page.click("button.primary")
    page.wait_for_selector(".result .seal", timeout=60_000)
    assert "330 metres" in page.inner_text(".answer")
    assert page.locator(".tree .node").count() >= 2
    assert page.locator(".tree .node.best").count() == 1
    page.focus(".tree .node.best")
    before = page.evaluate("document.activeElement.dataset.id")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    assert page.locator(".tree .node[aria-pressed=true]").count() == 1
    assert page.locator(".candidate table tr").count() >= 3
    assert before
    assert window.complaints == []


def test_an_answer_is_grown_from_given_passages(window: Window) -> None:
    page = window.go("generate")
    page.wait_for_selector("option >> nth=1", state="attached")
    page.select_option("select", "")
    page.fill("textarea >> nth=0", "How high is the mast?")
    page.fill(".context textarea", "The mast is 9 metres high. It is painted red.")
    page.click("button.primary")
    page.wait_for_selector(".result .seal", timeout=60_000)
    assert "9 metres" in page.inner_text(".answer")


def test_a_corpus_is_paged_and_searched(window: Window) -> None:
    page = window.go("corpus")
    page.wait_for_selector(".hits li")
    assert page.inner_text(".pager span") == "1–20 of 43"
    page.click(".pager >> text=Next")
    page.wait_for_function("() => document.querySelector('.pager span').textContent.startsWith('21')")
    page.click(".pager >> text=Next")
    page.wait_for_function("() => document.querySelector('.pager span').textContent === '41–43 of 43'")
    assert page.is_disabled(".pager >> text=Next")
    page.fill("input[type=search]", "Danube")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.passages h2').textContent.includes('Danube')")
    assert page.inner_text(".hits li >> nth=0").split()[:2] == ["#1", "river"]
    page.fill("input[type=search]", "")
    page.keyboard.press("Enter")
    page.wait_for_selector(".pager")


def test_operation_is_shown_and_kept_up(window: Window) -> None:
    checked(window)
    page = window.go("operate")
    page.wait_for_selector(".tile")
    assert page.inner_text(".badge") == "ready"
    names = page.eval_on_selector_all(".tile h2", "all => all.map((t) => t.textContent)")
    assert {"Queue", "Latency, median", "Requests"} <= set(names)
    assert page.locator(".over .part").count() >= 1
    polls = sum("operate" in url for url in window.asked)
    page.wait_for_timeout(3_400)
    assert sum(url.endswith("/v1/operate") for url in window.asked) > 1 <= polls
    page.click("#views >> text=Check")
    polls = sum(url.endswith("/v1/operate") for url in window.asked)
    page.wait_for_timeout(3_400)
    assert sum(url.endswith("/v1/operate") for url in window.asked) == polls, "nobody looks: nothing is asked"


def test_a_view_keeps_what_was_typed_and_the_address_names_it(window: Window) -> None:
    page = window.go("check")
    page.fill("textarea[placeholder='What a model said']", "The mast is 9 metres high.")
    page.click("#views >> text=Corpus")
    page.wait_for_selector(".indexes")
    assert page.title() == "Corpus · Groundwire"
    page.go_back()
    page.wait_for_selector("textarea[placeholder='What a model said']")
    assert page.input_value("textarea[placeholder='What a model said']") == "The mast is 9 metres high."
    assert page.get_attribute("#views [aria-current]", "data-view") == "check"
