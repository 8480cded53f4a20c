"""WordPiece as BERT does it (Devlin et al., NAACL 2019; Wu et al., arXiv 1609.08144, section 4.1), without a package.

Clean the text, put white space around CJK ideographs and punctuation, lower-case and drop accents (uncased models only),
then cut every word greedily into the longest known pieces. All of it is linear in the text, also for a single word of a
million characters: a word over 100 characters is one unknown word, as in BERT.

The ids are those of the `tokenizers` package for every character assigned in the Unicode version its tables know. What a
text says is text: "[SEP]" in it becomes ordinary pieces, never the special token, so that no answer can forge the end of
its evidence. Left out: training a vocabulary, decoding, every other kind of tokenizer (`hftokenizer`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from groundwire.errors import CorruptModel
from groundwire.models.hftokenizer import Frame

_LONGEST_WORD = 100
"""Characters; BERT's own limit, longer words are unknown."""
_MEMO_WORDS = 50_000
_TABLE_CHARACTERS = 20_000
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    """A vocabulary, and the ids of a text in it. Safe for any number of threads.

    `frame` is what stands around a pair: [CLS] a [SEP] b [SEP], with token types 0 and 1.
    Raises CorruptModel for a vocabulary without [UNK], [CLS] or [SEP].
    """

    frame: Frame

    def __init__(self, vocabulary: Sequence[str], *, lowercase: bool) -> None:
        self._ids = {piece: i for i, piece in enumerate(vocabulary)}
        for special in ("[UNK]", "[CLS]", "[SEP]"):
            if special not in self._ids:
                raise CorruptModel(f"the WordPiece vocabulary has no {special}")
        self._pieces_by_id = tuple(vocabulary)
        self._unknown = (self._ids["[UNK]"],)
        self._longest_piece = max(map(len, self._ids))
        self._table = _Table(lowercase)
        self._memo: dict[str, tuple[int, ...]] = {}
        start, end = (self._ids["[CLS]"],), (self._ids["[SEP]"],)
        self.frame = Frame(before=start, between=end, after=end, types=(0, 0, 0, 1, 1))

    @classmethod
    def open(cls, path: Path, *, lowercase: bool) -> Self:
        """Read a vocab.txt: one piece a line, its id the line's number from 0. Raises CorruptModel."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise CorruptModel(f"{path.name} cannot be read: {error}") from error
        return cls([line.rstrip() for line in text.removesuffix("\n").split("\n")], lowercase=lowercase)

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The pieces by id."""
        return self._pieces_by_id

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, without special tokens. Never raises: lone surrogates and NULs are dropped."""
        memo = self._memo
        ids: list[int] = []
        for word in text.translate(self._table).split():
            pieces = memo.get(word)
            ids.extend(self._learn(word) if pieces is None else pieces)
        return ids

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Return where each token of `encode(text)` stands in the text: (start, end) in code points, in order.

        What is dropped (accents, controls, joiners) belongs to the piece before it. Pieces of one character share its
        place, as those of a Hangul syllable do, which decomposes into its letters. Time is linear in the text.
        """
        table = self._table
        made = [table[ord(c)] or "" for c in text]
        origin = [i for i, characters in enumerate(made) for _ in characters]
        normal = "".join(made)
        found: list[tuple[int, int]] = []
        at = 0
        for word in normal.split():
            at = normal.index(word, at)
            for length in self._lengths(word):
                start, last = origin[at], origin[at + length - 1]
                end = last + 1
                while end < len(made) and not made[end]:
                    end += 1
                found.append((start, end))
                at += length
        return found

    def _lengths(self, word: str) -> list[int]:
        """Return how many characters of a word each of its pieces covers."""
        ids = self._memo.get(word) or self._learn(word)
        if ids == self._unknown:
            return [len(word)]
        return [len(self._pieces_by_id[i]) - 2 * (n > 0) for n, i in enumerate(ids)]

    def _learn(self, word: str) -> tuple[int, ...]:
        """Cut a word and remember how; what is remembered is bounded in words and in their length."""
        if len(word) > _LONGEST_WORD:
            return self._unknown
        pieces = self._pieces(word)
        if len(self._memo) >= _MEMO_WORDS:
            self._memo.clear()
        self._memo[word] = pieces
        return pieces

    def _pieces(self, word: str) -> tuple[int, ...]:
        ids, found, start = self._ids, [], 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(min(len(word), start + self._longest_piece), start, -1):
                piece = ids.get(prefix + word[start:end])
                if piece is not None:
                    break
            else:
                return self._unknown
            found.append(piece)
            start = end
        return tuple(found)


class _Table(dict[int, str | None]):
    """What each character becomes, for `str.translate`; filled as characters are met, and bounded."""

    def __init__(self, lowercase: bool) -> None:
        super().__init__()
        self._lowercase = lowercase

    def __missing__(self, code: int) -> str | None:
        if len(self) >= _TABLE_CHARACTERS:
            self.clear()
        self[code] = made = _normal(chr(code), self._lowercase)
        return made


def _normal(character: str, lowercase: bool) -> str | None:
    """Return what stands for a character before words are cut: None drops it, spaces divide words."""
    category = unicodedata.category(character)
    if character in "\t\n\r" or category in ("Zs", "Zl", "Zp"):
        return " "
    if character == "\ufffd" or (category.startswith("C") and category != "Cn"):
        return None
    made = character
    if lowercase:
        marked = unicodedata.normalize("NFD", character)
        # One at a time: str.lower of a whole word would give a final sigma, which BERT does not.
        made = "".join(c.lower() for c in marked if unicodedata.category(c) != "Mn")
    made = "".join(f" {c} " if _is_punctuation(c) else c for c in made)
    return f" {made} " if _is_ideograph(ord(character)) else made


def _is_punctuation(character: str) -> bool:
    """BERT counts every ASCII symbol as punctuation, $ and ^ included."""
    if character.isascii():
        return character.isprintable() and not character.isalnum() and character != " "
    return unicodedata.category(character).startswith("P")


def _is_ideograph(code: int) -> bool:
    return code >= 0x3400 and any(first <= code <= last for first, last in _IDEOGRAPHS)
