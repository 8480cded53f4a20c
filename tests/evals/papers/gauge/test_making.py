from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError, Unavailable
from groundwire.evals.papers.gauge.making import Made, Maker, plan
from groundwire.evals.papers.gauge.systems import Calls, System
from groundwire.ledger import Ledger

SYSTEM = System(name="gauge1", recipe="gauge-code(rouge=1)", row="gauge1")
QUERIES = {"7": "when?", "8": "how long?", "9": "where?"}


def maker(generator: Any, ledger: Ledger) -> Maker:
    return Maker(SYSTEM, generator, ledger, Calls(least=12, most=240))


def test_an_answer_is_kept_with_what_the_evaluation_reads(tmp_path: Path, made_answer: Any, scripted: Any) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        made = maker(scripted(lambda q: made_answer(q, "At eight.")), ledger).make({"7": "when?"})[0]
        (entry,) = ledger.entries()
    assert Made.from_dict(entry.record) == made
    assert entry.status == "ok"
    assert made.evidence == "The ferry leaves at eight. It takes an hour."
    assert (made.query, made.text, made.passages) == ("7", "At eight.", ("p1", "p2"))
    assert (made.generations, made.calls, made.prompt_tokens, made.reply_tokens) == (1, 12, 90, 30)
    assert [candidate.id for candidate in made.lineage] == ["c", "p1"], "only what the answer descends from"


def test_a_killed_run_goes_on_and_asks_nothing_twice(tmp_path: Path, made_answer: Any, scripted: Any) -> None:
    first = scripted(lambda q: made_answer(q, q.upper()), dies_at="where?")
    with Ledger(tmp_path / "ledger") as ledger, pytest.raises(KeyboardInterrupt):
        maker(first, ledger).make(QUERIES)
    again = scripted(lambda q: made_answer(q, q.upper()))
    with Ledger(tmp_path / "ledger") as ledger:
        going_on = maker(again, ledger)
        planned = plan([going_on], QUERIES)
        told: list[int] = []
        made = going_on.make(QUERIES, lambda: told.append(1))
        after = plan([going_on], QUERIES)
    assert (planned.done, planned.total) == ({"gauge1": 2}, Calls(least=12, most=240))
    assert again.asked == ["where?"]
    assert [row.text for row in made] == ["WHEN?", "HOW LONG?", "WHERE?"]
    assert len(told) == 3
    assert (after.done, after.total) == ({"gauge1": 3}, Calls())


def test_another_generator_answers_anew(tmp_path: Path, made_answer: Any, scripted: Any) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        for name in ("one", "other"):
            generator = scripted(lambda q: made_answer(q, q), name)
            maker(generator, ledger).make(QUERIES)
            assert len(generator.asked) == 3


@pytest.mark.parametrize(
    ("reason", "status"), [("no evidence: none", "skipped"), ("refused: declined", "refused"), ("error: 500", "error")]
)
def test_no_answer_is_empty_with_its_reason(
    tmp_path: Path, no_answer: Callable[..., Any], scripted: Any, reason: str, status: str
) -> None:
    with Ledger(tmp_path / "ledger") as ledger:
        made = maker(scripted(lambda q: no_answer(q, reason)), ledger).make({"7": "when?"})[0]
        (entry,) = ledger.entries()
    assert (made.text, made.reason, entry.status, made.failed) == ("", reason, status, status == "error")


def test_an_evolution_that_broke_off_on_errors_is_tried_again(tmp_path: Path, made_answer: Any, scripted: Any) -> None:
    lost = ("every offspring of generation 1 was lost (12 × error: the endpoint cannot be reached)",)
    broken = scripted(lambda q: made_answer(q, "the best seed", broken=True, warnings=lost))
    with Ledger(tmp_path / "ledger") as ledger:
        made = maker(broken, ledger).make({"7": "when?"})[0]
        assert (made.text, made.failed) == ("", True), "the best seed is no answer of this system"
        assert "cannot be reached" in (made.reason or "")
        again = scripted(lambda q: made_answer(q, "At eight."))
        assert maker(again, ledger).make({"7": "when?"})[0].text == "At eight."
    assert again.asked == ["when?"]


def test_one_that_lost_all_its_offspring_otherwise_is_an_answer(
    tmp_path: Path, made_answer: Any, scripted: Any
) -> None:
    lost = ("every offspring of generation 1 was lost (12 × the reply was empty)",)
    with Ledger(tmp_path / "ledger") as ledger:
        said = scripted(lambda q: made_answer(q, "A seed.", warnings=lost))
        assert maker(said, ledger).make({"7": "when?"})[0].text == "A seed."


def test_a_question_that_is_refused_loses_itself_and_not_the_run(
    tmp_path: Path, made_answer: Any, scripted: Any
) -> None:
    def says(question: str) -> Any:
        if question == "how long?":
            raise InputError("the question is empty", "ask something")
        return made_answer(question, "Yes.")

    with Ledger(tmp_path / "ledger") as ledger:
        made = maker(scripted(says), ledger).make(QUERIES)
        assert [row.text for row in made] == ["Yes.", "", "Yes."]
        assert made[1].failed
        assert ledger.counts()["error"] == 1


def test_an_endpoint_that_is_not_there_ends_the_run(tmp_path: Path, scripted: Any) -> None:
    def says(question: str) -> Any:
        raise Unavailable("no endpoint", "start it")

    with Ledger(tmp_path / "ledger") as ledger:
        with pytest.raises(Unavailable):
            maker(scripted(says), ledger).make(QUERIES)
        assert len(ledger) == 0
