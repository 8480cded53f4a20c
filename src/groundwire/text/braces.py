"""Braces: a record in JSON, or as Python prints one, its signs as blanks and every entry a sentence of its own.

`{"is_paid": false, "to": {"city": "Lyon"}}` is read as "is paid : false.", "to :" and "city : Lyon.", a line each. Nothing
moves: a stop takes the place of the quote or the comma behind a value, a line break that of a sign behind it; before what
belongs to the key of an object above it the line break is a vertical tab. Objects of a list, and those that follow each
other, stay one sentence each while they are short and plain: what stands in two of them must not be mixed.

Of a record that is broken off the rest is read as far as it goes, and a quote left open ends with its line. Left out: records
that begin inside of a line, and what an entry states (`records`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

NESTED = "\x0b"
"""The line break before what belongs to the key above it."""
_OPENS = re.compile(r"^[^\S\n]{0,80}+(?=\{\s{0,80}[\"']|\[\s{0,80}\{)", re.MULTILINE)
_TOKEN = re.compile(
    r"""(?P<empty>\{\ {0,9}\}|\[\ {0,9}\]|""|'')
    |"(?P<double>[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+)"?
    |'(?P<single>[^'\\\n]*+(?:\\[^\n][^'\\\n]*+)*+)'?
    |(?P<sign>[{}\[\],:])
    |(?P<space>(?:\\[nrt])++)
    |(?P<bare>\w[\w.]{0,40}\([^()\n]{0,200}\)|[^\s"'{}\[\],:\\][^\s"{}\[\],:\\]*+|\\)
    """,
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:([\"'\\/])|([nrtbf])|u([\da-fA-F]{4}))")
_BETWEEN_WORDS = re.compile(r"(?<=[^\W_])_{1,3}+(?=[^\W_])")
_STOPS = ".!?…。！？"
_ROW = 240
"""Characters up to which an object of a list is one sentence."""


def entries(text: str) -> str:
    """Return the text, of the same length, with the records that begin on a line of it as lines and sentences. Linear."""
    opening = _OPENS.search(text)
    if opening is None:
        return text
    signs = list(text)
    while opening:
        record = _Record(text, opening.end())
        _Writer(record, signs).write()
        opening = _OPENS.search(text, record.end)
    return "".join(signs)


@dataclass(slots=True)
class _Word:
    """A key or a value; `signs` is where the brackets, commas and colons stand between it and the next one."""

    start: int
    end: int
    kind: str
    signs: list[int] = field(default_factory=list)
    is_key: bool = False


@dataclass(slots=True)
class _Box:
    """An object or a list that is open: where it began, under which key, and whether it holds plain values and lists only."""

    sign: str
    start: int
    key: int = -1
    plain: bool = True
    listed: bool = False


class _Record:
    """The words of a record, and of those that follow it, up to where the last of them is closed."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.words = [_Word(start, start, "start")]
        self.rows: set[int] = set()
        self._tops: list[int] = []
        self.end = self._read(start)
        if len(self._tops) == 1:
            self.rows.discard(self._tops[0])

    def _read(self, at: int) -> int:
        boxes: list[_Box] = []
        for match in _TOKEN.finditer(self.text, at):
            sign, kind = match["sign"], match.lastgroup or "bare"
            if not boxes and self._tops and (sign is None or sign not in "{,"):
                break
            at = match.end()
            if sign is None:
                if kind != "space":
                    self.words.append(_Word(*match.span(kind), kind))
                continue
            last = self.words[-1]
            last.is_key = last.is_key or (sign == ":" and not last.signs)
            last.signs.append(match.start())
            self._box(boxes, sign, match.start())
        return at

    def _box(self, boxes: list[_Box], sign: str, at: int) -> None:
        """Open or close what this sign opens or closes, and note which objects are rows."""
        if sign in "{[":
            if boxes and sign == "{":
                boxes[-1].plain = False
            elif not boxes:
                self._tops.append(at)
            boxes.append(_Box(sign, at, listed=not boxes or boxes[-1].sign == "["))
        elif sign in "}]" and boxes:
            box = boxes.pop()
            if boxes and not box.plain:
                boxes[-1].plain = False
            if box.sign == "{" and box.listed and box.plain and at - box.start <= _ROW:
                self.rows.add(box.start)


class _Writer:
    """Writes a record's words and what parts them over the signs of its text."""

    def __init__(self, record: _Record, signs: list[str]) -> None:
        self._text, self._words, self._rows = record.text, record.words, record.rows
        self._signs = signs
        self._boxes: list[_Box] = []
        self._headed = -1

    def write(self) -> None:
        """Write all of it."""
        for word, after in zip(self._words, [*self._words[1:], None], strict=True):
            if word.kind in ("double", "single"):
                self._spell(word)
            kept, stop, cut = self._parted(word, after)
            end = after.start if after else max([word.end + self._is_quoted(word), *[at + 1 for at in word.signs[-1:]]])
            free = self._keep(word, end, kept, cut)
            if stop:
                free = self._stop(word, free, end, after)
            if cut and free < end:
                broken = self._text.find("\n", free, end)
                box = self._boxes[-1] if self._boxes else None
                nested = box is not None and box.key == self._headed >= 0
                self._signs[free if broken < 0 else broken] = NESTED if nested else "\n"

    def _is_quoted(self, word: _Word) -> bool:
        return word.kind in ("double", "single") and self._text[word.end : word.end + 1] == self._text[word.start - 1]

    def _spell(self, word: _Word) -> None:
        """Write the signs that a string spells with a backslash as they are, and the words of a key apart."""
        for match in _ESCAPE.finditer(self._text, word.start, word.end):
            read = match[1] or (match[2] and ("\n" if match[2] == "n" else " ")) or chr(int(match[3], 16))
            shown = read if read == "\n" or (read.isprintable() and not "\ud800" <= read <= "\udfff") else " "
            self._signs[match.start() : match.end()] = shown.rjust(match.end() - match.start())
        for match in _BETWEEN_WORDS.finditer(self._text, word.start, word.end) if word.is_key else ():
            self._signs[match.start() : match.end()] = " " * (match.end() - match.start())

    def _parted(self, word: _Word, after: _Word | None) -> tuple[str, bool, bool]:
        """Return what parts a word from the one after it: the sign that stays, and whether a stop and a line break do."""
        signs = "".join(self._text[at] for at in word.signs)
        listed = self._in_one_sentence()
        opened = self._follow(word, signs)
        if word.kind == "start" or not signs:
            return "", False, False
        if word.is_key:
            return ":", False, opened
        closes = "}" in signs or "]" in signs
        if not opened and (self._in_row() if closes else listed or after is None or not after.is_key):
            return signs[-1] if signs[-1] in ",:" else "", False, False
        return "", True, True

    def _in_one_sentence(self) -> bool:
        return bool(self._boxes) and (self._boxes[-1].sign == "[" or self._in_row())

    def _in_row(self) -> bool:
        return bool(self._boxes) and self._boxes[-1].start in self._rows

    def _follow(self, word: _Word, signs: str) -> bool:
        """Open and close what the signs behind a word do; say whether an object opens."""
        opened = False
        for at, sign in zip(word.signs, signs, strict=True):
            if sign in "{[":
                above = self._boxes[-1].key if self._boxes else -1
                self._boxes.append(_Box(sign, at, key=word.start if word.is_key else above))
                opened = opened or sign == "{"
            elif sign in "}]" and self._boxes:
                self._boxes.pop()
        self._headed = word.start if opened and word.is_key else self._headed
        return opened

    def _keep(self, word: _Word, end: int, kept: str, cut: bool) -> int:
        """Blank all signs behind a word but one; return the first place that is free behind this."""
        free = word.end
        for at in range(word.end, end):
            if self._text[at] != "\n" or kept or cut:
                self._signs[at] = " "
        if kept:
            place = next(at for at in word.signs if self._text[at] == kept)
            self._signs[place] = kept
            free = place + 1
        return free

    def _stop(self, word: _Word, free: int, end: int, after: _Word | None) -> int:
        """Put a stop behind a value that has none, where there is room for a line break too; return the next free place."""
        if self._text[word.end - 1] in _STOPS or (after and end - free < 2) or free >= end:
            return free
        self._signs[free] = "."
        return free + 1
