"""Counts the commonest words of the texts that may be trained on: what `groundwire.text.roots` tells rare words by.

A word counts once for each text that it stands in, so that no long text speaks for all. Tables are left out: their rows are
mostly figures, and each repeats its headings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from groundwire import text
from groundwire.text import folded_words, is_stop_word
from groundwire.text.roots import COMMON, WORDS
from groundwire.training.mixture import Mixture, split
from groundwire.training.sources import row_contexts
from groundwire.training.written.documents import load_documents

TABLES = ("tabfact", "infotabs")
"""How the names of the sets of tables begin."""
SHIPPED = Path(text.__file__).with_name(COMMON)


def texts(mixture: Mixture, data: Path) -> Iterator[str]:
    """Every distinct context of the sets that are trained on, and the documents that were written for it."""
    train, _ = split(mixture, data)
    prose = (rows for name, rows in train.rows.items() if not name.startswith(TABLES))
    yield from dict.fromkeys(context for rows in prose for row in rows for context in row_contexts(row))
    yield from (" ".join(document.sentences) for document in load_documents())


def commonest(found: Iterable[str], most: int = WORDS) -> list[str]:
    """Return up to `most` words that are no stop words, those in most texts first, equal ones by the alphabet."""
    counts = Counter(word for one in found for word in set(folded_words(one)) if not is_stop_word(word))
    return sorted(counts, key=lambda word: (-counts[word], word))[:most]
