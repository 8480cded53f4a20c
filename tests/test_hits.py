from groundwire.hits import best_first, continued
from groundwire.types import Hit, Passage


def hit(name: str, score: float, by: str = "one") -> Hit:
    return Hit(passage=Passage(id=name, text=name), score=score, by=by)


def test_best_first_and_equal_ones_by_id() -> None:
    assert [h.passage.id for h in best_first([hit("b", 1), hit("c", 2), hit("a", 1)])] == ["c", "a", "b"]


def test_what_stands_behind_goes_on_below() -> None:
    hits = continued([hit("a", 0.5, "two"), hit("b", -3.0, "two")], [hit("c", 20), hit("d", 20)])
    assert [(h.passage.id, h.score, h.by) for h in hits] == [
        ("a", 0.5, "two"),
        ("b", -3.0, "two"),
        ("c", -4.0, "one"),
        ("d", -5.0, "one"),
    ]


def test_behind_nothing_it_stays_as_it_is() -> None:
    assert continued([], [hit("c", 20)]) == [hit("c", 20)]
