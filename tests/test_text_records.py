"""Records: what the lines of a form, a configuration or a checklist state, and what only looks like one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import Label, check
from groundwire.text import unmarked
from groundwire.text.records import told


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("is_paid: false", "Not paid."),
        ("isPaid: false\ngiftWrap: true\nshippedAt: null", "Not paid.\nGift wrap.\nNo shipped at."),
        ("has_children: no\nhas_pets: yes", "No children.\nHas pets."),
        ("Publicly accessible: no", "Not publicly accessible."),
        ("Publicly accessible: no\nMulti-AZ: yes", "Not publicly accessible.\nMulti-AZ."),
        ("Pets allowed: No.\nWi-Fi: Yes.", "Not pets allowed.\nWi-Fi."),
        ("ENABLE_SIGNUP=false\nSENTRY_DSN=\nPORT=80", "Not enable signup.\nNo sentry dsn.\nPORT=80"),
        ("DEBUG=off  # in production", "Not debug."),
        ('tls:\n  enabled: "false"', "tls:\n  Not enabled."),
        ("assignee: (none)\nowner: n/a\ntags: []", "No assignee.\nNo owner.\nNo tags."),
        ("[cache]\nttl = 3600\nenabled = no", "[cache]\nttl = 3600\nNot cache enabled."),
        ("[tool.mypy]\nstrict = true\nwarn_unused = false", "[tool.mypy]\nMypy strict.\nNot warn unused."),
        ("Device: Freezer 3\nAlarm: none", "Device: Freezer 3\nNo alarm."),
        ("Hotel: Seaview\nStars: 4\nPool: yes\nPets: no", "Hotel: Seaview\nStars: 4\nPool.\nNot pets."),
        ("- Late checkout: no", "- Not late checkout."),
        ("- [x] Update changelog\n- [ ] Tag release", "- Update changelog.\n- Not yet Tag release."),
        ("✓ Migrations applied\n✗ Redis reachable", "Migrations applied.\nNot Redis reachable."),
        ("✅ SSO\n❌ Audit log (beta)", "SSO.\nNot Audit log (beta)."),
    ],
)
def test_a_line_of_a_record_is_read_as_what_it_states(text: str, found: str) -> None:
    assert told(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"isPaid": false, "total": 1.5}', "Not paid. Total: 1.5."),
        ("{'success': False, 'data': None}", "Not success. No data."),
        ('{"tags": [], "to": {}, "note": ""}', "No tags. No to. No note."),
        ('{"to": {"city": "Lyon", "isHome": true}, "open": "no"}', "To city: Lyon. To home. Not open."),
        ('{"roles": ["a", "b"], "on_call": "yes"}', "Roles: a, b. On call."),
        (
            '[{"name": "Ann", "active": true}, {"name": "Ben", "active": false}]',
            "Name: Ann, active: yes. Name: Ben, not active.",
        ),
        ('{"staff": [{"name": "Ann"}, {"name": "Ben", "left": null}]}', "Staff name: Ann. Staff: name: Ben, no left."),
        ('{"WiFi": "free", "OutdoorSeating": false}', "WiFi: free. Not outdoor seating."),
    ],
)
def test_an_entry_of_json_is_read_as_what_it_states(text: str, found: str) -> None:
    assert " ".join(told(unmarked(text)).split()) == found


@pytest.mark.parametrize(
    "text",
    [
        "Answer: no",
        "Q: Is it open?\nA: No",
        "Short answer: yes",
        "Is parking available?\nParking: no",
        "Anna: No",
        "Anna: No.\nBen: yes",
        "Customer: yes",
        "ANNA: No",
        "Anna Smith: no\nBen Jones: yes",
        "Motion: 12\nAnna: yes\nBen: no\nCarla: no",
        "Agent: Shall I cancel it?\nCustomer: Yes.",
        "Agent: I can cancel it for you.\nCustomer: Yes",
        "Tour guide: Are you coming?\nHead of sales: we are late\nTour guide: No",
        "anna: no",
        "Anna: None.",
        "1: True\nQuestion 3: false\nQ4: no",
        "Which of the two cars that he owned burned: none",
        "Is it open? closed: yes",
        "He was asked twice: no answer came.",
        "Status: on\nstate: off\ndefault: false",
        "Storage: 5 GB",
        "It says yes and no.",
        "He said: no",
        "He said twice: none",
        "The reply was short: no",
        "Her final verdict: no",
        "He had asked them twice.\nFinal call: no\nThey left.",
        "❌ Cons\n❌ Expensive",
        "❌ 3 tests failed",
        "❌ Don't store keys",
        "✗ Not done:",
        "[ ] is an empty list",
        "- [1] a note",
        "| a | ✗ |",
        "",
    ],
)
def test_what_somebody_says_and_the_rest_stay(text: str) -> None:
    assert told(text) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"role": "user", "content": "no"}', "Role: user. Content: no."),
        ('{"prompt": "Is it open?", "completion": "no"}', "Prompt: Is it open? Completion: no."),
        ('{"limit": 20, "default": false}', "Limit: 20. Default: false."),
        ("The answer is : no", "The answer is: no"),
        ('{"Anna": true, "Ben": false}', "Anna: true. Ben: false."),
    ],
)
def test_what_an_entry_says_of_nothing_stays(text: str, found: str) -> None:
    assert " ".join(told(unmarked(text)).split()) == found


@given(st.text("aB :=no\n\x0byes{}[]\"',.✗?_", max_size=60))
def test_any_text(text: str) -> None:
    assert told(text).count("?") == text.count("?")


@pytest.mark.parametrize(
    "text",
    [
        "a: no\n" * 50_000,
        "=\n" * 10**5,
        "a " * 10**6 + ": no",
        ("a" + " " * 200 + "\n") * 5000,
        ": " * 10**6,
        "✗ x\n" * 50_000,
    ],
    ids=range(6),
)
def test_long_texts_take_linear_time(text: str) -> None:
    start = time.perf_counter()
    told(text)
    assert time.perf_counter() - start < 8


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Order A-4417 has been paid.", Label.CONTRADICTED),
        ("Order A-4417 has not been paid.", Label.SUPPORTED),
    ],
)
def test_the_default_reads_a_record(claim: str, label: Label) -> None:
    text = '{"orderId": "A-4417", "is_paid": false, "gift_wrap": true}'
    verdict = check(None, claim, [text])
    assert verdict.label is label
    span = verdict.claims[0].evidence[0].span
    assert text[span.start : span.end] in text
