import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.analysis import Analyzer, analyzer
from groundwire.errors import MissingExtra, UnknownName

NAMES = ["english", "simple", "none"]
ANY = st.text() | st.text(st.sampled_from("aS '’._,1\u200d\u0301👩é\ud800\0 \n"))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_opens_what_bears_it(name: str) -> None:
    assert analyzer(name).name == name
    assert repr(analyzer(name)) == f"analyzer('{name}')"


def test_an_unknown_name_says_which_are_near() -> None:
    with pytest.raises(UnknownName, match="did you mean english") as caught:
        analyzer("englisch")
    assert caught.value.exit_code == 2


def test_a_language_without_its_library_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    with pytest.raises(MissingExtra, match=r"groundwire\[languages\]") as caught:
        analyzer("german")
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None)  # the first text of a kind compiles its pattern
@given(text=ANY)
def test_terms_are_the_terms_of_the_pieces(name: str, text: str) -> None:
    chain = analyzer(name)
    expected = [term for piece in chain.pieces(text) if (term := chain.term(piece)) is not None]
    assert chain.terms(text) == expected == chain.terms(text)


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None)  # the first text of a kind compiles its pattern
@given(text=ANY)
def test_terms_are_never_empty_and_can_be_written(name: str, text: str) -> None:
    for term in analyzer(name).terms(text):
        assert term
        assert term.encode()
        assert not set(term) & set(" \n")


def test_simple_keeps_every_word_as_it_is() -> None:
    assert analyzer("simple").terms("The Dogs' DOG's __ runs") == ["the", "dogs", "dog's", "runs"]


def test_none_parts_at_white_space_alone() -> None:
    assert analyzer("none").terms(" The\tDogs' __ a-b.\n\u3000x ") == ["The", "Dogs'", "__", "a-b.", "x"]
    assert list(map(len, analyzer("none").terms("x" * 600))) == [255, 255, 90]
    assert analyzer("none").terms("a\ud800b") == ["a\ufffdb"]


def test_what_is_remembered_is_bounded() -> None:
    calls: list[str] = []

    def term(piece: str) -> str:
        calls.append(piece)
        return piece

    chain = Analyzer("test", pieces=str.split, term=term)
    chain.terms("a b a " + "x" * 100)
    chain.terms("a b " + "x" * 100)
    assert calls == ["a", "b", "x" * 100, "x" * 100]  # a long word is not remembered
    chain.terms(" ".join(map(str, range(1 << 17))))
    calls.clear()
    assert chain.terms("a") == ["a"]
    assert calls == ["a"]


def test_threads_share_one() -> None:
    chain = analyzer("english")
    text = " ".join(f"running{i} flies's the" for i in range(300))
    expected = analyzer("english").terms(text)
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append(chain.terms(text))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8
