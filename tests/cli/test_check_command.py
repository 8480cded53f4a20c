import gzip
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire.cases import BATCH_ROWS
from groundwire.cli.files import CaseFile
from groundwire.errors import InputError

Run = Callable[..., Any]

YES = {"id": "yes", "answer": "blue", "contexts": ["The door is blue."]}
NO = {"id": "no", "answer": "red", "contexts": ["The door is blue."]}
NOTHING = {"id": "nothing", "answer": "red"}

pytestmark = pytest.mark.usefixtures("checker")


def written(path: Path, rows: Sequence[object]) -> str:
    text = "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return str(path)


def verdicts(out: str) -> dict[str, str]:
    return {row["id"]: row["verdict"] for row in map(json.loads, out.splitlines())}


def test_one_answer_is_one_object(run: Run) -> None:
    got = run("check", "--question", "q", "--answer", "blue", "--context", "The door is blue.", "--json")
    assert (got.code, got.err) == (0, "")
    assert json.loads(got.out) == {
        "id": "0",
        "verdict": "supported",
        "score": 0.9,
        "threshold": 0.5,
        "grounded": True,
        "claims": [
            {
                "text": "blue",
                "start": 0,
                "end": 4,
                "verdict": "supported",
                "score": 0.9,
                "citations": [
                    {"context_id": "0", "index": 0, "start": 12, "end": 16, "text": "blue", "score": 0.9},
                ],
            }
        ],
        "warnings": [],
        "model": "fake",
        "timings_ms": {"entail": 250.0},
    }


def test_an_answer_that_is_not_grounded_is_exit_1(run: Run) -> None:
    assert run("check", "--answer", "red", "--context", "The door is blue.").code == 1


def test_texts_may_be_literals_files_or_standard_input(run: Run, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_bytes(b"\xef\xbb\xbfThe door\r\nis @blue.")
    got = run("check", "--answer", "@@blue", "--context", "-", "--context-file", str(notes), stdin=b"no")
    (claim,) = json.loads(got.out)["claims"]
    assert claim["citations"][0] == {
        "context_id": str(notes), "index": 1, "start": 13, "end": 18, "text": "@blue", "score": 0.9
    }  # fmt: skip
    assert run("check", "--answer", f"@{notes}", "--context-file", str(notes)).code == 0


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ([], "nothing to check"),
        (["--context", "c"], "--answer is missing"),
        (["--answer", "a"], "--context or --context-file is missing"),
        (["--answer", "", "--context", "c"], "the answer is empty"),
        (["--answer", "a", "--context", " \n"], "there are no contexts with any text"),
        (["--answer", "-", "--context", "-"], "standard input (-) can be read only once"),
        (["--answer", "@-", "--context", "-"], "standard input (-) can be read only once"),
        (["--answer", "a", "--context", "@-", "--context-file", "-"], "standard input (-) can be read only once"),
        (["--answer", "a", "--context", "c", "rows.jsonl"], "give FILEs or one answer by its options, not both"),
        (["no-such-file.jsonl"], "cannot read no-such-file.jsonl: No such file or directory"),
        (["--answer", "@no-such-file", "--context", "c"], "cannot read no-such-file: No such file or directory"),
        (["--answer", "a", "--context-file", "."], "cannot read .: Is a directory"),
        (["."], "cannot read .: Is a directory"),
        (["--answer", "a", "--context", "c", "--output", "no/such/folder"], "cannot write no/such/folder: No such"),
    ],
)
def test_bad_usage_is_exit_2(args: list[str], error: str, run: Run) -> None:
    got = run("check", *args)
    assert (got.code, got.out) == (2, "")
    assert got.err.startswith(f"error: {error}")
    assert "(hint: " in got.err


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission(run: Run, tmp_path: Path) -> None:
    path = Path(written(tmp_path / "rows.jsonl", [YES]))
    path.chmod(0)
    assert run("check", str(path)).err.startswith(f"error: cannot read {path}: Permission denied")


def test_a_text_that_is_not_utf8(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes("Straße".encode("latin-1"))
    got = run("check", "--answer", "a", "--context-file", str(path))
    assert (got.code, got.err) == (2, f"error: {path} is not UTF-8 text (byte 5) (hint: save it as UTF-8)\n")


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_rows_of_a_file(name: str, run: Run, tmp_path: Path) -> None:
    got = run("check", written(tmp_path / name, [YES, NOTHING, YES]))
    assert got.code == 1
    assert [json.loads(line)["verdict"] for line in got.out.splitlines()] == ["supported", "not_checkable", "supported"]
    assert json.loads(got.out.splitlines()[1])["reason"] == "the row has no contexts"
    assert got.err == "3 rows: 2 grounded, 1 not grounded (1 not checkable)\n"


def test_columns_that_nobody_knows_are_told_with_those_that_are_known(run: Run, tmp_path: Path) -> None:
    got = run(
        "check", written(tmp_path / "rows.jsonl", [{"reply": "blue", "contexts": ["The door is blue."]}, NOTHING])
    )
    first, second, answer, contexts = got.err.splitlines()
    assert (got.code, first) == (1, "2 rows: 0 grounded, 2 not grounded (2 not checkable)")
    assert second == "no row has both an answer and contexts under a name that is known"
    assert "answer: answer, " in answer
    assert "contexts: contexts, " in contexts


def test_standard_input_and_several_files(run: Run, tmp_path: Path) -> None:
    got = run(
        "check", "-", written(tmp_path / "more.json", [json.dumps([YES], indent=1)]), stdin=json.dumps(NO).encode()
    )
    assert (got.code, verdicts(got.out)) == (1, {"no": "contradicted", "yes": "supported"})


def test_a_bad_line_is_named_and_the_rest_is_done(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "rows.jsonl", [YES, "{", NO])
    got = run("check", path)
    assert (got.code, verdicts(got.out)) == (2, {"yes": "supported", "no": "contradicted"})
    assert got.err.splitlines()[0].startswith(f"error: {path}: line 2: not JSON: ")
    assert got.err.splitlines()[1].endswith("1 could not be read")


def test_a_truncated_gzip_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(YES).encode())[:-9])
    got = run("check", str(path))
    assert got.code == 2
    assert f"error: cannot read {path}: " in got.err


def test_an_answer_that_is_not_checkable_does_not_pass(run: Run, tmp_path: Path) -> None:
    got = run("check", written(tmp_path / "rows.jsonl", [NOTHING]))
    assert (got.code, json.loads(got.out)["grounded"]) == (1, False)


def test_gold_fields_are_not_looked_at(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "rows.jsonl", [{**YES, "label": "maybe", "spans": 3, "group": []}])
    assert run("check", path).code == 0


@pytest.mark.parametrize(("encoding", "end"), [("codepoint", 1), ("utf8", 4), ("utf16", 2)])
def test_offsets_may_be_asked_for_in_other_units(encoding: str, end: int, run: Run) -> None:
    given = ("check", "--answer", "🙂", "--context", "🙂", "--offset-encoding", encoding)
    (claim,) = json.loads(run(*given).out)["claims"]
    assert (claim["end"], claim["citations"][0]["end"]) == (end, end)


def test_a_file_that_cannot_be_read_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> os.stat_result:
        seen.append(descriptor)
        raise OSError("no")

    seen: list[int] = []
    path = written(tmp_path / "rows.jsonl", [YES])
    with monkeypatch.context() as patched:
        patched.setattr("groundwire.cli.files.os.fstat", fail)
        with pytest.raises(InputError):
            CaseFile(path)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(seen[0])


def test_fail_under(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "rows.jsonl", [YES])
    assert run("check", path, "--fail-under", "0.9").code == 0
    got = run("check", path, "--fail-under", "0.95")
    assert (got.code, got.err) == (1, "1 row: 1 grounded, 0 not grounded, 1 under 0.95\n")


def test_output_is_written_whole_or_not_at_all(run: Run, tmp_path: Path) -> None:
    path, output = written(tmp_path / "rows.jsonl", [YES, "{", NO]), tmp_path / "out.jsonl"
    got = run("check", path, "--output", str(output))
    assert (got.code, got.out) == (2, "")
    assert verdicts(output.read_text()) == {"yes": "supported", "no": "contradicted"}
    assert run("check", path, str(tmp_path / "gone"), "--output", str(output)).code == 2
    assert len(output.read_text().splitlines()) == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.jsonl", "rows.jsonl"]


def test_packed_output(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl.gz"
    assert run("check", written(tmp_path / "rows.jsonl", [YES]), "--output", str(output)).code == 0
    assert verdicts(gzip.decompress(output.read_bytes()).decode()) == {"yes": "supported"}


def test_a_long_file_is_checked_in_batches(run: Run, tmp_path: Path, checker: Any) -> None:
    assert run("check", written(tmp_path / "rows.jsonl", [YES] * (2 * BATCH_ROWS + 1))).code == 0
    assert checker.batches == [BATCH_ROWS, BATCH_ROWS, 1]


def test_hostile_text_in_and_out(run: Run) -> None:
    text = "\x00\ud800\u202e\x1b[2J שלום 日本語 ภาษาไทย 👩‍👩‍👧"
    row = json.dumps({"answer": text, "contexts": [text], "score": float("nan")})
    got = run("check", "-", stdin=row.encode())
    assert json.loads(got.out)["claims"][0]["citations"][0]["text"] == text
    assert got.out.isascii()


def test_a_terminal_gets_a_drawing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    got = run("check", written(tmp_path / "rows.jsonl", [YES, NO]))
    assert "supported" in got.out
    assert "The door is" not in got.out.splitlines()[0]
    assert not got.out.startswith("{")


@pytest.mark.parametrize(
    ("name", "text"), [("rows.jsonl", ""), ("rows.jsonl", "\n \n"), ("rows.json", "[]"), ("-", "")]
)
def test_a_file_without_a_row_is_bad_input_and_leaves_no_output(run: Run, tmp_path: Path, name: str, text: str) -> None:
    path, told = (name, "standard input") if name == "-" else (str(tmp_path / name), str(tmp_path / name))
    if name != "-":
        (tmp_path / name).write_text(text)
    got = run("check", path, "--output", str(tmp_path / "out.jsonl"))
    hint = "a row is a JSON object on a line, with answer and contexts"
    assert (got.code, got.out, got.err) == (2, "", f"error: {told} has no rows (hint: {hint})\n")
    assert not (tmp_path / "out.jsonl").exists()


def test_an_empty_file_among_others_is_named(run: Run, tmp_path: Path) -> None:
    got = run("check", written(tmp_path / "a.jsonl", [YES]), written(tmp_path / "b.jsonl", []))
    assert (got.code, verdicts(got.out)) == (2, {"yes": "supported"})
    assert "b.jsonl has no rows (hint: " in got.err
