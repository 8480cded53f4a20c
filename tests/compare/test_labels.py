"""Labels: the rules of reading a reply, in their order, and that rubbish is never a label."""

import json
import random
import string

import pytest

from groundwire.compare import LABELS, Outcome, Said, outcome_of, parse
from groundwire.types import Case, Label, Verdict


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("Yes", Said.YES),
        ("yes.", Said.YES),
        (" “Yes”\n", Said.YES),
        ("'No'", Said.NO),
        ("**No**", Said.NO),
        ("NO!", Said.NO),
        ("Not Related", Said.NOT_RELATED),
        ("not related.", Said.NOT_RELATED),
        ("Label: Not Related", Said.NOT_RELATED),
        ("No, the answers are not related.", Said.NOT_RELATED),  # never "no" before "not related"
        ("Not related: there is no passage", Said.NOT_RELATED),
        ("Yes, Answer2 says the same.", Said.YES),
        ("Yes\nAnswer2 says so.", Said.YES),
        ("No - the dates differ", Said.NO),
        ("No the dates differ", Said.NO),
        ("Yes it is supported", Said.YES),
        ("Label: “Yes”", Said.YES),
    ],
)
def test_a_label_is_read(reply, said):
    assert parse(reply) is said


@pytest.mark.parametrize(
    "reply",
    [
        "",
        ".",
        "Yes or no?",
        "Yes, No or Not Related",
        "Yes. There is no contradiction between the two.",
        "Yes, though they are not related",
        "Nothing",
        "Not sure",
        "Note that",
        "No idea",
        "No information available",
        "Yesterday",
        "Label:",
        "Answer1 is supported",
        "The answer is: yes",
        '{"label": "Yes"}',
        "I cannot help with that.",
    ],
)
def test_what_is_no_label(reply):
    assert parse(reply) is None


def rubbish(seed: int) -> str:
    """Return something that an endpoint may send in place of a label."""
    draw = random.Random(seed)
    kinds = (
        lambda: "".join(chr(draw.randrange(1, 0x2FFF)) for _ in range(draw.randrange(300))),
        lambda: "".join(draw.choices(string.printable, k=draw.randrange(400))),
        lambda: json.dumps({draw.choice(["label", "verdict", "error"]): draw.choice(["Yes", "No", None, 1])}),
        lambda: f"<html><body><h1>{draw.choice([502, 503, 429])} {draw.choice(['Bad Gateway', 'No', 'Yes'])}</h1></html>",
        lambda: draw.choice(["No", "Not", "Yes", "Ye", "N", "Nor", "Now"]) + draw.choice(string.ascii_lowercase) * 3,
        lambda: " ".join(draw.sample(["perhaps", "yes", "no", "maybe", "unclear", "both"], 6)),
        lambda: draw.choice(["I think", "It depends", "Well"]) + ", " + draw.choice(["yes", "no"]) + " " * draw.randrange(9),
        lambda: "\ud800" * draw.randrange(1, 9) + "\0" * draw.randrange(9) + "\u202e",
        lambda: "Yes, No, Not Related. " * draw.randrange(1, 50),
        lambda: draw.choice(["0.93", "1", "NaN", "null", "true", "0", "-inf", "100%"]),
    )  # fmt: skip
    return kinds[seed % len(kinds)]()


def test_two_thousand_replies_of_rubbish_are_no_label():
    assert [reply for reply in map(rubbish, range(2000)) if parse(reply) is not None] == []


def test_the_table_between_the_papers_labels_and_ours():
    assert {said.value: str(label) for said, label in LABELS.items()} == {
        "Yes": "supported",
        "No": "contradicted",
        "Not Related": "not_enough_info",
    }


@pytest.mark.parametrize(
    ("label", "reason", "outcome"),
    [
        (Label.SUPPORTED, None, Outcome.OK),
        (Label.NOT_ENOUGH_INFO, "not related: …", Outcome.OK),
        (Label.NOT_CHECKABLE, "unparseable: …", Outcome.UNPARSEABLE),
        (Label.NOT_CHECKABLE, "refused: …", Outcome.REFUSED),
        (Label.NOT_CHECKABLE, "error: …", Outcome.ERROR),
        (Label.NOT_CHECKABLE, "the answer is empty", Outcome.SKIPPED),
        (Label.NOT_CHECKABLE, None, Outcome.SKIPPED),
    ],
)
def test_how_a_verdict_came_to_its_end(label, reason, outcome):
    case = Case(id="c", answer="a", contexts=())
    assert outcome_of(Verdict(case=case, label=label, score=None, threshold=0.5, reason=reason)) is outcome
