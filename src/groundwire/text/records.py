"""Records: what the lines of a form, a configuration or a checklist state.

"is_paid: false" says that it is not paid, and a small model, trained on statements, reads that it is. It reads "Not paid."
rightly, "Paid." for true and "No owner." for "owner: null"; "✗ Redis reachable" is "Not Redis reachable." So it is handed such
lines in that form, and the entries of what was JSON (`braces`) with the words of their keys apart.

"Anna: No" looks the same and is what Anna said. So a key that may be somebody's name is left as it is unless the lines beside
it show a record, and so is every yes and no of a text in which people talk. Left out: keys of more than `_MOST` words, keys
that only say that a value follows ("answer", "default"), crosses at what is said to fail, tables. English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.text.braces import NESTED

_MOST = 6
"""Words of a key, at most."""
_LONGEST = 80
"""Characters of a key, at most, with what stands before it."""
_TRUE, _FALSE = {"true", "yes", "on"}, {"false", "no", "off"}
_NONE = {"null", "none", "nil", "n/a", "n.a", "n.a.", "(none)", "[]", "{}", '""', "''"}
_SAID, _ANSWERS = {"yes", "no", "none"}, {"yes", "no"}
"""What people answer as well."""
_SPOKEN = 2
"""Words from which on a value is something that a key may say of itself at another place."""
_VALUE = re.compile(
    r"[\"']?(?P<word>true|false|yes|no|on|off|null|none|nil|n/a|n\.a\.?|\(none\)|\[ {0,9}\]|\{ {0,9}\}|\"\"|'')[\"']?"
    r"[ \t]{0,4}[.,;]?(?:[ \t]{1,40}[#;].{0,200})?",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"[:=][ \t]{0,40}(?:[\"'(]?(?:true|false|yes|no|on|off|null|none|nil|n/a|n\.a)\b|\[ {0,9}\]|\{ {0,9}\}|\"\"|''|[.\n]|$)"
    r"|\w[ ]{1,3}:|[✓✔✅☑✗✘❌☐]|\[[ xX]\]",
    re.IGNORECASE,
)
"""What a text without records has none of."""
_BULLET = r"(?:(?:[-*+•·]|\d{1,3}[.)])[ \t]{1,4})"
_CHECK = re.compile(
    rf"(?P<lead>\s*+{_BULLET}?)(?P<mark>[✓✔✅☑✗✘❌☐]\ufe0f?|(?<=[-*+•·.)][ \t])\[[ xX]\])[ \t]{{1,4}}(?P<rest>\S.*)"
)
_DONE = "✓✔✅☑xX"
_KEY = re.compile(
    rf"(?P<lead>\s*+{_BULLET}?)(?P<key>[^\W\d][^:=?!;|\n]{{0,{_LONGEST}}}?)(?P<gap>\s{{0,9}})(?P<op>[:=])(?P<value>.*)"
)
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z][a-z])")
_JOINED = re.compile(r"[_-]{1,3}")
_SNAKE = re.compile(r"[A-Za-z\d]+(?:_+[A-Za-z\d]+)+|[a-z]{2,}[a-z\d]*(?:[A-Z][a-z\d]+)+|[a-z\d]+(?:-[a-z\d]+)+")
"""A key that is one word for a machine: `is_paid`, `isPaid`, `is-paid`."""
_SNAKE_OR_LOUD = re.compile(r"[A-Za-z_]{3,}|[A-Za-z]\w+")
_PASCAL = re.compile(r"(?=.{0,40}[A-Z][a-z]{4})(?:[A-Z][a-z\d]+){2,}")
"""`OutdoorSeating`; of names (GitHub, YouTube) the parts are short."""
_LABEL = re.compile(r"(?:.*\s)?[A-Za-z]?\d{1,4}|.", re.DOTALL)
"""A key that only counts: "Question 3", "Q1", "A"."""
_BARE = set(
    "answer reply response result verdict conclusion decision outcome vote note comment message text content output value "
    "default example expected actual label status state mode type kind statement claim choice option selection".split()
)
"""What says that a value follows, not of what it is."""
_REPLY = set("answer reply response result verdict conclusion decision outcome vote value default status state".split())
"""What does so behind other words too ("Short answer", "Order status")."""
_TALK = re.compile(
    r"(?<![\w'’])(?:I(?:['’]\w{1,2})?|you(?:['’]\w{1,2})?|we(?:['’]\w{1,2})?|me|my|your|our|hi|hello|hey|thanks|thank|please|sorry)"
    r"(?![\w'’])|\?(?![^\s\"'”’)*_])"
)
"""What people say to each other."""
_CLAUSE = re.compile(
    r"\b(?:i|he|she|it|they|we|you|who|say|says|said|asked|replied|answered|told|was|were|had|will|would|did|does|do|been"
    r"|(?<=\s)(?:is|are|has|have))\b",
    re.IGNORECASE,
)
"""What a clause has before a colon, not a key."""
_ROW = re.compile(r"\s?,\s{1,3}(?=[^\W\d][^:,\n]{0,60}\s:)")
_TIGHT = re.compile(r"\s{1,3},(?=\s)")
_ENDED = re.compile(r"\w[.!?…][\"'”’)]{0,3}\Z")
_SECTION = re.compile(r"\s*\[{1,2}([^\[\]]{1,60})\]{1,2}\s*")
_WEIGHED = re.compile(
    r"\b(?:pros|cons|(?:dis)?advantages?|drawbacks?|downsides?|weaknesses|dos|don['’]?ts|do['’]s|mistakes?|avoid|wrong|bad)\b",
    re.IGNORECASE,
)
"""Where a cross marks what speaks against something, not what is not so."""
_ADVERSE = re.compile(
    r"\b(?:no|not|none|never|without|don['’]?t|cannot|\w{2,8}n['’]t|avoid|fail\w*+|errors?|missing|invalid|denied|reject\w*+|"
    r"broken?|crash\w*+|lost|down|expired|bugs?|issues?|problems?|tim(?:ed|es|e) ?out|un(?!i[tqvo]|der|til)[a-z]{3,}+)\b",
    re.IGNORECASE,
)
"""What says itself that something is not so."""


def told(text: str) -> str:
    """Return the text with its records as what they state, line by line. The rest stays. Linear in the text."""
    if not _HINT.search(text):
        return text
    parts = re.split(rf"([\n{NESTED}])", text)
    page = _Page([_Line.of(line) for line in parts[::2]], [False, *(part == NESTED for part in parts[1::2])])
    parts[::2] = page.told()
    return "".join("\n" if part == NESTED else part for part in parts)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line; where it is one of a record, its key, its value, and the word that is all of its value, in small letters.

    `braced`: it was an entry of JSON, whose key a blank stands behind where its quote was.
    """

    text: str
    lead: str = ""
    key: str = ""
    op: str = ""
    word: str = ""
    value: str = ""
    braced: bool = False

    @classmethod
    def of(cls, text: str) -> _Line:
        """Read a line."""
        found = _KEY.match(text)
        if found is None or len(found["key"].split()) > _MOST:
            return cls(text)
        value = found["value"].strip()
        word = _VALUE.fullmatch(value)
        empty = found["op"] == "=" and not value and _SNAKE_OR_LOUD.fullmatch(found["key"])
        return cls(
            text,
            lead=found["lead"],
            key=found["key"].strip(),
            op=found["op"],
            word=word["word"].lower().replace(" ", "") if word else "null" if empty else "",
            value=value,
            braced=bool(found["gap"]) and found["op"] == ":",
        )

    @property
    def is_named(self) -> bool:
        """Whether the key may be somebody's name."""
        return all(word[0].isupper() for word in self.key.split()) and not _PASCAL.fullmatch(self.key)

    @property
    def is_plain(self) -> bool:
        """Whether the key is one word in small letters."""
        return self.key.isalpha() and self.key.islower()

    @property
    def is_machines(self) -> bool:
        """Whether no person writes the key so."""
        return self.op == "=" or _SNAKE.fullmatch(self.key) is not None or (self.braced and not self.is_named)

    @property
    def is_filled(self) -> bool:
        """Whether it says something short that is no yes or no: a field of a form."""
        return bool(self.value) and not self.word and (len(self.value.split()) <= 4 or not _is_ended(self.value))


class _Page:
    """The lines of a text, and what they show together."""

    def __init__(self, lines: Sequence[_Line], nested: Sequence[bool]) -> None:
        self._lines, self._nested = lines, nested
        keyed = [line for line in lines if line.key]
        self._talk = any(_TALK.search(line.value) for line in keyed)
        self._voices = {line.key for line in keyed if not line.word and len(line.value.split()) > _SPOKEN}
        named = sum(line.is_named and line.word in _ANSWERS for line in keyed)
        self._filled = sum(line.is_filled for line in keyed)
        self._is_form = any(line.word and not line.is_named and not line.is_plain for line in keyed)
        self._is_form = self._is_form or self._filled >= max(2, named)
        prose = any(_is_ended(line.text) for line in lines if not line.key)
        self._is_alone = prose and len(keyed) < 2
        self._weighs = _WEIGHED.search("\n".join(line.text for line in lines)) is not None

    def told(self) -> Iterator[str]:
        """Yield what each line states."""
        asked, parent, section = False, "", ""
        for n, line in enumerate(self._lines):
            parent = parent if self._nested[n] else ""
            heads = line.braced and not line.value and self._nested[n + 1 : n + 2] == [True]
            if heads:
                parent = _words(line.key, line)
                yield ""
            elif line.braced:
                yield self._entry(line, parent, asked)
            elif line.key and line.word and not asked and self._states(line):
                yield line.lead + _fact(line, "" if " " in _words(line.key, line) else section)
            else:
                yield self._checked(line.text)
            asked = line.text.rstrip(' \t*_"”’)').endswith("?") if line.text.strip() else asked
            found = _SECTION.fullmatch(line.text)
            section = found[1].split(".")[-1] if found else section

    def _states(self, line: _Line) -> bool:
        """Say whether a line states something of its key, and is nobody's answer."""
        if _LABEL.fullmatch(line.key) or line.key in self._voices:
            return False
        key = line.key.lower()
        if (key in _BARE or key.split()[-1] in _REPLY) and (line.word in _SAID or line.word not in _NONE):
            return False
        if line.op == ":" and _CLAUSE.search(line.key):
            return False
        if line.is_machines:
            return True
        if self._is_alone or (self._talk and (line.word in _SAID or line.is_named)):
            return False
        if line.is_named:
            return self._is_form or (line.word not in _ANSWERS and self._filled > 0)
        return not line.is_plain or line.word not in _ANSWERS or self._is_form or self._filled > 0

    def _entry(self, line: _Line, parent: str, asked: bool) -> str:
        """Return what an entry of JSON states, with the key above it; of an object in one sentence, all of it."""
        if line.word and not asked and self._states(line):
            return _fact(line, parent)
        parts = _ROW.split(line.text.strip())
        if len(parts) > 1:
            said = ", ".join(self._listed(_Line.of(part.rstrip(" ."))) for part in parts)
            return _capital(f"{parent}: {said}." if parent else f"{said}.")
        return _capital(f"{parent} {_words(line.key, line)}".strip() + ": " + _TIGHT.sub(",", line.value))

    def _listed(self, line: _Line) -> str:
        """Return what one of several entries in a sentence states."""
        if not line.key:
            return line.text.strip()
        if line.word and line.word not in _TRUE and self._states(line):
            return _fact(line, "")[:-1].lower()
        return f"{_words(line.key, line)}: {'yes' if line.word in _TRUE else line.value}"

    def _checked(self, text: str) -> str:
        """Return what a line states that is marked as so or not so."""
        found = _CHECK.fullmatch(text)
        if found is None or found["rest"].endswith(":"):
            return text
        rest, mark = found["rest"].rstrip(), found["mark"]
        rest = rest if _is_ended(rest) else rest + "."
        if mark[0] in _DONE or mark[1:2] in ("x", "X"):
            return found["lead"] + rest
        if mark[0] in "[☐":
            return found["lead"] + "Not yet " + rest
        return text if self._weighs or _ADVERSE.search(rest) else found["lead"] + "Not " + rest


def _fact(line: _Line, parent: str) -> str:
    """Return what a key states whose value is a yes, a no or nothing."""
    words = _words(line.key, line)
    lead, _, rest = words.partition(" ")
    has = lead == "has" and bool(rest)
    words = f"{parent} {rest if rest and lead in ('is', 'has') else words}".strip()
    if line.word in _TRUE:
        return _capital("has " + words if has else words) + "."
    return f"{'No' if has or line.word in _NONE else 'Not'} {words}."


def _words(key: str, line: _Line) -> str:
    """Return the words of a line's key, the first in small letters where it is no name in capitals."""
    if _SNAKE.fullmatch(key) or (line.braced and _PASCAL.fullmatch(key)) or (line.op == "=" and key.isupper()):
        return _JOINED.sub(" ", _HUMP.sub(" ", key)).strip().lower()
    key = " ".join(key.split())
    return key if key[1:2].isupper() else key[:1].lower() + key[1:]


def _is_ended(text: str) -> bool:
    """Say whether a stop stands at the end, as of a sentence."""
    return _ENDED.search(text.rstrip()[-5:]) is not None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
