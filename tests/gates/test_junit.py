import io
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from groundwire.gates import JUnit, by_evidence, junit
from groundwire.types import Label, Verdict

Make = Callable[..., Verdict]


def written(*batches: list[Verdict]) -> ElementTree.Element:
    out = io.StringIO()
    report = JUnit(out, by_evidence, suite="rows.jsonl")
    for batch in batches:
        report.add(batch)
    report.close()
    report.drop()
    report.drop()
    return ElementTree.fromstring(out.getvalue())


def test_every_row_is_a_case_and_every_finding_a_failure(make: Make) -> None:
    root = written(
        [make(Label.SUPPORTED, row="good"), make(row="bad")], [make(Label.NOT_CHECKABLE, row="none", group="g")]
    )
    suite = root[0]
    counts = {"tests": "3", "failures": "1", "errors": "1", "skipped": "0", "time": "1.000000"}
    assert (root.tag, root.attrib, suite.attrib) == ("testsuites", counts, {"name": "rows.jsonl", **counts})
    good, bad, none = suite
    assert (good.attrib, len(good)) == ({"classname": "rows.jsonl", "name": "good", "time": "0.250000"}, 0)
    failure = bad[0]
    assert (failure.tag, failure.attrib["type"]) == ("failure", "contradicted")
    assert failure.attrib["message"] == "the answer is not grounded: contradicted, score 0.10, threshold 0.50"
    assert '"It spans 503 metres."' in (failure.text or "")
    assert (none[0].tag, none.attrib["classname"], none.attrib["time"]) == ("error", "g", "0.500000")
    assert "no <contexts>" in none[0].attrib["message"]


def test_what_xml_has_no_place_for_is_escaped(make: Make) -> None:
    root = written([make(row='<"a">&\x00\ud800\uffff')])
    assert root[0][0].attrib["name"] == '<"a">&\\x00\\ud800\\uffff'


def test_no_rows_are_a_suite_without_cases() -> None:
    root = written()
    assert (root.attrib["tests"], len(root[0])) == ("0", 0)


def test_rows_go_to_a_file_when_they_are_many(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(junit, "SPOOL", 100)
    assert len(written([make(row=str(n)) for n in range(50)])[0]) == 50
