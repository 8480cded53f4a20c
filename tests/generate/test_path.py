"""The path of an evolved answer: what a generation is, when it ends, and how an answer ends that is not hoped for."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import pytest

from groundwire.errors import CorruptModel, InputError, UsageError
from groundwire.evolve.draws import Scheme, shares
from groundwire.evolve.extractive import ExtractiveBreeder
from groundwire.evolve.fitness import WeightedFitness
from groundwire.evolve.limits import Limits
from groundwire.evolve.llm import LlmBreeder
from groundwire.evolve.operators import family
from groundwire.generate import Breeding, GeneratePath
from groundwire.generate.path import ALL_FAILED, ALL_TRIED, NO_BETTER, NOTHING_NEW
from groundwire.generate.pool import Pooling
from groundwire.recipes import build
from groundwire.rerank import PairReranker
from groundwire.testing import OverlapModel, ScriptedLLM
from groundwire.types import Answer, Candidate, Completion, Hit, Label, Offspring, Passage

QUESTION = "when was the garo bridge opened"
BRIDGE = Passage(id="bridge", text="The Garo bridge was opened on 19 March 1932. It is 1,149 metres long.")
COST = Passage(id="cost", text="Building the Garo bridge took eight years and cost six million pounds.")
FERRY = Passage(id="ferry", text="Tickets for the ferry cost four pounds for adults.")
CORPUS = (FERRY, COST, BRIDGE)


@dataclass
class Finds:
    """A retriever that finds these passages, in their order, and remembers what it was asked."""

    passages: Sequence[Passage] = CORPUS
    name: str = "finds"
    asked: list[tuple[str, int]] = field(default_factory=list)

    def retrieve(self, queries, k):
        self.asked += [(query, k) for query in queries]
        return [[Hit(passage=p, score=1.0, by=self.name) for p in self.passages[:k]] for _ in queries]


class Told:
    """A breeder whose offspring are told in advance, generation by generation."""

    name = "told"
    arities: Mapping[str, int] = {"random": 1}

    def __init__(self, *generations: Sequence[str | Offspring]) -> None:
        self.generations, self.matings = list(generations), []

    def breed(self, question, matings, sources):
        self.matings.append(matings)
        texts = self.generations[min(len(self.matings), len(self.generations)) - 1]
        return [
            one if isinstance(one, Offspring) else Offspring(text=one)
            for one in (texts[n % len(texts)] for n in range(len(matings)))
        ]


class Lengths:
    """A fitness that counts characters, and the texts that it scored."""

    name = "lengths"

    def __init__(self) -> None:
        self.scored: list[str] = []

    def of(self, question, seeds, pool):
        return self

    def score(self, texts):
        self.scored += texts
        return [{"length": float(len(text)), "total": float(len(text))} for text in texts]


CHECKER = build("default")


def pooling(passages: Sequence[Passage] = CORPUS, **changes) -> Pooling:
    parts = {"retriever": Finds(passages), "relevance": PairReranker(OverlapModel()), **changes}
    return Pooling(**parts)


def path(breeder, passages: Sequence[Passage] = CORPUS, **parts) -> GeneratePath:
    scheme = parts.pop("scheme", Scheme(shares=shares(breeder.arities)))
    bred = {name: parts.pop(name) for name in ("offspring", "patience", "paid") if name in parts}
    given = {
        "name": "test",
        "pooling": pooling(passages),
        "breedings": (Breeding(breeder=breeder, scheme=scheme, **{"offspring": 4, **bred}),),
        "fitness": Lengths(),
        "checker": CHECKER,
        **parts,
    }
    return GeneratePath(**given)


def test_a_generation_is_one_batch_and_lineage_is_data():
    llm = ScriptedLLM(lambda prompt: f"The Garo bridge was opened in 1932, as {random.Random(prompt).random()} say.")
    answer = path(LlmBreeder(llm, family("paper")), limits=Limits(generations=2), stop="rank").generate(QUESTION)
    assert llm.batches[0] == 4
    child = next(one for one in answer.lineage if one.generation == 1)
    assert set(child.parents) <= {one.id for one in answer.lineage if one.generation == 0}
    assert [one.number for one in answer.generations] == list(range(len(answer.generations)))
    assert answer.generations[1].calls == 4
    assert Answer.from_dict(answer.to_dict()) == answer
    assert [stage.name for stage in answer.trace.stages] == ["pool", "seeds", "evolve", "check"]


def test_the_seeds_are_the_most_relevant_and_the_answer_is_checked_by_them():
    answer = path(Told(["The Garo bridge was opened on 19 March 1932, and building it took eight years."])).generate(
        QUESTION
    )
    assert answer.sources == (BRIDGE, COST) == answer.verdict.case.contexts
    assert answer.verdict.case.answer == answer.text
    assert [ranking.by for ranking in answer.retrieval.rankings] == ["finds", "overlap"]
    assert answer.verdict.claims[0].evidence[0].index in (0, 1)


def test_a_passage_that_an_answer_descends_from_is_a_source_too():
    class Joined(Told):
        arities: ClassVar = {"crossover": 2}

        def breed(self, question, matings, sources):
            return [Offspring(text=" ".join(parent.text for parent in m.parents)) for m in matings]

    longest = Passage(id="long", text=f"{FERRY.text} It leaves every hour from the pier below the old market hall.")
    answer = path(Joined(), (BRIDGE, COST, longest), limits=Limits(generations=1)).generate(QUESTION)
    assert longest.text in answer.text
    assert answer.sources == (BRIDGE, COST, longest)


def test_only_the_first_members_begin_the_population_and_only_depth_hits_are_ranked():
    fitness = Lengths()
    answer = path(Told(["x"]), fitness=fitness, members=2, limits=Limits(generations=0)).generate(QUESTION)
    assert sorted(fitness.scored) == sorted([BRIDGE.text, COST.text])
    assert len(answer.lineage) == 2
    finds = Finds()
    cut = path(Told(["x"]), pooling=pooling(retriever=finds, depth=2)).generate(QUESTION)
    assert finds.asked == [(QUESTION, 2)]
    assert cut.sources == (COST, FERRY)


def test_equal_texts_are_scored_once_and_counted():
    fitness = Lengths()
    breeder = Told([BRIDGE.text, "new", "new", "other"])
    answer = path(breeder, fitness=fitness).generate(QUESTION)
    assert fitness.scored.count("new") == 1
    assert fitness.scored.count(BRIDGE.text) == 1
    turn = answer.generations[1]
    assert (turn.wanted, turn.new, turn.repeated, turn.failed) == (4, 2, 2, 0)
    kept = path(Told([BRIDGE.text, "new", "new", "other"]), distinct=False).generate(QUESTION)
    assert (kept.generations[1].new, kept.generations[1].repeated) == (4, 0)


def test_an_empty_offspring_is_lost_unless_it_is_wanted():
    lost = path(Told(["", " ", "longer than all the seeds together" * 9, "new"])).generate(QUESTION)
    assert (lost.generations[1].failed, lost.generations[1].new) == (2, 2)
    kept = path(Told(["", "a" * 500]), blank=True).generate(QUESTION)
    assert (kept.generations[1].failed, "" in {one.text for one in kept.lineage}) == (0, True)


def test_every_mating_is_tried_once_where_that_is_asked_for():
    breeder = Told([f"{'x' * 300}{n}" for n in range(4)], ["y" * 400], ["z" * 500])
    scheme = Scheme(shares=shares(breeder.arities), again="no")
    answer = path(breeder, scheme=scheme).generate(QUESTION)
    tried = [(m.operator, m.parents[0].id) for matings in breeder.matings for m in matings]
    assert len(tried) == len(set(tried))
    assert answer.stopped in (NO_BETTER, ALL_TRIED)


def test_it_goes_on_while_the_score_at_rank_top_rises():
    rising = [[f"{'x' * (300 + 100 * g)}{n}" for n in range(4)] for g in range(3)]
    answer = path(Told(*rising)).generate(QUESTION)
    assert (answer.stopped, len(answer.generations) - 1) == (NO_BETTER, 4)
    one_best = path(Told(["x" * 500], ["y" * 600], ["z" * 700]), top=1).generate(QUESTION)
    # The second best does not rise when one offspring is new: the first is the old best then.
    assert len(one_best.generations) - 1 == 4


def test_a_change_of_rank_alone_is_enough_where_ranks_decide():
    class Flat(Lengths):
        def score(self, texts):
            return [{"total": 1.0} for _ in texts]

    passages = (replace(BRIDGE, id="a"), replace(COST, id="b"))
    breeder = ["what is new"], ["what is newer"], ["what is newest"]
    flat = {"fitness": Flat(), "offspring": 1, "limits": Limits(generations=9)}
    assert len(path(Told(*breeder), passages, stop="score", **flat).generate(QUESTION).generations) == 2
    assert len(path(Told(*breeder), passages, stop="rank", **flat).generate(QUESTION).generations) > 2


@pytest.mark.parametrize("name", ["generations", "calls", "tokens", "seconds"])
def test_budget_zero_is_the_best_seed(name):
    breeder = Told(["never"])
    limits = Limits(**{name: 0})
    answer = path(breeder, limits=limits, fitness=WeightedFitness(OverlapModel())).generate(QUESTION)
    assert (answer.text, breeder.matings, len(answer.generations)) == (BRIDGE.text, [], 1)
    assert answer.stopped == f"the budget of 0 {name} is spent"
    assert answer.verdict.grounded


def test_calls_are_never_more_than_their_budget():
    rising = [[Offspring(text=f"{'x' * (200 + 100 * g)}{n}", calls=1) for n in range(4)] for g in range(5)]
    breeder = Told(*rising)
    answer = path(breeder, limits=Limits(calls=6)).generate(QUESTION)
    assert [len(matings) for matings in breeder.matings] == [4, 2]
    assert (sum(one.calls for one in answer.generations), answer.stopped) == (6, "the budget of 6 calls is spent")


def test_kept_replies_count_for_the_budget_of_calls_so_that_a_second_run_is_the_first():
    def rising(calls):
        return [[Offspring(text=f"{'x' * (200 + 100 * g)}{n}", calls=calls) for n in range(4)] for g in range(5)]

    paid, kept = (path(Told(*rising(calls)), limits=Limits(calls=6)).generate(QUESTION) for calls in (1, 0))
    assert (kept.text, kept.stopped) == (paid.text, paid.stopped)
    assert [sum(one.calls for one in answer.generations) for answer in (paid, kept)] == [6, 0]


def test_tokens_end_it_after_the_generation_that_spent_them():
    rising = [
        [Offspring(text=f"{'x' * (200 + 100 * g)}{n}", prompt_tokens=40, reply_tokens=10) for n in range(4)]
        for g in range(9)
    ]
    answer = path(Told(*rising), limits=Limits(tokens=250)).generate(QUESTION)
    assert (answer.stopped, len(answer.generations) - 1) == ("the budget of 250 tokens is spent", 2)


def test_a_failed_call_loses_one_offspring_never_the_run():
    llm = ScriptedLLM("The Garo bridge was opened on 19 March 1932, they say.", fail_at=(0, 2))
    answer = path(LlmBreeder(llm, family("paper"))).generate(QUESTION)
    assert answer.generations[1].failed == 2
    assert answer.stopped != ALL_FAILED
    assert not any("lost" in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (Completion(text=None, status="error", reason="timed out"), "error"),
        (Completion(text="No.", status="refused", reason="policy"), "refused"),
        ("", "unparseable"),
        ("I'm sorry, but I cannot help with that.", "unparseable"),
    ],
)
def test_all_operators_failing_ends_with_the_best_seed_and_says_so(reply, cause):
    breeder = LlmBreeder(ScriptedLLM(lambda prompt: reply), family("paper"))
    answer = path(breeder, fitness=WeightedFitness(OverlapModel())).generate(QUESTION)
    assert (answer.text, answer.stopped) == (BRIDGE.text, ALL_FAILED)
    assert answer.generations[1].failed == 4
    assert answer.broken == (cause == "error")
    assert answer.warnings[0].startswith("every offspring of generation 1 was lost (4 × ")
    assert cause in answer.warnings[0]


def test_a_breeder_that_finds_nothing_to_change_is_no_failure():
    answer = path(Told([Offspring(text=None, reason="skipped: nothing to drop")])).generate(QUESTION)
    assert (answer.stopped, answer.warnings) == (NOTHING_NEW, ())


@pytest.mark.parametrize("passages", [(), (Passage(id="blank", text=" \n"),)])
def test_no_passage_is_no_answer_and_no_invention(passages):
    llm = ScriptedLLM([])
    asked = path(LlmBreeder(llm, family("paper")), passages)
    for answer in (asked.generate("чи є тут відповідь"), asked.generate(QUESTION, passages=passages)):
        assert (answer.text, answer.sources, answer.lineage) == ("", (), ())
        assert answer.reason.startswith("no evidence")
        assert (answer.verdict.label, answer.verdict.reason) == (Label.NOT_CHECKABLE, answer.reason)
    assert llm.calls == 0


@pytest.mark.parametrize("breeder", [ExtractiveBreeder(), LlmBreeder(ScriptedLLM("Garo."), family("paper"))])
def test_one_seed_alone_is_never_crossed(breeder):
    asked = []
    answer = path(breeder, (BRIDGE,), limits=Limits(generations=2), fitness=WeightedFitness(OverlapModel())).generate(
        QUESTION, watch=lambda generation, best: asked.append((generation, best))
    )
    assert answer.sources == (BRIDGE,)
    assert "crossover" not in {one.operator for one in answer.lineage}
    assert [generation for generation, _ in asked] == list(answer.generations)
    assert asked[-1][1].id == answer.lineage[0].id


def test_equal_passages_are_one_seed():
    same = replace(BRIDGE, id="copy")
    answer = path(ExtractiveBreeder(), (BRIDGE, same, COST), fitness=WeightedFitness(OverlapModel())).generate(QUESTION)
    assert answer.sources == (BRIDGE, COST)
    both = path(
        Told(["x"]), (BRIDGE, same, COST), pooling=pooling((BRIDGE, same, COST), distinct=False), distinct=False
    ).generate(QUESTION)
    assert both.sources[:2] == (BRIDGE, same)


def test_given_passages_are_ranked_and_no_index_is_asked():
    finds = Finds()
    answer = path(ExtractiveBreeder(), pooling=pooling(retriever=finds), fitness=WeightedFitness(OverlapModel())).generate(
        QUESTION, passages=[FERRY, BRIDGE]
    )  # fmt: skip
    assert (answer.sources, finds.asked) == ((BRIDGE, FERRY), [])
    assert answer.verdict.grounded


def test_what_the_sources_say_is_grounded_without_an_llm():
    answer = path(ExtractiveBreeder(), fitness=WeightedFitness(OverlapModel())).generate(QUESTION)
    said = " ".join(passage.text for passage in CORPUS)
    assert all(word.strip(".,") in said for word in answer.text.split())
    assert answer.verdict.label is Label.SUPPORTED


@pytest.mark.parametrize("question", ["", " \n\t"])
def test_an_empty_question(question):
    with pytest.raises(InputError, match="the question is empty") as raised:
        path(Told(["x"])).generate(question)
    assert raised.value.hint


def test_neither_an_index_nor_passages():
    with pytest.raises(InputError, match="neither an index nor a passage"):
        path(Told(["x"]), pooling=pooling(retriever=None)).generate(QUESTION)


def test_equal_runs_are_equal_and_another_seed_is_another_run():
    def run(seed: int) -> list[Candidate]:
        breeder = LlmBreeder(ScriptedLLM(lambda prompt: f"The Garo bridge, {hash(prompt)}."), family("paper"))
        return list(path(breeder, fitness=WeightedFitness(OverlapModel()), seed=seed).generate(QUESTION).lineage)

    assert run(1) == run(1)
    assert len({tuple(one.id for one in run(seed)) for seed in range(5)}) > 1


def test_a_fitness_that_is_no_number_is_refused():
    class Broken(Lengths):
        def score(self, texts):
            return [{"total": math.nan} for _ in texts]

    with pytest.raises(CorruptModel, match="no finite number"):
        path(Told(["x"]), fitness=Broken()).generate(QUESTION)


@pytest.mark.parametrize("wrong", [{"seeds": 0}, {"offspring": 0}, {"top": 0}, {"members": 1}])
def test_parts_that_make_no_sense(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong)) if "members" not in wrong else "begins with"):
        path(Told(["x"]), **wrong)
    with pytest.raises(UsageError, match="depth=0"):
        pooling(depth=0)


class Climbs(Told):
    """Adds a character to the best, so often; then it finds nothing better."""

    def __init__(self, name: str, times: int) -> None:
        super().__init__()
        self.name, self.times, self.turns = name, times, 0

    def breed(self, question, matings, sources):
        self.turns += 1
        longest = max((mating.parents[0].text for mating in matings), key=len)
        if self.turns > self.times:
            return [Offspring(text=f"{self.name}{self.turns}{n}") for n in range(len(matings))]
        return [Offspring(text=f"{longest} {self.name}{n}") for n in range(len(matings))]


def in_turns(*breeders, patience: int = 1, **parts):
    scheme = Scheme(shares=shares({"random": 1}))
    bred = tuple(
        Breeding(breeder=breeder, scheme=scheme, offspring=3, patience=patience, paid=n > 0)
        for n, breeder in enumerate(breeders)
    )
    return replace(path(breeders[0] if breeders else Told()), breedings=bred, **parts)


def test_the_cheap_breeder_has_its_turn_until_it_gets_no_further_and_again_after_the_other():
    free, paid = Climbs("free", 3), Climbs("paid", 1)
    answer = in_turns(free, paid).generate(QUESTION)
    best = answer.lineage[0]
    assert answer.stopped == NO_BETTER
    # free: three that are better, one that is not; paid: one; free again: not better; paid: not better, and that is all.
    assert (free.turns, paid.turns) == (3 + 1 + 1, 1 + 1)
    assert best.text.count("free") == 3
    assert "paid" in best.text


def test_patience_is_counted_in_a_row():
    free, paid = Climbs("free", 0), Climbs("paid", 0)
    in_turns(free, paid, patience=2).generate(QUESTION)
    assert (free.turns, paid.turns) == (2, 2)


def test_a_breeder_with_nothing_left_hands_over_at_once_and_a_budget_of_calls_is_for_the_paid():
    idle = Told([Offspring(text=None, reason="skipped: nothing to drop")])
    paid = Climbs("paid", 0)
    answer = in_turns(idle, paid, patience=3, limits=Limits(calls=2)).generate(QUESTION)
    assert [len(matings) for matings in idle.matings] == [3]
    assert [turn.wanted for turn in answer.generations[1:]] == [3, 2]
    with pytest.raises(UsageError, match="somebody has to breed"):
        in_turns(limits=Limits())
