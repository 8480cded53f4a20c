"""The same verbs on every backend: what holds for an index in a folder holds for one on Milvus, tried on milvus-lite."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from groundwire.errors import GroundwireError, InputError, MissingIndex, Unavailable, UnknownName, UsageError
from groundwire.index import AnyIndex, check, create_index, open_index
from groundwire.stacks import build
from groundwire.types import Passage, Span

TEXTS = {
    "fox": "The quick brown fox jumps over the lazy dog.",
    "bread": "Bread is baked from flour, water, yeast and salt.",
    "moon": "The moon goes around the earth in 27.3 days; don't wait for it.",
    "tea": "Green tea is brewed at 80 degrees, black tea at the boil.",
    "river": "The river rises in the mountains and flows to the sea, past the U.S. border.",
    "dog": "A dog barks at the moon, and another dog barks at the first dog.",
}
QUESTIONS = {
    "which dogs bark?": "dog",
    "flour and yeast": "bread",
    "how hot is water for green tea?": "tea",
    "where do rivers rise": "river",
    "days of the moon around the earth": "moon",
    "27.3 days, don't": "moon",
}
STRANGE = [
    Passage(id="plain", text="nothing special"),
    Passage(id="full", text="cut from a page", title="A title", origin=Span(source="page", start=3, end=18)),
    Passage(id="meta", text="with data", meta={"n": 1.5, "deep": [{"a": None}, True], "übung": "é"}),
    Passage(id='"] or key != "', text="an id that looks like a filter"),
    Passage(id="é😀\u0000\n", text="emoji 😀👩‍👩‍👧, NUL \u0000, tab \t, line\nbreaks \r\n and \u2028"),
    Passage(id="\ud800", text="lone surrogates \udfff", title="\udead"),
    Passage(id="x" * 2000, text="a very long id"),
    Passage(id="empty", text="", title=""),
]
BACKENDS = ("local", "milvus")

Make = Callable[..., AnyIndex]


@pytest.fixture(params=BACKENDS)
def spec(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an index may be made."""
    if request.param == "local":
        return str(tmp_path / "index")
    pytest.importorskip("pymilvus", reason="needs the extra milvus")
    pytest.importorskip("milvus_lite", reason="needs the extra milvus")
    return f"milvus:{tmp_path / 'index.db'}"


@pytest.fixture
def index(spec: str) -> Iterator[AnyIndex]:
    """An empty index."""
    with closing(create_index(spec)) as made:
        yield made


def given(texts: dict[str, str]) -> Iterable[Passage]:
    return (Passage(id=id_, text=text) for id_, text in texts.items())


def found(index: AnyIndex, query: str, k: int = 10) -> list[str]:
    (hits,) = index.bm25().retrieve([query], k)
    return [hit.passage.id for hit in hits]


def test_an_empty_index_finds_nothing(index: AnyIndex) -> None:
    assert found(index, "fox") == []
    assert list(index.passages()) == []
    facts = index.info().to_dict()
    assert (facts["passages"], facts["documents"], facts["tokens"]) == (0, 0, 0)
    assert index.check() == []


def test_whatever_changes_the_passages_changes_the_digest_of_the_contents(index: AnyIndex, spec: str) -> None:
    told = [index.contents()]
    for texts in ({"a": "one", "b": "two"}, {"a": "six"}, {"c": "one"}):
        index.add(given(texts), existing="replace")
        told.append(index.contents())
    index.remove(["b"])
    told.append(index.contents())
    assert len(set(told)) == 5
    index.add(given({"a": "ten"}), existing="skip")
    index.close()
    with open_index(spec) as again:
        assert again.contents() == told[-1]


def test_passages_come_back_exactly(index: AnyIndex) -> None:
    assert index.add(STRANGE).added == len(STRANGE)
    assert [index.passage(passage.id) for passage in STRANGE] == STRANGE
    assert {passage.id: passage for passage in index.passages()} == {passage.id: passage for passage in STRANGE}
    (hits,) = index.bm25().retrieve(["emoji"], 3)
    assert hits[0].passage == STRANGE[4]
    assert index.check() == []


def test_an_id_that_is_not_there_is_an_error(index: AnyIndex) -> None:
    index.add(given(TEXTS))
    for id_ in ("", "FOX", 'fox" or key != "'):
        with pytest.raises(InputError, match="no passage"):
            index.passage(id_)


def test_the_right_passage_comes_first(index: AnyIndex) -> None:
    index.add(given(TEXTS))
    lists = index.bm25().retrieve(list(QUESTIONS), 3)
    assert [hits[0].passage.id for hits in lists] == list(QUESTIONS.values())
    for hits in lists:
        scores = [hit.score for hit in hits]
        assert scores == sorted(scores, reverse=True)
        assert min(scores) > 0
        assert {hit.by for hit in hits} == {"bm25"}


def test_more_hits_than_passages_are_all_that_match(index: AnyIndex) -> None:
    index.add(given(TEXTS))
    assert set(found(index, "moon dog tea", 100_000)) == {"moon", "dog", "tea", "fox"}
    with pytest.raises(InputError):
        found(index, "moon", 0)


@pytest.mark.parametrize("query", ["", " \n", "the of and", "zeppelin", "?!", "\ud800", "\u0000"])
def test_a_query_without_a_known_term_finds_nothing(index: AnyIndex, query: str) -> None:
    index.add(given(TEXTS))
    assert found(index, query) == []
    assert index.bm25().retrieve([query, "yeast", query], 3)[1][0].passage.id == "bread"


def test_a_query_of_thousands_of_terms_is_answered(index: AnyIndex) -> None:
    index.add(given(TEXTS))
    assert found(index, "yeast " + " ".join(f"word{n}" for n in range(5000))) == ["bread"]


def test_equal_scores_stand_by_id_wherever_the_cut_is(index: AnyIndex) -> None:
    names = [f"n{n:02d}" for n in range(40)]
    index.add(Passage(id=id_, text="the same words") for id_ in reversed(names))
    for k in (1, 7, 39, 40, 41):
        assert found(index, "same words", k) == names[:k]


def test_the_same_id_twice_is_an_error_is_skipped_or_replaces(index: AnyIndex) -> None:
    assert index.add(given(TEXTS)).to_dict() == {"added": 6, "duplicates": 0, "skipped": 0, "replaced": 0}
    other = Passage(id="tea", text="Tea grows on hills.")
    with pytest.raises(InputError, match="'tea' is in the index already"):
        index.add([other])
    with pytest.raises(InputError, match="'new' is given twice"):
        index.add([Passage(id="new", text="one"), Passage(id="new", text="two")])
    assert index.add([other], existing="skip").to_dict()["skipped"] == 1
    assert found(index, "hills") == []
    assert index.add([other], existing="replace").to_dict() == {
        "added": 1,
        "duplicates": 0,
        "skipped": 0,
        "replaced": 1,
    }
    assert found(index, "hills") == ["tea"]
    assert found(index, "brewed") == []
    assert index.passage("tea") == other
    with pytest.raises(UnknownName):
        index.add([], existing="whatever")


def test_adding_again_changes_nothing(index: AnyIndex) -> None:
    index.add(given(TEXTS))
    again = index.add(given(TEXTS), existing="skip").to_dict()
    assert (again["added"], again["skipped"]) == (0, 6)
    assert index.info().to_dict()["passages"] == 6


def test_the_same_words_twice_are_counted_and_dropped_if_asked(index: AnyIndex) -> None:
    index.add([Passage(id="1", text="same", title="t"), Passage(id="2", text="same")])
    more = [Passage(id="3", text="same"), Passage(id="4", text="new"), Passage(id="5", text="new")]
    assert index.add(more[:1]).to_dict()["duplicates"] == 1
    done = index.add([*more[1:], Passage(id="6", text="same", title="t")], unique=True).to_dict()
    assert (done["added"], done["duplicates"]) == (1, 2)
    assert {passage.id for passage in index.passages()} == {"1", "2", "3", "4"}


@pytest.mark.parametrize(
    "wrong",
    [Passage(id="", text="no id"), "text", Passage(id="1", text=None)],  # type: ignore[arg-type]
    ids=["no id", "no passage", "no text"],
)
def test_what_is_no_passage_is_refused(index: AnyIndex, wrong: Passage) -> None:
    with pytest.raises(InputError):
        index.add([wrong])
    assert index.info().to_dict()["passages"] == 0


@pytest.mark.parametrize("meta", [{"a": {1, 2}}, {"a": float("nan")}])
def test_meta_that_json_has_no_words_for_is_refused(index: AnyIndex, meta: dict[str, object]) -> None:
    with pytest.raises((InputError, TypeError, ValueError)):
        index.add([Passage(id="1", text="a", meta=meta)])
    assert index.info().to_dict()["passages"] == 0


def test_what_is_removed_is_not_found(index: AnyIndex) -> None:
    index.add(given(TEXTS))
    assert index.remove(["dog", "nobody", "dog"]) == 1
    assert found(index, "dog") == ["fox"]
    with pytest.raises(InputError):
        index.passage("dog")
    assert index.remove(["dog"]) == 0
    assert index.remove([]) == 0
    assert index.info().to_dict()["passages"] == 5
    index.add([Passage(id="dog", text="The dog is back.")])
    assert found(index, "back") == ["dog"]
    index.compact()
    assert set(found(index, "dog")) == {"dog", "fox"}
    assert index.check() == []


def test_a_document_goes_with_all_its_passages(index: AnyIndex) -> None:
    cut = [Passage(id=f"d#{n}", text=f"part {n}", origin=Span(source="d", start=n, end=n + 6)) for n in range(5)]
    index.add([*cut, Passage(id="e", text="part of another")])
    facts = index.info().to_dict()
    assert (facts["passages"], facts["documents"]) == (6, 2)
    assert index.remove(["d#0"]) == 1
    assert index.remove(["d"]) == 4
    assert found(index, "part") == ["e"]


def test_what_is_held_of_documents_and_under_ids(index: AnyIndex) -> None:
    cut = [Passage(id=f"d#{n}", text=f"part {n}", origin=Span(source="d", start=n, end=n + 6)) for n in range(1200)]
    index.add([*cut, *STRANGE])
    index.remove(["d#7"])
    found = index.held(["d", "nobody", "d#3", "page", "plain", "d", "\ud800", *(f"no{n}" for n in range(2000))])
    assert found.keys() == {"d", "d#3", "page", "plain", "\ud800"}
    assert sorted(found["d"], key=lambda p: int(p.id[2:])) == [*cut[:7], *cut[8:]]
    assert found["d#3"] == [cut[3]]
    assert (found["page"], found["plain"], found["\ud800"]) == ([STRANGE[1]], [STRANGE[0]], [STRANGE[5]])
    assert index.held([]) == {}


def test_an_index_is_there_when_it_is_opened_again(spec: str) -> None:
    with closing(create_index(spec, analyzer="simple")) as index:
        index.add(given(TEXTS))
        index.remove(["dog"])
        index.add([Passage(id="later", text="Added in a second call, about dogs.")])
        before = index.info().to_dict()
    with closing(open_index(spec)) as index:
        assert index.analyzer == "simple"
        after = index.info().to_dict()
        assert {name: after[name] for name in ("analyzer", "passages", "documents", "tokens")} == {
            name: before[name] for name in ("analyzer", "passages", "documents", "tokens")
        }
        assert (after["analyzer"], after["passages"]) == ("simple", 6)
        assert found(index, "DOGS") == ["later"]
        assert found(index, "dog") == ["fox"]
        assert index.check() == []
    assert check(spec) == []


def test_two_may_have_it_open(index: AnyIndex, spec: str) -> None:
    index.add(given(TEXTS))
    with closing(open_index(spec)) as other:
        assert found(other, "yeast") == ["bread"]
    assert found(index, "yeast") == ["bread"]


def test_progress_says_what_is_safe(index: AnyIndex) -> None:
    said: list[int] = []
    index.add(given(TEXTS), progress=said.append)
    assert said == [6]


def test_what_is_not_there_or_is_there_already_is_said(spec: str) -> None:
    for asked in (open_index, check):
        with pytest.raises(MissingIndex) as missing:
            asked(spec)
    assert (missing.value.exit_code, missing.value.taken) == (3, False)
    assert spec in missing.value.hint
    create_index(spec).close()
    with pytest.raises(UsageError, match="already"):
        create_index(spec)
    with pytest.raises(UnknownName):
        create_index(f"{spec}.db", analyzer="klingon")


def test_what_another_program_wrote_stays_as_it_is(spec: str) -> None:
    path = Path(spec.removeprefix("milvus:"))
    for make in (lambda: path.write_text("not ours"), lambda: (path.mkdir(), (path / "a.txt").write_text("not ours"))):
        make()
        with pytest.raises((MissingIndex, UsageError)):
            open_index(spec)
        with pytest.raises(GroundwireError, match=str(path)):
            create_index(spec)
        if path.is_file():
            assert path.read_text() == "not ours"
            path.unlink()
    assert [file.name for file in path.iterdir()] == ["a.txt"]


def test_a_closed_index_says_so(spec: str) -> None:
    index = create_index(spec)
    index.close()
    index.close()
    with pytest.raises(Unavailable, match="closed"):
        found(index, "fox")


def test_stacks_are_built_over_it(index: AnyIndex) -> None:
    index.add(given(TEXTS))
    stack = build("bm25:3", index)
    assert stack.name == "bm25:3"
    assert stack.retrieve(["dogs"], 10)[0][0].passage.id == "dog"
