"""Texts that are plainly not English are noticed, and what only lacks English words is left alone."""

import json
from pathlib import Path

import pytest

from groundwire.aggregate import Aggregate
from groundwire.check import CheckPath
from groundwire.claims import SentenceClaims
from groundwire.judge import ThresholdJudge
from groundwire.premises import parse as premises
from groundwire.select import parse as select
from groundwire.sources import parse as sources
from groundwire.testing import OverlapModel
from groundwire.text.foreign import LONGEST, is_foreign
from groundwire.types import Case, ClaimVerdict, Passage, Verdict

SENTENCES = Path(__file__).resolve().parents[1] / "benchmarks" / "foreign.jsonl"
GERMAN = "Die Donau fließt durch Wien und Budapest, bevor sie in das Schwarze Meer mündet."
ENGLISH = "The Danube runs through Vienna and Budapest before it reaches the Black Sea."
SWAHILI = (
    "Dodoma ni mji mkuu wa Tanzania, lakini Dar es Salaam ni mji mkubwa zaidi. Mwaka jana kampuni iliuza kidogo kuliko mwaka "
    "uliotangulia. Baada ya matengenezo makumbusho yamefunguliwa tena na wageni wengi walikuja kutoka nchi jirani."
)
QUIET = [
    ENGLISH,
    "Yes.",
    "42 km",
    "vitamin C and zinc",
    "Mario Rossi, Luigi Verdi, Anna Bianchi",
    "Vincent van Gogh, Leonardo da Vinci, Charles de Gaulle and Juan Ramón de la Cruz",
    "São Paulo e Rio de Janeiro",
    "The novel 'À la recherche du temps perdu' was written by Marcel Proust.",
    "The film La vita è bella by Roberto Benigni",
    "Hydrochlorothiazide lowers elevated systolic blood pressure.",
    "carbohydrates, proteins, fats, vitamins, minerals",
    "def f(x):\n    return x + 1\nfor i in range(10):\n    print(f(i))",
    "SELECT name, age FROM users WHERE id = 3;",
    "| année | ventes |\n|---|---|\n| 2021 | 10 |",
    "year | player | club\n1999 | josé maría | são paulo\n" * 9,
    "γ-Aminobutyric acid (GABA)",
    "π ≈ 3.14",
    "",
    "\ud800",
]


@pytest.mark.parametrize("text", QUIET)
def test_what_tells_nothing_is_left_alone(text: str) -> None:
    assert not is_foreign(text)


@pytest.mark.parametrize(
    "text",
    [
        "Москва является столицей России.",
        "東京は日本の首都です。",
        "北京",
        "القاهرة هي عاصمة مصر.",
        "서울은 대한민국의 수도이다.",
        "Αθήνα: η πρωτεύουσα της Ελλάδας",
        "กรุงเทพเป็นเมืองหลวงของประเทศไทย",
        "दिल्ली भारत की राजधानी है।",
    ],
)
def test_another_script_is_seen(text: str) -> None:
    assert is_foreign(text)


def test_most_sentences_of_eight_languages_are_seen() -> None:
    rows = [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    seen = sum(is_foreign(row["text"]) for row in rows)
    assert len({row["language"] for row in rows}) == 8
    assert seen >= 0.7 * len(rows)
    for language in {row["language"] for row in rows}:
        assert is_foreign(" ".join(row["text"] for row in rows if row["language"] == language)), language


def test_running_text_without_english_words_is_foreign_in_any_language() -> None:
    assert is_foreign(SWAHILI)
    assert not is_foreign(SWAHILI.replace(" ", ", "))  # a list


def test_a_quotation_does_not_make_a_text_foreign_and_only_the_beginning_counts() -> None:
    assert not is_foreign(f"{ENGLISH} On the sign was written in German: {GERMAN} {ENGLISH}")
    assert not is_foreign(f"{ENGLISH * (LONGEST // len(ENGLISH) + 1)} {GERMAN * 100}")


class EnglishOnly(OverlapModel):
    languages = ("en",)


class Many(OverlapModel):
    languages = ("en", "de")


def path(model: OverlapModel) -> CheckPath:
    return CheckPath(
        name="default",
        cutter=sources("window:60:20"),
        selector=select("all"),
        splitter=SentenceClaims(),
        premises=premises("shortlist:4:4"),
        model=model,
        judge=ThresholdJudge(Aggregate("max", "min")),
        threshold=0.5,
    )


def case(answer: str, *contexts: str) -> Case:
    return Case(id="c", answer=answer, contexts=tuple(Passage(id=str(n), text=text) for n, text in enumerate(contexts)))


SHORT = case("Wann wurde er gebaut?", "Er wurde 1889 gebaut.")


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        (case(GERMAN, GERMAN), "the answer and the contexts"),
        (case(GERMAN, ENGLISH), "the answer"),
        (case(ENGLISH, ENGLISH, GERMAN), "1 of 2 contexts"),
        (
            case("Der Turm ist hoch.", "Er wurde 1889 gebaut."),
            "answer and contexts",
        ),  # each too short to tell by itself
    ],
)
def test_a_model_that_reads_english_only_warns_and_scores_all_the_same(asked: Case, where: str) -> None:
    (told,), (quiet,) = path(EnglishOnly()).check([asked]), path(OverlapModel()).check([asked])
    (warning,) = told.warnings
    assert warning.startswith("overlap reads English only")
    assert f"stands in {where}: " in warning
    assert (told.label, told.score, told.claims) == (quiet.label, quiet.score, quiet.claims)
    unfolded: list[ClaimVerdict | Verdict] = list(path(EnglishOnly()).unfold(asked))
    assert isinstance(unfolded[-1], Verdict)
    assert unfolded[-1].warnings == told.warnings


@pytest.mark.parametrize("model", [OverlapModel(), Many()])
def test_other_models_do_not_warn(model: OverlapModel) -> None:
    assert path(model).check([case(GERMAN, GERMAN)])[0].warnings == ()


def test_english_and_what_is_not_judged_are_not_warned_about() -> None:
    english, nothing = path(EnglishOnly()).check([case(ENGLISH, ENGLISH), case(GERMAN)])
    assert english.warnings == nothing.warnings == ()
