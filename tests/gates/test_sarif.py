import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.gates import Sarif, by_evidence, by_label
from groundwire.gates.finding import Gate
from groundwire.types import Label, Verdict

Make = Callable[..., Verdict]


def written(*verdicts: Verdict, gate: Gate = by_evidence) -> dict[str, Any]:
    out = io.StringIO()
    log = Sarif(out, gate, version="1.2.3")
    for verdict in verdicts:
        log.add([verdict])
    log.close()
    read: dict[str, Any] = json.loads(out.getvalue())
    return read


def test_a_log_names_its_version_tool_and_rules(make: Make) -> None:
    log = written()
    assert (log["version"], len(log["runs"]), log["runs"][0]["results"]) == ("2.1.0", 1, [])
    driver = log["runs"][0]["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("Groundwire", "1.2.3")
    rules = [rule["id"] for rule in driver["rules"]]
    for verdict in (make(Label.CONTRADICTED), make(Label.NOT_ENOUGH_INFO), make(Label.NOT_CHECKABLE)):
        result = written(verdict)["runs"][0]["results"][0]
        assert rules[result["ruleIndex"]] == result["ruleId"]


def test_a_result_has_its_place_in_the_answer_and_the_nearest_evidence(make: Make) -> None:
    verdict = make(row="r 1/ä")
    log = written(make(Label.SUPPORTED), verdict)
    assert log["runs"][0]["columnKind"] == "unicodeCodePoints"
    (result,) = log["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("contradicted", "error")
    answer, context = verdict.case.answer, verdict.case.contexts[0].text
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "answers/r%201%2F%C3%A4", "uriBaseId": "ROWS"}
    region = place["region"]
    assert answer[region["charOffset"] :][: region["charLength"]] == region["snippet"]["text"] == "9 metres"
    line = answer.split("\n")[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "9 metres"
    assert region["endLine"] == 2
    near = result["relatedLocations"][0]
    assert (near["id"], near["message"]["text"]) == (1, "against it")
    assert near["physicalLocation"]["artifactLocation"]["uri"] == "contexts/r%201%2F%C3%A4/0"
    there = near["physicalLocation"]["region"]
    assert context[there["charOffset"] :][: there["charLength"]] == "It spans 503 metres."


def test_a_message_holds_no_link_and_no_placeholder(make: Make) -> None:
    text = written(make())["runs"][0]["results"][0]["message"]["text"]
    assert text.endswith(r"(score 0.10): It spans 9 metres \[long\] {{wide}}.")


def test_what_could_not_be_checked_is_a_note_on_the_whole_answer(make: Make) -> None:
    verdict = make(Label.NOT_CHECKABLE)
    (result,) = written(verdict)["runs"][0]["results"]
    assert (result["level"], "relatedLocations" in result) == ("note", False)
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["charOffset"], region["charLength"]) == (0, len(verdict.case.answer))


@pytest.mark.parametrize("label", [Label.SUPPORTED, Label.CONTRADICTED])
def test_a_wrong_verdict_is_one_result(make: Make, label: Label) -> None:
    gold = Label.NOT_ENOUGH_INFO if label is Label.SUPPORTED else Label.SUPPORTED
    (result,) = written(make(label, gold=gold), gate=by_label)["runs"][0]["results"]
    assert result["ruleId"] == "wrong-verdict"
    assert result["message"]["text"].startswith("labelled ")


def test_any_text_can_be_written(make: Make) -> None:
    assert len(written(make(row="\ud800"), make(row="\x00"))["runs"][0]["results"]) == 2
