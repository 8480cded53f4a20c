from itertools import product
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.report import difference as module
from groundwire.report.difference import MOST_WORDS, Run, difference

few_words = st.lists(st.sampled_from("abcd"), max_size=12)


def told(earlier: str, later: str) -> str:
    signs = {"same": "", "cut": "-", "new": "+"}
    return " ".join(f"{signs[run.kind]}{'_'.join(run.words)}" for run in difference(earlier, later))


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        ("", "", ""),
        ("a b", "a b", "a_b"),
        ("", "a b", "+a_b"),
        ("a b", "", "-a_b"),
        ("the door is red now", "the door is blue now", "the_door_is -red +blue now"),
        ("one two three", "zero one two three four", "+zero one_two_three +four"),
        ("a b c d", "c d a b", "-a_b c_d +a_b"),
        ("red apples of the north", "blue pears of a kind", "-red_apples_of_the_north +blue_pears_of_a_kind"),
    ],
)
def test_what_became_of_the_words(earlier: str, later: str, expected: str) -> None:
    assert told(earlier, later) == expected


@given(few_words, few_words)
def test_both_texts_can_be_read_off_a_difference(a: list[str], b: list[str]) -> None:
    runs = difference(" ".join(a), " ".join(b))
    assert [word for run in runs if run.kind != "new" for word in run.words] == a
    assert [word for run in runs if run.kind != "cut" for word in run.words] == b
    assert all(run.words for run in runs)


@given(few_words, few_words)
def test_the_common_part_is_a_longest_one(a: list[str], b: list[str]) -> None:
    steps = list(module._compared(a, b))
    assert sum(kind == "same" for kind, _ in steps) == longest_common(a, b)


def longest_common(a: list[str], b: list[str]) -> int:
    """The textbook's table."""
    table = {(i, j): 0 for i in range(len(a) + 1) for j in range(len(b) + 1)}
    for i, j in product(range(len(a)), range(len(b))):
        table[i + 1, j + 1] = table[i, j] + 1 if a[i] == b[j] else max(table[i, j + 1], table[i + 1, j])
    return table[len(a), len(b)]


def test_what_is_too_long_counts_as_changed_as_a_whole() -> None:
    a = " ".join(f"a{n}" for n in range(MOST_WORDS + 1))
    runs = difference(f"head {a} tail", f"head {a[::-1]} tail")
    assert [run.kind for run in runs] == ["same", "cut", "new", "same"]
    assert runs[0] == Run("same", ("head",))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("a " * 200_000, "b " * 200_000),
        ("a b " * 100_000, "b a " * 100_000),
        ("a b " * (MOST_WORDS // 2), "b c a " * (MOST_WORDS // 3)),
        (" ".join(map(str, range(MOST_WORDS))), " ".join(map(str, range(MOST_WORDS, 0, -1)))),
    ],
)
def test_no_text_takes_long(earlier: str, later: str) -> None:
    start = process_time()
    difference(earlier, later)
    assert process_time() - start < 2
