"""Records: what the lines of a form, a configuration or a checklist state.

"is_paid: false" says that it is not paid, and a small model, trained on statements, reads that it is. It reads "Not paid."
rightly, "Paid." for true and "No owner." for "owner: null"; "✗ Redis reachable" is "Not Redis reachable." So it is handed such
lines in that form, and the entries of what was JSON (`braces`) with the words of their keys apart.

"Anna: No" looks the same and is what Anna said, "Symbol: No" is a name, "❌ Access revoked" is so. A text that is turned round
is worse than one that is read badly, so whatever may be meant otherwise is left as it is: keys that may be people unless a
form is beside them, every yes and no of a text in which people talk, values of keys that call something by a name, crosses
before what is no thing or stands among no ticks. Left out: keys of more than `_MOST` words, tables. English.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.text.braces import NESTED, QUOTED

_MOST = 6
"""Words of a key, or of the name of a thing, at most."""
_LONGEST = 80
"""Characters of a key, at most, with what stands before it."""
_BESIDE = 2
"""Keys that are nobody's, at least, beside one that may be."""
_TRUE, _ANSWERS = {"true", "yes", "on"}, {"true", "yes", "on", "false", "no", "off"}
_NONE = {"null", "none", "nil", "n/a", "n.a", "n.a.", "(none)", "[]", "{}", '""', "''"}
_SAID = {"yes", "no", "on", "off", "none", "nil"}
"""What people say as well, and others of them."""
_EMPTY = {"null", "n/a", "(none)", "[]", "{}", '""', "''"}
"""What nothing is called."""
_VALUE = re.compile(
    r"(?P<quote>[\"']?)(?P<word>true|false|yes|no|on|off|null|none|nil|n/a|n\.a\.?|\(none\)|\[ {0,9}\]|\{ {0,9}\}|\"\"|'')"
    r"[\"']?(?:[ \t]{0,4}[.,;])?(?P<behind>(?:[ \t]{1,40}[#;].{0,200})?)",
    re.IGNORECASE,
)
_HINT = re.compile(
    rf"[:=][ \t{QUOTED}]{{0,40}}(?:[\"'(]?(?:true|false|yes|no|on|off|null|none|nil|n/a|n\.a)\b"
    rf"|\[ {{0,9}}\]|\{{ {{0,9}}\}}|\"\"|''|[.\n]|$)|\w[ {QUOTED}]{{1,3}}:|[✓✔✅☑✗✘❌☐]|\[[ xX]\]",
    re.IGNORECASE,
)
"""What a text without records has none of."""
_BULLET = r"(?:(?:[-*+•·]|\d{1,3}[.)])[ \t]{1,4})"
_ITEM = re.compile(rf"\s*+{_BULLET}")
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
_PLAIN_VALUE = re.compile(r"[\d.,:/%-]{1,20}|true|false|null", re.IGNORECASE)
_BARE = set("comment message output example expected actual label mode type kind statement choice option".split())
"""What says that a value follows, not of what it is."""
_CALLED = set(
    "answer reply response result verdict conclusion decision outcome vote note value default status state text content title "
    "name surname nickname alias login username author artist band album song brand team country province region city language "
    "lang locale nationality translation word term phrase sentence quote caption slogan motto subject body prompt transcript "
    "completion symbol formula code acronym ticker element rating ruling judgement judgment prediction predicted truth opinion "
    "category class grade".split()
)
"""What does so behind other words too ("Short answer", "Last name"): calls something by a name, a code or a judgement."""
_ASKS = re.compile(
    r"(?:is|are|was|were|has|have|had|can|could|should|does|do|did|will|must|may|needs?|supports?|allows?|requires?|accepts?|"
    r"includes?)\b(?=.*\w)",
    re.IGNORECASE,
)
_PARTICIPLE = (
    r"(?:(?!(?:bed|red|shed|sled|speed|seed|feed|need|weed|breed|bleed|deed|hundred|embed|med|led|wed)\b)\w{2,30}ed"
    r"|paid|sent|done|sold|built|lost|held|met|kept|made|gone|left|shut|torn|worn|bought|brought|caught|taught|found|bound|hurt|"
    r"cut|put|laid|won|stolen|\w{0,9}(?:taken|given|written|broken|chosen|spoken|hidden|driven|frozen|known|shown|grown|drawn|"
    r"thrown|eaten|bitten|forgotten|fallen|seen|stood|told|spent|begun))"
)
_PREDICATE = re.compile(rf"(?:.*\W)?(?:{_PARTICIPLE}|\w{{3,30}}[ai]ble)", re.IGNORECASE)
"""What is said of something, not somebody or something itself."""
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
_JUDGED = re.compile(
    r"\b(?:prohibited|forbidden|banned|reasons?|good|great|nice|easy|easier|hard|harder|difficult|simple|fast|faster|slow|slower|"
    r"cheap|cheaper|expensive|costly|affordable|better|worse|best|worst|poor|weak|strong|excellent|friendly|rude|noisy|quiet|noise|"
    r"high|higher|low|lower|limited|steep|hidden|old|outdated|dirty|clean|crowded|long|short|small|tiny|heavy|too|only|lacks?|"
    r"risks?|complicated|confusing|unsafe|dangerous|harmful|boring|ugly|comfortable|reliable)\b",
    re.IGNORECASE,
)
"""What says above or in a list that it may be such a place."""
_ADVERSE = re.compile(
    r"\b(?:no|not|none|never|without|don['’]?t|cannot|\w{2,8}n['’]t|avoid|fail\w*+|errors?|missing|invalid|denied|reject\w*+|"
    r"broken?|crash\w*+|lost|down|expired|bugs?|issues?|problems?|tim(?:ed|es|e) ?out|un(?!i[tqvo]|der|til)[a-z]{3,}+)\b",
    re.IGNORECASE,
)
"""What says itself that something is not so."""
_NO_THING = re.compile(
    rf"[\d:;!?$€£]|\b{_PARTICIPLE}\b|\A(?:the|this|that|these|those|a|an|it|they|he|she|you|we|i|there|my|our|your|their)\b"
    r"|\b(?:is|are|was|were|be|been|am|has|have|had|do|does|did|will|would|can|could|should|must|may|might|went|came|got|fell|"
    r"broke|quit|ran|rose|sank|grew|became|began|ended|hit|who|which|because|since|when|if)\b"
    r"|(?<!\w)(?!\w{0,20}(?:ss|us|is)\b)[a-z]{2,20}s\s(?!(?:and|or|for|of|with|per|via|as)\b)",
    re.IGNORECASE,
)
"""What no name of a thing has: figures, verbs, participles, or a word that may be a verb ("leaks memory")."""


def told(text: str) -> str:
    """Return the text with its records as what they state, line by line. The rest stays. Linear in the text."""
    if _HINT.search(text):
        parts = re.split(rf"([\n{NESTED}])", text)
        page = _Page([_Line.of(line) for line in parts[::2]], [False, *(part == NESTED for part in parts[1::2])])
        parts[::2] = page.told()
        text = "".join("\n" if part == NESTED else part for part in parts)
    return text.replace(QUOTED, " ")


@dataclass(slots=True, eq=False)
class _Line:
    """A line; where it is one of a record, its key, its value, and the word that is all of its value, in small letters.

    `spelled` is that word as written, `behind` the comment after it. `quoted`: it stood in quotes. `braced`: it was an entry
    of JSON, as the blank behind its key shows. `open`: the value may follow on other lines.
    """

    text: str
    lead: str = ""
    key: str = ""
    op: str = ""
    value: str = ""
    word: str = ""
    spelled: str = ""
    behind: str = ""
    quoted: bool = False
    braced: bool = False
    open: bool = False

    @classmethod
    def of(cls, text: str) -> _Line:
        """Read a line."""
        found = _KEY.match(text)
        if found is None or len(found["key"].split()) > _MOST:
            return cls(text)
        line = cls(text, found["lead"], found["key"].strip(), found["op"], found["value"].strip())
        line.braced = QUOTED in found["gap"]
        line.open = line.op == "=" and not line.value and _SNAKE_OR_LOUD.fullmatch(found["key"]) is not None
        if word := _VALUE.fullmatch(line.value):
            line.spelled, line.behind = word["word"].replace(" ", ""), word["behind"]
            line.quoted = bool(word["quote"]) or QUOTED in found["value"]
        line.word = "null" if line.open else line.spelled.lower()
        return line

    @property
    def is_named(self) -> bool:
        """Whether the key may be somebody's name."""
        return all(word[0].isupper() for word in self.key.split()) and not _PASCAL.fullmatch(self.key)

    @property
    def is_machines(self) -> bool:
        """Whether no person writes the key so."""
        typed = self.op == "=" or (self.braced and not self.is_named)
        return typed or ("-" not in self.key and _SNAKE.fullmatch(self.key) is not None)

    @property
    def is_field(self) -> bool:
        """Whether the key is surely nobody's name."""
        if self.is_machines or self.is_named or not self.value:
            return self.is_machines
        return not (self.key.isalpha() and self.key.islower()) or _PLAIN_VALUE.fullmatch(self.value) is not None

    @property
    def is_called(self) -> bool:
        """Whether the value is a name, a code or somebody's judgement rather than a yes, a no or nothing."""
        words = _JOINED.sub(" ", _HUMP.sub(" ", self.key)).lower()
        if self.quoted:
            return not (_ASKS.match(words) or _PREDICATE.fullmatch(words))
        if (words not in _BARE and words.rpartition(" ")[2] not in _CALLED) or _ASKS.match(words):
            return False
        return not (self.open or self.spelled in _EMPTY or (self.braced and self.word in _NONE))


class _Page:
    """The lines of a text, and what they show together."""

    def __init__(self, lines: Sequence[_Line], nested: Sequence[bool]) -> None:
        self._lines, self._nested = lines, nested
        keyed = [line for line in lines if line.key]
        self._talk = any(_TALK.search(line.value) for line in keyed)
        self._voices = {line.key for line in keyed if line.value and not line.word}
        self._is_alone = len(keyed) < 2 and any(_is_ended(line.text) for line in lines if not line.key)
        answers = [line for line in keyed if line.word in _ANSWERS and not (line.spelled.isupper() and line.is_called)]
        self._is_loud = len(answers) > 1 and all(line.spelled.isupper() for line in answers)
        self._keys = Counter(line.key.lower() for line in keyed)
        self._above = list(_above(lines))
        self._nests = Counter((above, line.key.lower()) for line, above in zip(lines, self._above, strict=True))
        self._fields = list(_fields(lines))
        self._weighs = _WEIGHED.search("\n".join(line.text for line in lines)) is not None
        self._crossed = list(_crossed(lines))

    def told(self) -> Iterator[str]:
        """Yield what each line states."""
        asked, parent = False, ""
        for n, line in enumerate(self._lines):
            parent = parent if self._nested[n] else ""
            if line.braced and not line.value and self._nested[n + 1 : n + 2] == [True]:
                parent = _words(line.key, line)
                yield ""
            elif line.braced:
                yield self._entry(n, parent, asked)
            elif line.word and not asked and self._states(n, line) and (above := self._under(n)) is not None:
                yield line.lead + _fact(line, above) + line.behind
            else:
                yield self._checked(n)
            asked = line.text.rstrip(' \t*_"”’)').endswith("?") if line.text.strip() else asked

    def _states(self, n: int, line: _Line) -> bool:
        """Say whether a line states something of its key, and is nobody's answer, nor a name."""
        if _LABEL.fullmatch(line.key) or line.is_called or (line.op == ":" and _CLAUSE.search(line.key)):
            return False
        said = line.word in _SAID
        if said and line.spelled.isupper() and not self._is_loud:
            return False
        if line.is_machines:
            return line.op == "=" or line.braced or line.key not in self._voices
        if line.key in self._voices:
            return False
        if self._is_alone or (self._talk and (said or line.is_named)):
            return False
        if not line.is_named and (not said or _PREDICATE.fullmatch(line.key)):
            return True
        return len(self._fields[n] - {line.key}) >= _BESIDE

    def _under(self, n: int) -> str | None:
        """Return the key or the section to name with a line's own key; none where that is not sure."""
        line, key, above = self._lines[n], self._lines[n].key.lower(), self._above[n]
        if self._goes_on(n):
            return None
        if " " in _words(line.key, line) and self._keys[key] == 1:
            return ""
        return above if not above or self._nests[above, key] == 1 else None

    def _goes_on(self, n: int) -> bool:
        """Say whether the lines behind this one may belong to its value."""
        line = self._lines[n]
        after = next((other for other in self._lines[n + 1 : n + 9] if other.text.strip()), None)
        if after is None:
            return line.open and line.text.rstrip("= \t\r") + "=" != line.text.rstrip()
        if _indent(after.text) > _indent(line.text):
            return True
        if not line.open or not self._lines[n + 1].text.strip():
            return line.open and _ITEM.match(after.text) is not None
        return after.op != "=" and after.text.lstrip()[0] not in "#;["

    def _entry(self, n: int, parent: str, asked: bool) -> str:
        """Return what an entry of JSON states, with the key above it; of an object in one sentence, all of it."""
        line = self._lines[n]
        if line.word and not asked and self._states(n, line):
            return line.lead + _fact(line, parent)
        parts = _ROW.split(line.text.strip())
        if len(parts) > 1:
            said = ", ".join(self._listed(n, _Line.of(part.rstrip(" ."))) for part in parts)
            return _capital(f"{parent}: {said}." if parent else f"{said}.")
        return line.lead + _capital(f"{parent} {_words(line.key, line)}".strip() + ": " + _TIGHT.sub(",", line.value))

    def _listed(self, n: int, line: _Line) -> str:
        """Return what one of several entries in a sentence states."""
        if not line.key:
            return line.text.strip()
        states = bool(line.word) and self._states(n, line)
        if states and line.word not in _TRUE:
            return "n" + _fact(line, "")[1:-1]
        return f"{_words(line.key, line)}: {'yes' if states and line.word == 'true' else line.value}"

    def _checked(self, n: int) -> str:
        """Return what a line states that is marked as so or not so."""
        text = self._lines[n].text
        found = _CHECK.fullmatch(text)
        if found is None or found["rest"].endswith(":"):
            return text
        rest, kind = found["rest"].rstrip(), _marked(found["mark"])
        ended = rest if _is_ended(rest) else rest + "."
        if kind == "done":
            return found["lead"] + ended
        words = len(rest.split())
        if kind not in self._crossed[n] or (kind == "open" and words < 2):
            return text
        if kind == "open":
            return found["lead"] + "Not yet " + ended
        is_thing = not (words > _MOST or _NO_THING.search(rest) or _ADVERSE.search(rest))
        return found["lead"] + "Not " + ended if is_thing and not self._weighs else text


def _above(lines: Sequence[_Line]) -> Iterator[str | None]:
    """Yield for each line the key that it is indented under, or its section; none where that is an item or not to be seen."""
    heads: list[tuple[int, str | None]] = []
    section = ""
    base = min((_indent(line.text) for line in lines if line.key), default=0)
    for line in lines:
        indent = _indent(line.text)
        found = _SECTION.fullmatch(line.text)
        section = found[1].split(".")[-1] if found else section
        if not line.text.strip():
            yield section
            continue
        while heads and heads[-1][0] >= indent:
            heads.pop()
        yield heads[-1][1] if heads else section if indent <= base else None
        if _ITEM.match(line.text):
            heads.append((indent, None))
        if line.key and line.op == ":" and not line.value and not line.braced:
            heads.append((len(line.lead), _words(line.key, line)))


def _fields(lines: Sequence[_Line]) -> Iterator[set[str]]:
    """Yield for each line the keys beside it, blank lines aside, that are nobody's name; of many only some."""
    run, beside = 0, set[str]()
    for line in [*lines, _Line("end")]:
        if line.key or not line.text.strip():
            run += 1
            if len(beside) <= _BESIDE and line.key and line.is_field:
                beside.add(line.key)
            continue
        yield from [beside] * run
        run, beside = 0, set()
        yield beside


def _crossed(lines: Sequence[_Line]) -> Iterator[set[str]]:
    """Yield for each line which marks say that something is not so: those in a list of what is and what is not."""
    run: list[re.Match[str]] = []
    head = ""
    for line in [*lines, _Line("")]:
        if found := _CHECK.fullmatch(line.text):
            run.append(found)
            continue
        marks = {"open", "no"} if any(_marked(one["mark"]) == "done" for one in run) else set()
        if marks and (_ADVERSE.search(head) or _JUDGED.search("\n".join([head, *(one["rest"] for one in run)]))):
            marks.discard("no")
        yield from (marks for _ in run)
        yield set()
        head, run = line.text if line.text.strip() or run else head, []


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
    """Return the words of a line's key; those of a machine in small letters."""
    if _SNAKE.fullmatch(key) or (line.braced and _PASCAL.fullmatch(key)) or (line.op == "=" and key.isupper()):
        return _JOINED.sub(" ", _HUMP.sub(" ", key)).strip().lower()
    return " ".join(key.split())


def _marked(mark: str) -> str:
    """Return what a mark says: that it is done, open, or not so."""
    return "done" if mark[0] in _DONE or mark[1:2] in ("x", "X") else "open" if mark[0] in "[☐" else "no"


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _is_ended(text: str) -> bool:
    """Say whether a stop stands at the end, as of a sentence."""
    return _ENDED.search(text.rstrip()[-5:]) is not None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
