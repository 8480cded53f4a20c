"""JUnit XML: every row a test case, every finding a failure, and what could not be checked an error.

The elements are those that Jenkins, GitLab, GitHub's reporters and others read: testsuites, testsuite, testcase, failure,
error. Characters that XML 1.0 has no place for stand as a visible escape.

The counts stand in front of the rows, so the rows wait in a temporary file until they are known. Left out: properties,
captured output.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from groundwire.gates.finding import Finding, Gate
from groundwire.types import Verdict

SPOOL = 4 << 20
"""So many bytes of rows are held in memory; more go to a file."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class JUnit:
    """Writes one suite. Give it verdicts by `add`, then `close` it: that writes all to `out`. `drop` it whatever happens."""

    def __init__(self, out: TextIO, gate: Gate, *, suite: str = "groundwire") -> None:
        self._out, self._gate, self._suite = out, gate, suite
        self._rows = tempfile.SpooledTemporaryFile(  # noqa: SIM115
            max_size=SPOOL, mode="w+", encoding="utf-8", newline="\n"
        )
        self._tests = self._failures = self._errors = 0
        self._seconds = 0.0

    def add(self, verdicts: Sequence[Verdict]) -> None:
        """Write down the verdicts of one batch; each has an equal share of the batch's time."""
        stages = next((verdict.trace.stages for verdict in verdicts if verdict.trace), ())
        seconds = sum(stage.seconds for stage in stages)
        self._seconds += seconds
        for verdict in verdicts:
            self._tests += 1
            finding = self._gate(verdict)
            name = _attribute(verdict.case.id)
            suite = _attribute(verdict.case.group or self._suite)
            self._rows.write(f'    <testcase classname={suite} name={name} time="{seconds / len(verdicts):.6f}"')
            self._rows.write("/>\n" if finding is None else f">\n{self._problem(finding)}    </testcase>\n")

    def close(self) -> None:
        """Write the report."""
        counts = (
            f'tests="{self._tests}" failures="{self._failures}" errors="{self._errors}" '
            f'skipped="0" time="{self._seconds:.6f}"'
        )
        name = _attribute(self._suite)
        self._out.write('<?xml version="1.0" encoding="utf-8"?>\n')
        self._out.write(f"<testsuites {counts}>\n  <testsuite name={name} {counts}>\n")
        self._rows.seek(0)
        shutil.copyfileobj(self._rows, self._out)
        self._out.write("  </testsuite>\n</testsuites>\n")

    def drop(self) -> None:
        """Give back what the rows wait in. Twice is once."""
        self._rows.close()

    def _problem(self, finding: Finding) -> str:
        self._failures += finding.checked
        self._errors += not finding.checked
        kind = "failure" if finding.checked else "error"
        head = f"      <{kind} type={_attribute(finding.rule)} message={_attribute(finding.message)}>"
        return f"{head}{escape(_plain(finding.details))}</{kind}>\n"


def _attribute(text: str) -> str:
    return quoteattr(_plain(text))


def _plain(text: str) -> str:
    return _NOT_XML.sub(lambda found: ascii(found[0])[1:-1], text)
