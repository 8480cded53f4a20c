"""Claims written by hand on documents of public sets: news, web pages, papers and articles as they stand in the world.

What we compose ourselves (`documents`) is cleaner than what people check answers against: real text has headings run into
sentences, abbreviations, quotations cut short, names without an introduction. A file names its documents and holds only
what is said of them; the text stays in the set:

    == wice-tokens-train | 4f1 | 3-27 | 9f2c41d0      the set, the row, its sentences [3, 27) from 0, and their digest
    + 2,3 | The mill was sold to its workers.         claims, as in `documents`; sentences numbered from 1 within these

Who writes claims on a document has read it, and what is wrong in them was put there. A model that answers from memory, and
whose answer is held against a passage that was found afterwards, errs otherwise: it says more than the passage does, and
words in common tell a good deal. The answers in `RECALLED` were written so: the questions first, with no passage at hand, then
the label of every sentence, by the passage. A model that sums up or answers from a text that it has read badly errs in yet
another way: nearly all of its words are the text's, and a small one is guessed. What is said in `GLIMPSED` was written so: by
somebody who saw the text with a third to a half of its words missing and filled in what seemed likeliest; then labelled by
somebody else, who had all of it. What is right of that stands in `EDITED` once more, in other words and with one small thing
changed, by somebody who saw the sentence and not the text: so neither a sentence's own words nor how far they are from the
text's say which of the two it is. A model that shortens or sums up, last, puts together wrongly what stands there: it gives a
deed to the wrong person, joins two facts into one that nobody told, or fits one item too many into what the whole is about.
`REJOINED` holds pairs of such sentences, by somebody who had the text, one right and one wrong, both made of its own matter.

Left out: which rows may be trained on (`sources`), and how samples are made of documents (`claims`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from groundwire.errors import InputError
from groundwire.training.passages import sentences
from groundwire.training.sources import Row, row_contexts
from groundwire.training.written.documents import Document, parts, read_said

CLAIMS = Path(__file__).with_name("borrowed")
RECALLED = Path(__file__).with_name("recalled")
GLIMPSED = Path(__file__).with_name("glimpsed")
EDITED = Path(__file__).with_name("edited")
REJOINED = Path(__file__).with_name("rejoined")
FOLDERS = (CLAIMS, RECALLED, GLIMPSED, EDITED, REJOINED)
PLACE = re.compile(r"(?P<set>[\w-]+) \| (?P<row>\S+) \| (?P<start>\d+)-(?P<end>\d+) \| (?P<digest>[0-9a-f]{8})")
FORM = "the form of a document is described in groundwire/training/written/borrowed.py"


def borrowed(rows: Mapping[str, Sequence[Row]], folder: Path = CLAIMS) -> Iterator[Document]:
    """The documents of a folder's files whose rows are among these (rows by set), in the order of the files.

    Raises InputError where a line is none of the form, or where the set's text is not what the claims were written on.
    """
    known = {(name, str(row["id"])): row for name, of_set in rows.items() for row in of_set}
    for path in sorted(folder.glob("*.txt")):
        for lines in parts(path):
            match = PLACE.fullmatch(lines[0])
            if match is None or len(lines) == 1:
                raise InputError(f"{path}: {lines[0]!r} names no document of a set with claims on it", FORM)
            row = known.get((match["set"], match["row"]))
            if row is not None:
                yield _document(match, row, lines[1:], path)


def sets(folder: Path) -> frozenset[str]:
    """The names of the sets that a folder's documents are of."""
    heads = (lines[0] for path in folder.glob("*.txt") for lines in parts(path))
    return frozenset(head.split(" | ")[0] for head in heads)


def excerpt(row: Row, start: int, end: int) -> tuple[str, ...]:
    """The sentences [start, end) of a row's contexts, one after the other."""
    return tuple(part for part in sentences(" ".join(row_contexts(row))) if part)[start:end]


def digest(text: Sequence[str]) -> str:
    """What tells an excerpt from another: eight hexadecimal digits."""
    return sha256("\n".join(text).encode()).hexdigest()[:8]


def _document(match: re.Match[str], row: Row, lines: Sequence[str], path: Path) -> Document:
    text = excerpt(row, int(match["start"]), int(match["end"]))
    if digest(text) != match["digest"]:
        raise InputError(f"{path}: the text of {match[0]!r} is not the one that the claims were written on", FORM)
    said = tuple(read_said(line, len(text), path) for line in lines)
    return Document(register=match["set"], topic=match["row"], sentences=text, said=said)
