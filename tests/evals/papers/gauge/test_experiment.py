"""The whole evaluation over answers that are known, with judges that can be read off them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire import models
from groundwire.errors import MissingModel
from groundwire.evals.papers.gauge import experiment, picture
from groundwire.evals.papers.gauge.experiment import Judging, Result
from groundwire.evals.papers.gauge.making import Maker, plan
from groundwire.evals.papers.gauge.published import JUDGES
from groundwire.evals.papers.gauge.systems import Calls, System, systems
from groundwire.evals.papers.gauge.tables import Setting
from groundwire.ledger import Ledger
from groundwire.types import Entailment

QUERIES = {str(n): f"question {n}" for n in range(4)}
HERE = {"mini", "albert-base-vitaminc"}


class Known:
    """Prefers what holds "good" and finds supported what holds "true"; knows how often it was asked."""

    def __init__(self, name: str) -> None:
        self.name, self.identity, self.pairs = name, name, 0

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.pairs += len(pairs)
        return [float("good" in passage) for _, passage in pairs]

    def entail(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        self.pairs += len(pairs)
        yes = [("true" in claim) == (self.name != "mini") for _, claim in pairs]
        return [Entailment(supports=0.8 if y else 0.1, refutes=0.1, neutral=0.1 if y else 0.8) for y in yes]


@pytest.fixture(autouse=True)
def judges(monkeypatch: pytest.MonkeyPatch) -> dict[str, Known]:
    made: dict[str, Known] = {}

    def load(name: str) -> Known:
        if name not in HERE:
            raise MissingModel(name)
        return made.setdefault(name, Known(name))

    monkeypatch.setattr(models, "load", load)
    monkeypatch.setattr(models, "load_scorer", load)
    return made


def ran(path: Path, scripted: Any, made_answer: Any, setting: Setting, names: str = "gauge1,gauge2") -> Result:
    texts = {"gauge1": "good", "gauge2": "good true", "gaugel": "true", "gen2ir": ""}

    def says(name: str) -> Any:
        return scripted(
            lambda q: made_answer(q, texts[name] if q != "question 3" else "The ferry leaves at eight."), name
        )

    with Ledger(path) as ledger:
        makers = [
            Maker(_built(system), says(system.name), ledger, Calls(least=12, most=240)) for system in systems(names)
        ]
        result = experiment.run(makers, QUERIES, ledger, setting, Judging())
        assert plan(makers, QUERIES).total == Calls()
    return result


def _built(system: System) -> System:
    return System(
        name=system.name, recipe=system.recipe, row=system.row, used=f"{system.recipe}; fake", ranked_by="mini:cosine"
    )


DL19 = Setting(data="dl19", questions=4, llm=None, passages=1000)


def test_counts_stand_beside_the_papers(tmp_path: Path, scripted: Any, made_answer: Any) -> None:
    result = ran(tmp_path / "ledger", scripted, made_answer, DL19)
    first, second = result.tables
    (group,) = first.groups
    assert [row.title for row in group.rows] == ["GAuGE₁", "GAuGE₂"]
    assert [text[:2] for text in first.texts(group.rows[0])] == [("35", "3"), ("0", "1"), ("8", "0")]
    assert second.name == "Table 2"
    assert len(second.groups) == len(JUDGES)
    by_albert = second.groups[0].rows
    assert [text[:2] for text in second.texts(by_albert[1])] == [("37", "3"), ("6", "1"), ("0", "0"), (".860", ".750")]
    assert [text[1] for text in second.texts(by_albert[0])] == ["0", "4", "0", ".000"]


def test_a_stand_in_is_named_and_the_papers_judge_beside_it(tmp_path: Path, scripted: Any, made_answer: Any) -> None:
    first, second = ran(tmp_path / "ledger", scripted, made_answer, DL19).tables
    assert (first.groups[0].paper, first.groups[0].ours) == ("monot5-base-msmarco", "mini, a stand-in")
    assert second.groups[0].head == "DL19, 4 of 43 questions, judged by albert-base-vitaminc"
    for group, wanted in zip(second.groups[1:], JUDGES[1:], strict=True):
        assert (group.paper, group.ours) == (wanted, "mini, a stand-in")
    assert any("no outside view: GAuGE₁, GAuGE₂" in note for note in first.notes)
    assert any("no LLM was asked" in note for note in second.notes)
    assert any("1,000 in the index" in note for note in first.notes)
    assert any(".954" in note for note in second.notes), "the errata are said"


def test_judging_again_asks_no_model(tmp_path: Path, scripted: Any, made_answer: Any, judges: dict[str, Known]) -> None:
    once = ran(tmp_path / "ledger", scripted, made_answer, DL19)
    asked = {name: judge.pairs for name, judge in judges.items()}
    again = ran(tmp_path / "ledger", scripted, made_answer, DL19)
    assert {name: judge.pairs for name, judge in judges.items()} == asked
    assert [table.to_dict() for table in again.tables] == [table.to_dict() for table in once.tables]


def test_without_a_set_of_the_paper_a_stand_in_stands_there_once(
    tmp_path: Path, scripted: Any, made_answer: Any
) -> None:
    setting = Setting(data=None, questions=4, llm="some-model")
    first, second = ran(tmp_path / "ledger", scripted, made_answer, setting).tables
    assert [group.ours for group in second.groups] == ["albert-base-vitaminc", "mini, a stand-in"]
    assert all(group.paper is None for table in (first, second) for group in table.groups)
    assert {text[0] for text in first.texts(first.groups[0].rows[0])} == {"–"}
    assert second.name == "Tables 2 and 3"


def test_without_an_answer_it_is_neither_preferred_nor_grounded(
    tmp_path: Path, scripted: Any, made_answer: Any
) -> None:
    result = ran(tmp_path / "ledger", scripted, made_answer, DL19, "gen2ir")
    first, second = result.tables
    assert [text[1] for text in first.texts(first.groups[0].rows[0])] == ["0", "1", "0"]
    assert [text[1] for text in second.texts(second.groups[0].rows[0])][3] == ".000"
    assert any("without an answer" in note and "Gen²IR 3" in note for note in first.notes)


def test_metrics_are_json_and_name_every_model(tmp_path: Path, scripted: Any, made_answer: Any) -> None:
    result = ran(tmp_path / "ledger", scripted, made_answer, DL19)
    told = json.loads(json.dumps(result.to_dict(plan([], QUERIES)), allow_nan=False))
    assert (told["set"], told["n"], told["paper"]) == ("dl19", 4, "gauge")
    assert [judge["stands_in"] for judge in told["judges"]] == [True, False, True, True, True]
    assert [system["calls"] for system in told["systems"]] == [48, 48]
    assert [bar["row"] for bar in told["figure 3"]] == ["gauge1", "gauge2"]
    assert told["figure 3"][0]["paper (Dev)"] == {"grounded": 0.56, "preferred": 0.8}


def test_figure_3_is_a_picture(tmp_path: Path, scripted: Any, made_answer: Any) -> None:
    pytest.importorskip("matplotlib")
    result = ran(tmp_path / "ledger", scripted, made_answer, DL19, "gauge1,gaugel")
    drawn = picture.draw(result.bars, result.legend)
    assert drawn.startswith(b"\x89PNG")
    assert len(drawn) > 10_000
    assert picture.draw(result.bars, result.legend) == drawn, "the same figures give the same bytes"
    assert [bar.row for bar in result.bars] == ["gauge1", "gaugel"]
    assert result.legend.grounded_by == "albert-base-vitaminc"
