"""R24: three hundred hostile texts in everything that shows a text, the browser's views in a real Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import openapi
import suite
from rows import Row
from serving import child

TARGET = "0 executed"


def rows(work: Path, size: dict[str, int]) -> Iterator[Row]:
    payloads = suite.part("hostile/payloads.py").PAYLOADS[:: size["every"]]
    outputs = suite.part("hostile/outputs.py")
    for name, check in outputs.CHECKS.items():
        row = Row(
            id="R24", part=name, target=TARGET, what=f"{len(payloads)} hostile texts in every place of {_SAID[name]}"
        )
        for payload in payloads:
            row.count(_problem(check, payload))
        yield row
    browsing = suite.part("hostile/browsing.py")
    try:
        with browsing.browser() as browser:
            yield _reports(work, browsing.Watched(browser), outputs, payloads)
            yield from _page(work, browser, size["every"])
    except (ImportError, FileNotFoundError) as error:
        row = Row(id="R24", part="browser", target=TARGET, what="the page and the reports in Chromium")
        row.count(f"not measured: {error}")
        yield row


_SAID = {
    "terminal": "verdicts, answers and hits as a terminal draws them, with and without colours",
    "report": "a report, by its elements",
    "CSV": "exported judgements, read as a spreadsheet does",
    "log": "the log, with the messages of exceptions",
    "events": "server-sent events",
    "header": "a request's own id, which comes back in a header",
    "complaints": "what the command line complains about",
}


def _problem(check: Callable[[str], str | None], payload: str) -> str | None:
    problem = check(payload)
    return None if problem is None else f"{payload[:60]!r}: {problem}"


def _reports(work: Path, watched: Any, outputs: Any, payloads: tuple[str, ...]) -> Row:
    from groundwire.report import page

    row = Row(
        id="R24",
        part="reports in Chromium",
        target=TARGET,
        what=f"{len(payloads)} reports with a hostile text in every place, opened in Chromium",
    )
    file = work / "report.html"
    for payload in payloads:
        file.write_text(page(outputs.answer_with(payload)), encoding="utf-8")
        row.count(_problem(lambda _: watched.look(file), payload))
    return row


def _page(work: Path, browser: Any, every: int) -> Iterator[Row]:
    """Check cases through the page one by one, and open the HTML that it exports of each verdict."""
    flows, hostile, window = (suite.part(f"server/page/{name}.py") for name in ("test_hostile", "hostile", "conftest"))
    browsing = suite.part("hostile/browsing.py")
    cases = hostile.CASES[::every]
    shown = Row(
        id="R24",
        part="page",
        target=TARGET,
        what=f"{len(cases)} cases with a hostile text in one field, checked through the page in Chromium",
    )
    exported = Row(
        id="R24",
        part="exported verdict",
        target=TARGET,
        what=f"the HTML that the page exports of each of these {len(cases)} verdicts, opened in Chromium",
    )
    with child.groundwire("--index", f"notes={openapi.index(work)}") as server:
        opened = window.Window(
            browser.new_context(viewport={"width": 1280, "height": 900}), f"http://{server.host}:{server.port}"
        )
        watched = browsing.Watched(browser)
        opened.go("check")
        for payload, field in cases:
            shown.count(_checked(flows, opened, hostile.case(payload, field), payload))
            shown.add(f"in the {field}")
            file = work / "verdict.html"
            file.write_text(_html(flows, opened, hostile.case(payload, field), payload), encoding="utf-8")
            exported.count(_problem(lambda _, file=file: watched.look(file, "body"), payload))
    yield shown
    yield exported


def _checked(flows: Any, opened: Any, case: dict[str, object], payload: str) -> str | None:
    """Check a case through the page; whatever stumbles over it is a problem of this payload."""
    try:
        opened.page.goto("about:blank")
        flows.check(opened.go("check"), case)
        flows.quiet(opened)
    except Exception as error:
        return f"{payload[:60]!r}: {type(error).__name__}: {str(error)[:200]}"
    return None


def _html(flows: Any, opened: Any, case: dict[str, Any], payload: str) -> str:
    """Return what the page exports of a verdict that has the payload wherever one has a text."""
    cited = {"context_id": payload, "index": 0, "start": 0, "end": 3, "text": payload, "score": 0.5}
    span = {"text": payload, "start": 0, "end": len(payload)}
    claim = {
        **span,
        "verdict": "not_enough_info",
        "score": 0.2,
        "reason": payload,
        "spans": [span],
        "citations": [cited],
    }
    record = {
        "verdict": "contradicted",
        "score": 0.2,
        "threshold": 0.5,
        "grounded": False,
        "reason": payload,
        "claims": [claim],
        "warnings": [payload],
        "model": payload,
    }
    html: str = opened.page.evaluate(flows.EXPORT, {"record": record, "case": {**case, "answer": payload}})[0]
    return html
