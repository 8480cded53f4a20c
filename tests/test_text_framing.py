"""Framing: what is taken off a statement, what is left because it is part of it, and that every place stays where it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text import unframed, unmarked

SAID = "the bridge opened in 1932"


def left(sentence: str) -> str:
    """What is read of a sentence, as one run of words."""
    return " ".join(unframed(unmarked(sentence)).split()).rstrip(" .?")


@pytest.mark.parametrize(
    "lead",
    [
        "According to the context, ",
        "According to passage 1, ",
        "According to passages 1 and 3, ",
        "According to passage [1], ",
        "According to [2], ",
        "According to [1] and [2], ",
        "As stated in [1], ",
        "According to Document 1 and Document 2, ",
        "According to the document: ",
        "Both passages state that ",
        "As the passage states, ",
        "As mentioned above, ",
        "In the passage, it is stated that ",
        "Based on the information in the passage, ",
        "Passage 2 says: ",
        "Based on the provided information, ",
        "Based solely on the information you provided, ",
        "As stated in the given document, ",
        "As per the second document, ",
        "In the text, ",
        "Source 2 says that ",
        "[2] states that ",
        "The provided context clearly states that ",
        "It is mentioned in the article that ",
        "However, ",
        "It is worth noting that ",
        "Please note that ",
        "As far as I know, ",
        "I think that ",
        "I believe ",
        "Yes, ",
        "Oh, yes, ",
        "Answer: ",
        "I'm not sure, but I think ",
        "If I remember correctly, ",
        "Unfortunately, ",
        "Yes, according to the text, ",
        "However, it should be noted that in fact, ",
        '"According to the context, ',
    ],
)
def test_what_leads_into_a_statement_is_taken_off(lead):
    assert left(f"{lead}{SAID}.") == SAID


@pytest.mark.parametrize(
    "tail",
    [
        ", as mentioned in the passage",
        ", according to the provided context",
        " as stated in document 3",
        " (passage 1)",
        " (see the second source)",
        ", as noted above",
        ", I think",
        " (as stated in passage 2)",
        ", as far as I know",
        ", according to [1]",
        ", per source 4",
    ],
)
@pytest.mark.parametrize("stop", [".", "", "?"])
def test_what_follows_a_statement_is_taken_off(tail, stop):
    assert left(f"The bridge opened in 1932{tail}{stop}") == "The bridge opened in 1932"


@pytest.mark.parametrize(
    "sentence",
    [
        "According to the ministry, the bridge opened in 1932.",
        "According to the report, the bridge opened in 1932.",
        "The ministry states that the bridge opened in 1932.",
        "The bridge opened in 1932, according to the engineers.",
        "The passage does not mention that the bridge opened.",
        "Based on the evidence, the jury convicted him of theft.",
        "In the passage there stood a clock of brass.",
        "Passage through the canal takes 8 hours.",
        "Source A said that it was raining in Leeds.",
        "First, the dough is kneaded on a board.",
        "Therefore, the bridge was closed in 1932.",
        "According to Article 5, members must help.",
        "Article 2 states that the right to life is protected.",
        "No, except for service dogs and guide animals.",
        "Yes, but only with written permission of both.",
        "The building was not built as described in the document.",
        "Consent was not given according to the document.",
        "The eyes moved left, right.",
        "The text suggests that the bridge opened in 1932.",
        "Perhaps the bridge opened in 1932.",
        "He knows that the bridge opened in 1932.",
        "So the bridge was closed in 1932.",
        "Yes, he did.",
        "I think so.",
        "According to the context, yes.",
        "Answer: 1932",
        "",
        "   ",
    ],
)
def test_what_says_something_and_what_would_be_all_is_left(sentence):
    assert unframed(sentence) == sentence


PARTS = st.sampled_from(
    [
        "according to ",
        "the ",
        "passage 1",
        ", ",
        "the bridge ",
        "states that ",
        "however",
        "  ",
        "(source 2)",
        "1932",
        ".",
        '"',
    ]
)


@given(st.lists(PARTS, max_size=12).map("".join) | st.text(max_size=80))
def test_every_place_stays_and_only_blanks_are_put(sentence):
    plain = unframed(sentence)
    assert len(plain) == len(sentence)
    assert all(new in (old, " ") for old, new in zip(sentence, plain, strict=True))
