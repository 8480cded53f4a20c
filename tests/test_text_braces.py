"""Braces: records in JSON as lines and sentences, every place where it was."""

from __future__ import annotations

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text import sentence_bounds
from groundwire.text.braces import NESTED, QUOTED, entries


def lines(text: str) -> list[str]:
    """The lines of the text as read, with ↓ before what belongs to the key above."""
    read = entries(text).replace(NESTED, "\n↓")
    return [line for line in (" ".join(line.split()) for line in read.split("\n")) if line]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"is_paid": false, "to": "Lyon"}', ["is paid : false.", "to : Lyon."]),
        ('{"is_paid":false,"n":1,"to":"Lyon"}', ["is paid :false.", "n :1.", "to : Lyon."]),
        ("{'ok': False, 'why': \"don't\"}", ["ok : False.", "why : don't."]),
        ('{"l": ["a", "b, c"], "n": 1}', ["l : a , b, c.", "n : 1."]),
        ('{"to": {"city": "Lyon", "zip": 1}, "n": 2}', ["to :", "↓ city : Lyon.", "↓ zip : 1.", "n : 2."]),
        (
            '{"a": {"b": {"c": 1}, "d": 2}, "e": 3}',
            ["a :", "↓ b :", "↓ c : 1.", "d : 2.", "e : 3."],
        ),
        (
            '{"items": [{"sku": "K", "qty": 2}, {"sku": "M", "qty": 1}], "n": 2}',
            ["items :", "↓ sku : K , qty : 2.", "↓ sku : M , qty : 1.", "n : 2."],
        ),
        ('{"a": 1, "b": 2}\n{"a": 3, "b": 4}', ["a : 1, b : 2.", "a : 3, b : 4."]),
        ('{"e": [], "o": {}, "s": "", "n": null}', ["e : [].", "o : {}.", 's : "".', "n : null."]),
        ('{"t": "One.", "u": "Two?", "v": 3}', ["t : One.", "u : Two?", "v : 3."]),
        ('{"t": "a \\"b\\" \\u20ac \\\\ c\\nd"}', ['t : a "b " € \\ c', "d."]),
        ("{'at': datetime.date(2024, 1, 1), 'n': 1}", ["at : datetime.date(2024, 1, 1).", "n : 1."]),
        ('Result:\n{"a": 1}\nHe said "no", {then} left.', ["Result:", "a : 1.", 'He said "no", {then} left.']),
    ],
)
def test_entries_are_sentences(text: str, found: list[str]) -> None:
    assert lines(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": "x", "b": "bro', ["a : x.", "b : bro"]),
        ('{"a": "x', ["a : x"]),
        ('{"a": {"b": [1, 2', ["a :", "↓ b : 1, 2"]),
        ('{"a": 5", "b": "c"}\n', ["a : 5 , b : c }"]),
        ('{"a": 1, "b": [\nThe order, which was paid, left.', ["a : 1.", "b : The order, which was paid, left."]),
        ('{"a": 1}}}] "x"', ['a : 1.}}] "x"']),
    ],
)
def test_what_is_broken_off_is_read_as_far_as_it_goes(text: str, found: list[str]) -> None:
    assert lines(text) == found


@pytest.mark.parametrize("text", ['He said {"no"}.', "{a}", "[1, 2]", '["a", "b"]', "", "{% if x %}", "x = {'a': 1}"])
def test_no_record_stays(text: str) -> None:
    assert entries(text) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@given(
    st.dictionaries(st.text("ab_", min_size=1, max_size=5), JSON, min_size=1),
    st.sampled_from([None, 2]),
    st.integers(0, 200),
)
def test_every_place_stays(value: object, indent: int | None, cut: int) -> None:
    for text in (json.dumps(value, indent=indent)[:cut], repr(value)[:cut]):
        assert len(entries(text)) == len(text)


@given(st.text("{}[]\"':,\\ \nab1", max_size=60))
def test_every_place_stays_of_any_text(text: str) -> None:
    for whole in (text, '{"' + text, "[{" + text):
        assert len(entries(whole)) == len(whole)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": "No", "b": "Nora", "c": false}', ["a_: _No", "b_: Nora", "c_: false"]),
        ('{"a":"null","b":null}', ["a_:_null", "b_:null"]),
        ("{'a': ['no'], 'b': {'c': 'off'}}", ["a_: no", "b_:", "c_: _off"]),
    ],
)
def test_quotes_behind_keys_and_around_answers_can_be_seen(text: str, found: list[str]) -> None:
    read = entries(text).replace(QUOTED, "_").replace(NESTED, "\n")
    lines = [re.sub(r" +", " ", line).strip(" .") for line in read.split("\n")]
    assert [line for line in lines if line] == found


def test_what_is_deeper_than_any_record_is_not_read() -> None:
    assert entries('{"a":' * 2000).endswith('{"a":' * 900)


def test_an_entry_can_be_cited() -> None:
    text = '{"orderId": "A-4417", "is_paid": false, "gift_wrap": true}'
    read = entries(text)
    found = [text[start:end] for start, end in sentence_bounds(read)]
    assert found == ['orderId": "A-4417"', 'is_paid": false,', 'gift_wrap": true}']


HOSTILE = {
    "records": json.dumps([{"id": i, "isPaid": False, "to": {"city": "Lyon", "tags": ["x"]}} for i in range(10_000)]),
    "braces": "{" * 10**6,
    "boxes": "[{" * 500_000,
    "closed boxes": "[{:}]\n" * 100_000,
    "boxes of lines": ("[{" * 400 + "\n") * 1000,
    "opened": '{"' * 100_000,
    "deep": '{"a":' * 10**5 + "1" + "}" * 10**5,
    "lists": '{"a":' + "[" * 100_000 + "]" * 100_000,
    "open string": '{"a": "' + "x" * 10**6,
    "backslashes": '{"a": "' + "\\" * 10**6,
    "open strings": '{"a": "' + 'x"\n' * 100_000,
    "nul": '{"a": ' + "\0" * 10**6,
    "breaks": "\n" * 10**6 + '{"a"',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_long_texts_take_linear_time(text: str) -> None:
    start = time.perf_counter()
    assert len(entries(text)) == len(text)
    assert time.perf_counter() - start < 8
