import pytest

from groundwire.text.refusals import asserts_nothing


@pytest.mark.parametrize(
    "answer",
    [
        "I don't have access to real-time information.",
        "I’m sorry, but I don’t have access to that information.",
        "I do not have enough information to answer this question.",
        "As an AI language model, I cannot provide the current time.",
        "Could you please clarify which infusion you mean?",
        "Could you clarify? Do you mean the medicine or the drink?",
        "I'm sorry, I need more context. Please provide more details so that I can help.",
        "I cannot answer that. I recommend checking the company's website.",
        "The question is unclear. What do you mean by infusion?",
        "It is unclear what you are asking. Please specify the company.",
        "I don't have current data, but I can help if you tell me where you are.",
    ],
)
def test_answers_that_decline_or_ask_back(answer):
    assert asserts_nothing(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "42",
        "The average pay is 31,000 dollars a year.",
        "I don't have access to recent data, but in 2020 the population was five million.",
        "I don't have exact figures. The average pay was about $30,000 in 2021.",
        "He could not provide the information that the court asked for.",
        "You can call 121 at any time.",
        "The company has no access to the data.",
        "What is the capital? It is Paris.",
        "I don't have access to it. " * 200,
    ],
)
def test_answers_that_say_something(answer):
    assert not asserts_nothing(answer)


def test_time_is_linear():
    from time import process_time

    start = process_time()
    asserts_nothing("i do not " * 222)
    asserts_nothing("but " * 499)
    asserts_nothing("however, a b " * 150)
    assert process_time() - start < 0.5
