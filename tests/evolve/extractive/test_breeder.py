"""The breeder: what every offspring keeps to, whatever the sources hold."""

import re
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.errors import UnknownName, UsageError
from groundwire.evolve.extractive import ExtractiveBreeder
from groundwire.evolve.extractive.draft import Size, text_of
from groundwire.evolve.extractive.material import Material
from groundwire.evolve.extractive.operators import OPERATORS, Setting
from groundwire.protocols import Breeder
from groundwire.text import folded_words, word_bounds
from groundwire.types import Candidate, Mating, Passage

FLEAS = Passage(
    id="f",
    text="Fleas are insects. They do not fly. An adult flea (Siphonaptera) lives for three months, which is long. "
    "However, fleas die within days unless they feed. Only females lay eggs, causing an itch.",
)
CARE = Passage(
    id="c",
    text="The life cycle of the flea takes two weeks, according to the agency. Eggs hatch in two days. "
    "Most fleas live about 100 days. Wash the dog if it itches.",
)
QUESTION = "how long do fleas live"
NEGATION = re.compile(r"\b(?:not|no|never|only|if|unless|without|about|most|may)\b|n't\b", re.I)

CLAUSES = st.sampled_from(
    [
        *("the flea lives on the dog", "it does not fly", "they never sleep", "the agency has no data", "the egg is white"),
        *(", which is small", ", which it cannot leave", ", causing an itch", ", making no noise", ", such as the dog, and"),
        *(" (an insect)", " (not a louse)", " (at most 5)", "However, ", "But ", "According to the agency, ", "Only ", "If "),
        *(". ", ". ", ". The ", ".\n\n", "? ", ", ", " and ", " the ", " is "),
    ]
)  # fmt: skip
PROSE = st.lists(CLAUSES, min_size=1, max_size=25).map("".join)
WILD = st.text(st.characters(), max_size=80)
HARD = [
    "",
    " ",
    "\x00",
    "\ud800 lone. Half \udfff of it.",
    "😀😀. 🇩🇪 👩‍👩‍👧 is a family.",
    "跳蚤不会飞。它们跳得很远！狗有跳蚤。",
    "หมัดไม่บิน มันกระโดดได้ไกล สุนัขมีหมัด",
    "البرغوث لا يطير. يقفز بعيدا؟ للكلاب براغيث.",
    "पिस्सू नहीं उड़ते। वे कूदते हैं।",
    "ﬁﬂ ß ŉ İ. ß is a letter.",
    "...",
    "```\ncode. More code.\n",
    "| a | b |\n|---|---|\n| 1. | 2. |",
    '((((((. ))))). """". \'\'.',
    "One sentence that stands alone.",
]


def candidate(text):
    return Candidate(id=str(hash(text)), text=text)


def mate(operator, *parents, seed=0):
    return Mating(operator=operator, parents=tuple(candidate(p) for p in parents), seed=seed)


def drafts(question, texts, seed):
    """Every operator's draft over these sources, the first two of which are the parents."""
    material = Material(question, [Passage(id=str(n), text=text) for n, text in enumerate(texts)])
    parents = [material.read(text) for text in (texts * 2)[:2]]
    for operator in OPERATORS:
        setting = Setting(material=material, size=Size(sentences=4, words=80), rng=Random(seed))
        yield operator.name, material, operator.draw(setting, parents)


def within(words, others):
    rest = iter(others)
    return all(word in rest for word in words)


def test_it_is_a_breeder():
    breeder = ExtractiveBreeder()
    assert isinstance(breeder, Breeder)
    assert breeder.name == "extractive"
    assert ExtractiveBreeder(sentences=2, words=40).name == "extractive:2:40"
    assert dict(breeder.arities) == {"pick": 1, "drop": 1, "add": 1, "reorder": 1, "crossover": 2, "compress": 1}


@given(st.lists(PROSE | WILD, min_size=1, max_size=4), st.integers())
@settings(max_examples=150, deadline=None)
def test_every_word_stands_in_a_source_in_its_order(texts, seed):
    for name, material, pieces in drafts(QUESTION, texts, seed):
        said = {piece.home: piece.text for piece in material.pieces}
        for piece in pieces:
            source = said[piece.home]
            assert within(folded_words(piece.text), folded_words(source)), name
            assert NEGATION.findall(piece.text.lower()) == NEGATION.findall(source.lower())
        assert folded_words(text_of(pieces)) == [word for piece in pieces for word in folded_words(piece.text)], name


@given(st.lists(PROSE, min_size=2, max_size=3), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_later_generations_say_nothing_new_either(texts, seed):
    rng = Random(seed)
    sources = [Passage(id=str(n), text=text) for n, text in enumerate(texts)]
    pool = [candidate(text) for text in texts]
    known = {word for text in texts for word in folded_words(text)}
    for _ in range(4):
        wanted = [
            Mating(operator=o.name, parents=tuple(rng.choices(pool, k=o.arity)), seed=rng.randrange(100))
            for o in OPERATORS
        ]
        bred = ExtractiveBreeder().breed(QUESTION, wanted, sources)
        pool += [candidate(child.text) for child in bred if child.text]
        assert all((child.text is None) == (child.reason is not None) for child in bred)
    assert {word for one in pool for word in folded_words(one.text)} <= known


@pytest.mark.parametrize("text", HARD)
@pytest.mark.parametrize("others", [[], [FLEAS]])
def test_hard_text(text, others):
    sources = [Passage(id="h", text=text), *others]
    wanted = [mate(o.name, *[text, FLEAS.text][: o.arity], seed=n) for o in OPERATORS for n in range(4)]
    for question in (QUESTION, text, ""):
        bred = ExtractiveBreeder().breed(question, wanted, sources)
        assert bred == ExtractiveBreeder().breed(question, wanted, sources)
        assert len(bred) == len(wanted)


def test_a_word_of_a_million_letters():
    word = "a" * 1_000_000
    sources = [Passage(id="w", text=f"{word} is long. {word}"), FLEAS]
    begin = time.process_time()
    bred = ExtractiveBreeder().breed(word, [mate(o.name, word, FLEAS.text) for o in OPERATORS], sources)
    assert time.process_time() - begin < 10
    assert all(child.text is None or len(child.text) <= 2 * len(word) + 1000 for child in bred)


def test_without_sources_the_parents_are_all_there_is():
    wanted = [mate(o.name, FLEAS.text, CARE.text) for o in OPERATORS]
    bred = dict(zip([o.name for o in OPERATORS], ExtractiveBreeder().breed(QUESTION, wanted, []), strict=True))
    assert bred["pick"].text
    assert bred["add"].text is None
    assert bred["add"].reason == "skipped: the sources have no sentence that says more"


def test_one_sentence_leaves_nothing_to_do():
    one = Passage(id="o", text="Fleas live three months.")
    for operator in OPERATORS:
        [child] = ExtractiveBreeder().breed(QUESTION, [mate(operator.name, one.text, one.text)], [one])
        assert child.text is None
        assert child.reason == f"skipped: {operator.idle}"


def test_equal_matings_give_equal_offspring_alone_or_together():
    wanted = [mate(o.name, FLEAS.text, CARE.text, seed=seed) for o in OPERATORS for seed in range(10)]
    together = ExtractiveBreeder().breed(QUESTION, wanted, [FLEAS, CARE])
    alone = [ExtractiveBreeder().breed(QUESTION, [mating], [FLEAS, CARE])[0] for mating in wanted]
    assert together == alone
    assert len({child.text for child in together}) > 20


def test_an_answer_is_as_short_as_was_asked():
    wanted = [mate(o.name, FLEAS.text, CARE.text, seed=seed) for o in OPERATORS for seed in range(10)]
    for child in ExtractiveBreeder(sentences=2, words=20).breed(QUESTION, wanted, [FLEAS, CARE]):
        assert child.text is None or len(word_bounds(child.text)) <= 20
        assert child.text is None or child.text.count(". ") <= 1


def test_no_answer_begins_with_a_pronoun_or_a_connective():
    wanted = [mate(o.name, FLEAS.text, CARE.text, seed=seed) for o in OPERATORS for seed in range(20)]
    for child in ExtractiveBreeder().breed(QUESTION, wanted, [FLEAS, CARE]):
        assert child.text is None or not child.text.startswith(("They", "However"))


@pytest.mark.parametrize(
    ("operator", "has", "lacks"),
    [
        ("add", "Fleas are insects.", None),
        ("drop", None, "Fleas are insects. They do not fly. An adult"),
        ("crossover", "", None),
    ],
)
def test_each_does_what_it_is_called(operator, has, lacks):
    for seed in range(10):
        [child] = ExtractiveBreeder(words=200, sentences=8).breed(
            QUESTION, [mate(operator, "Fleas are insects. They do not fly.", CARE.text, seed=seed)], [FLEAS, CARE]
        )
        assert has is None or has in child.text
        assert lacks is None or lacks not in child.text


def test_compress_takes_away_what_is_no_condition_and_no_negation():
    ways = set()
    for seed in range(20):
        [child] = ExtractiveBreeder(words=200, sentences=8).breed(
            QUESTION, [mate("compress", FLEAS.text, seed=seed)], [FLEAS]
        )
        assert NEGATION.findall(child.text) == NEGATION.findall(FLEAS.text)
        ways.add(child.text)
    assert len(ways) > 3


def test_wrong_matings_are_errors():
    with pytest.raises(UnknownName, match="unknown operator 'picks'"):
        ExtractiveBreeder().breed(QUESTION, [mate("picks", "a")], [])
    with pytest.raises(UsageError, match="crossover needs 2 parents, got 1"):
        ExtractiveBreeder().breed(QUESTION, [mate("crossover", "a")], [])
    with pytest.raises(UsageError, match="an answer needs room"):
        ExtractiveBreeder(sentences=0)


@pytest.mark.parametrize(
    "unit",
    [
        FLEAS.text + "\n",
        "The flea (an insect), which is small, is the pest, causing an itch, and ",
        "However, it (",
        "a. ",
        ". ",
        "The x is. ",
        "跳蚤不会飞。",
        "ก่ ",
        "\ud800",
        "According to , ",
    ],
)
def test_time_grows_linearly(unit):
    def seconds(size):
        text = (unit * (size // len(unit) + 1))[:size]
        wanted = [mate(o.name, text, text + ".") for o in OPERATORS]
        times = []
        for _ in range(3):
            begin = time.process_time()
            ExtractiveBreeder().breed(QUESTION, wanted, [Passage(id="t", text=text)])
            times.append(time.process_time() - begin)
        return min(times) / size

    assert seconds(40_000) < 5 * max(seconds(2_500), 2e-6)  # a quadratic step would make it 16
