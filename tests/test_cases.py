import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.cases import RowError, batches, iter_cases, read_case
from groundwire.errors import InputError
from groundwire.types import Case, Label, Passage, Span


def read(**row: Any) -> Case:
    return read_case(row, fallback_id="7")


def graded(**row: Any) -> Case:
    return read_case(row, fallback_id="7", gold=True)


def rows(*lines: str | bytes) -> list[Case | RowError]:
    return list(iter_cases(lines))


def said(*lines: str | bytes) -> list[str]:
    return [f"{row.unit} {row.line}: {row.message}" if isinstance(row, RowError) else row.id for row in rows(*lines)]


ROW = '{"answer": "a", "contexts": ["c"]}\n'


@pytest.mark.parametrize(
    "row",
    [
        {"question": "q", "answer": "a", "contexts": ["c", "d"]},
        {"user_input": "q", "response": "a", "retrieved_contexts": ["c", "d"]},
        {"userInput": "q", "response": "a", "retrievedContexts": ["c", "d"]},
        {"input": "q", "actual_output": "a", "retrieval_context": ["c", "d"]},
        {"input": "q", "actualOutput": "a", "retrievalContext": ["c", "d"]},
        {"query": "q", "answer": "a", "facts": ["c", "d"]},
        {"prompt": "q", "completion": "a", "context": ["c", "d"]},
        {"query": "q", "claims": ["a"], "docs": ["c", "d"]},
        {"query": "q", "claims": "a", "docs": ["c", "d"]},
        {"query": "q", "answerCandidate": "a", "facts": [{"factText": "c"}, {"factText": "d", "attributes": {}}]},
        {"question": "q", "answer": "a", "contexts": [{"text": "c"}, {"page_content": "d"}]},
    ],
)
def test_every_name_that_users_write_is_read(row: dict[str, Any]) -> None:
    passages = (Passage(id="0", text="c"), Passage(id="1", text="d"))
    assert read_case(row, fallback_id="7") == Case(id="7", question="q", answer="a", contexts=passages)


@pytest.mark.parametrize("name", ["passage", "context", "knowledge", "doc", "grounding", "document", "contexts"])
def test_a_single_context_may_be_a_string(name: str) -> None:
    assert read(generated_text="a", **{name: "c"}).contexts == (Passage(id="0", text="c"),)


def test_the_retrieved_contexts_count_before_the_ideal_context_of_deepeval() -> None:
    assert [p.text for p in read(answer="a", context=["ideal"], retrieval_context=["got"]).contexts] == ["got"]


def test_a_context_object_keeps_its_id_title_address_and_data() -> None:
    context = {"id": 3, "text": "c", "title": "T", "uri": "https://example.org", "metadata": {"page": 2, "score": None}}
    passage = Passage(id="3", text="c", title="T", meta={"page": 2, "score": None, "uri": "https://example.org"})
    assert read(answer="a", contexts=[context]).contexts == (passage,)


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (1, Label.SUPPORTED),
        (0, Label.NOT_ENOUGH_INFO),
        (1.0, Label.SUPPORTED),
        (True, Label.SUPPORTED),
        (False, Label.NOT_ENOUGH_INFO),
        ("PASS", Label.SUPPORTED),
        ("FAIL", Label.NOT_ENOUGH_INFO),
        ("Supported", Label.SUPPORTED),
        ("REFUTES", Label.CONTRADICTED),
        ("NOT ENOUGH INFO", Label.NOT_ENOUGH_INFO),
        ("not-enough-info", Label.NOT_ENOUGH_INFO),
        (None, None),
    ],
)
def test_gold_labels(value: Any, label: Label | None) -> None:
    assert graded(answer="a", contexts="c", label=value).label is label
    assert read(answer="a", contexts="c", label=value).label is None


@pytest.mark.parametrize(("value", "label"), [("yes", Label.NOT_ENOUGH_INFO), ("no", Label.SUPPORTED), (None, None)])
def test_the_gold_label_of_halueval_says_the_opposite(value: Any, label: Label | None) -> None:
    case = graded(user_query="q", chatgpt_response="a", hallucination=value)
    assert (case.question, case.answer, case.label) == ("q", "a", label)
    assert graded(answer="a", label=1, hallucination="yes").label is Label.SUPPORTED


def test_a_summary_is_the_answer_and_its_source_the_context() -> None:
    for name in ("source", "document"):
        assert read(summary="a", **{name: "c"}) == Case(id="7", answer="a", contexts=(Passage(id="0", text="c"),))
    assert read(answer="a", source="wiki").reason == "the row has no contexts"
    assert read(summary="a", document="c", source="wiki").contexts[0].text == "c"


@pytest.mark.parametrize("wrong", [{"label": "maybe"}, {"spans": 3}, {"group": []}, {"hallucination": 2}])
def test_gold_is_read_only_where_it_is_asked_for(wrong: dict[str, Any]) -> None:
    row = {"answer": "a", "contexts": ["c"], **wrong}
    assert read_case(row, fallback_id="7") == Case(id="7", answer="a", contexts=(Passage(id="0", text="c"),))
    with pytest.raises(InputError):
        read_case(row, fallback_id="7", gold=True)
    (blind,), (graded_row,) = rows(json.dumps(row)), list(iter_cases([json.dumps(row)], gold=True))
    assert isinstance(blind, Case)
    assert isinstance(graded_row, RowError)


def test_the_three_way_label_says_more() -> None:
    assert graded(answer="a", contexts="c", label=0, label3="refutes").label is Label.CONTRADICTED
    with pytest.raises(InputError, match="label and label3 disagree"):
        graded(answer="a", contexts="c", label=1, label3="refutes")


def test_spans_and_groups() -> None:
    case = graded(answer="a b", contexts="c", spans=[[0, 1, "kind"], {"start": 2, "end": 3}], group=12)
    assert case.spans == (Span(source="answer", start=0, end=1), Span(source="answer", start=2, end=3))
    assert case.group == "12"


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"answer": 3, "contexts": "c"}, "answer must be a string, not a number"),
        ({"answer": ["a"], "contexts": "c"}, "answer must be a string, not a list"),
        ({"claims": ["a", "b"], "docs": ["c", "d"]}, "claims must be one claim, not 2"),
        ({"answer": "a", "contexts": 3}, "contexts must be a string or an object with a text, not a number"),
        ({"answer": "a", "contexts": ["c", None]}, r"contexts\[1\] must be .* not null"),
        ({"answer": "a", "facts": [{"factText": 3}]}, r"facts\[0\].factText must be a string"),
        ({"answer": "a", "contexts": [{"title": "t"}]}, r"contexts\[0\] has no text"),
        ({"answer": "a", "contexts": [{"text": "c", "metadata": []}]}, r"contexts\[0\].metadata must be an object"),
        ({"userInput": [{"role": "user"}], "answer": "a", "contexts": "c"}, "userInput must be a string, not a list"),
        ({"answer": "a", "contexts": "c", "label": "maybe"}, "label a string says neither"),
        ({"answer": "a", "contexts": "c", "label": float("nan")}, "label nan says neither"),
        ({"answer": "a", "contexts": "c", "label": 2}, "label a number says neither"),
        ({"answer": "a", "contexts": "c", "id": [1]}, "id must be a string or an integer, not a list"),
        ({"answer": "a", "contexts": "c", "spans": [[1]]}, r"spans\[0\] must be"),
    ],
)
def test_a_wrong_type_names_its_field(row: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError, match=field):
        read_case(row, fallback_id="7", gold=True)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"contexts": "c"}, "the row has no answer"),
        ({"answer": None, "contexts": "c"}, "the row has no answer"),
        ({"answer": " \n", "contexts": "c"}, "the answer is empty"),
        ({"answer": "a"}, "the row has no contexts"),
        ({"answer": "a", "contexts": []}, "there are no contexts with any text"),
        ({"answer": "a", "contexts": ["", " \t"]}, "there are no contexts with any text"),
    ],
)
def test_a_row_with_nothing_to_check_says_why(row: dict[str, Any], reason: str) -> None:
    assert read_case(row, fallback_id="7").reason == reason


def test_an_empty_question_is_kept_and_harmless() -> None:
    case = read(question="", answer="a", contexts="c")
    assert (case.question, case.reason) == ("", None)


def test_jsonl_goes_on_after_a_bad_line() -> None:
    assert said(ROW, "\n", '{"answer": \n', "[1]\n", '{"answer": 3}\n', b'{"answer": "\xff"}\n', ROW) == [
        "1",
        "line 3: not JSON: Expecting value at column 1",
        "line 4: a row is a JSON object, not a list",
        "line 5: answer must be a string, not a number",
        "line 6: not UTF-8 text (byte 13 of the line)",
        "7",
    ]


def test_a_bad_first_line_does_not_hide_the_rest() -> None:
    assert [isinstance(row, RowError) for row in rows('{"answer": \n', ROW, ROW)] == [True, False, False]
    assert said("[oops\n", ROW) == ["line 1: not JSON: Expecting value at column 2", "2"]
    assert said("oops\n", ROW) == ["line 1: not JSON: Expecting value at column 1", "2"]
    assert said("[1]\n", "\n", ROW) == ["line 1: a row is a JSON object, not a list", "3"]
    column = "Expecting property name enclosed in double quotes at column 2"
    assert said("{oops\n", "not json\n", b"\xff\n", ROW) == [
        f"line 1: not JSON: {column}",
        "line 2: not JSON: Expecting value at column 1",
        "line 3: not UTF-8 text (byte 1 of the line)",
        "4",
    ]


@pytest.mark.parametrize("line", ["oops", "[1", '{"answer": 3}', "[1]", "[[1]]", b"\xff", "[" * 100_000])
def test_every_bad_row_has_a_hint(line: str | bytes) -> None:
    (error,) = rows(line)
    assert isinstance(error, RowError)
    assert error.hint
    assert str(error).endswith(f"(hint: {error.hint})")


def test_a_long_file_is_cut_in_batches() -> None:
    def case(size: int) -> Case:
        return Case(id="0", answer="a", contexts=(Passage(id="0", text="x" * size),))

    assert [len(batch) for batch in batches([case(1)] * 7, rows=3)] == [3, 3, 1]
    assert [len(batch) for batch in batches([case(1), case(20), case(1), case(1)], characters=20)] == [2, 2]
    assert list(batches([])) == []


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_or_an_object_may_be_the_whole_file(indent: int | None) -> None:
    row = {"answer": "a", "contexts": ["c"]}
    one = rows(*json.dumps(row, indent=indent).splitlines(keepends=True))
    many = rows(*json.dumps([row, 3, row], indent=indent).splitlines(keepends=True))
    assert [case.id for case in one if isinstance(case, Case)] == ["1"]
    assert str(many[1]).startswith("item 2: a row is a JSON object, not a number (hint: ")
    assert isinstance(many[2], Case)


def test_a_broken_array_names_its_line() -> None:
    assert said("\n", "[\n", " 1,\n", " 2\n", " 3\n", "]\n") == [
        "line 5: not JSON: Expecting ',' delimiter at column 2"
    ]
    assert said("[\n", " 1,\n", b'"\xff"\n', "]\n") == ["line 3: not UTF-8 text (byte 2 of the line)"]


def test_rows_are_read_one_at_a_time() -> None:
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield ROW

    cases = iter_cases(lines())
    assert [next(cases) for _ in range(5)]
    assert taken <= 6


def test_a_byte_order_mark_numbers_that_are_not_and_empty_files() -> None:
    (case,) = rows(b"\xef\xbb\xbf" + b'{"answer": "a", "contexts": ["c"], "score": NaN, "x": -Infinity}')
    assert isinstance(case, Case)
    assert rows() == rows("\n", " \n") == []


@pytest.mark.parametrize("line", ["[" * 100_000, '{"a": ' * 100_000, '{"a": ' + "1" * 10_000 + "}"])
def test_json_that_python_cannot_hold_is_a_bad_row(line: str) -> None:
    (error,) = rows(line)
    assert isinstance(error, RowError)


@pytest.mark.parametrize(
    "text",
    ["\x00", "\ud800", "שלום עולם", "👩‍👩‍👧", "日本語のテキスト", "ภาษาไทยไม่มีช่องว่าง", "x" * 1_000_000],
    ids=["nul", "surrogate", "rtl", "emoji", "cjk", "thai", "long word"],
)
def test_any_text_is_a_text(text: str) -> None:
    line = json.dumps({"question": text, "answer": text, "contexts": [text]})
    (case,) = rows(line)
    assert isinstance(case, Case)
    assert (case.question, case.answer, case.contexts[0].text, case.reason) == (text, text, text, None)


def test_large_rows() -> None:
    (big,) = rows(json.dumps({"answer": "a", "contexts": ["word " * 2_000_000]}))
    (many,) = rows(json.dumps({"answer": "a", "contexts": ["c"] * 10_000}))
    assert isinstance(big, Case)
    assert isinstance(many, Case)
    assert len(big.contexts[0].text) == 10_000_000
    assert many.contexts[-1].id == "9999"


def test_the_shared_sets_are_read_without_an_error(shared_data: Path) -> None:
    for path in sorted((shared_data / "check").glob("*.jsonl.gz")):
        with gzip.open(path) as lines:
            got = [row for _, row in zip(range(300), iter_cases(lines, gold=True), strict=False)]
        assert not [row for row in got if isinstance(row, RowError)], path.name
        assert all(row.label is not None for row in got if isinstance(row, Case)), path.name


def test_gold_evidence_and_slices_are_read_for_an_evaluation() -> None:
    row = {"answer": "x", "contexts": ["abc", {"id": "p", "text": "def"}], "slice": "qa", "label": 1}
    row["evidence"] = [{"context": 1, "start": 0, "end": 2}]
    case = read_case(row, fallback_id="1", gold=True)
    assert (case.slice, case.evidence) == ("qa", (Span(source="p", start=0, end=2),))
    assert read_case(row, fallback_id="1").evidence == ()
    assert read_case({**row, "evidence": "words"}, fallback_id="1", gold=True).evidence == ()
    with pytest.raises(InputError, match="position of a context"):
        read_case({**row, "evidence": [{"context": 2, "start": 0, "end": 2}]}, fallback_id="1", gold=True)
