from collections import Counter

import pytest

from groundwire.annotate.draw import arranged, choose
from groundwire.annotate.folder import ITEMS, keep, kept
from groundwire.annotate.items import Item, published
from groundwire.errors import InputError, UsageError

from .conftest import label_item, pair_item

ROWS = {f"{row}{n}": row for row, many in (("Yes", 50), ("No", 30), ("Not Related", 3)) for n in range(many)}
PUBLISHED = {
    "item": "label/Yes/1",
    "task": "label",
    "row": "Yes",
    "choices": ["correct", "incorrect", "unsure"],
    "question": "q",
    "answer": "a",
    "evidence": "It was Ann.",
    "reading": "Ann",
    "labels": {"BM25": "No", "Neural": None, "Neural+Reader": "Yes"},
}


def test_so_many_of_each_class_whatever_the_order() -> None:
    chosen = choose(ROWS, 10, 7)
    assert Counter(chosen.values()) == {"Yes": 10, "No": 10, "Not Related": 3}
    assert choose(dict(reversed(ROWS.items())), 10, 7) == chosen
    assert choose(ROWS, 10, 8) != chosen


def test_classes_are_mixed_and_tasks_are_not() -> None:
    items = [*(label_item(n, row) for row in ("Yes", "No") for n in range(20)), *map(pair_item, range(20))]
    once = arranged(items, 1)
    assert [item.item for item in arranged(items[::-1], 1)] == [item.item for item in once]
    assert [item.task for item in once] == ["label"] * 40 + ["preference"] * 20
    assert len({item.row for item in once[:10]}) == 2


def test_the_two_answers_come_in_random_order_and_say_which_they_are() -> None:
    turned = arranged(map(pair_item, range(200)), 3)
    first = Counter(item.order[0] for item in turned)
    assert 70 < first["reader"] < 130
    for item in turned:
        assert dict(zip(item.order, item.answers, strict=True)) == {
            "generated": "by the model",
            "reader": "by the reader",
        }
        assert [said for _, said in item.offered] == [*item.order, "equal", "unsure"]


def test_nothing_and_twice_are_errors() -> None:
    with pytest.raises(InputError, match="nothing to judge"):
        arranged([], 0)
    with pytest.raises(InputError, match="comes twice"):
        arranged([label_item(1), label_item(1)], 0)


def test_a_published_row_shows_the_label_that_is_asked_about() -> None:
    item = published(PUBLISHED)
    assert item.labels == {"label": "Yes"}
    assert (item.parts[0].title, item.parts[0].text) == ("Evidence", "It was Ann.")
    assert [(mark.start, mark.end) for mark in item.parts[0].marks] == [(7, 10)]


def test_a_published_pair_is_blind() -> None:
    choices = ["generated", "reader", "equal", "unsure"]
    item = published(PUBLISHED | {"task": "preference", "choices": choices})
    assert (item.labels, item.parts, item.answers, item.order) == ({}, (), ("a", "Ann"), ("generated", "reader"))
    both = PUBLISHED | {"task": "passage", "evidence of BM25": "no", "choices": ["same", "BM25 better", "unsure"]}
    assert [part.title for part in published(both).parts] == ["Passage of Neural", "Passage of BM25"]
    assert published(both).labels == {}


@pytest.mark.parametrize(
    "change",
    [
        {"item": 3},
        {"choices": "yes"},
        {"choices": ["one"]},
        {"choices": ["a", "a"]},
        {"choices": list("abcdefghij")},
        {"answer": {"x": 1}},
    ],
)
def test_what_is_no_item_is_an_error(change: dict[str, object]) -> None:
    with pytest.raises(InputError, match="no item"):
        published(PUBLISHED | change)
    with pytest.raises(InputError, match="it has no choices, question, but item, task, row"):
        published({"item": "a", "task": "b", "row": "c"})


def test_a_draw_is_kept_with_its_texts(tmp_path, items: list[Item]) -> None:
    folder = tmp_path / "new" / "annotation"
    assert kept(folder, {}) is None
    keep(folder, {"each": 4, "seed": 0}, items)
    assert kept(folder, {"each": None, "seed": 0}) == items
    with pytest.raises(UsageError, match=r"another draw \(each was 4\)"):
        kept(folder, {"each": 5})
    (folder / ITEMS).write_text('{"item": 1')
    with pytest.raises(InputError, match="damaged"):
        kept(folder, {})
