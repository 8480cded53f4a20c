"""Premises: the paper's two modes and the shortlist."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import UnknownName, UsageError
from groundwire.premises import Combined, PerSource, Shortlist, parse
from groundwire.sources import Windows
from groundwire.types import Case, Claim, Passage, Source, Span

TEXTS = [
    "The river Ebro rises in Cantabria. It flows east.",
    "Bread is baked from flour.",
    "The Ebro delta is in Catalonia. Rice is grown there.",
    "Trains run to Barcelona every hour.",
]


def sources(*texts: str) -> list[Source]:
    return [
        Source(index=i, span=Span(source=f"p{i}", start=0, end=len(t)), text=t) for i, t in enumerate(texts or TEXTS)
    ]


def claim(text: str) -> Claim:
    return Claim(id="c#0", text=text, span=Span(source="answer", start=0, end=len(text)))


def test_combined_joins_by_one_space_in_the_order_of_the_sources():
    [[premise]] = Combined().build([claim("x")], sources("b.", "a."), [0.1, 0.9])
    assert premise.text == "b. a."
    assert premise.weights == (0.1, 0.9)


def test_experiment_0_1_joins_in_score_order():
    [[premise]] = Combined(order="score").build([claim("x")], sources("b.", "a."), [0.1, 0.9])
    assert premise.text == "a. b."
    assert [s.index for s in premise.sources] == [1, 0]


def test_per_source_gives_each_source_its_weight():
    [premises] = PerSource().build([claim("x")], sources("b.", "a."), [0.1, 0.9])
    assert [(p.text, p.weights) for p in premises] == [("b.", (0.1,)), ("a.", (0.9,))]


def test_shortlist_puts_the_source_that_shares_most_first():
    [premises] = Shortlist(windows=2, sentences=2).build(
        [claim("Rice grows in the Ebro delta.")], sources(), [0.25] * 4
    )
    assert premises[0].text == TEXTS[2]
    assert {s.index for p in premises for s in p.sources} <= {0, 2}


def test_shortlist_gathers_the_sentences_that_cover_a_claim_whose_facts_stand_apart():
    [premises] = Shortlist(2, 3).build(
        [claim("The Ebro rises in Cantabria and rice is grown at its delta.")], sources(), [0.25] * 4
    )
    gathered = premises[-1]
    assert gathered.text == "The river Ebro rises in Cantabria.\nThe Ebro delta is in Catalonia.\nRice is grown there."
    assert [s.span.of(TEXTS[s.index]) for s in gathered.sources] == [s.text for s in gathered.sources]


def test_gathered_lines_have_a_stop_behind_them():
    [[*_, gathered]] = Shortlist(1, 3).build(
        [claim("Rice is grown at the Ebro delta.")], sources("Rice\nThe Ebro delta!\nGrown since 1900:"), [1.0]
    )
    assert gathered.text == "Rice.\nThe Ebro delta!\nGrown since 1900:"


def test_one_word_in_common_with_another_context_completes_nothing():
    about, linked, beside = "Ada Turton was born in Leeds.", "Ada Turton left in December.", "It snowed in December."
    said = claim("Ada Turton was born in December.")
    [[*_, apart]] = Shortlist(2, 4).build([said], sources(about, beside), [0.5, 0.5])
    [[*_, joined]] = Shortlist(2, 4).build([said], sources(about, linked), [0.5, 0.5])
    [[*_, same]] = Shortlist(2, 4).build([said], sources(f"{about} {beside}"), [1.0])
    assert apart.text == about
    assert joined.text == f"{about}\n{linked}"
    assert same.text == f"{about}\n{beside}"


def test_another_context_without_a_name_of_the_claim_needs_more_in_common():
    about, beside = "Entry to the drama school is by audition.", "The naval school is always near the coast."
    said = claim("The school closest to you takes everybody, for entry to drama is always open.")
    nearer = "A school that is always open takes everybody."
    [[*_, apart]] = Shortlist(2, 4).build([said], sources(about, beside), [0.5, 0.5])
    [[*_, joined]] = Shortlist(2, 4).build([said], sources(about, nearer), [0.5, 0.5])
    assert apart.text == about
    assert joined.text == f"{about}\n{nearer}"


def test_the_last_premise_is_the_gathered_one_whatever_else_is_there():
    asked = claim("The Ebro rises in Cantabria.")
    one = sources("The river Ebro rises in Cantabria.")
    noise = sources(
        "The river Ebro rises in Cantabria.", "The Douro rises in Soria, not in Cantabria.", "Bread is baked."
    )
    assert [p.text for p in Shortlist(4, 4).build([asked], one, [1.0])[0]] == [one[0].text] * 2
    assert Shortlist(4, 4).build([asked], noise, [1 / 3] * 3)[0][-1].text == one[0].text


def test_a_claim_that_shares_nothing_is_judged_against_more_than_the_shortlist():
    many = sources(*(f"Item {i} is here." for i in range(40)))
    [premises] = Shortlist(2, 2).build([claim("Quantum chromodynamics!")], many, [1 / 40] * 40)
    assert {s.index for p in premises for s in p.sources} == set(range(16))


def test_experiment_0_1_orders_by_relevance_even_where_the_weights_underflow():
    ranked = [replace(s, relevance=r) for s, r in zip(sources("a.", "b.", "c."), (0.0, 2000.0, 1000.0), strict=True)]
    [[premise]] = Combined(order="score").build([claim("x")], ranked, [0.0, 1.0, 0.0])
    assert premise.text == "b. c. a."


def test_adding_unrelated_sources_leaves_the_premises_as_they_are():
    asked = claim("The Ebro rises in Cantabria and rice is grown at its delta.")
    [few] = Shortlist(2, 3).build([asked], sources(), [0.25] * 4)
    noise = [f"Note {i}: unrelated filler about topic {i}." for i in range(50)]
    [many] = Shortlist(2, 3).build([asked], sources(*TEXTS, *noise), [1 / 54] * 54)
    assert [p.text for p in many] == [p.text for p in few]


def test_a_window_is_read_as_it_is_and_with_what_stands_around_it():
    text = "Ann Lee ran the mill. It stood by the Ebro. She sold it in 1931 to Hale. It burned down later. Nobody was hurt."
    case = Case(id="c", answer="x", contexts=(Passage(id="p", text=text), Passage(id="q", text="Bread is baked.")))
    cut = Windows(7, 0).cut(case)
    [premises] = Shortlist(1, 2, around=19).build([claim("The mill was sold to Hale in 1931.")], cut, [0.1] * len(cut))
    assert [p.text for p in premises[:2]] == [
        "She sold it in 1931 to Hale.",
        "It stood by the Ebro. She sold it in 1931 to Hale. It burned down later. Nobody was hurt.",
    ]
    assert [s.index for s in premises[1].sources] == [0]
    [narrow] = Shortlist(1, 2).build([claim("The mill was sold to Hale in 1931.")], cut, [0.1] * len(cut))
    assert [p.text for p in narrow] == [premises[0].text, premises[-1].text]


def test_a_window_in_the_surroundings_of_a_better_one_brings_none_of_its_own():
    text = "The mill is old. The mill is tall. Bread is baked. Rice is grown."
    cut = Windows(4, 0).cut(Case(id="c", answer="x", contexts=(Passage(id="p", text=text),)))
    [premises] = Shortlist(2, 1, around=11).build([claim("The mill is old and tall.")], cut, [0.25] * 4)
    narrow = ["The mill is tall.", "The mill is old."]
    assert [p.text for p in premises[:-1]] == [*narrow, "The mill is old. The mill is tall. Bread is baked."]
    [apart] = Shortlist(2, 1, around=7).build([claim("The mill is old and tall.")], cut, [0.25] * 4)
    assert [p.text for p in apart[:-1]] == [*narrow, "The mill is tall. Bread is baked."]


def test_what_stands_around_is_of_the_same_context_whatever_the_order_of_the_sources():
    texts = ("The mill is old. It was sold. Hale has it.", "Bread is baked. The mill is idle. Rice is grown.")
    case = Case(id="c", answer="x", contexts=tuple(Passage(id="p", text=t) for t in texts))
    cut = Windows(4, 0).cut(case)
    [premises] = Shortlist(2, 1, around=100).build([claim("The mill is old and idle.")], cut[::-1], [0.5] * len(cut))
    assert {p.text for p in premises[2:-1]} == set(texts)
    kept = [source for source in cut if source.text != "It was sold."]
    [premises] = Shortlist(1, 1, around=100).build([claim("The mill is old.")], kept, [0.5] * len(kept))
    assert [p.text for p in premises] == ["The mill is old.", "The mill is old."]


@pytest.mark.parametrize("spec", ["combined", "combined:score", "per-source", "shortlist:4:4", "shortlist:2:4:160"])
def test_prints_as_the_string_that_makes_it(spec):
    assert str(parse(spec)) == spec


def test_bad_specs():
    with pytest.raises(UnknownName, match="combined"):
        parse("combine")
    for spec in ("shortlist:many", "shortlist:0:4", "shortlist:4:0", "shortlist:2:4:-1", "shortlist:1:2:3:4"):
        with pytest.raises(UsageError):
            parse(spec)


MIXED = st.sampled_from("東京都市。.\n -ab กรุ1,🙂\ud800")


@given(st.text(MIXED, min_size=1, max_size=25), st.text(MIXED, max_size=6))
def test_a_claim_of_any_script_has_premises_and_the_last_holds_text(text, asked):
    [premises] = Shortlist().build([claim(asked)], sources(text), [1.0])
    assert premises[-1].text.strip() or not text.strip()


def test_a_name_of_two_words_alone_links_no_sentence_of_another_context():
    asked = claim("Dismissal claims in the United Kingdom expire after three months.")
    own = "A dismissal claim expires in three months less a day. Ask early."
    stranger = "Players come from Chile and the United Kingdom. They are young."
    linked = "In the United Kingdom the claim is free. They are young."
    [premises] = Shortlist().build([asked], sources(own, stranger), [0.5, 0.5])
    assert {s.index for s in premises[-1].sources} == {0}
    [premises] = Shortlist().build([asked], sources(own, linked), [0.5, 0.5])
    assert {s.index for s in premises[-1].sources} == {0, 1}


def test_a_word_in_another_form_brings_its_source_before_one_that_shares_less():
    asked = claim("The council's proposal was rejected.")
    own, other = "Councillors rejected what was proposed.", "The council met on Monday."
    [premises] = Shortlist(1, 1).build([asked], sources(other, own), [0.5, 0.5])
    assert [p.text for p in premises] == [own, own]


def test_a_rare_word_in_common_says_more_than_a_common_one():
    asked = claim("The first zygote appeared.")
    [premises] = Shortlist(1, 1).build([asked], sources("It was the first time.", "A zygote is a cell."), [0.5, 0.5])
    assert premises[0].text == "A zygote is a cell."


def test_common_words_of_another_context_complete_nothing():
    asked = claim("It took five years to make the film and three years to write it.")
    own, other = "The film is about a mill.", "After five years of coalition the three members took part."
    [premises] = Shortlist(2, 4).build([asked], sources(own, other), [0.5, 0.5])
    assert {s.index for s in premises[-1].sources} == {premises[0].sources[0].index}


def test_a_number_and_the_name_that_begins_at_that_place_are_two_things():
    asked = claim("The old and quiet delta Ebro had 24 mills that Hale sold.")
    assert asked.text.index("Ebro") == 24
    own, other = "Hale sold the old quiet mills of the delta.", "Of the Ebro 24 are left."
    [premises] = Shortlist(2, 4).build([asked], sources(own, other), [0.5, 0.5])
    assert {s.index for s in premises[-1].sources} == {0, 1}
