import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.evals.datasets import records as module
from groundwire.evals.datasets.records import records

Written = Callable[..., Path]
ROWS = [{"a": "eins", "b": 1}, {"a": 'two, "quoted"\nand a line', "b": 2}, {"a": "drei", "b": 3}]


def values(path: Path) -> list[dict[str, object]]:
    return [dict(record.values) for record in records(path)]


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.json", "rows.jsonl.gz", "rows.json.gz"])
def test_json_lines_and_arrays_are_one(written: Written, name: str) -> None:
    assert values(written(name, ROWS)) == ROWS


def test_quotes_between_tabs_are_characters(written: Written) -> None:
    text = 'a\tb\r\n"The" film\t"open\r\nhe said "no"\t2\r\n'
    rows = [{"a": '"The" film', "b": '"open'}, {"a": 'he said "no"', "b": "2"}]
    assert values(written("rows.tsv", text)) == rows


@pytest.mark.parametrize("name", ["rows.csv", "rows.csv.gz"])
def test_tables_have_quoted_cells(written: Written, name: str) -> None:
    assert values(written(name, ROWS)) == [{**row, "b": str(row["b"])} for row in ROWS]


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.json", "rows.csv"])
def test_a_byte_order_mark_is_dropped(written: Written, name: str) -> None:
    path = written(name, ROWS)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert [row["a"] for row in values(path)] == [row["a"] for row in ROWS]


@pytest.mark.parametrize("text", ["", "\n \n", "[]", " [\n]\n"])
def test_a_file_without_rows_gives_none(written: Written, text: str) -> None:
    assert values(written("rows.json", text)) == []


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_is_read_in_pieces(written: Written, monkeypatch: pytest.MonkeyPatch, indent: int | None) -> None:
    monkeypatch.setattr(module, "_CHARACTERS", 7)
    rows = [{"text": "ü" * length, "more": [True, None, -1.5e3, "\\ud800\u2028"]} for length in range(40)]
    path = written("rows.json", json.dumps(rows, indent=indent, ensure_ascii=False))
    assert values(path) == rows


def test_an_object_over_lines_is_one_row(written: Written) -> None:
    assert values(written("rows.json", json.dumps({"samples": ROWS}, indent=1))) == [{"samples": ROWS}]


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("rows.jsonl", '{"a": 1}\n\n{"a": 2\n{"a": 3}\n', "line 3: not JSON: "),
        ("rows.jsonl", '{"a": 1\n{"a": 2}\n', "line 1: not JSON: "),
        ("rows.json", '[\n{"a": 1},\n{"a": nul},\n{"a": 3}]', "line 3: not JSON: "),
        ("rows.json", '[{"a": 1},\n{"a": "2"', "line 2: not JSON: "),
        ("rows.json", "[1, 2]", r"item 1 \(line 1\): a row is a JSON object, not int"),
        ("rows.jsonl", '{"a": 1}\n"text"\n', "line 2: a row is a JSON object, not str"),
        ("rows.jsonl", '{"a": ' + "9" * 5000 + "}", "line 1: not JSON that can be read: a number has too many digits"),
        ("rows.jsonl", "[" * 100_000, "line 1: not JSON that can be read: nested too deeply"),
        ("rows.csv", "a,b\n1,2\n3\n", "line 3: 1 cells, but the head line names 2 columns"),
    ],
)
def test_what_is_broken_is_named_with_its_line(written: Written, name: str, text: str, place: str) -> None:
    with pytest.raises(InputError, match=place):
        values(written(name, text))


def test_a_broken_item_is_found_without_reading_on(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written("rows.json", '[{"a": 1}, {"a" 2}, ' + " " * 1_000_000 + "]")
    monkeypatch.setattr(module, "_CHARACTERS", 1000)
    with pytest.raises(InputError, match="Expecting ':' delimiter"):
        values(path)


def test_rows_before_a_broken_one_are_given(written: Written) -> None:
    rows = records(written("rows.jsonl", '{"a": 1}\n{"a": 2}\n{\n'))
    assert [next(rows).number, next(rows).number] == [1, 2]
    with pytest.raises(InputError, match="line 3"):
        next(rows)


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, written: Written) -> None:
    with pytest.raises(InputError, match=r"cannot read .*none.jsonl: No such file"):
        values(tmp_path / "none.jsonl")
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(b'{"a": 1}\n' * 1000)[:-9])
    with pytest.raises(InputError, match="damaged or cut off"):
        values(cut)
    latin = tmp_path / "latin.csv"
    latin.write_bytes(b"a\n\xe9\n")
    with pytest.raises(InputError, match="not UTF-8"):
        values(latin)


def test_a_cell_may_be_longer_than_the_standard_librarys_limit(written: Written) -> None:
    assert len(str(values(written("rows.csv", [{"a": "x" * 200_000}]))[0]["a"])) == 200_000


def test_parquet_is_read(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), tmp_path / "rows.parquet")
    assert values(tmp_path / "rows.parquet") == ROWS
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(InputError, match="as Parquet"):
        values(tmp_path / "broken.parquet")
