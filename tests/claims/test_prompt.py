"""The claim prompt: Provenance section 3.3, with exact spans."""

import pytest

from groundwire.claims import APPENDIX_TEMPLATE, PromptClaim, claim_prompt
from groundwire.errors import UsageError

from .reading import case


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


def test_the_claim_prompt_is_never_idle_because_it_ends_with_a_question():
    [[claim]] = PromptClaim().split([case("Ann won in 1950. Shall I go on?")])
    assert claim.idle is None


@pytest.mark.parametrize("template", ["{x}", "{answer", "{0}"])
def test_a_template_that_cannot_be_filled_is_a_usage_error(template):
    with pytest.raises(UsageError, match="template"):
        PromptClaim(template=template)
