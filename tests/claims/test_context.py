"""Context: leads, headings and neighbours, and what only names sources or what follows."""

import pytest

from groundwire.claims import NEAR, ONLY_LEADS
from groundwire.idle import NOTHING_SAID, ONLY_ASKED, ONLY_CITES, ONLY_NAMES
from groundwire.text import unmarked

from .reading import texts


@pytest.mark.parametrize("mark", ["- ", "* ", "• ", "1. ", "2) ", "(a) "])
def test_the_items_of_a_list_are_read_behind_its_lead(mark):
    lead = "The winners of 1932 were:"
    found = texts(f"{lead}\n{mark}Ann in Rome\n{mark}Bob in Oslo.\n\nNobody else won.")
    assert found[0] == (lead, ONLY_LEADS)
    assert found[1:] == [(f"{lead} Ann in Rome", None), (f"{lead} Bob in Oslo.", None), ("Nobody else won.", None)]


def test_an_item_that_leads_into_a_list_leads_into_its_own_items_only():
    found = texts("1. Founders:\n- Ann\n- Bob\n10. Products:\n- Maps\n11. Rome")
    assert found == [
        ("Founders:", ONLY_LEADS),
        ("Founders: Ann", None),
        ("Founders: Bob", None),
        ("Products:", ONLY_LEADS),
        ("Products: Maps", None),
        ("Rome", None),
    ]


@pytest.mark.parametrize("lead", ["The map shows:", "**The map shows:**", "地图显示："])
def test_a_list_in_a_list_is_read_behind_both_leads(lead):
    found = texts(f"{lead}\n- Europe:\n  - France\n  - Spain\n- Asia")
    assert [text for text, idle in found if not idle] == [
        f"{lead.strip('*')} Europe: France",
        f"{lead.strip('*')} Europe: Spain",
        f"{lead.strip('*')} Asia",
    ]


def test_the_rest_of_an_item_does_not_end_its_list():
    found = texts("The causes were:\n- Poverty. It was widespread.\n  Nobody had any money left.\n- War.\nShe left.")
    assert [text for text, _ in found[1:]] == [
        "The causes were: Poverty.",
        "The causes were: Poverty. It was widespread.",
        "Nobody had any money left.",
        "The causes were: War.",
        "The causes were: War. She left.",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "## Overview",
        "### Key findings",
        "In summary:",
        "**Key findings**",
        "## Background and Early Life",
        "__The Race__",
        "**Key Benefits of Long Walks:**",
    ],
)
def test_what_only_names_what_follows_is_idle(line):
    assert texts(f"{line}\n\nAnn won in Rome.") == [(unmarked(line), ONLY_NAMES), ("Ann won in Rome.", None)]
    assert texts(line) == [(unmarked(line), None)]


def test_a_question_in_bold_is_a_question():
    assert texts("**Who won in Rome?**\n\nAnn won in Rome.")[0] == ("  Who won in Rome?  ", ONLY_ASKED)


@pytest.mark.parametrize(
    "line", ["# Ann won the race in Rome", "# Founded in 1932", "# Ann won.", "**Ann won the race in Rome**"]
)
def test_a_heading_that_says_something_is_checked(line):
    assert texts(f"{line}\n\nBob left Rome.")[0] == (unmarked(line), None)


def test_a_question_is_idle_as_an_item_too():
    assert texts("You may ask:\n- Where is the red house?\n- Ann won.")[1:] == [
        ("Where is the red house?", ONLY_ASKED),
        ("You may ask: Ann won.", None),
    ]


def test_a_long_lead_leaves_room_for_its_items_and_costs_no_more_than_they_do():
    found = texts("word " * 140 + "x" * 100_000 + ":" + "\n- Ann won in Rome" * 2000)
    assert sum(len(text) for text, _ in found[1:]) < 2000 * (NEAR + 30)
    assert all(text.endswith(": Ann won in Rome") for text, _ in found[1:])


def test_a_list_without_a_lead_and_a_lead_without_a_list():
    assert texts("- Ann won in Rome.") == [("Ann won in Rome.", None)]
    assert texts("Ann said this: she won.\nBob left Rome.")[0][1] is None


def test_a_short_sentence_led_by_a_pronoun_is_read_behind_the_one_before():
    found = texts("Ann won the race in Rome. She retired. It was the oldest race of all in the country.")
    assert [text for text, _ in found] == [
        "Ann won the race in Rome.",
        "Ann won the race in Rome. She retired.",
        "It was the oldest race of all in the country.",
    ]


def test_what_asserts_nothing_is_no_context():
    assert texts("Who won? She retired.")[1] == ("She retired.", None)
    assert texts("She retired.") == [("She retired.", None)]


def test_a_remark_in_between_takes_nobodys_name_away():
    assert texts("Anne opened a shop. I love it! She retired.")[2] == ("Anne opened a shop. She retired.", None)


@pytest.mark.parametrize(
    "sources",
    [
        "Sources:\n- Annual report, p. 3\n- Ann's diary of 1932",
        "## References\n1. Hale, J. (2019). Bridges.\n2. Annual report.",
        "Source: annual report, p. 3",
        "[1]: https://a.b/c",
        "https://a.b/c?d=1",
        "References\n[1] Hale, J. (2019). Bridges of steel.\n[2] Annual report.",
        "(Source: annual report, p. 3)",
    ],
)
def test_what_only_names_sources_is_idle_and_what_follows_it_is_not(sources):
    found = texts(f"Ann won in 1932.\n\n{sources}\n\nBob left Rome in 1950.")
    idle = [why for _, why in found]
    assert idle[0] is idle[-1] is None
    assert set(idle[1:-1]) <= {ONLY_CITES, NOTHING_SAID}
    assert idle[1:-1]


def test_a_list_of_what_is_asked_for_is_no_list_of_sources() -> None:
    answer = "It uses two.\n\nSources:\n- Solar energy\n- Wind energy"
    assert [idle for _, idle in texts(answer, "What are its energy sources?")] == [None, ONLY_LEADS, None, None]
    assert [idle for _, idle in texts(answer, "What does it use?")] == [None, ONLY_CITES, ONLY_CITES, ONLY_CITES]


def test_what_states_something_is_no_source() -> None:
    read = texts("It uses two.\n\nSources:\n- Annual report 2023\n- Solar: 40%")
    assert [idle for _, idle in read] == [None, ONLY_CITES, ONLY_CITES, None]


def test_a_lead_that_only_announces_is_not_read_along() -> None:
    items = "1. The engine failed.\n2. All were rescued."
    assert texts(f"The main points of the article are as follows:\n{items}")[1:] == [
        ("The engine failed.", None),
        ("All were rescued.", None),
    ]
    assert texts(f"These things are not true:\n{items}")[1][0].startswith("These things are not true: ")


@pytest.mark.parametrize(
    "heading",
    ["## Side effects", "**Side effects**", "**Side effects:**", "## 2.1 Side effects", "✅ **Side effects**"],
)
def test_the_items_under_a_heading_are_read_behind_it(heading):
    found = texts(f"{heading}\n- Headache\n- Fever in the evening.\n\nBoth pass.")
    assert found[0][1] in (ONLY_NAMES, ONLY_LEADS)
    assert found[1:] == [
        ("Side effects: Headache", None),
        ("Side effects: Fever in the evening.", None),
        ("Both pass.", None),
    ]


def test_a_heading_stands_over_what_follows_up_to_the_next_of_its_rank():
    found = texts("# Drugs\n## Aspirin\n**Risks**\n- Ulcers\n\nMany take it.\n\n- Bleeding\n## Zinc\n- Nausea")
    assert [text for text, idle in found if idle is None] == [
        "Aspirin: Risks: Ulcers",
        "Many take it.",
        "Aspirin: Risks: Bleeding",
        "Zinc: Nausea",
    ]


def test_a_heading_that_only_announces_is_not_read_along_and_a_question_is():
    assert texts("## Key points\n- Ulcers")[1] == ("Ulcers", None)
    assert texts("## What does it risk?\n- Ulcers")[1] == ("What does it risk? Ulcers", None)


def test_a_fragment_under_a_heading_is_read_behind_it_and_a_sentence_is_not():
    assert texts("## Metro\n20 minutes to the centre\nRuns at night")[1:] == [
        ("Metro: 20 minutes to the centre", None),
        ("Metro: Runs at night", None),
    ]
    assert texts("## Metro\nIt takes 20 minutes.\nRuns at night")[1:] == [
        ("It takes 20 minutes.", None),
        ("Runs at night", None),
    ]


def test_an_item_in_bold_leads_into_the_items_under_it():
    assert texts("1. **Metro**\n   - 20 minutes\n2. **Bus**\n   - At night")[1::2] == [
        ("Metro: 20 minutes", None),
        ("Bus: At night", None),
    ]


@pytest.mark.parametrize("marks", ["✅❌", "→→", "✔✘", "⚠️👉"])
def test_pictures_and_arrows_mark_items(marks):
    one, other = marks.replace("\ufe0f", "")
    found = texts(f"The card covers:\n{one} Buses\n{other} Trains to Sintra")
    said = [f"{mark} " if mark in "✅❌✔✘" else "" for mark in (one, other)]  # a tick says something of its item
    assert found == [
        ("The card covers:", ONLY_LEADS),
        (f"The card covers: {said[0]}Buses", None),
        (f"The card covers: {said[1]}Trains to Sintra", None),
    ]


def test_a_heading_ends_where_its_part_does():
    assert texts("Not included:\nDogs are not allowed.\n\nGuests get:\n- Breakfast")[-1] == (
        "Guests get: Breakfast",
        None,
    )
    assert texts("## Ann\n- CEO\n\nBob won")[-1] == ("Bob won", None)
    assert (
        texts("## Drawbacks\nIt is slow.\n\nOverall, we recommend:\n- Brand A")[-1][0]
        == "Overall, we recommend: Brand A"
    )


def test_the_figures_of_a_heading_are_read():
    assert (
        texts("## 24 hours before departure\n- Free cancellation")[1][0]
        == "24 hours before departure: Free cancellation"
    )
    assert texts("## C#\n- Fast")[1][0] == "C#: Fast"


def test_items_under_a_heading_may_say_nothing_but_answer_it():
    assert texts("## Next steps\n- I hope this helps!\n- Call us.")[1][1] == NOTHING_SAID
    assert texts("## Is it safe?\n- Yes")[1] == ("Is it safe? Yes", None)


def test_a_first_line_in_bold_may_be_the_answer():
    answer = "**March 3, 1998**\n\nDogs are not allowed."
    assert texts(answer, "When did it open?")[0][1] is None
    assert texts("**Not for children**\n\nIt is sweet.", "Is it for children?")[0][1] is None
    assert texts("**Opening hours**\n\nIt is open.", "When did it open?")[0][1] is None
    assert texts("**Overview**\n\nIt is open.", "When did it open?")[0][1] == ONLY_NAMES
