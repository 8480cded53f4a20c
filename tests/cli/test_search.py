"""`groundwire search` over an index that stands in for one: it finds by words in common."""

import gzip
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire import models
from groundwire.cli import hits as drawing
from groundwire.errors import Unavailable
from groundwire.recipes.verifying import RECIPES
from groundwire.stacks import DEFAULT
from groundwire.testing import OverlapModel
from groundwire.types import Hit, Passage, Ranking, Retrieval, Span

STOP = {"the", "a", "of"}
PASSAGES = {
    "d1": Passage(id="d1", text="The red fox sleeps.", title="Foxes", origin=Span(source="zoo", start=5, end=24)),
    "d2": Passage(id="d2", text="A red dog runs, red and fast."),
    "d3": Passage(id="d3", text="The sky\x1b[2J is [bold]blue[/bold]."),
}


def terms(text: str) -> list[str]:
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return [word.removesuffix("es").removesuffix("s") for word in words if word not in STOP]


BM25 = ("--index", "idx", "--stack", "bm25")


class Stand:
    """The part of an index that the command knows."""

    name = "bm25"
    analyzer = "english"
    held = PASSAGES

    @classmethod
    def open(cls, folder: str) -> "Stand":
        if not Path(folder).is_dir():
            raise Unavailable(f"there is no index at {folder}", "groundwire index add CORPUS --to DIR")
        return cls()

    def __enter__(self) -> "Stand":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def passages(self) -> Iterator[Passage]:
        return iter(self.held.values())

    def bm25(self, **_: object) -> "Stand":
        return self

    def retrieve(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        return [self._one(set(terms(query)))[:k] for query in queries]

    def _one(self, wanted: set[str]) -> list[Hit]:
        scores = {i: sum(t in wanted for t in terms(p.text)) for i, p in self.held.items()}
        order = sorted((i for i in scores if scores[i]), key=lambda i: (-scores[i], i))
        return [Hit(passage=self.held[i], score=scores[i] / 2, by="bm25") for i in order]


@pytest.fixture(autouse=True)
def index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def analyzer(name: str) -> SimpleNamespace:
        assert name == "english"
        return SimpleNamespace(terms=terms)

    monkeypatch.setitem(sys.modules, "groundwire.index", SimpleNamespace(open_index=Stand.open))
    monkeypatch.setitem(sys.modules, "groundwire.analysis", SimpleNamespace(analyzer=analyzer))
    monkeypatch.setattr(models, "load_scorer", lambda name: OverlapModel())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "idx").mkdir()


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def written(name: str, text: str) -> str:
    Path(name).write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return name


QUERIES = '{"_id": "q1", "text": "red foxes"}\n{"_id": "q2", "text": "blue"}\n{"_id": "q3", "text": "nothing"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t2\n"


def test_hits_are_json_lines_when_piped(run: Callable[..., Any]) -> None:
    done = run("search", "red foxes", *BM25, "-k", "2")
    assert done.code == 0
    first, second = lines(done.out)
    assert first == {
        "rank": 1,
        "id": "d1",
        "score": 1.0,
        "by": "bm25",
        "title": "Foxes",
        "text": "The red fox sleeps.",
        "source": "zoo",
        "start": 5,
        "end": 24,
    }
    assert (second["rank"], second["id"], second["title"]) == (2, "d2", None)


def test_the_default_is_that_of_verify(run: Callable[..., Any]) -> None:
    done = run("search", "red dog", "--index", "idx", "--explain")
    assert list(lines(done.out)[0]["ranks"])[-1] == RECIPES["verify"].retrieves == DEFAULT


def test_a_stack_and_where_each_part_had_the_passage(run: Callable[..., Any]) -> None:
    done = run("search", "red dog", "--index", "idx", "--stack", "bm25+mini", "--explain", "--json")
    first, second = lines(done.out)
    assert (first["id"], first["by"], first["ranks"]["bm25"]["rank"]) == ("d2", "mini", 1)
    assert second["ranks"]["bm25+mini"] == {"rank": 2, "score": -1.0}


def test_the_query_may_be_a_file_or_standard_input(run: Callable[..., Any]) -> None:
    written("q.txt", "blue\n")
    assert lines(run("search", "@q.txt", "--index", "idx").out)[0]["id"] == "d3"
    assert lines(run("search", "-", "--index", "idx", stdin=b"blue").out)[0]["id"] == "d3"


def test_a_query_of_stop_words_finds_nothing_and_says_why(run: Callable[..., Any]) -> None:
    done = run("search", "the of a", "--index", "idx")
    assert (done.code, done.out) == (0, "")
    assert "no hits: the query holds no word that the index knows words by, only stop words" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_query_that_no_passage_holds_says_so(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no hits: no passage holds a word of the query" in run("search", "zebra", "--index", "idx").err
    monkeypatch.setattr(Stand, "held", {})
    assert "no hits: the index holds no passages" in run("search", "zebra", "--index", "idx").err


@pytest.mark.parametrize("query", ["", " \n "])
def test_an_empty_query_is_a_usage_error(run: Callable[..., Any], query: str) -> None:
    done = run("search", query, "--index", "idx")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: the query is empty (hint: ")


@pytest.mark.parametrize(
    ("args", "code", "why"),
    [
        (("red", "--index", "nowhere"), 3, "there is no index at nowhere"),
        (("red", "--index", "idx", "--stack", "bm52"), 2, "unknown retriever 'bm52'"),
        (("red", "--index", "idx", "--stack", "bm25+"), 2, "cannot read the stack 'bm25+'"),
        (("red", "--index", "idx", "--stack", "dense"), 3, "this index holds no dense vectors"),
        (("red", "--index", "nowhere", "--stack", "bm25+"), 2, "cannot read the stack"),
        (("--index", "idx"), 2, "give a QUERY or --queries FILE"),
        (("red", "--queries", "q.jsonl", "--index", "idx"), 2, "not both"),
        (("red", "--index", "idx", "--run", "x"), 2, "--qrels and --run need --queries"),
        (("red",), 2, "Missing option '--index'"),
        (("red", "--index", "idx", "-k", "0"), 2, "'-k'"),
        (("--index", "idx", "--queries", "none.jsonl"), 2, "cannot read none.jsonl"),
        (("--index", "idx", "--queries", "idx"), 2, "cannot read idx/queries.jsonl"),
    ],
)
def test_what_is_wrong_is_one_line_and_a_code(
    run: Callable[..., Any], args: tuple[str, ...], code: int, why: str
) -> None:
    done = run("search", *args)
    assert (done.code, done.out) == (code, "")
    assert why in done.err
    assert "(hint: " in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"_id": "1", "text": "a"}\n{oops\n', "line 2: not JSON"),
        ("1\tred\nno tab here\n", "line 2: neither a JSON object nor id, tab, text"),
        ("1\tred\n2\t\n", "line 2: query 2 has no text"),
        ("1\tred\n2\tr\udce9d\n", "line 2 is not UTF-8"),
        ("", "holds no queries"),
    ],
)
def test_a_bad_line_of_the_queries_is_named(run: Callable[..., Any], text: str, why: str) -> None:
    Path("q.tsv").write_bytes(text.encode("utf-8", "surrogateescape"))
    done = run("search", "--index", "idx", "--queries", "q.tsv")
    assert (done.code, done.out) == (2, "")
    assert f"q.tsv: {why}" in done.err or f"q.tsv {why}" in done.err


@pytest.mark.parametrize("name", ["queries.jsonl", "q.jsonl.gz"])
def test_hits_of_many_queries_carry_their_ids(run: Callable[..., Any], name: str) -> None:
    done = run("search", "--index", "idx", "--queries", written(name, QUERIES))
    assert [(row["query_id"], row["rank"], row["id"]) for row in lines(done.out)] == [
        ("q1", 1, "d1"),
        ("q1", 2, "d2"),
        ("q2", 1, "d3"),
    ]


def test_queries_of_a_beir_folder_and_of_standard_input(run: Callable[..., Any]) -> None:
    Path("beir").mkdir()
    written("beir/queries.jsonl", QUERIES)
    assert len(lines(run("search", "--index", "idx", "--queries", "beir").out)) == 3
    assert len(lines(run("search", "--index", "idx", "--queries", "-", stdin=b"7\tblue\n").out)) == 1


def test_metrics_are_means_over_the_judged_queries(run: Callable[..., Any]) -> None:
    pytest.importorskip("ir_measures", reason="needs the extra eval")
    written("q.jsonl", QUERIES)
    qrels = written("qrels.tsv", QRELS + "q3\td1\t1\n")
    done = run("search", *BM25, "--queries", "q.jsonl", "--qrels", qrels, "--json")
    (found,) = lines(done.out)
    assert (done.code, found["stack"], found["queries"]) == (0, "bm25", 3)
    assert {"map", "ndcg_cut_10", "recip_rank", "recall_100", "P_30"} <= set(found["metrics"])
    assert found["metrics"]["map"] == pytest.approx(2 / 3)
    assert len(found["intervals"]["map"]) == 2


def test_metrics_and_level_may_be_chosen(run: Callable[..., Any]) -> None:
    pytest.importorskip("ir_measures", reason="needs the extra eval")
    written("q.jsonl", QUERIES)
    qrels = written("qrels.tsv", QRELS)
    files = ("--index", "idx", "--queries", "q.jsonl", "--qrels", qrels)
    done = run("search", *files, "--metric", "P_5", "--metric", "map", "--level", "2")
    assert lines(done.out)[0]["metrics"] == {"P_5": 0.1, "map": 0.5}
    assert "unknown metric 'mapp'" in run("search", *files, "--metric", "mapp").err


def test_judgements_that_do_not_fit_are_bad_input(run: Callable[..., Any]) -> None:
    pytest.importorskip("ir_measures", reason="needs the extra eval")
    written("q.jsonl", QUERIES)
    files = ("--index", "idx", "--queries", "q.jsonl", "--qrels")
    other = run("search", *files, written("other", "x9 0 d1 1\n"))
    bad = run("search", *files, written("bad", "q1 0 d1 1\nq1 0 d1\n"))
    assert (other.code, bad.code) == (2, 2)
    assert "no query of the run is judged" in other.err
    assert "bad: line 2: a grade is a whole number" in bad.err


def test_a_run_is_written_whole_and_read_again(run: Callable[..., Any]) -> None:
    from groundwire.evals.trec import read_run

    written("q.jsonl", QUERIES)
    done = run("search", *BM25, "--queries", "q.jsonl", "--run", "out.trec")
    assert (done.code, done.out) == (0, "")
    text = Path("out.trec").read_text()
    assert text.splitlines()[0] == "q1 Q0 d1 1 1.000000 bm25"
    assert {query: [i for i, _ in ranked] for query, ranked in read_run(text.splitlines()).items()} == {
        "q1": ["d1", "d2"],
        "q2": ["d3"],
    }


def test_all_queries_are_in_a_run_that_is_measured_too(run: Callable[..., Any]) -> None:
    pytest.importorskip("ir_measures", reason="needs the extra eval")
    written("q.jsonl", QUERIES)
    qrels = written("qrels.tsv", "q2\td3\t1\n")
    done = run("search", *BM25, "--queries", "q.jsonl", "--qrels", qrels, "--run", "out.trec")
    assert lines(done.out)[0]["metrics"]["recip_rank"] == 1
    assert Path("out.trec").read_text().count("q1 Q0") == 2


def test_a_run_that_is_there_is_measured_without_an_index(run: Callable[..., Any]) -> None:
    pytest.importorskip("ir_measures", reason="needs the extra eval")
    written("q.jsonl", QUERIES)
    qrels = written("qrels.tsv", QRELS + "q3\td1\t1\n")
    (searched,) = lines(run("search", *BM25, "--queries", "q.jsonl", "--qrels", qrels, "--run", "out.trec").out)
    done = run("search", "--from-run", "out.trec", "--qrels", qrels)
    (found,) = lines(done.out)
    assert (done.code, found.pop("run"), searched.pop("stack")) == (0, "out.trec", "bm25")
    assert found == searched
    piped = run("search", "--from-run", "-", "--qrels", qrels, "--metric", "P_5", stdin=Path("out.trec").read_bytes())
    assert lines(piped.out)[0]["metrics"] == {"P_5": pytest.approx(0.4 / 3)}


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (("--from-run", "out.trec"), "--from-run needs --qrels FILE"),
        (("--from-run", "-", "--qrels", "-"), "standard input (-) can be read only once"),
        (("red", "--from-run", "x", "--qrels", "y"), "--from-run searches nothing and takes no QUERY"),
        (("--from-run", "x", "--qrels", "y", "--index", "idx"), "--from-run searches nothing and takes no --index"),
        (("--from-run", "x", "--qrels", "y", "--stack", "neural"), "--from-run searches nothing and takes no --stack"),
        (("--from-run", "bad.trec", "--qrels", "qrels.tsv"), "bad.trec: line 2: a run has six columns, not 3"),
        (("--from-run", "none.trec", "--qrels", "qrels.tsv"), "cannot read none.trec"),
    ],
)
def test_a_run_that_cannot_be_measured(run: Callable[..., Any], args: tuple[str, ...], error: str) -> None:
    pytest.importorskip("ir_measures", reason="needs the extra eval")
    written("qrels.tsv", QRELS)
    written("bad.trec", "q1 Q0 d1 1 1.0 bm25\nq1 d2 2\n")
    done = run("search", *args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {error}")


def drawn(text: str, query: str, *, explain: bool = False, width: int = 100, **options: Any) -> str:
    import io

    from rich.console import Console

    passage = Passage(id="d1", text=text, title="About [red]")
    hit = Hit(passage=passage, score=1.234, by="bm25")
    found = Retrieval(query=query, rankings=(Ranking(by="bm25", hits=(hit,)),))
    console = Console(file=io.StringIO(), width=width, **options)
    drawing.draw(found, console, terms, explain=explain)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_the_words_of_the_query_are_marked_in_the_drawing() -> None:
    out = drawn("Red foxes, and one fox.", "the fox", force_terminal=True, color_system="standard")
    assert "Red \x1b[1;4mfoxes\x1b[0m, and one \x1b[1;4mfox\x1b[0m." in out
    plain = drawn("Red foxes, and one fox.", "the fox", explain=True)
    assert "1 1.23 d1  About [red]" in plain
    assert "Red foxes, and one fox." in plain
    assert "bm25 #1 (1.23)" in plain


def test_what_is_hostile_is_drawn_as_escapes() -> None:
    out = drawn("The sky\x1b[2J is [bold]blue[/bold].\n\u202eDone", "blue")
    assert "\\x1b[2J is [bold]blue[/bold]. \\u202eDone" in out
    assert "\x1b" not in out


def test_of_a_long_passage_the_part_with_the_words_is_drawn() -> None:
    out = drawn("word " * 1000 + "the red fox sleeps " + "tail " * 500, "red fox", width=200)
    assert "red fox sleeps" in out
    assert "more characters)" in out
    assert "characters) …" in out
    assert len(out) < 1200


def test_a_terminal_gets_a_drawing(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ir_measures", reason="needs the extra eval")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    out = run("search", "red foxes", *BM25, "--explain").out
    assert "d1  Foxes" in out
    assert "bm25 #1 (1.00)" in out
    files = (*BM25, "--queries", written("q.jsonl", QUERIES))
    assert "q2 blue" in run("search", *files).out
    table = run("search", *files, "--qrels", written("qrels.tsv", QRELS)).out
    rows = [line.split() for line in re.sub("\x1b.*?m", "", table).splitlines()]
    assert rows[0] == ["bm25", "2", "queries", "95", "%"]
    assert ["ndcg_cut_10", "1.0000", "[1.0000,", "1.0000]"] in rows


def test_small_scores_keep_digits_that_differ() -> None:
    assert [drawing._score(score) for score in (12.3456, -0.5, 0.0328, 0.0325)] == [
        "12.35",
        "-0.50",
        "0.0328",
        "0.0325",
    ]
