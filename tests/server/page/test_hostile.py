"""Hostile texts in every field, from files, from the server and in what is exported: shown, and never run."""

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Window
from .hostile import CASES, EVIL, FIELDS, PAYLOADS, case, crowd

pytestmark = pytest.mark.slow
PARTS = 4

ALIEN = """img, iframe, object, embed, video, audio, math, marquee, base, template,
link[rel=prefetch], body style, body script, a[href^='javascript' i], form[action]"""
EXPORT = """async (given) => {
  const { asHtml, asJson } = await import("/page/export.js");
  const about = await (await fetch("/page/about.json")).json();
  const style = await (await fetch("/page/look.css")).text();
  return [asHtml({ ...given, about }, style, about.style), asJson({ ...given, about })];
}"""


def quiet(window: Window) -> None:
    """Fail if anything ran, asked elsewhere, or made an element that is not the page's."""
    page = window.page
    assert page.evaluate("window.owned") is None
    assert page.eval_on_selector_all(ALIEN, "all => all.map((n) => n.outerHTML)") == []
    assert window.strangers() == []
    assert window.complaints == []


def test_there_are_three_hundred_cases() -> None:
    assert len(CASES) == len(set(CASES)) == 300
    assert {field for _, field in CASES} == set(FIELDS)
    assert {payload for payload, _ in CASES} == set(PAYLOADS)


def instead(page: Any, address: str, body: str, *, status: int = 200, content_type: str = "application/json") -> None:
    """Answer what is asked of this address, in the server's place."""
    page.route(address, lambda route: route.fulfill(status=status, body=body, content_type=content_type))


def check(page: Any, given: dict[str, object]) -> None:
    """Check a case that comes in a file, and look at the evidence of its first sentence."""
    file = {"name": "case.json", "mimeType": "application/json", "buffer": json.dumps(given).encode()}
    page.set_input_files("input[type=file]", [file])
    page.wait_for_function("(n) => document.querySelectorAll('.context').length === n", arg=len(given["contexts"]))
    page.click("button.primary")
    page.wait_for_selector(".result .seal")
    page.click(".answer .claim >> nth=0")


def shown(page: Any, text: str) -> str:
    """Return a text as the page shows it."""
    made: str = page.evaluate("async (text) => (await import('/page/dom.js')).shown(text)", text)
    return made


@pytest.mark.parametrize("part", range(PARTS))
def test_hostile_texts_are_checked_and_shown_as_texts(window: Window, part: int) -> None:
    page = window.go("check")
    given = crowd(PAYLOADS[part::PARTS])
    check(page, given)
    for where, text in ((".answer", given["answer"]), (".asked", given["question"])):
        seen = page.evaluate(
            """(where) => {
              const copy = document.querySelector(where).cloneNode(true);
              for (const own of copy.querySelectorAll(".mark, .unseen")) own.remove();
              return copy.textContent;
            }""",
            where,
        )
        assert seen == shown(page, str(text).strip())
    for n in range(page.locator(".answer .claim").count()):
        page.evaluate("(n) => document.querySelector(`.claim[data-n='${n}']`).click()", n)
    quiet(window)


@pytest.mark.parametrize("n", range(0, len(CASES), 50))
def test_one_hostile_text_in_one_field(window: Window, n: int) -> None:
    page = window.go("check")
    check(page, case(*CASES[n]))
    quiet(window)


def test_hostile_words_of_the_server_are_texts_too(window: Window) -> None:
    page = window.go("check")
    for payload in PAYLOADS[::4]:
        error = {"error": {"message": payload, "param": payload, "request_id": payload}}
        instead(page, "**/v1/check/stream", json.dumps(error), status=422)
        page.fill("textarea[placeholder='What a model said']", "The mast is 9 metres high.")
        page.fill(".context textarea", "The mast is 9 metres high.")
        page.click("button.primary")
        page.wait_for_selector("[role=alert]")
        page.unroute("**/v1/check/stream")
        window.complaints[:] = [line for line in window.complaints if "422" not in line]
        quiet(window)


def test_hostile_passages_ranks_and_candidates_are_texts(window: Window) -> None:
    page = window.go("corpus")
    page.wait_for_selector(".hits li")
    passages = [{"id": p[:100], "title": p, "text": p} for p in PAYLOADS]
    instead(page, "**/passages?*", json.dumps({"total": len(passages), "offset": 0, "passages": passages}))
    listed = [{"name": PAYLOADS[0], "passages": 3, "analyzer": PAYLOADS[1]}]
    instead(page, "**/v1/indexes", json.dumps({"indexes": listed}))
    page.click("#views >> text=Check")
    page.click("#views >> text=Corpus")
    page.wait_for_function("(n) => document.querySelectorAll('.hits li').length === n", arg=len(PAYLOADS))
    quiet(window)
    lineage = [
        {
            "id": f"{n} {p}",
            "text": p,
            "parents": [f"{n - 1} {PAYLOADS[n - 1]}"] if n else [],
            "operator": p,
            "generation": n % 5,
            "fitness": {p: 0.5, "support": 0.5},
            "passage": p,
        }
        for n, p in enumerate(PAYLOADS)
    ]
    turns = [
        {"number": n, "wanted": 1, "new": 9, "failed": 0, "repeated": 0, "best": lineage[n]["id"], "seconds": 0.1}
        for n in range(5)
    ]
    events = [("generation", {"generation": turn, "best": lineage[n]}) for n, turn in enumerate(turns)]
    events.append(
        (
            "answer",
            {
                "text": "",
                "reason": PAYLOADS[2],
                "sources": [],
                "lineage": lineage,
                "generations": turns,
                "stopped": PAYLOADS[3],
            },
        )
    )
    body = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)
    instead(page, "**/v1/generate", body, content_type="text/event-stream")
    page.click("#views >> text=Generate")
    page.fill("textarea >> nth=0", PAYLOADS[0])
    page.wait_for_selector("option >> nth=1", state="attached")
    page.select_option("select", "")
    page.fill(".context textarea", PAYLOADS[1])
    page.click("button.primary")
    page.wait_for_selector(".node")
    page.wait_for_selector("[role=alert]")
    for node in page.query_selector_all(".node")[:20]:
        node.evaluate("n => n.dispatchEvent(new MouseEvent('click'))")
    quiet(window)


@pytest.mark.parametrize("part", range(PARTS))
def test_hostile_texts_stay_texts_in_what_is_exported(window: Window, context: Any, tmp_path: Path, part: int) -> None:
    page = window.go("check")
    payloads = PAYLOADS[part::PARTS]
    answer, claims = "", []
    for n, payload in enumerate(payloads):
        cited = {"context_id": payload, "index": n, "start": 0, "end": len(payload), "text": payload, "score": 0.5}
        span = {"text": payload, "start": len(answer), "end": len(answer) + len(payload)}
        claims.append(
            {
                **span,
                "verdict": "not_enough_info",
                "score": 0.2,
                "reason": payload,
                "spans": [span],
                "citations": [cited],
            }
        )
        answer += f"{payload} "
    record = {
        "verdict": "contradicted",
        "score": 0.2,
        "threshold": 0.5,
        "grounded": False,
        "reason": payloads[0],
        "claims": claims,
        "warnings": list(payloads),
        "model": payloads[1],
    }
    contexts = [{"id": payload, "title": payload, "text": payload} for payload in payloads]
    html, saved = page.evaluate(
        EXPORT, {"record": record, "case": {"question": payloads[-1], "answer": answer, "contexts": contexts}}
    )
    quiet(window)
    assert json.loads(saved)["contexts"] == contexts
    assert saved.isascii()
    file = tmp_path / "verdict.html"
    file.write_text(html, encoding="utf-8")
    alone = Window(context, window.site)
    alone.page.goto(file.as_uri())
    alone.page.wait_for_timeout(50)
    quiet(alone)
    assert alone.page.locator(".told > li").count() == len(payloads)
    assert EVIL not in " ".join(alone.asked)
    alone.page.close()
