"""Reads the documents of `texts/*.txt` and checks them.

A file is plain text, a thing a line:

    == news | council votes on a footbridge      a document: its register and its topic
    . The council voted 7 to 4 to replace it.    its sentences, numbered from 1
    + 1 | The council wants a new bridge.        the document backs the claim; sentence 1 shows it
    ! 1 | The council voted {7 to 5} for it.     the document denies it; in braces the words that are wrong
    ? 1 | The bridge {will cost 2 million}.      the document leaves it open
    - 1 | The council {chose} to replace it.     the document does not back it; which of the two it is, nobody said
    + 1 @ How did they vote? | 7 to 4.           an answer to a question

Left out: how samples are made of documents (`claims`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from groundwire.errors import InputError
from groundwire.training.sample import NAMES, NEI, NOT_SUPPORTED, REFUTES, SUPPORTS, Marked
from groundwire.training.sources import Row

TEXTS = Path(__file__).with_name("texts")
LABELS = {"+": SUPPORTS, "!": REFUTES, "?": NEI, "-": NOT_SUPPORTED}
CLAIM = re.compile(r"(?P<label>[-+!?]) (?P<at>\d+(?:,\d+)*)(?: @ (?P<question>.+?))? \| (?P<text>.+)")
BRACES = re.compile(r"\{([^{}]*)\}")
FORM = "the form of a document is described in groundwire/training/written/documents.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A claim about a document: its label, the places of the sentences that decide it (from 0), and its unbacked words."""

    label: int
    at: tuple[int, ...]
    question: str | None
    text: Marked


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document: its sentences (or turns of a dialogue), and what is said of it."""

    register: str
    topic: str
    sentences: tuple[str, ...]
    said: tuple[Said, ...]


@cache
def load_documents(folder: Path = TEXTS) -> tuple[Document, ...]:
    """The documents of a folder's files, in the order of their names. Raises InputError where a line is none of the form."""
    return tuple(document for path in sorted(folder.glob("*.txt")) for document in read_documents(path))


def read_documents(path: Path) -> Iterator[Document]:
    """The documents of a file. Raises InputError where a line is none of the form."""
    return (_document(lines, path) for lines in parts(path))


def parts(path: Path) -> Iterator[list[str]]:
    """The lines of each document of a file, empty ones left out, the first without its `== `."""
    for part in path.read_text(encoding="utf-8").split("\n== "):
        lines = [line.strip() for line in part.removeprefix("== ").splitlines()]
        if any(lines):
            yield [line for line in lines if line]


def _document(lines: list[str], path: Path) -> Document:
    register, bar, topic = lines[0].partition(" | ")
    sentences = tuple(line[2:] for line in lines[1:] if line.startswith(". "))
    said = tuple(read_said(line, len(sentences), path) for line in lines[1:] if not line.startswith(". "))
    if not (bar and sentences and said):
        raise InputError(f"{path}: {lines[0]!r} begins no document with sentences and claims", FORM)
    return Document(register=register, topic=topic, sentences=sentences, said=said)


def read_said(line: str, sentences: int, path: Path) -> Said:
    """A claim of a file about a document of so many sentences. Raises InputError where the line is none of the form."""
    match = CLAIM.fullmatch(line)
    if match is None:
        raise InputError(f"{path}: {line!r} is no claim", FORM)
    at = tuple(sorted({int(number) - 1 for number in match["at"].split(",")}))
    if at[0] < 0 or at[-1] >= sentences:
        raise InputError(f"{path}: {line!r} names a sentence that the document does not have", FORM)
    text = unbraced(match["text"])
    label = LABELS[match["label"]]
    if (label == SUPPORTS) == bool(text.spans) or set("{}") & set(text.text):
        raise InputError(f"{path}: {line!r}: braces hold what is not backed, and a backed claim has none", FORM)
    return Said(label=label, at=at, question=match["question"], text=text)


def unbraced(text: str) -> Marked:
    """The text without its braces, what stood in them marked."""
    parts, spans, length, last = [], [], 0, 0
    for match in BRACES.finditer(text):
        parts += [text[last : match.start()], match[1]]
        length += match.start() - last
        spans.append((length, length + len(match[1])))
        length += len(match[1])
        last = match.end()
    return Marked("".join(parts) + text[last:], tuple(spans))


def rows_of(document: Document) -> Iterator[Row]:
    """The document's claims in the evaluation format, each against the whole document."""
    for number, said in enumerate(document.said):
        yield {
            "id": f"{document.register}/{document.topic}#{number}",
            "question": said.question,
            "answer": said.text.text,
            "contexts": [" ".join(document.sentences)],
            "label": int(said.label == SUPPORTS),
            "label3": NAMES.get(said.label),
        }
