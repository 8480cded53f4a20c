from collections.abc import Callable
from dataclasses import replace

from groundwire.gates import told
from groundwire.gates.told import LONGEST
from groundwire.types import Label, Verdict

Make = Callable[..., Verdict]


def test_a_grounded_answer_is_a_line(make: Make) -> None:
    assert told(make(Label.SUPPORTED)) == "the answer is grounded: supported, score 0.90, threshold 0.50"


def test_what_is_not_backed_and_what_is_nearest_are_said(make: Make) -> None:
    assert told(make(Label.NOT_ENOUGH_INFO)).splitlines() == [
        "the answer is not grounded: no evidence, score 0.10, threshold 0.50",
        "  question: When?",
        '  no evidence (0.10): "It spans 9 metres [long] {wide}."',
        '    not backed: "9 metres"',
        '    nearest evidence: "It spans 503 metres." in context 1 (doc), 31–51',
    ]
    assert '    against it: "It spans 503 metres."' in told(make(Label.CONTRADICTED))


def test_what_could_not_be_checked_says_why(make: Make) -> None:
    assert told(make(Label.NOT_CHECKABLE)) == (
        "the answer is not grounded: not checkable (no <contexts>)\n  question: When?"
    )


def test_texts_are_harmless_and_not_endless(make: Make) -> None:
    verdict = make(Label.NOT_CHECKABLE)
    lines = told(replace(verdict, case=replace(verdict.case, question="a\n\x1b[2J" + "b" * 2 * LONGEST)))
    assert "\x1b" not in lines
    assert "question: a \\x1b[2Jb" in lines
    assert f"… ({LONGEST + 6} more characters)" in lines
