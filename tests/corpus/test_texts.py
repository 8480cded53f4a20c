import sys
from pathlib import Path

import pytest

from groundwire.corpus import documents
from groundwire.errors import InputError, MissingExtra
from groundwire.types import Document


def read(path: Path, data: bytes) -> Document:
    path.write_bytes(data)
    (document,) = documents(path)
    return document


def test_plain_text_stays_as_it_is(tmp_path: Path) -> None:
    assert read(tmp_path / "a.txt", b"\xef\xbb\xbf One.\r\n\tTwo.\n").text == " One.\r\n\tTwo.\n"


def test_text_that_is_not_utf8_is_named_by_its_byte(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.txt: not UTF-8 text \(byte 4 of the file\) \(hint: .*iconv"):
        read(tmp_path / "a.txt", b"caf\xe9")


def test_markdown_keeps_its_text_and_its_first_heading_is_the_title(tmp_path: Path) -> None:
    text = b"intro\n\n## The  *title* ##\nBody.\n# Later"
    assert read(tmp_path / "a.md", text) == Document(id="a.md", text=text.decode(), title="The *title*")
    assert read(tmp_path / "b.md", b"#hashtag").title is None


def test_a_page_may_say_its_encoding(tmp_path: Path) -> None:
    head = b'<meta charset="iso-8859-1"><title>Caf\xe9</title>'
    assert read(tmp_path / "a.html", head + b"<p>d\xe9j\xe0") == Document(id="a.html", text="déjà", title="Café")
    with pytest.raises(InputError, match="not UTF-8"):
        read(tmp_path / "b.html", b"<p>d\xe9j\xe0")
    with pytest.raises(InputError, match="not UTF-8"):
        read(tmp_path / "c.html", b"<meta charset=klingon><p>d\xe9j\xe0")


def one_page(text: str) -> bytes:
    """Return a PDF of one page with this text in it."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Title (A report) >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size 6 /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(out)
    return out + b"xref\n0 6\n0000000000 65535 f \n" + table + trailer


def test_a_pdf_is_its_text(tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    document = read(tmp_path / "a.pdf", one_page("The harbour opened in 1931."))
    assert document == Document(id="a.pdf", text="The harbour opened in 1931.", title="A report")


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4\n", one_page("x")[:200], b"not a PDF at all"])
def test_a_damaged_pdf_is_named(tmp_path: Path, data: bytes) -> None:
    pytest.importorskip("pypdf")
    with pytest.raises(InputError, match=r"cannot read .*a\.pdf as PDF"):
        read(tmp_path / "a.pdf", data)


def test_without_the_package_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(MissingExtra, match=r"groundwire\[pdf\]"):
        read(tmp_path / "a.pdf", one_page("x"))
