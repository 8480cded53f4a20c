"""Whole files to documents: plain text, Markdown, HTML and PDF, one document a file.

Plain text and Markdown stay as they are, so offsets hold in the file's own text; Markdown's title is its first heading.
Of HTML and PDF the extracted text is the document. Left out: the pages of a PDF that are only images.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from io import BytesIO

from groundwire._optional import require
from groundwire.corpus.markup import read_page
from groundwire.corpus.opening import Opened, mended
from groundwire.errors import InputError
from groundwire.types import Document

_HEADING = re.compile(r"^#{1,6}[ \t]++([^\n]*+)$", re.MULTILINE)
_LONGEST_TITLE = 300


def plain_text(file: Opened, name: str) -> Iterator[Document]:
    """Yield the file as one document."""
    yield Document(id=name, text=file.text())


def markdown(file: Opened, name: str) -> Iterator[Document]:
    """Yield the file as one document, its first heading as title."""
    text = file.text()
    heading = _HEADING.search(text)
    yield Document(id=name, text=text, title=_title(heading[1].strip("# \t\r")) if heading else None)


def html(file: Opened, name: str) -> Iterator[Document]:
    """Yield what a reader sees of the page. It may declare another encoding than UTF-8."""
    page = read_page(file.text(charset=True))
    yield Document(id=name, text=mended(page.text), title=_title(mended(page.title or "")))


def pdf(file: Opened, name: str) -> Iterator[Document]:
    """Yield the text of all pages. Raises MissingExtra, and InputError when the file is damaged or locked."""
    pypdf = require("pypdf", "pdf")
    data = BytesIO(file.bytes())
    log = logging.getLogger("pypdf")
    before, log.disabled = log.disabled, True  # it logs every oddity that it mends
    try:
        reader = pypdf.PdfReader(data)
        title = (reader.metadata and reader.metadata.title) or ""
        text = "\n\n".join(page.extract_text() for page in reader.pages)
    except Exception as error:  # hostile files make it raise far more than its own errors
        locked = type(error).__name__ in ("FileNotDecryptedError", "WrongPasswordError", "DependencyError")
        hint = "it is locked: save it without a password" if locked else "open it in a viewer and save it anew"
        why = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"cannot read {file.title} as PDF: {why}", hint) from error
    finally:
        log.disabled = before
    yield Document(id=name, text=mended(text), title=_title(mended(str(title))))


def _title(text: str) -> str | None:
    return " ".join(text.split())[:_LONGEST_TITLE] or None
