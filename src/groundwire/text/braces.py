"""Braces: a record in JSON, or as Python prints one, its signs as blanks and every entry a sentence of its own.

`{"is_paid": false, "to": {"city": "Lyon"}}` is read as "is paid : false.", "to :" and "city : Lyon.", a line each. Nothing
moves: a stop takes the place of the quote or the comma behind a value, a line break that of a sign behind it; before what
belongs to the key of an object above it the line break is a vertical tab. Objects of a list, and those that follow each
other, stay one sentence each while they are short and plain: what stands in two of them must not be mixed.

Of a record that is broken off the rest is read as far as it goes, and a quote left open ends with its line. The quotes behind
a key and before a value that would be no string without them ("no", "null") become blanks of their own (`QUOTED`). Left out:
records that begin inside of a line, what is deeper in one than `_DEEPEST`, and what an entry states (`records`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

NESTED = "\x0b"
"""The line break before what belongs to the key above it."""
QUOTED = "\u2006"
"""The blank for the quote behind a key, and for that before a value that is a yes, a no or a nothing."""
_OPENS = re.compile(r"^[^\S\n]{0,80}+(?=\{\s{0,80}[\"']|\[\s{0,80}\{)", re.MULTILINE)
_SIGNS = r"(?:[\s},:\]]|\{(?!\ {0,9}\})|\[(?!\ {0,9}\])|\\[nrt])"
_TOKEN = re.compile(
    rf"""(?:"([^"\\\n]++(?:\\[^\n][^"\\\n]*+)*+|(?:\\[^\n][^"\\\n]*+)++|(?!"))"?
    |'([^'\\\n]++(?:\\[^\n][^'\\\n]*+)*+|(?:\\[^\n][^'\\\n]*+)++|(?!'))'?
    |(\{{\ {{0,9}}\}}|\[\ {{0,9}}\]|""|''|\w[\w.]{{0,40}}\([^()\n]{{0,200}}\)
     |[^\s"'{{}}\[\],:\\][^\s"{{}}\[\],:\\]*+|\\)
    )({_SIGNS}{{0,200}}+)|({_SIGNS}{{1,200}}+)""",
    re.VERBOSE,
)
"""A word, in double quotes, in single ones or in none, and the signs behind it; or more of these."""
_BRACKET = re.compile(r"[{}\[\]]")
_ESCAPE = re.compile(r"\\(?:([\"'\\/])|([nrtbf])|u([\da-fA-F]{4}))")
_BETWEEN_WORDS = re.compile(r"(?<=[^\W_])_{1,3}+(?=[^\W_])")
_UNSURE = re.compile(r"true|false|yes|no|on|off|null|none|nil", re.IGNORECASE)
_BLANKS = re.compile(r"(?:\s++|\\[nrt])++")
_NO_BREAK = re.compile(r"[^\n]")
_STOPS = ".!?…。！？"
_ROW = 240
"""Characters up to which an object of a list is one sentence."""
_DEEPEST = 1000
"""Objects and lists in each other, at most; Python reads no more either."""


def entries(text: str) -> str:
    """Return the text, of the same length, with the records that begin on a line of it as lines and sentences. Linear."""
    opening = _OPENS.search(text)
    if opening is None:
        return text
    pieces, done = [], 0
    while opening:
        record = _Record(text, opening.end())
        written = "".join(_Writer(record).written())
        pieces += [text[done : opening.end()], written]
        done = opening.end() + len(written)
        opening = _OPENS.search(text, record.end)
    return "".join([*pieces, text[done:]])


@dataclass(slots=True)
class _Word:
    """A key or a value; `signs` are the brackets, commas and colons between it and the next one, which end at `last`."""

    start: int
    end: int
    quoted: bool
    signs: str = ""
    last: int = 0
    is_key: bool = False


@dataclass(slots=True)
class _Box:
    """An object or a list that is open: which one it is, where it began, and whether it holds plain values and lists only."""

    sign: str
    number: int
    start: int
    listed: bool
    plain: bool = True


class _Record:
    """The words of a record, and of those that follow it, up to where the last of them is closed."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.words = [_Word(start, start, quoted=False)]
        self.rows: set[int] = set()
        """Which of the boxes, as they open, are one sentence."""
        self._boxes: list[_Box] = []
        self._opened = 0
        self._tops: list[int] = []
        self.end = self._read(start)
        if len(self._tops) == 1:
            self.rows.discard(self._tops[0])

    def _read(self, start: int) -> int:
        """Read the words; return where the last of them or of the signs behind it ends."""
        words = self.words
        for match in _TOKEN.finditer(self.text, start):
            double, single, bare, (behind, end), more = match.regs[1:]
            if more[0] >= 0:
                if not self._sign(words[-1], match[5], more[0]):
                    break
                continue
            if not self._boxes:
                break
            quoted = bare[0] < 0
            word = _Word(*(bare if not quoted else double if double[0] >= 0 else single), quoted)
            words.append(word)
            word.last = behind
            if behind < end and not self._sign(word, match[4], behind):
                break
        return words[-1].last

    def _sign(self, word: _Word, run: str, start: int) -> bool:
        """Give a word the signs behind it; say whether the record goes on behind them."""
        plain = run.rstrip()
        if plain in (",", ":") and self._boxes and not word.signs:
            word.signs, word.last, word.is_key = plain, start + 1, plain == ":"
            return True
        stopped = self._take(run, start) if not self._boxes or _BRACKET.search(run) else len(run)
        signs = _BLANKS.sub("", run[:stopped])
        if signs:
            word.signs += signs
            word.last = start + run.rfind(signs[-1], 0, stopped) + 1
            word.is_key = word.signs[0] == ":"
        return stopped == len(run)

    def _take(self, run: str, start: int) -> int:
        """Open and close what these signs do, and note which objects are rows; return where the record stops in them."""
        boxes = self._boxes
        for place, sign in enumerate(run):
            if sign in "{[":
                if (not boxes and self._tops and sign == "[") or len(boxes) == _DEEPEST:
                    return place
                if not boxes:
                    self._tops.append(self._opened)
                elif sign == "{":
                    boxes[-1].plain = False
                listed = not boxes or boxes[-1].sign == "["
                boxes.append(_Box(sign, self._opened, start + place, listed))
                self._opened += 1
            elif not boxes:
                if sign != "," and not sign.isspace():
                    return place
            elif sign in "}]":
                box = boxes.pop()
                if boxes and not box.plain:
                    boxes[-1].plain = False
                if box.sign == "{" and box.listed and box.plain and start + place - box.start <= _ROW:
                    self.rows.add(box.number)
        return len(run)


class _Writer:
    """Writes a record's words, and what parts them in the place of its signs."""

    def __init__(self, record: _Record) -> None:
        self._text, self._words, self._rows = record.text, record.words, record.rows
        self._boxes: list[tuple[bool, bool, int]] = []
        """Of those open: whether it is in one sentence, whether it is a row, and where the key above it begins."""
        self._opened = 0
        self._headed = -1

    def written(self) -> Iterator[str]:
        """Yield all of it."""
        for word, after in zip(self._words, [*self._words[1:], None], strict=True):
            yield self._spelled(word) if word.quoted else self._text[word.start : word.end]
            end = after.start if after else word.last
            yield self._gap(word, after, self._text[word.end : end])

    def _spelled(self, word: _Word) -> str:
        """Return a string with the signs that it spells with a backslash as they are, and the words of a key apart."""
        spelled = self._text[word.start : word.end]
        if "\\" in spelled:
            spelled = _ESCAPE.sub(_sign, spelled)
        return (
            _BETWEEN_WORDS.sub(lambda match: " " * len(match[0]), spelled)
            if word.is_key and "_" in spelled
            else spelled
        )

    def _gap(self, word: _Word, after: _Word | None, gap: str) -> str:
        """Return what stands between a word and the one after it: blanks, with a sign or a stop and a line break in them."""
        kept, cut = self._parted(word, after)
        if not kept and not cut:
            return _NO_BREAK.sub(" ", gap) if "\n" in gap else " " * len(gap)
        place = gap.find(kept) if kept else 0
        if not kept and gap and (after is None or len(gap) > 1) and self._text[word.end - 1] not in _STOPS:
            kept = "."
        free = place + len(kept)
        rest = " " * (len(gap) - free)
        if cut and rest:
            broken = max(gap.find("\n", free) - free, 0)
            nested = bool(self._boxes) and self._boxes[-1][2] == self._headed >= 0
            rest = rest[:broken] + (NESTED if nested else "\n") + rest[broken + 1 :]
        elif word.signs == ":" and after and after.quoted:
            unsure = after.end - after.start <= 5 and _UNSURE.fullmatch(self._text, after.start, after.end)
            rest = rest[:-1] + QUOTED if unsure else rest
        blanks = QUOTED + " " * (place - 1) if kept == ":" and place and word.quoted else " " * place
        return blanks + kept + rest

    def _parted(self, word: _Word, after: _Word | None) -> tuple[str, bool]:
        """Return what parts a word from the one after it: the sign that stays, and whether it ends a line."""
        signs = word.signs
        listed = bool(self._boxes) and self._boxes[-1][0]
        opened = len(signs) > 0 and signs not in ":," and self._follow(word)
        if not signs or (word.start == word.end and not word.quoted):
            return "", False
        if word.is_key:
            return ":", opened
        if not opened:
            closes = "}" in signs or "]" in signs
            if (bool(self._boxes) and self._boxes[-1][1]) if closes else (listed or after is None or not after.is_key):
                return signs[-1] if signs[-1] in ",:" else "", False
        return "", True

    def _follow(self, word: _Word) -> bool:
        """Open and close what the signs behind a word do; say whether an object opens."""
        opened, boxes = False, self._boxes
        for sign in word.signs:
            if sign in "{[":
                row = self._opened in self._rows
                self._opened += 1
                above = boxes[-1][2] if boxes else -1
                boxes.append((row or sign == "[", row, word.start if word.is_key else above))
                opened = opened or sign == "{"
            elif sign in "}]" and boxes:
                boxes.pop()
        self._headed = word.start if opened and word.is_key else self._headed
        return opened


def _sign(match: re.Match[str]) -> str:
    """Return the sign that is spelled with a backslash, behind blanks for the rest of its places."""
    read = match[1] or (match[2] and ("\n" if match[2] == "n" else " ")) or chr(int(match[3], 16))
    shown = read if read == "\n" or (read.isprintable() and not "\ud800" <= read <= "\udfff") else " "
    return shown.rjust(len(match[0]))
