"""SARIF 2.1.0 (OASIS): every sentence that is not backed a result, with its place in the answer and the nearest evidence.

The artifacts are the answers and contexts of rows: `answers/ID` and `contexts/ID/INDEX`, percent-encoded, relative to the
base `ROWS`. A region says its place twice, in code points (charOffset, charLength) and in lines and columns, and holds the
words themselves, so that it can be read without the row.

Results are written as they come. Left out: fixes, code flows, and the texts of answers and contexts as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, TextIO
from urllib.parse import quote

from groundwire.gates.finding import RULES, Finding, Gate, rule_of
from groundwire.gates.told import LONGEST
from groundwire.types import ClaimVerdict, Evidence, Label, Span, Verdict
from groundwire.visible import one_line

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
BASE = "ROWS"
LEVELS = {"contradicted": "error", "not-enough-info": "warning", "not-checkable": "note", "wrong-verdict": "warning"}
_ORDER = tuple(RULES)


class Sarif:
    """Writes one run. Give it verdicts by `add`, then `close` it once. `version` is Groundwire's."""

    def __init__(self, out: TextIO, gate: Gate, *, version: str) -> None:
        self._out, self._gate = out, gate
        self._results = 0
        driver = {
            "name": "Groundwire",
            "version": version,
            "rules": [
                {"id": rule, "shortDescription": {"text": text}, "defaultConfiguration": {"level": LEVELS[rule]}}
                for rule, text in RULES.items()
            ],
        }
        run = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {BASE: {"description": {"text": "The answers and contexts of the checked rows."}}},
        }
        head = f'{{"$schema": {json.dumps(SCHEMA)}, "version": "2.1.0", "runs": [{json.dumps(run)[:-1]}, "results": ['
        self._out.write(head)

    def add(self, verdicts: Sequence[Verdict]) -> None:
        """Write down the findings of one batch."""
        for verdict in verdicts:
            finding = self._gate(verdict)
            for result in () if finding is None else _results(verdict, finding):
                self._out.write(("," if self._results else "") + "\n" + json.dumps(result, allow_nan=False))
                self._results += 1

    def close(self) -> None:
        """Write the end."""
        self._out.write("\n]}]}\n")


def _results(verdict: Verdict, finding: Finding) -> Iterator[dict[str, Any]]:
    """Yield a result for each claim that is to blame; of a finding about the row as a whole, one."""
    if finding.rule == "wrong-verdict" or not finding.claims:
        yield _result(
            verdict, finding.rule, finding.message, Span(source="answer", start=0, end=len(verdict.case.answer))
        )
        return
    for claim in finding.claims:
        for span in claim.spans or (claim.claim.span,):
            yield _result(verdict, rule_of(claim.label), _message(verdict, claim), span, claim.evidence[:1])


def _message(verdict: Verdict, claim: ClaimVerdict) -> str:
    """Return the rule with the whole sentence, since a region may be a few words of it."""
    text = RULES[rule_of(claim.label)].removesuffix(".")
    return f"{text} (score {claim.score:.2f}): {_cut(claim.claim.span.of(verdict.case.answer))}"


def _result(verdict: Verdict, rule: str, message: str, span: Span, evidence: Sequence[Evidence] = ()) -> dict[str, Any]:
    case = verdict.case
    row = quote(case.id, safe="", errors="backslashreplace")
    made: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": _ORDER.index(rule),
        "level": LEVELS[rule],
        "message": {"text": _literal(message)},
        "locations": [{"physicalLocation": _place(f"answers/{row}", case.answer, span)}],
        "properties": {"id": case.id, "score": verdict.score, "threshold": verdict.threshold},
    }
    if evidence:
        made["relatedLocations"] = [
            {
                "id": n,
                "message": {"text": "against it" if verdict.label is Label.CONTRADICTED else "nearest evidence"},
                "physicalLocation": _place(f"contexts/{row}/{e.index}", case.contexts[e.index].text, e.span),
            }
            for n, e in enumerate(evidence, 1)
        ]
    return made


def _place(uri: str, text: str, span: Span) -> dict[str, Any]:
    start_line, start_column = _line_and_column(text, span.start)
    end_line, end_column = _line_and_column(text, span.end)
    return {
        "artifactLocation": {"uri": uri, "uriBaseId": BASE},
        "region": {
            "charOffset": span.start,
            "charLength": span.end - span.start,
            "startLine": start_line,
            "startColumn": start_column,
            "endLine": end_line,
            "endColumn": end_column,
            "snippet": {"text": _cut(span.of(text))},
        },
    }


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return where a place is, both from 1; a line ends behind its line feed."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _literal(text: str) -> str:
    """Return a message in which nothing is a placeholder or a link (sections 3.11.5 and 3.11.6 of the standard)."""
    text = one_line(text).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return text.replace("{", "{{").replace("}", "}}")


def _cut(text: str) -> str:
    hidden = len(text) - LONGEST
    return text[:LONGEST] + (f"… ({hidden} more characters)" if hidden > 0 else "")
