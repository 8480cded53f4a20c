import pytest

from groundwire.visible import one_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        (" two\n\tlines ", "two lines"),
        ("\x1b[31mred\x9b", r"\x1b[31mred\x9b"),
        ("\u202e\u2066\ud800\x00", r"\u202e\u2066\ud800\x00"),
        ("👩\u200d👧 שלום", "👩\u200d👧 שלום"),
    ],
)
def test_what_is_not_plainly_printable_becomes_an_escape(text: str, shown: str) -> None:
    assert one_line(text) == shown
