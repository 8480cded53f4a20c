import pytest

from groundwire.analysis import analyzer
from groundwire.analysis.languages import LANGUAGES
from groundwire.errors import MissingExtra

library = pytest.importorskip("snowballstemmer")


def test_german() -> None:
    chain = analyzer("german")
    assert chain.name == "german"
    assert chain.terms("Die Häuser, DIE HÄUSERN __ des Hauses") == ["die", "haus", "die", "haus", "des", "haus"]
    assert chain.term("__") is None


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_analyses_anything(language: str) -> None:
    chain = analyzer(language)
    text = "Les maisons, 1,000 Дома 漢字 ไทย s’ \U0001f600 " + "a" * 300
    assert len(chain.terms(text)) == len(analyzer("simple").terms(text))
    assert all(chain.terms(text))


def test_the_library_has_every_language_that_is_named() -> None:
    assert set(library.algorithms()) >= LANGUAGES


def test_a_library_that_is_too_old_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def stemmer(language: str) -> None:
        raise KeyError(language)

    monkeypatch.setattr(library, "stemmer", stemmer)
    with pytest.raises(MissingExtra, match="knows czech"):
        analyzer("czech")
