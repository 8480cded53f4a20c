import gzip
from itertools import islice
from pathlib import Path

import pytest

from groundwire.corpus import documents
from groundwire.errors import InputError
from groundwire.types import Document


def read(tmp_path: Path, text: str | bytes, name: str = "rows.jsonl") -> list[Document]:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(documents(path))


@pytest.mark.parametrize("identity", ["id", "_id", "docid", "doc_id"])
@pytest.mark.parametrize("text", ["text", "contents", "body", "passage"])
def test_the_usual_names_are_known(tmp_path: Path, identity: str, text: str) -> None:
    (document,) = read(tmp_path, f'{{"{identity}": "x", "{text}": "Words.", "title": "T", "url": "u"}}')
    assert document == Document(id="x", text="Words.", title="T", meta={"url": "u"})


def test_what_is_not_used_goes_to_meta(tmp_path: Path) -> None:
    row = '{"id": 3, "text": "A", "contents": "B", "title": "", "metadata": {"year": 1999}, "url": null}'
    (document,) = read(tmp_path, row)
    assert document == Document(id="3", text="A", meta={"contents": "B", "year": 1999, "url": None})


def test_a_row_without_an_id_is_named_after_its_line(tmp_path: Path) -> None:
    rows = read(tmp_path, '\ufeff{"text": "A"}\r\n\n   \n{"id": "", "text": "B"}')
    assert [(row.id, row.text) for row in rows] == [("rows.jsonl:1", "A"), ("rows.jsonl:4", "B")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"id": "b"', r"rows\.jsonl, line 2: invalid JSON: .* at column \d+ \(hint: write one JSON object a line\)"),
        (b"[1]", "line 2: a row is a JSON object, not a list"),
        (b'{"text": NaN}', "line 2: invalid JSON: NaN is not a number of JSON"),
        (b'{"text": "x", "n": -1e999}', "line 2: invalid JSON: a number is too large"),
        (b'{"text": ' + b"[" * 100_000, "line 2: invalid JSON: nested too deeply"),
        (b'{"text": 1' + b"0" * 5000 + b"}", "line 2: invalid JSON"),
        (
            b'{"id": "b", "words": "x"}',
            r"line 2: no text field \(the fields are: id, words\) \(hint: name it text, con",
        ),
        (b"{}", r"line 2: no text field \(the row is empty\)"),
        (b'{"text": ["x"]}', "line 2: text must be a string, not a list"),
        (b'{"text": "x", "id": true}', "line 2: id must be a string or an integer, not a boolean"),
        (b'{"text": "x", "title": {}}', "line 2: title must be a string, not an object"),
        (b'{"text": "\xe9"}', r"rows\.jsonl, line 2: not UTF-8 text \(byte 25 of the file\)"),
    ],
)
def test_a_bad_row_is_named_by_file_and_line(tmp_path: Path, line: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, b'{"text": "A"}\n' + line)


def test_rows_before_a_bad_one_are_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"text": "A"}\n{"text": "B"}\nnot JSON\n', encoding="utf-8")
    assert [document.text for document in islice(documents(path), 2)] == ["A", "B"]


def test_lone_surrogates_become_what_a_file_can_hold(tmp_path: Path) -> None:
    (document,) = read(tmp_path, r'{"id": "\ud800", "text": "a\udfffb \ud83d\ude00"}')
    assert (document.id, document.text) == ("\ufffd", "a\ufffdb 😀")


def test_tab_separated_lines(tmp_path: Path) -> None:
    rows = read(tmp_path, 'id\ttext\ttitle\n1\tA "quote"\tT\r\n2\tB\t\n', "rows.tsv")
    assert rows == [Document(id="1", text='A "quote"', title="T"), Document(id="2", text="B")]
    assert read(tmp_path, "0\tThe first passage.\n", "collection.tsv") == [Document(id="0", text="The first passage.")]


@pytest.mark.parametrize(
    ("line", "message"),
    [("no tab", "line 2: 1 column, not 2 or 3"), ("a\tb\tc\td", "line 2: 4 columns"), ("\tx", "line 2: the first col")],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, f"1\tA\n{line}\n", "rows.tsv")


@pytest.mark.parametrize("cut", [10, 60])
def test_a_damaged_archive_says_so(tmp_path: Path, cut: int) -> None:
    packed = gzip.compress(b"".join(b'{"text": "%d"}\n' % n for n in range(1000)))
    with pytest.raises(InputError, match=r"cannot read .*rows\.jsonl\.gz: .*damaged or cut off"):
        read(tmp_path, packed[:-cut], "rows.jsonl.gz")


def test_a_row_of_ten_megabytes_is_a_row(tmp_path: Path) -> None:
    (document,) = read(tmp_path, '{"id": "x", "text": "' + "word " * 2_000_000 + '"}')
    assert len(document.text) == 10_000_000


def test_an_empty_file_has_no_documents(tmp_path: Path) -> None:
    assert read(tmp_path, "") == []
    assert read(tmp_path, "\n \n") == []


def test_the_collections_of_the_shared_data(shared_data: Path) -> None:
    found = list(documents(shared_data / "ir" / "cacm"))
    assert len(found) == len({document.id for document in found}) == 3204
    assert found[0].title == "Preliminary Report-International Algebraic Language"
