import math
import random
from collections.abc import Sequence

import pytest

from groundwire import models, recipes
from groundwire.errors import CorruptModel, InputError, UnknownName, UsageError
from groundwire.evolve.fitness import LAMBDA, WeightedFitness
from groundwire.protocols import Fitness, Measure
from groundwire.rouge import Target
from groundwire.types import Case, Claim, ClaimVerdict, Label, Passage, Span, Verdict

SEEDS = (Passage(id="a", text="The red fox runs."), Passage(id="b", text="A dog sleeps all day."))
QUESTION = "what does the fox do"
POOL = [2.0, 4.0, 6.0]


class Lengths:
    """Relevance is the text's length, stretched and moved; it remembers its batches."""

    name = "lengths"

    def __init__(self, factor: float = 1.0, shift: float = 0.0) -> None:
        self.factor, self.shift = factor, shift
        self.batches: list[list[tuple[str, str]]] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.batches.append(list(pairs))
        return [self.factor * len(text) + self.shift for _, text in pairs]

    def truncated(self, pairs: Sequence[tuple[str, str]]) -> list[bool]:
        return [False] * len(pairs)


class Marks:
    """A checker whose claims are the words: "yes" scores 1, "no" 0, "half" 0.5, all others assert nothing."""

    name, threshold = "marks", 0.5
    KNOWN = {"yes": 1.0, "no": 0.0, "half": 0.5}  # noqa: RUF012

    def __init__(self) -> None:
        self.batches: list[list[Case]] = []

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        self.batches.append(list(cases))
        return [self._verdict(case) for case in cases]

    def _verdict(self, case: Case) -> Verdict:
        claims = tuple(
            ClaimVerdict(
                claim=Claim(id=str(i), text=word, span=Span(source="answer", start=0, end=0)),
                label=Label.NOT_CHECKABLE if score is None else Label.SUPPORTED,
                score=score,
            )
            for i, (word, score) in enumerate((w, self.KNOWN.get(w)) for w in case.answer.split())
        )
        scores = [claim.score for claim in claims if claim.score is not None]
        label = Label.SUPPORTED if scores else Label.NOT_CHECKABLE
        return Verdict(case=case, label=label, score=min(scores, default=None), threshold=0.5, claims=claims)


def measure(fitness: WeightedFitness, pool: Sequence[float] = POOL) -> Measure:
    return fitness.of(QUESTION, SEEDS, pool)


def test_it_fills_the_roles() -> None:
    fitness = WeightedFitness(Lengths())
    assert isinstance(fitness, Fitness)
    assert isinstance(measure(fitness), Measure)


def test_the_recipe_is_the_raw_score_and_ten_times_rouge() -> None:
    fitness = WeightedFitness(Lengths(), weight=10, rouge="2")
    text = "The red fox sleeps."
    (terms,) = measure(fitness).score([text])
    rouge = Target("The red fox runs. A dog sleeps all day.").score("2", text).f
    assert 0 < rouge < 1
    assert terms == {"relevance": 19.0, "rouge": rouge, "total": 19.0 + 10 * rouge}
    assert LAMBDA == 10


@pytest.mark.parametrize("kind", ["1", "2", "L"])
def test_the_target_is_all_seeds_joined_by_a_space(kind: str) -> None:
    (terms,) = measure(WeightedFitness(Lengths(), rouge=kind)).score(["The red fox runs. A dog sleeps all day."])
    assert terms["rouge"] == 1
    (alone,) = WeightedFitness(Lengths(), rouge=kind).of(QUESTION, SEEDS[:1], []).score([SEEDS[0].text])
    assert alone["rouge"] == 1


@pytest.mark.parametrize("fitness", [WeightedFitness(Lengths(), weight=0), WeightedFitness(Lengths(), rouge=None)])
def test_without_its_weight_there_is_no_rouge_term(fitness: WeightedFitness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Target, "score", lambda *_: pytest.fail("nobody wants to know"))
    assert measure(fitness).score(["four"]) == [{"relevance": 4.0, "total": 4.0}]
    assert fitness.name == "lengths"


def test_relevance_is_one_batch_and_equal_texts_are_scored_once() -> None:
    scorer, checker = Lengths(), Marks()
    fitness = WeightedFitness(scorer, checker=checker, support=1)
    terms = measure(fitness).score(["yes", "no", "yes", "yes no", "no"])
    assert scorer.batches == [[(QUESTION, "yes"), (QUESTION, "no"), (QUESTION, "yes no")]]
    assert [[case.answer for case in batch] for batch in checker.batches] == [["yes", "no", "yes no"]]
    assert terms[0] == terms[2]
    assert terms[0] is not terms[2]
    assert measure(fitness).score([]) == []
    assert len(scorer.batches) == 1


def test_support_is_the_mean_of_the_claims_that_have_a_score() -> None:
    checker = Marks()
    found = measure(WeightedFitness(Lengths(), rouge=None, checker=checker, support=2)).score(
        ["yes", "yes no", "yes half hm hm", "hm", ""]
    )
    assert [terms["support"] for terms in found] == [1, 0.5, 0.75, 0, 0]
    assert [terms["total"] for terms in found] == [3 + 2, 6 + 1, 14 + 1.5, 2, 0]
    assert all(case.contexts == SEEDS for case in checker.batches[0])
    assert {case.question for case in checker.batches[0]} == {QUESTION}


def test_a_checker_without_claims_speaks_for_the_whole() -> None:
    class Whole(Marks):
        def _verdict(self, case: Case) -> Verdict:
            return Verdict(case=case, label=Label.SUPPORTED, score=0.75, threshold=0.5)

    (terms,) = measure(WeightedFitness(Lengths(), checker=Whole(), support=1)).score(["a"])
    assert terms["support"] == 0.75


def test_without_its_weight_no_checker_is_asked() -> None:
    checker = Marks()
    (terms,) = measure(WeightedFitness(Lengths(), checker=checker)).score(["yes"])
    assert "support" not in terms
    assert checker.batches == []


def test_relevance_stays_raw_and_the_total_is_scaled() -> None:
    (terms,) = measure(WeightedFitness(Lengths(), rouge=None, normalize="minmax")).score(["12345678"])
    assert terms == {"relevance": 8.0, "total": 1.5}
    (terms,) = measure(WeightedFitness(Lengths(), rouge=None, normalize="zscore")).score(["1234"])
    assert terms == {"relevance": 4.0, "total": 0.0}
    (terms,) = measure(WeightedFitness(Lengths(), rouge=None, normalize="zscore", floor=4), [2, 4]).score(["12345"])
    assert terms == {"relevance": 5.0, "total": 0.5}


@pytest.mark.parametrize("how", ["zscore", "minmax"])
def test_a_weight_means_the_same_with_each_scorer(how: str) -> None:
    rng = random.Random(2)
    texts = [" ".join(rng.choices("the red fox runs a dog sleeps at night".split(), k=n)) for n in range(1, 30)]
    totals = []
    for scorer in (Lengths(), Lengths(0.003, 0.4), Lengths(50, -7)):
        pool = scorer.score([(QUESTION, text) for text in texts[::3]])
        fitness = WeightedFitness(scorer, weight=2, normalize=how)
        totals.append([terms["total"] for terms in measure(fitness, pool).score(texts)])
    assert totals[1] == pytest.approx(totals[0])
    assert totals[2] == pytest.approx(totals[0])


def test_names() -> None:
    scorer, checker = Lengths(), Marks()
    assert WeightedFitness(scorer, rouge="2").name == "lengths+10*rouge2"
    assert WeightedFitness(scorer, normalize="zscore", floor=0.05, weight=2.5, rouge="L").name == (
        "zscore(lengths,floor=0.05)+2.5*rougeL"
    )
    full = WeightedFitness(scorer, weight=1, normalize="minmax", checker=checker, support=0.5)
    assert full.name == "minmax(lengths)+1*rouge1+0.5*support(marks)"


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"rouge": "Lsum"}, UnknownName),
        ({"normalize": "softmax"}, UnknownName),
        ({"weight": -1}, UsageError),
        ({"weight": math.nan}, UsageError),
        ({"support": math.inf, "checker": Marks()}, UsageError),
        ({"support": 1}, UsageError),
        ({"floor": -0.1}, UsageError),
    ],
)
def test_what_cannot_be_is_refused(settings: dict, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        WeightedFitness(Lengths(), **settings)


def test_seeds_and_pools_that_cannot_be() -> None:
    with pytest.raises(InputError, match="seeds"):
        WeightedFitness(Lengths()).of(QUESTION, [], POOL)
    with pytest.raises(InputError, match="finite"):
        measure(WeightedFitness(Lengths(), normalize="zscore"), [1, math.nan])


@pytest.mark.parametrize("scores", [[1.0], [1.0, math.nan], [math.inf, 1.0]])
def test_a_scorer_that_is_wrong_is_found_out(scores: list[float]) -> None:
    scorer = Lengths()
    scorer.score = lambda pairs: scores  # type: ignore[method-assign]
    with pytest.raises(CorruptModel, match="lengths returned"):
        measure(WeightedFitness(scorer)).score(["a", "b"])


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "😀" * 50, "漢字かな交じり文", "x" * 10**5])
def test_any_text_has_a_fitness(text: str) -> None:
    (terms,) = measure(WeightedFitness(Lengths(), checker=Marks(), support=1)).score([text])
    assert all(map(math.isfinite, terms.values()))


SKY = (
    Passage(id="1", text="The sky is blue because air scatters blue light more than red light."),
    Passage(id="2", text="At sunset the light takes a longer way through the air, and the sky turns red."),
)


@pytest.mark.parametrize("name", ["mini", "mini:cosine"])
def test_the_built_in_model_prefers_what_answers_from_the_seeds(name: str) -> None:
    scorer = models.load_scorer(name)
    question = "why is the sky blue"
    pool = scorer.score([(question, seed.text) for seed in SKY])
    fitness = WeightedFitness(scorer, weight=1, normalize="zscore", checker=recipes.build("default"), support=1)
    assert fitness.name == f"zscore({name})+1*rouge1+1*support(default)"
    texts = [
        "The sky is blue because air scatters blue light more than red light.",
        "The sky is blue because water scatters blue light more than red light.",
        "Potatoes are boiled for twenty minutes.",
        "",
        "\ud800 漢字 \x00",
    ]
    good, wrong, other, *_ = found = fitness.of(question, SKY, pool).score(texts)
    assert all(math.isfinite(value) for terms in found for value in terms.values())
    assert good["support"] > wrong["support"] + 0.3  # overlap alone would not see it:
    assert good["rouge"] - wrong["rouge"] < 0.1
    assert min(good["total"], wrong["total"]) > other["total"]
    assert found == fitness.of(question, SKY, pool).score(texts)


def test_the_words_of_the_question_count_by_their_letters_and_only_where_weighed() -> None:
    scorer = models.load_scorer("mini:cosine")
    plain, asking = (WeightedFitness(scorer, weight=0, asked=weight) for weight in (0.0, 2.0))
    assert asking.name == "mini:cosine+2*asked"
    texts = ["The sky is blue.", "Blue paint.", "Potatoes."]
    before, after = (f.of("Why is the sky blue?", SKY, [0.0, 1.0]).score(texts) for f in (plain, asking))
    assert "asked" not in before[0]
    assert [round(terms["asked"], 3) for terms in after] == [1.0, round(4 / 7, 3), 0.0]
    for without, having in zip(before, after, strict=True):
        assert having["total"] == pytest.approx(without["total"] + 2 * having["asked"])
    assert asking.of("?", SKY, [0.0]).score(["Blue."])[0]["asked"] == 0.0


def test_brevity_falls_with_every_word_and_is_weighed_only_where_asked() -> None:
    words = " ".join(["word"] * 40)
    brief = measure(WeightedFitness(Lengths(), weight=0.0, brief=2.0))
    (short, long, none) = brief.score([words, " ".join(["word"] * 300), ""])
    assert short["brevity"] == pytest.approx(0.6)
    assert short["total"] == pytest.approx(short["relevance"] + 1.2)
    assert (long["brevity"], none["brevity"]) == (0.0, 1.0)
    assert "brevity" not in measure(WeightedFitness(Lengths(), weight=0.0)).score([words])[0]
    assert WeightedFitness(Lengths(), weight=0.0, brief=0.5).name.endswith("+0.5*brevity")
