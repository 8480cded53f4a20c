"""Sentences: where each one starts and ends, by the punctuation of the text alone.

One pass of a possessive pattern finds every place where a sentence could end (a run of stops with the quotes, brackets
and [1] marks that close after it, or a line break); each is then decided by a bounded number of characters around it.
So the time is linear in the text, whatever it holds.

What decides: abbreviations, initials and dotted acronyms; decimals; ellipses; what follows (a small letter does not
begin a sentence, unless the text has no capitals at all or writes "i" for "I"); blank lines (always an end); list items,
headings, table rows and quotes of markdown (an end before each), tags of HTML that break a line (an end behind); a fenced
code block is one sentence. Tokenised text (`word .`, `''`, `-RRB-`) keeps its closing tokens. Thai, Lao, Burmese and Khmer
use no stops: there a long stretch is cut at spaces.

Left out: sentences inside code, colons and semicolons as ends, the quotation style of any one language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from groundwire.text.abbreviations import (
    BEFORE_NUMBER,
    NEVER_LAST,
    OFTEN_LAST,
    SHORTENED,
    STARTERS,
    TITLES,
    WORDS_TOO,
)

_SOFT = ".!?…‽‼⁇⁈⁉\u037e"  # end a sentence before white space
_HARD = "。！？｡।॥؟۔։።፧။៕"  # end a sentence wherever they stand
_CLOSERS = "\"'”’»›)}*_`」』】》〉）］]¹²³⁰⁴⁵⁶⁷⁸⁹†‡"
_OPENERS = "\"'“‘«‹([{¿¡*_`#>|–—-•「『【《〈（［"
_BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_CLOSING_STARTS = "'-”’»)]}\""
_GOES_ON = ",;-–—‐/&("  # a line that ends in one of these goes on in the next

_TAG = r"<(?:br|/?(?:p|ul|ol|li|div|tr|h[1-6]))(?:\s[^<>\n]{0,80}+)?/?>"
"""HTML that breaks a line."""
_TAGS = re.compile(_TAG, re.IGNORECASE)
_MENTIONED = re.compile(r"[ `]<[^<>]{1,90}> [a-z]")
"""A tag that is spoken of."""

_CANDIDATE = re.compile(
    rf"([{_SOFT}{_HARD}]++)([{re.escape(_CLOSERS)}]*+(?:\[[\d, –-]{{1,12}}\])*+)(\s*+)|[{_BREAKS}]\s*+"
    rf"|{_TAG}"
)
_CLOSING_TOKENS = re.compile(r"(?:[ \t\xa0](?:''|-RRB-|-RSB-|-RCB-|[”’»)\]}])(?!\S))++")
_BLOCK = re.compile(r"(?:[-*+•‣◦▪●·–]|\d{1,3}[.)]|[a-z]\.|\(?[0-9A-Za-z]{1,3}\)|#{1,6})[ \t]|[|>]|```|~~~|[-=*_]{3}")
_FENCE = re.compile(r"^[ \t]{0,3}(?:```|~~~)", re.MULTILINE)
_GLUED = re.compile(r"(?:(?P<note>\d{1,3}(?:[,–-]\d{1,3}){0,4})\s)?[A-Z][a-z]*+[\s,'’]")
_PLAIN = re.compile(r"(?<![^\s(\[\"“])(?:[A-Za-z][a-z'’-]+[a-z]\)?|[\d, –-]+\))\Z")
_WORD = re.compile(r"[^\W\d_]{1,20}")
_NUMBER = re.compile(r"\d|(?:[IVXLC]{1,6}|[A-Z])(?!\w)")
_MEASURED = re.compile(r"\d(?:[A-Za-z]|[ \xa0][a-z])\Z")
_UNDONE = re.compile(
    r"\b(?:an?|the|of|in|on|at|to|for|from|with|within|by|and|or|but|as|near|over|under|into|its|his|her|their|is|are|was|were)\Z"
)
"""Words that a line seldom ends with if it is a text of its own."""
_NAMED = re.compile(r"[^\W\d_][^\s,;]{0,40}?[\d_]")
"""What begins with a small letter and may begin a sentence: v3.9.1, max_workers."""
_OPTION = re.compile(r"`|\*\*(?=\S)|--?[a-z]")
"""Code, bold words or an option of a command: these begin a sentence however small they are written."""
_HOURS = re.compile(r"[ap]\.m", re.IGNORECASE)
_CODE = re.compile(r"[A-Z][\w-]{0,20}\d")
"""A number of a flight, train or room, which a sentence about it begins with."""
_LABEL = re.compile(r"(?:[A-Z][\w.'’()-]{0,20}(?: [A-Z][\w.'’()-]{0,20}){0,3}|[a-z]{3,20}):\s")
"""Who speaks on a line."""
_ROMAN = re.compile(r"[ivx]{1,4}|[IVX]{1,4}")
_CASELESS = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
_ACCENTED = re.compile(r"[\u00c0-\u024f]")
_SPELLED = re.compile(r"[^\W\d_]{3,}")
_I_FEEL = (
    "am|was|have|had|do|did|don['’]?t|didn['’]?t|can|could|will|would|think|thought|know|knew|like|liked|love|loved|guess|hope|"
    "wish|want|need|got|went|heard|saw|believe|agree|feel|enjoy|read|live|grew|used|prefer|hate|play|work"
)
_SMALL_I = re.compile(
    rf"(?:^|(?<=\s))i(?:['’](?:m|ve|ll|d)| (?:also |just |really |never |always )?(?:{_I_FEEL}))(?!\w)"
)
_VISIBLE = re.compile(r"\S")
_NO_STOPS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_VISIBLE_WORD = re.compile(r"[^\W_]")

_CASUAL_LONGEST = 2000  # characters: in a longer text, a small i may be somebody's who is quoted
_LOOK = 24  # characters: longer than any abbreviation
_WRAPPED = range(45, 121)  # a line of so many characters without a stop may go on in the next: hard-wrapped text
_AROUND = 600  # characters around a break in which the lines show whether they were wrapped
_STRETCH = 160  # characters of a script without stops

Bounds = tuple[int, int]


def sentence_bounds(text: str) -> list[Bounds]:
    """Return (start, end) of every sentence, in order and disjoint; only white space lies outside of them."""
    bounds = _with_marks(text, _pieces(text))
    return bounds if text.isascii() or not _NO_STOPS.search(text) else list(_at_spaces(text, bounds))


def _pieces(text: str) -> Iterator[Bounds]:
    caseless, casual = text.islower(), _is_casual(text)
    for start, end, code in _regions(text):
        yield from [(start, end)] if code else _Region(text, start, end, caseless, casual).pieces()


def _is_casual(text: str) -> bool:
    """Say whether its writer says i for I, and so begins sentences small as well. Elsewhere i is a word of its own."""
    return len(text) <= _CASUAL_LONGEST and _SMALL_I.search(text) is not None and _ACCENTED.search(text) is None


def _regions(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, is code): the fenced code blocks and what lies between them. A fence left open is prose."""
    at = 0
    if "```" in text or "~~~" in text:
        fences = [match.start() for match in _FENCE.finditer(text)]
        for opening, closing in zip(fences[::2], fences[1::2], strict=False):
            yield at, opening, False
            newline = text.find("\n", closing)
            at = len(text) if newline < 0 else newline
            yield opening, at, True
    yield at, len(text), False


def _line_breaks(gap: str) -> int:
    return 0 if gap == " " else len((gap + "x").splitlines()) - 1


class _Region:
    """A stretch of prose, cut at the candidates that `_cut` accepts."""

    __slots__ = ("caseless", "casual", "end", "start", "text")

    def __init__(self, text: str, start: int, end: int, caseless: bool, casual: bool) -> None:
        """`caseless`: the text has no capitals; `casual`: its writer uses them now and then."""
        self.text, self.start, self.end, self.caseless, self.casual = text, start, end, caseless, casual

    def pieces(self) -> Iterator[Bounds]:
        """Yield the pieces; they may begin or end in white space."""
        start = self.start
        for match in _CANDIDATE.finditer(self.text, start, self.end):
            cut = self._cut(start, match)
            if cut >= 0:
                yield start, cut
                start = max(cut, match.end())
        yield start, self.end

    def _cut(self, start: int, match: re.Match[str]) -> int:
        """Return where the sentence that began at `start` ends, or -1 when it goes on past this candidate."""
        if match[1] is None and match[0][0] == "<":
            return match.end() if self._ends_at_tag(start, match) else -1
        if match[1] is None:
            return match.start() if self._ends_line(start, match) else -1
        at, end, after = match.start(), match.end(2), match.end()
        if after == self.end:
            return end
        if end == after:
            return self._glued_end(start, match)
        if not self._ends(start, match):
            return -1
        return self._after_closing_tokens(start, at, end) if self.text[after] in _CLOSING_STARTS else end

    def _ends(self, start: int, match: re.Match[str]) -> bool:
        """Decide at a run of stops that white space follows."""
        text, stops, after = self.text, match[1], match.end()
        breaks = _line_breaks(match[3])
        if breaks > 1 or (breaks and _BLOCK.match(text, after, self.end)):
            return True
        if stops[0] in _HARD or stops[-1] in _HARD:
            return True
        follows = text[after]
        if follows in ",;" or (follows in _SOFT and not text[after + 1 : after + 2].isalnum()):
            return False
        small = self._small(after)
        if stops == ".":
            return self._ends_at_dot(start, match, breaks, small)
        if not small:
            return True
        if not stops.strip(".…") or match[2]:
            return False  # an ellipsis, or "Really?" he asked
        token = self._token(start, match.start())
        in_name = stops == "!" and token[:1].isupper() and match.start() - start > len(token)
        return self.casual or not in_name  # Yahoo! is a name

    def _ends_at_dot(self, start: int, match: re.Match[str], breaks: int, small: bool) -> bool:
        at, after = match.start(), match.end()
        token = self._token(start, at)
        if not token:
            spaced = self.text[max(start, at - 2) : at - 1] == "."  # an ellipsis written ". . ."
            return not (spaced and small)  # else tokenised text
        key = token.lower()
        if token in TITLES or (key in NEVER_LAST and token[1:] == key[1:]) or self._is_marker(start, at, token):
            return False
        if key in BEFORE_NUMBER and self.text[after].islower():
            return False
        number = _NUMBER.match(self.text, after) if key in BEFORE_NUMBER else None
        if number and (number[0].isdecimal() or key not in WORDS_TOO or (token[0].isupper() and key != "no")):
            return False
        if _MEASURED.search(self.text, max(start, at - 4), at):
            return not small  # 30 s. Then
        if _HOURS.fullmatch(token):
            return not small and (self._starts(after) or (breaks > 0 and self._begins_line(after)))
        if key in OFTEN_LAST or _is_initials(token):
            return not small and self._starts(after)
        return breaks > 0 or not small or (self.casual and self._is_spelled(key))

    def _is_spelled(self, key: str) -> bool:
        """True for a word that is written out: no number and no abbreviation."""
        return _SPELLED.fullmatch(key) is not None and key not in SHORTENED

    def _glued_end(self, start: int, match: re.Match[str]) -> int:
        """Decide where no white space follows: a script without spaces, `end.The next`, or a note as in `end.5 The next`."""
        text, stops, at, after = self.text, match[1], match.start(), match.end()
        if stops[0] in _HARD or stops[-1] in _HARD:
            return after
        if _CASELESS.match(text, after):
            return after if stops != "." or _CASELESS.match(text, max(at - 1, 0)) else -1
        glued = _GLUED.match(text, after, self.end) if stops in (".", "!", "?") else None
        if glued is None or not _PLAIN.search(text, max(start, at - _LOOK), at):
            return -1
        return glued.end("note") if glued["note"] else after

    def _ends_at_tag(self, start: int, match: re.Match[str]) -> bool:
        """Decide at a tag that breaks a line: words stand before it, and it is not spoken of itself."""
        text, at, after = self.text, match.start(), match.end()
        if text[after : after + 1] == "`" or _MENTIONED.match(text, at - 1):
            return False
        return any(map(str.isalnum, _TAGS.sub("", text[max(start, at - 8 * _LOOK) : at])))

    def _ends_line(self, start: int, match: re.Match[str]) -> bool:
        """Decide at a line break that no stop stands before."""
        text, at, after = self.text, match.start(), match.end()
        if after == self.end or _line_breaks(match[0]) > 1 or _BLOCK.match(text, after, self.end):
            return True
        lines = text[max(start, at - _WRAPPED.stop) : at].splitlines()
        line = lines[-1].strip() if lines else ""
        if not line or line[0] in "#|" or line[-1] == ":":
            return True
        if _LABEL.match(text, after, self.end) and _LABEL.match(line):
            return True
        if line[-1] in _GOES_ON or self._small(after, names=False):
            return False
        return len(line) not in _WRAPPED or (not _UNDONE.search(line) and self._stands_alone(at))

    def _stands_alone(self, at: int) -> bool:
        """Say whether the lines around a break are sentences or turns of their own rather than one text that was cut at its
        width: none of them begins small or ends with a stop, as lines of such a text do."""
        first, last = max(0, at - _AROUND), at + _AROUND
        around = self.text[first:last].splitlines()
        whole = around[first > 0 : len(around) - (last < len(self.text))]
        lines = [line for line in map(str.strip, whole) if line]
        return not any(line[0].islower() or line.rstrip(_CLOSERS)[-1:] in _SOFT + _HARD for line in lines)

    def _token(self, start: int, at: int) -> str:
        """Return what stands before `at` up to white space, without opening quotes; at most `_LOOK` characters."""
        if at == start or self.text[at - 1].isspace():
            return ""
        return self.text[max(start, at - _LOOK) : at].split()[-1].lstrip(_OPENERS)

    def _is_marker(self, start: int, at: int, token: str) -> bool:
        """True for the `1.`, `a.` or `iv.` that a list item begins with."""
        if at - start > 8 or self.text[start:at].lstrip(_OPENERS + " ") != token:
            return False
        number = token.isdecimal() and len(token) <= 3
        return number or (token.isascii() and len(token) == 1) or _ROMAN.fullmatch(token) is not None

    def _first(self, after: int) -> int:
        """Return where the first character stands that opens nothing."""
        for i in range(after, min(after + 4, self.end)):
            if self.text[i] not in _OPENERS and not self.text[i].isspace():
                return i
        return after

    def _small(self, after: int, names: bool = True) -> bool:
        """True when what follows begins with a small letter and so does not begin a sentence (iPhone may, and max_workers)."""
        if self.text[after].isupper() or (names and _OPTION.match(self.text, after, self.end)):
            return False
        i = self._first(after)
        named = self.text[i + 1 : i + 2].isupper() or (names and _NAMED.match(self.text, i))
        return not self.caseless and self.text[i].islower() and not named

    def _begins_line(self, after: int) -> bool:
        """True when a line follows that begins with a word or code of its own: no time zone goes on there (ET, Eastern)."""
        return self.text[after].isupper() and _CODE.match(self.text, after, self.end) is not None

    def _starts(self, after: int) -> bool:
        """True when a word follows that begins sentences."""
        i = self._first(after)
        word = _WORD.match(self.text, i, self.end)
        if word is None:
            return False
        if len(word[0]) == 1 and self.text[word.end() : word.end() + 1] == ".":
            return False
        return word[0].lower() in STARTERS or _CASELESS.match(word[0]) is not None

    def _after_closing_tokens(self, start: int, at: int, end: int) -> int:
        """Return the end of the closing tokens after a stop: `. ''`, `. -RRB-`, and `. "` where a quote is open."""
        tokens = _CLOSING_TOKENS.match(self.text, end, self.end)
        if tokens:
            return tokens.end()
        quote = self.text[end : min(end + 3, self.end)]
        if quote[1:2] == '"' and not quote[2:].strip() and self.text[at - 1].isspace():
            opened = self.text.count('"', max(start, at - 20 * _LOOK), at) % 2
            return end + 2 if opened else end
        return end


def _is_initials(token: str) -> bool:
    """True for `J`, `U.S`, `p.m`, `Ph.D`, `J.-P`."""
    parts = token.replace("-", "").split(".")
    cased = token.lower() != token.upper()
    return cased and all(part.isalpha() and len(part) <= 2 for part in parts) and (len(parts) > 1 or len(token) == 1)


def _with_marks(text: str, pieces: Iterable[Bounds]) -> list[Bounds]:
    """Strip the pieces, drop empty ones, and join one without any word to its neighbour in the same paragraph."""
    bounds: list[Bounds] = []
    wordless = False
    for start, end in pieces:
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end = start + len(piece.strip())
        if start == end:
            continue
        mark = _VISIBLE_WORD.search(text, start, end) is None
        if bounds and (mark or wordless) and _line_breaks(text[bounds[-1][1] : start]) < 2:
            bounds[-1] = (bounds[-1][0], end)
            wordless = wordless and mark
        else:
            bounds.append((start, end))
            wordless = mark
    return bounds


def _at_spaces(text: str, bounds: list[Bounds]) -> Iterator[Bounds]:
    """Cut stretches of a script without stops at the last space within `_STRETCH` characters, where there is one."""
    for start, end in bounds:
        without = len(_NO_STOPS.findall(text, start, end)) * 2 > end - start
        while without and end - start > _STRETCH:
            space = text.rfind(" ", start, start + _STRETCH)
            if space < 0:
                space = text.find(" ", start + _STRETCH, end)
            if space < 0:
                break
            yield start, start + len(text[start:space].rstrip())
            after = _VISIBLE.search(text, space, end)
            start = after.start() if after else end
        yield start, end
