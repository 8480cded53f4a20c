"""`groundwire verify`: one answer, rows of a file, and runs that fail, are killed and go on."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.errors import Unavailable
from groundwire.testing import Fault, FaultServer
from groundwire.types import Hit, Passage

Run = Callable[..., Any]
DOOR = Passage(id="door-7", text="The door of the house is blue. It was painted in 1987.")
SUPPORTED = {"id": "s", "question": "What colour is the door?", "answer": "The door is blue."}
CONTRADICTED = {"id": "c", "question": "When was the door painted?", "answer": "The door was painted in 1999."}
LLM = ("--recipe", "verify(stack=bm25, judge=llm, review=no, passages=1)", "--llm", "m")


class Finds:
    name = "bm25"

    def retrieve(self, queries, k):
        return [[Hit(passage=DOOR, score=2.5, by=self.name)][:k] if "zebra" not in q else [] for q in queries]


class Index:
    """Stands for an index on the disk."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def bm25(self, **_):
        return Finds()

    @classmethod
    def open(cls, folder):
        if "missing" in str(folder):
            raise Unavailable(f"there is no index in {folder}", "groundwire index add CORPUS --to DIR")
        return cls()


@pytest.fixture(autouse=True)
def index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "groundwire.index", SimpleNamespace(open_index=Index.open))


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GROUNDWIRE_LLM_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_KEY", "GROUNDWIRE_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GROUNDWIRE_LLM_API_KEY", "k")


@pytest.fixture
def verify(run: Run) -> Run:
    return lambda *args, **options: run("verify", "--index", "dir", *args, **options)


@pytest.fixture
def rows(tmp_path: Path) -> Callable[..., str]:
    def written(*rows: object) -> str:
        path = tmp_path / "answers.jsonl"
        path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows), encoding="utf-8")
        return str(path)

    return written


def test_one_answer_is_one_object(verify: Run) -> None:
    got = verify(*list(SUPPORTED.values())[1:], "--stack", "bm25")
    assert (got.code, got.err) == (0, "")
    told = json.loads(got.out)
    assert (told["verdict"], told["grounded"], told["answer"]) == ("supported", True, "The door is blue.")
    citation = told["claims"][0]["citations"][0]
    assert (citation["context_id"], DOOR.text[citation["start"] : citation["end"]]) == ("door-7", citation["text"])
    assert told["retrieval"] == {
        "query": "What colour is the door? The door is blue.",
        "context_ids": ["door-7"],
        "rankings": [{"by": "bm25", "hits": [{"context_id": "door-7", "rank": 1, "score": 2.5}]}],
    }


def test_what_is_not_supported_is_exit_1(verify: Run, tmp_path: Path) -> None:
    assert verify("When was the door painted?", "It was painted in 1999.").code == 1
    got = verify("zebras", "zebra")
    assert (got.code, json.loads(got.out)["verdict"]) == (1, "not_enough_info")
    note = tmp_path / "answer.txt"
    note.write_text("The door is blue.", encoding="utf-8")
    assert verify("-", f"@{note}", stdin=b"What colour is the door?").code == 0


@pytest.mark.parametrize(
    ("args", "code", "error"),
    [
        ([], 2, "give QUESTION and ANSWER, or one FILE"),
        (["q", "a", "b"], 2, "give QUESTION and ANSWER, or one FILE"),
        (["q", ""], 2, "the answer is empty"),
        ([" ", " "], 2, "the question and the answer are empty"),
        (["-", "-"], 2, "standard input (-) can be read only once"),
        (["no-such.jsonl"], 2, "cannot read no-such.jsonl"),
        (["q", "a", "--recipe", "verfy"], 2, "unknown recipe 'verfy'"),
        (["q", "a", "--stack", "bm26"], 2, "unknown retriever 'bm26'"),
        (["q", "a", "--model", "none-such"], 2, "unknown model 'none-such'"),
        (["q", "a", "--threshold", "2"], 2, "Invalid value for '--threshold'"),
        (["q", "a", "--recipe", "huo2023"], 2, "the recipe huo2023 asks an LLM, and none was given"),
        (["q", "a", "--llm-url", "http://127.0.0.1:1/v1"], 2, "--llm-url needs --llm MODEL"),
        (["q", "a", "--recipe", "huo2023", "--llm", "m"], 3, ""),
        (["q", "a", "--index", "missing"], 3, "there is no index in missing"),
        (["q", "a", "--output", "no/such/file"], 2, "cannot write no/such/file"),
    ],
)
def test_bad_usage(args: list[str], code: int, error: str, verify: Run) -> None:
    got = verify(*args)
    assert (got.code, got.out) == (code, "")
    assert got.err.startswith(f"error: {error}")
    assert "(hint: " in got.err


def test_the_index_is_named(run: Run) -> None:
    got = run("verify", "q", "a")
    assert (got.code, got.err.splitlines()[0][:7]) == (2, "error: ")


def test_no_key_is_exit_3(verify: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GROUNDWIRE_LLM_API_KEY")
    got = verify("q", "a", *LLM, "--llm-url", "https://llm.example.org/v1")
    assert (got.code, got.out) == (3, "")
    assert "(hint: " in got.err


def test_a_question_without_an_answer_is_told_what_to_do(verify: Run) -> None:
    got = verify("What colour is the door?")
    assert got.err == (
        "error: cannot read What colour is the door?: there is no such file "
        "(hint: give QUESTION and ANSWER, or one FILE; with --llm MODEL a QUESTION alone will do)\n"
    )


def test_an_output_without_its_folder(verify: Run, rows: Callable[..., str]) -> None:
    got = verify(rows(SUPPORTED), "--output", "no/such/file")
    assert (got.code, got.err[:34]) == (2, "error: cannot write no/such/file: ")


def test_a_query_of_five_thousand_terms(verify: Run) -> None:
    got = verify(" ".join(f"term{n}" for n in range(5000)), "The door is blue.", "--stack", "bm25")
    assert (got.code, json.loads(got.out)["verdict"]) == (0, "supported")


def test_rows_of_a_file_to_standard_output(verify: Run, rows: Callable[..., str]) -> None:
    got = verify(rows(SUPPORTED, "{broken", CONTRADICTED, {"id": "e", "question": "q"}), "--stack", "bm25")
    assert got.code == 2
    assert [json.loads(line)["id"] for line in got.out.splitlines()] == ["s", "c", "e"]
    assert "line 2: not JSON" in got.err
    assert got.err.endswith("4 rows: 1 supported, 2 not supported (1 not checkable), 1 could not be read\n")


def test_a_run_that_is_done_asks_nothing_again(verify: Run, rows: Callable[..., str], tmp_path: Path) -> None:
    out = str(tmp_path / "verdicts.jsonl")
    path = rows(SUPPORTED, SUPPORTED, CONTRADICTED)
    with FaultServer(lambda prompt: "Yes" if "The door is blue." in prompt else "No") as server:
        asked = (path, *LLM, "--llm-url", server.url, "--output", out)
        got = verify(*asked)
        assert got.code == 1
        assert got.err.startswith("3 rows: 2 supported, 1 not supported\nlanguage model: 2 asked, ")
        first = Path(out).read_bytes()
        assert len(server.exchanges) == 2
        got = verify(*asked)
        assert (got.code, got.out, Path(out).read_bytes()) == (1, "", first)
        assert got.err == "3 rows: 2 supported, 1 not supported, 3 done before\n"
        assert len(server.exchanges) == 2
        other = (*asked[:2], "verify(stack=bm25, judge=llm, review=no, passages=1, fence=no)", *asked[3:])
        verify(*other)
        assert len(server.exchanges) == 4
    told = [json.loads(line) for line in first.decode().splitlines()]
    assert [(row["id"], row["verdict"]) for row in told] == [("s", "supported")] * 2 + [("c", "contradicted")]


def test_another_text_in_the_index_is_verified_anew(
    verify: Run, rows: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = (rows(SUPPORTED), "--stack", "bm25", "--output", str(tmp_path / "v.jsonl"))
    monkeypatch.setattr(Index, "contents", lambda self: "one", raising=False)
    assert [verify(*asked).err, verify(*asked).err] == [
        "1 row: 1 supported, 0 not supported\n",
        "1 row: 1 supported, 0 not supported, 1 done before\n",
    ]
    monkeypatch.setattr(Index, "contents", lambda self: "two", raising=False)
    assert verify(*asked).err == "1 row: 1 supported, 0 not supported\n"


def test_records_have_one_order_with_and_without_a_ledger(
    verify: Run, rows: Callable[..., str], tmp_path: Path
) -> None:
    path, out = rows(SUPPORTED, CONTRADICTED), tmp_path / "v.jsonl"
    streamed = verify(path, "--stack", "bm25").out.splitlines()
    for _ in range(2):  # written by the run, and from the ledger alone
        verify(path, "--stack", "bm25", "--output", str(out))
        written = out.read_text().splitlines()
        assert [keys(json.loads(line)) for line in written] == [keys(json.loads(line)) for line in streamed]
    assert written[0].startswith('{"id": "s"') or written[0].startswith('{"id":"s"')


def keys(value: Any) -> Any:
    """Return the keys of JSON, with those of what they hold, in their order."""
    if isinstance(value, dict):
        return [(name, keys(held)) for name, held in value.items()]
    return [keys(held) for held in value] if isinstance(value, list) else None


def test_what_failed_is_exit_3_and_done_by_the_next_run(verify: Run, rows: Callable[..., str], tmp_path: Path) -> None:
    out = str(tmp_path / "verdicts.jsonl")
    path = rows(SUPPORTED, CONTRADICTED)
    with FaultServer("Yes", faults=lambda n, prompt: 400 if "1999" in prompt and n < 3 else None) as server:
        asked = (path, *LLM, "--llm-url", server.url, "--output", out)
        got = verify(*asked)
        assert got.code == 3
        assert "(1 not checkable: 1 failed); the same command tries what failed again\n" in got.err
        assert [json.loads(line)["verdict"] for line in Path(out).read_text().splitlines()] == [
            "supported",
            "not_checkable",
        ]
        server.faults = ()
        assert verify(*asked).code == 0
        assert Counter("1999" in exchange.prompt for exchange in server.exchanges)[False] == 1


def test_a_reply_that_cannot_be_read_is_counted_apart(verify: Run, rows: Callable[..., str], tmp_path: Path) -> None:
    with FaultServer("Perhaps") as server:
        got = verify(rows(SUPPORTED), *LLM, "--llm-url", server.url, "--output", str(tmp_path / "v.jsonl"))
        assert len(server.exchanges) == 2
    assert got.code == 1
    assert "(1 not checkable: 1 unparseable)\n" in got.err
    told = json.loads((tmp_path / "v.jsonl").read_text())
    assert (told["verdict"], told["score"]) == ("not_checkable", None)


def test_a_question_alone_is_answered_by_the_llm(verify: Run) -> None:
    with FaultServer("The door is blue.") as server:
        got = verify("What colour is the door?", "--llm", "m", "--llm-url", server.url, "--stack", "bm25")
    assert got.code == 0
    assert json.loads(got.out)["answer"] == "The door is blue."


CHILD = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import SimpleNamespace
spec = spec_from_file_location("verify_tests", sys.argv[1])
module = module_from_spec(spec)
spec.loader.exec_module(module)
sys.modules["groundwire.index"] = SimpleNamespace(open_index=module.Index.open)
from groundwire.cli.main import main
main(sys.argv[2:])
"""
ROWS, KILLS, CONCURRENT = 48, 3, 8


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
@pytest.mark.slow
def test_killed_runs_lose_nothing_double_nothing_and_pay_for_nothing_twice(
    rows: Callable[..., str], tmp_path: Path
) -> None:
    path = rows(*({**SUPPORTED, "id": f"r{n}", "answer": f"The door has number {n}."} for n in range(ROWS)))
    out = tmp_path / "verdicts.jsonl"

    def reply(prompt: str) -> str:
        time.sleep(0.02)
        return "Yes" if int(prompt.split("has number ")[1].split(".")[0]) % 2 else "No"

    with FaultServer(reply, faults=lambda n, prompt: Fault.SERVER_ERROR if n % 10 in (2, 5, 8) else None) as server:
        command = [sys.executable, "-c", CHILD, __file__, "verify", path, "--index", "dir", *LLM]
        command += ["--llm-url", server.url, "--output", str(out)]
        for kill in range(KILLS):
            wanted = len(server.exchanges) + 8
            child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            while len(server.exchanges) < wanted and child.poll() is None:
                time.sleep(0.005)
            child.send_signal(signal.SIGKILL)
            child.wait()
            assert not out.exists(), f"kill {kill}: an output that is not whole"
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=120)
        paid = Counter(exchange.prompt for exchange in server.exchanges if exchange.wrong is None)
    assert done.returncode == 1, done.stderr
    told = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["id"] for row in told] == [f"r{n}" for n in range(ROWS)]
    assert [row["grounded"] for row in told] == [bool(n % 2) for n in range(ROWS)]
    assert len(paid) == ROWS
    # Only a reply that was on its way when its reader was killed can have been lost.
    assert sum(paid.values()) - ROWS <= KILLS * CONCURRENT


@pytest.mark.parametrize("kept", [False, True])
def test_a_file_without_a_row_is_bad_input(verify: Run, rows: Callable[..., str], tmp_path: Path, kept: bool) -> None:
    output = ("--output", str(tmp_path / "out.jsonl")) if kept else ()
    got = verify(rows("", " "), *output)
    assert (got.code, got.out, (tmp_path / "out.jsonl").exists()) == (2, "", False)
    assert "answers.jsonl has no rows (hint: a row is a JSON object on a line, with question and answer)" in got.err
