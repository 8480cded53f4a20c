"""Names: what is written as one, and where it stands."""

import pytest

from groundwire.text import names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The mill in Leeds belonged to Mr Hale.", ["Leeds", "Mr", "Hale"]),
        ("Leeds grew. It grew fast.", []),
        ("NASA and iPhone and a B movie", ["NASA", "iPhone"]),
        ("nothing here", []),
        ("", []),
        ("\x00 🙂 Ünal met Çelik", ["Çelik"]),
    ],
)
def test_names_are_found_with_their_places(text: str, found: list[str]) -> None:
    assert [text[start:end] for (start, end), _ in names(text)] == found


def test_terms_are_folded() -> None:
    assert [terms for _, terms in names("They met DuPont in Paris.")] == [["dupont"], ["paris"]]
