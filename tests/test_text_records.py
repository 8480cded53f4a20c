"""Records: what the lines of a form, a configuration or a checklist state, and what only looks like one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import Label, check
from groundwire.text import unmarked
from groundwire.text.braces import QUOTED
from groundwire.text.records import told


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("is_paid: false", "Not paid."),
        ("isPaid: false\ngiftWrap: true\nshippedAt: null", "Not paid.\nGift wrap.\nNo shipped at."),
        ("has_children: no\nhas_pets: yes", "No children.\nHas pets."),
        ("Publicly accessible: no", "Not Publicly accessible."),
        (
            "Host: db\nMulti-AZ: yes\nBackup retention: 7 days\nDeletion protection: on",
            "Host: db\nMulti-AZ.\nBackup retention: 7 days\nDeletion protection: on",
        ),
        ("Pets allowed: No.\nWi-Fi: Yes.", "Not Pets allowed.\nWi-Fi: Yes."),
        ("ENABLE_SIGNUP=false\nSENTRY_DSN=\nPORT=80", "Not enable signup.\nNo sentry dsn.\nPORT=80"),
        ("DEBUG=off  # in production", "Not debug.  # in production"),
        ("verify = False  # TODO: the certificate expired", "Not verify.  # TODO: the certificate expired"),
        ("ssl=no ; since May", "Not ssl. ; since May"),
        ("sentry_dsn =\nport = 80", "No sentry dsn.\nport = 80"),
        ("sentry_dsn =\n# none yet", "No sentry dsn.\n# none yet"),
        ("SENTRY_DSN=", "No sentry dsn."),
        ('tls:\n  enabled: "false"', "tls:\n  Not tls enabled."),
        ("web:\n  enabled: true\nmail:\n  enabled: false", "web:\n  Web enabled.\nmail:\n  Not mail enabled."),
        ("web:\n  cache_enabled: false\n  port: 3", "web:\n  Not cache enabled.\n  port: 3"),
        ("middle_name: null\ntitle: []", "No middle name.\nNo title."),
        ("has_code: no", "No code."),
        ("Pool heated: NO\nPets allowed: YES", "Not Pool heated.\nPets allowed."),
        (
            "German citizenship: no\nCriminal record: none\nWork permit: yes",
            "Not German citizenship.\nNo Criminal record.\nWork permit.",
        ),
        ("assignee: (none)\nowner: n/a\ntags: []", "No assignee.\nNo owner.\nNo tags."),
        ("[cache]\nttl = 3600\nenabled = no", "[cache]\nttl = 3600\nNot cache enabled."),
        ("[tool.mypy]\nstrict = true\nwarn_unused = false", "[tool.mypy]\nMypy strict.\nNot warn unused."),
        ("Room rate: 90\nBed type: twin\nPool: yes\nPets: no", "Room rate: 90\nBed type: twin\nPool.\nNot Pets."),
        ("- Late checkout: no\n- Sea view: yes\n- Room rate: 90", "- Not Late checkout.\n- Sea view.\n- Room rate: 90"),
        ("- [x] Update changelog\n- [ ] Tag release", "- Update changelog.\n- Not yet Tag release."),
        ("✓ Migrations applied\n✗ Redis reachable", "Migrations applied.\nNot Redis reachable."),
        ("✅ SSO\n❌ Audit log (beta)", "SSO.\nNot Audit log (beta)."),
        (
            "Plan:\n✅ SSO\n❌ Free shipping\n❌ Multi-factor authentication",
            "Plan:\nSSO.\nNot Free shipping.\nNot Multi-factor authentication.",
        ),
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
        ('{"to": {"city": "Lyon", "isHome": true}, "opened": "no"}', "To city: Lyon. To home. Not opened."),
        ('{"roles": ["a", "b"], "is_on_call": "yes"}', "Roles: a, b. On call."),
        (
            '[{"name": "Ann", "active": true}, {"name": "Ben", "active": false}]',
            "Name: Ann, active: yes. Name: Ben, not active.",
        ),
        ('{"staff": [{"name": "Ann"}, {"name": "Ben", "left": null}]}', "Staff name: Ann. Staff: name: Ben, no left."),
        ('{"WiFi": "free", "OutdoorSeating": false}', "WiFi: free. Not outdoor seating."),
        ('{"symbol": "No", "open": "no", "is_paid": "no"}', "Symbol: No. Open: no. Not paid."),
        ('{"middle_name": null, "rating": false, "rain": false}', "No middle name. Rating: false. Not rain."),
        (
            '[{"a b": "on", "c d": true}, {"a b": "off", "Swiss pass": false}]',
            "A b: on, c d: yes. A b: off, not Swiss pass.",
        ),
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
        "user: is it raining in Oslo\nbot: no",
        "user: hi\nbot: hello\nuser: open\nbot: no",
        "user : hi\nbot : no",
        "Ben: off",
        "Adams: no",
        "Arsenal: nil\nChelsea: 2",
        "Ben: off\nAnna: on holiday\nCarl: night shift",
        "Hotel: Seaview\nStars: 4\nPool: yes\nPets: no",
        "Symbol: No",
        "Formula: NO\nMelting point: 109\nBoiling point: 121",
        "Country: NO\nProvince: ON\nArtist: Yes",
        "Gas name: no\nDue date: 3\nFlow rate: NO",
        "lang: no",
        "Last name: Null",
        "Rating: False\nPrediction: False",
        'word: "No"',
        "install_requires =\n    numpy",
        "export_files =\n  - a.csv",
        "export_files =\n- a.csv",
        "total =\n  price + tax",
        "some_list =\n\n    a",
        "some_key =",
        "SECRET=\nabc",
        "pets_allowed: no\n  except dogs",
        "a:\n  web:\n    enabled: true\nb:\n  web:\n    enabled: false",
        "users:\n  - name: a\n    active: false\n  - name: b\n    active: true",
        "[a.tls]\nenabled = no\n[b.tls]\nenabled = yes",
        "- [ ] Wait 30 seconds\n- [ ] Stir the pot",
        "- prix : 5 euros\n- total :( today",
        "❌ Free shipping\n❌ Audit log",
        "Reasons for leaving:\n❌ Commute",
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
        ('{"Anna": true, "Ben": false}', "Anna: true. Ben: false."),
    ],
)
def test_what_an_entry_says_of_nothing_stays(text: str, found: str) -> None:
    assert " ".join(told(unmarked(text)).split()) == found


CROSSED = """Contract terminated on 3 May
Contract terminated
Access revoked for 5 users
Closed on Mondays
Sold out
Cancelled: the 8 pm show
Banned: plastic bags
Slow shipping
It costs $900
Old price: $50
The server stopped at 14:02
3 students dropped out
Leaks memory
Battery drains overnight
Payments fail"""


@pytest.mark.parametrize("text", CROSSED.split("\n"))
def test_a_cross_before_what_is_so_stays(text: str) -> None:
    assert told(f"✅ SSO\n❌ {text}") == f"SSO.\n❌ {text}"


@pytest.mark.parametrize("head", ["The following are prohibited:", "Reasons for leaving:", "Cons:", "Failed checks"])
def test_crosses_under_a_head_that_is_against_them_stay(head: str) -> None:
    assert told(f"{head}\n✅ Water\n❌ Audit log") == f"{head}\nWater.\n❌ Audit log"


def test_a_yes_in_quotes_is_read_with_its_signs_as_blanks() -> None:
    assert told(unmarked('{"symbol": "No"}')).split() == ["Symbol:", "No."]
    assert QUOTED in unmarked('{"symbol": "No"}')
    assert QUOTED not in told(unmarked('{"symbol": "No"}'))


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
        "✓ x\n✗ x\n" * 50_000,
        "a:\n" + " b:\n" * 50_000 + "  c: false\n" * 50_000,
        "a_b =\n" * 50_000,
    ],
    ids=range(9),
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
