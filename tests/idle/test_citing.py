"""Citing: what only names where something stands, and what says something."""

import pytest

from groundwire.idle import cites, is_source, lists_sources


@pytest.mark.parametrize(
    "line", ["Sources:", "## References", "Works cited", "Source(s):", "Sources used:", "   Sources   ", "Reference"]
)
def test_a_line_over_a_list_of_sources_is_told(line):
    assert lists_sources(line)


@pytest.mark.parametrize("line", ["Sources: citrus fruit", "Sources say so.", "Links were cut", "The sources:"])
def test_other_lines_stand_over_no_list_of_sources(line):
    assert not lists_sources(line)


@pytest.mark.parametrize(
    "sentence",
    [
        "Source: annual report, p. 3",
        "Sources: [1], [2]",
        "Source: passage 2",
        "References: https://a.b/c",
        "Source: notes.pdf",
        "https://a.b/c?d=1",
    ],
)
def test_a_sentence_that_only_names_its_source_is_told(sentence):
    assert cites(sentence)


@pytest.mark.parametrize(
    "sentence", ["Source: Lake Victoria", "Sources: meat and eggs", "The site https://a.b is down.", ""]
)
def test_a_sentence_that_says_something_names_no_source(sentence):
    assert not cites(sentence)


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ("- Annual report 2023", True),
        ("1. Hale, M. (2019). Mills of the north.", True),
        ("- https://example.org/a", True),
        ("- report.pdf", True),
        ("- Wind: 60%", False),
        ("- You need two references.", False),
    ],
)
def test_a_line_of_a_list_of_sources_names_one(line, source):
    assert is_source(line) is source


@pytest.mark.parametrize("sentence", ["Evidence: the file log.txt was deleted by root.", "Source code is in main.py."])
def test_a_file_that_something_is_said_of_is_no_source(sentence):
    assert not cites(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "    panama-history.html",
        "¹ Passage 2",
        "[^1]: Passage 2",
        "    : Passage 2",
        "    Passage 1",
        " Based on sources     and    . ",
        "(Section 3)",
        "(Section 4.2)",
        "(Doc 1, p. 3)",
        "(see Section 3)",
        "(Sections 3 and 4)",
        "(Passage 2)",
        "(p. 3)",
        "(§ 4)",
        "*Based on sources [1] and [3].*",
        "(Clause 8.3(a))",
    ],
)
def test_a_footnote_or_a_place_in_brackets_names_its_source(sentence):
    assert cites(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Passage 2",
        "README.md",
        "Section 3",
        "(3 people)",
        "(Phase 3)",
        "Based on sources in Rome, it closed.",
        "(Rome)",
        "    Passage 2 is closed.",
        "    The Bridge",
        "From source to sea it is 300 km long.",
        "(Type 2)",
    ],
)
def test_what_may_be_an_answer_or_says_something_is_no_source(sentence):
    assert not cites(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["(Section " + "3, " * 10**5 + ")", "(p. " + "1and1and1; p. " * 25, " " * 10**6, "   " + "a" * 10**6, "1" * 10**6],
)
def test_sources_are_told_in_no_time(sentence):
    assert not cites(sentence)
