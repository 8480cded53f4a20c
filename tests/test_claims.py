"""Claims: the prompt of Provenance section 3.3 and sentences with exact spans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.claims import (
    APPENDIX_TEMPLATE,
    NEAR,
    ONLY_LEADS,
    PromptClaim,
    SentenceClaims,
    claim_prompt,
)
from groundwire.errors import UsageError
from groundwire.idle import NOTHING_SAID, ONLY_ASKED, ONLY_CHATS, ONLY_CITES, ONLY_NAMES
from groundwire.text import unmarked
from groundwire.types import Case


def case(answer: str, question: str | None = None) -> Case:
    return Case(id="c", question=question, answer=answer, contexts=())


def test_the_prompt_of_the_paper():
    assert claim_prompt("who won", "Ann") == "The answer to question who won is Ann."


def test_the_appendix_prompt():
    assert claim_prompt("who won", "Ann", template=APPENDIX_TEMPLATE) == "The answer to the question who won is Ann."


def test_one_final_full_stop_is_stripped_and_can_be_kept():
    assert claim_prompt("q", "Ann.") == "The answer to question q is Ann."
    assert claim_prompt("q", "Ann.", strip_period=False) == "The answer to question q is Ann.."


@pytest.mark.parametrize("question", [None, "", "  "])
def test_without_a_question_the_answer_is_the_claim(question):
    assert claim_prompt(question, "Ann won.") == "Ann won."


def test_braces_in_the_texts_are_only_text():
    assert claim_prompt("what is {answer}", "{question}") == "The answer to question what is {answer} is {question}."


def test_prompt_claim_spans_the_trimmed_answer():
    [[claim]] = PromptClaim().split([case("  Ann won. \n", "who won")])
    assert claim.span.of("  Ann won. \n") == "Ann won."


@pytest.mark.parametrize("answer", ["  Ann won. \n", "Ann", "Änn 😀.", "is", "the answer", "who won", "...", "Ann.."])
@pytest.mark.parametrize("question", ["who won", " is Ann {answer}? ", None])
def test_the_answers_own_words_are_found_in_the_prompt(answer, question):
    for template in (None, APPENDIX_TEMPLATE, "{{answer}} {answer} {question}", "{question!s}: {answer}; done"):
        splitter = PromptClaim() if template is None else PromptClaim(template=template)
        [[claim]] = splitter.split([case(answer, question)])
        own = claim.own.of(claim.text)
        assert claim.span.of(answer) in (own, own + ".")


@pytest.mark.parametrize("template", ["{question}", "{answer!r} to {question}", "{question:>9} {answer}"])
def test_a_template_that_does_not_hold_the_answer_as_it_is_has_no_own_words(template):
    [[claim]] = PromptClaim(template=template).split([case("Ann", "who won")])
    assert claim.own.start == claim.own.end


def test_a_sentence_is_its_own_words_and_a_bare_answer_says_where_they_are():
    [[sentence]] = SentenceClaims().split([case("Ann won in 1997 by a mile.", "who won")])
    assert sentence.own is None
    [[bare]] = SentenceClaims().split([case("Ann", "who is Ann")])
    assert (bare.own.of(bare.text), bare.own.start) == ("Ann", bare.text.rindex("Ann"))


def test_sentences_are_claims_with_their_place():
    answer = "Ann won in 1997. Bob came second."
    [claims] = SentenceClaims().split([case(answer, "who won")])
    assert [c.text for c in claims] == ["Ann won in 1997.", "Bob came second."]
    assert [c.span.of(answer) for c in claims] == [c.text for c in claims]
    assert [c.id for c in claims] == ["c#0", "c#1"]


@pytest.mark.parametrize("answer", ["111", "111.", "No.", "in 1997", "Elly Tran Ha", "about 20 to 40 minutes"])
def test_a_bare_answer_becomes_the_claim_prompt(answer):
    [[claim]] = SentenceClaims().split([case(answer, "which one is it")])
    assert claim.text == f"The answer to question which one is it is {answer.removesuffix('.')}."
    assert claim.idle is None
    assert claim.span.of(answer) == answer


@pytest.mark.parametrize("answer", ["It is called 111.", "the number to call is one hundred and eleven at any time"])
def test_a_sentence_is_not_bare(answer):
    [[claim]] = SentenceClaims().split([case(answer, "which one is it")])
    assert claim.text == answer


@given(st.text(max_size=200))
def test_spans_are_in_order_and_inside_the_answer(answer):
    [claims] = SentenceClaims().split([case(answer)])
    ends = [0]
    for claim in claims:
        assert ends[-1] <= claim.span.start < claim.span.end <= len(answer)
        ends.append(claim.span.end)


@pytest.mark.parametrize("sentence", ["Yes, it is.", "Who won?", "Do you like it?", "No.", "---"])
def test_what_asserts_nothing_is_idle(sentence):
    [claims] = SentenceClaims().split([case(f"{sentence}\n\nAnn won in 1997.")])
    assert claims[0].idle
    assert claims[1].idle is None


@pytest.mark.parametrize("sentence", ["Ann won in 1997, didn't she?", "Did you know that Ann won?", "Ann won."])
def test_what_asserts_something_is_checked_even_when_it_asks(sentence):
    [[claim]] = SentenceClaims().split([case(sentence)])
    assert claim.idle is None


def test_the_claim_prompt_is_never_idle_because_it_ends_with_a_question():
    [[claim]] = PromptClaim().split([case("Ann won in 1950. Shall I go on?")])
    assert claim.idle is None


def test_a_sentence_too_long_to_leave_room_for_evidence_is_cut_into_claims():
    answer = " ".join(f"word{i}" for i in range(400))
    [claims] = SentenceClaims().split([case(answer)])
    assert [len(c.text.split()) for c in claims] == [150, 150, 100]
    assert " ".join(c.span.of(answer) for c in claims) == answer


@pytest.mark.parametrize("template", ["{x}", "{answer", "{0}"])
def test_a_template_that_cannot_be_filled_is_a_usage_error(template):
    with pytest.raises(UsageError, match="template"):
        PromptClaim(template=template)


def texts(answer: str) -> list[tuple[str, str | None]]:
    [claims] = SentenceClaims().split([case(answer)])
    for claim in claims:
        own = claim.own.of(claim.text) if claim.own else claim.text
        assert own == unmarked(claim.span.of(answer))
    return [(claim.text, claim.idle) for claim in claims]


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("**Ann** won in 1932 [1].", "Ann won in 1932 ."),
        ("Ann won the [race](https://a.b/race) in Rome.[2][3]", "Ann won the race in Rome."),
        ("A * B is the **product** [1]", "A * B is the product"),
    ],
)
def test_markup_is_not_read_and_the_span_is_as_written(marked, plain):
    [[claim]] = SentenceClaims().split([case(marked)])
    assert " ".join(claim.text.split()) == plain
    assert claim.span.of(marked) == marked


@pytest.mark.parametrize(
    "answer", ["The answer is 111.", "So the correct answer is **111**.", "The final answer is: 111"]
)
def test_an_announced_answer_is_put_in_the_claim_prompt(answer):
    [[claim]] = SentenceClaims().split([case(answer, "How many species are there?")])
    read = " ".join(claim.text.replace(" .", ".").split())
    assert read.replace(" .", ".") == "The answer to question How many species are there? is 111."
    assert claim.own.of(claim.text).rstrip(" .") == "111"


def test_an_announced_sentence_needs_no_prompt():
    answer = "The answer is that Ann won the race in Rome and left in 1932."
    [[claim]] = SentenceClaims().split([case(answer, "Who won?")])
    assert claim.text == answer


@pytest.mark.parametrize("mark", ["- ", "* ", "1. ", "12) ", "(b) ", "- **"])
def test_the_mark_of_an_item_is_not_read(mark):
    [[claim]] = SentenceClaims().split([case(f"{mark}Ann won in 1932.")])
    assert claim.text.strip() == "Ann won in 1932."
    assert claim.span.of(f"{mark}Ann won in 1932.").lstrip("*") == "Ann won in 1932."


def test_an_item_begins_with_the_markup_of_its_first_words():
    answer = "- **Ann** won in 1932."
    [[claim]] = SentenceClaims().split([case(answer)])
    assert claim.span.of(answer) == "**Ann** won in 1932."


def test_an_initial_is_not_taken_for_the_mark_of_an_item():
    assert texts("A. Lincoln won in 1860.") == [("A. Lincoln won in 1860.", None)]


@pytest.mark.parametrize(
    "answer",
    ["According to passage 2, Ann won in 1932.", "However, Ann won in 1932, as stated in the [document](https://a.b)."],
)
def test_frames_are_not_read_and_the_span_is_as_written(answer):
    [[claim]] = SentenceClaims().split([case(answer)])
    assert " ".join(claim.text.split()).rstrip(" .") == "Ann won in 1932"
    assert claim.span.of(answer) == answer


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


def test_a_bare_answer_in_bold_is_put_in_the_claim_prompt_without_its_markup():
    answer = "**111** [1]"
    [[claim]] = SentenceClaims().split([case(answer, "How many species are there?")])
    assert claim.text == "The answer to question How many species are there? is 111."
    assert claim.span.of(answer) == claim.own.of(claim.text) == "111"


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
        unmarked(f"{lead} Europe: France"),
        unmarked(f"{lead} Europe: Spain"),
        unmarked(f"{lead} Asia"),
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


@pytest.mark.parametrize(
    "sentence",
    [
        "Hello!",
        "Hi there!",
        "Great question!",
        "I hope this helps.",
        "Hope that helps!",
        "Let me know if you have any other questions.",
        "Feel free to ask if you need anything else!",
        "Thank you for asking.",
        "Sure, I would be happy to help.",
    ],
)
def test_courtesy_asserts_nothing(sentence: str) -> None:
    case = Case(id="0", answer=f"The bridge was opened in 1932. {sentence}", contexts=())
    claims = SentenceClaims().split([case])[0]
    assert [claim.idle is None for claim in claims] == [True, False]


@pytest.mark.parametrize(
    "sentence",
    [
        "Help is free.",
        "The question is free.",
        "Happy people help others.",
        "You need a permit.",
        "We hope to open in June.",
    ],
)
def test_a_sentence_with_words_of_courtesy_that_says_something_is_checked(sentence: str) -> None:
    case = Case(id="0", answer=f"The bridge was opened in 1932. {sentence}", contexts=())
    assert SentenceClaims().split([case])[0][1].idle is None


def test_an_answer_that_is_taken_for_chatter_alone_is_checked_unless_it_surely_is():
    assert texts("I hope it rains. The bridge was opened in 1932.") == [
        ("I hope it rains.", ONLY_CHATS),
        ("The bridge was opened in 1932.", None),
    ]
    assert texts("I hope it rains.") == [("I hope it rains.", None)]
    assert texts("That's so cool, I love it!") == [("That's so cool, I love it!", ONLY_CHATS)]


@pytest.mark.parametrize(
    ("answer", "checked"),
    [
        ("Absolutely. It is.", ["Absolutely."]),
        ("Correct. Indeed.", ["Correct.", "Indeed."]),
        ("Indeed. The bridge was opened in 1932.", ["The bridge was opened in 1932."]),
        ("Yes. Sure.", []),
    ],
)
def test_a_yes_by_another_word_is_checked_where_nothing_else_would_be(answer, checked):
    assert [text for text, idle in texts(answer) if idle is None] == checked


def test_a_remark_in_between_takes_nobodys_name_away():
    assert texts("Anne opened a shop. I love it! She retired.")[2] == ("Anne opened a shop. She retired.", None)


@pytest.mark.parametrize("answer", ["Yes, you can do that here.", "No.", "No, it is not."])
def test_a_yes_or_no_that_leans_on_its_question_is_read_with_it(answer):
    case = Case(id="0", question="Can I smoke in the lobby?", answer=answer, contexts=())
    [claim] = SentenceClaims().split([case])[0]
    assert claim.idle is None
    assert claim.text.startswith("The answer to question Can I smoke in the lobby? is")
