"""What a sentence is about and what it says of it, and the words that it can lose without losing its truth.

Patterns, not a parser: where none fits safely the answer is None and the caller takes another sentence. Leaves out: how
several sentences become one claim (`shapes`) and what makes a claim wrong (`corrupt`, `restate`, `digest`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from groundwire.training.lexicon import BASE, FUNCTION_WORDS, MONTHS, WEEKDAYS
from groundwire.training.passages import usable
from groundwire.training.sample import Marked

_DETERMINER = "a|an|the|his|her|its|their|this|that|these|those|some|several|many|two|three|four|five|more|no|one"
_PREPOSITION = (
    "in|at|by|for|to|with|from|on|into|as|of|off|out|up|over|after|before|during|against|through|between|under|about"
)
_ADVERB = (
    "also|later|then|first|never|still|subsequently|eventually|finally|often|usually|originally|initially|formerly|"
    "previously|once|again|recently|currently|now|reportedly|allegedly|soon|briefly|officially|quickly|further"
)
_MORE = "that|back|away|home|together|again|him|her|them|it|all|both|down|around|along|among|near|until|since|without"
_AUXILIARY = "is|was|were|are|has|had|have|can|could|will|would|should|did|does|do|may|might|must"
_PRESENT = (
    "contains|includes|plays|stars|lives|works|appears|begins|features|tells|follows|refers|consists|becomes|remains|"
    "provides|uses|makes|takes|gives|gets|goes|comes|says|holds|allows|requires|serves|covers|runs|stands|lies|wins|"
    "finds|leaves|tries|believes|wants|causes|involves|represents|describes|shows|means|applies|occurs|receives"
)
_IRREGULAR = "|".join(
    sorted({past for past in BASE if not past.endswith("ed")} | {"had", "felt", "kept", "drew", "broke", "spoke"})
)
_FINITE = (
    rf"(?:(?:{_AUXILIARY}|{_PRESENT}|{_IRREGULAR})\b"
    rf"|[a-z]{{2,}}ed(?= (?:{_DETERMINER}|{_PREPOSITION}|{_MORE}|[A-Z0-9\"“$£]|[a-z]+ly\b)|[.]))"
)
PREDICATE = rf"(?:(?:{_ADVERB}) )?{_FINITE}"
_NAME = r"[A-Z][\w’'&-]*(?:\.[A-Z])*\.?(?: (?:(?:of|the|of the|de|van|von|and|&) )?[A-Z0-9][\w’'&-]*\.?){0,5}"
_NOUN = (
    r"(?:The|A|An|This|These|His|Her|Its|Their) (?:[a-z][\w'’-]* ){0,2}?[a-z][\w'’-]*"
    r"(?: (?:of|for|in) (?:the |a |an |its |their |his )?(?:[a-z][\w'’-]*|[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*))?"
)
SUBJECT = re.compile(
    rf"^(?P<subject>He|She|It|They|The {_NAME}|{_NAME}|{_NOUN})(?: \([^()]{{1,80}}\)|, [^,;()\"“]{{4,80}},)? "
    rf"(?P<verb>{PREDICATE})"
)
LEAD = re.compile(
    r"^(?:(?:In|On|At|After|Before|During|By|For|With|Following|From|Until|As of|Since|Despite|Under|Around|Throughout|"
    r"That|The following|The next) [^,.;:\"“]{2,60}|However|Later|Then|Eventually|Finally|Meanwhile|Additionally|"
    r"Furthermore|Moreover|Today|Currently|Recently|Initially|Originally|Also|In addition), (?=\w)"
)
REDUCED = re.compile(
    r"^[^,;]*?\b(?:that|which|who|and|but|or|when|because|as|where|while|after|before|what|how|if|whether|it|he|she|"
    r"they|there|than|is|was|were|are|has|had)\b"
)
SINGULAR = re.compile(rf"(?:is|was|has|does|{_PRESENT})$")
PLURAL = re.compile(r"(?:are|were|have|do)$")
ORGANISATION = re.compile(
    r"\b(?:University|College|School|Company|Corp|Inc|Ltd|Party|County|River|City|League|Club|Army|Navy|Council|Bank|"
    r"Church|Act|Street|States|Kingdom|Union|Court|House|Museum|Press|Records|Group|Cup|War|Games|Island|Park|Lake|"
    r"Mount|North|South|East|West|New|St|Bay|Hill|Center|Centre|Association|Committee|Ministry|Department|Award|Prize|"
    r"America|American|Britain|British|England|English|Scotland|Ireland|Wales|France|Germany|Spain|Italy|Portugal|Greece|"
    r"Turkey|Russia|Russian|Ukraine|Poland|China|Japan|India|Pakistan|Australia|Canada|Mexico|Brazil|Argentina|Israel|"
    r"Iran|Iraq|Egypt|Africa|Asia|Europe|European|London|Paris|Berlin|Washington|Reuters|January|February|March|April|"
    r"May|June|July|August|September|October|November|December)\b"
)
SCOPE = re.compile(
    r"\b(?:not|no|never|none|neither|nor|cannot|without|only|unless|if|first|last|most|least|all|every|each|any|few|"
    r"fewer|little|rarely|seldom|hardly|except|until|more|less|than|[a-z]{3,}est)\b|n['’]t\b",
    re.I,
)
"""Words under which a part may not go: "did not win in 1990" does not say "did not win"."""


@dataclass(frozen=True, slots=True)
class Clause:
    """The subject of a sentence, of kind "name", "noun", "anaphor" or "pronoun", where it and its predicate start."""

    subject: str
    kind: str
    start: int
    predicate: int
    verb: str

    @property
    def plural(self) -> bool | None:
        """Whether the verb is a plural, a singular, or tells neither."""
        return True if PLURAL.search(self.verb) else False if SINGULAR.search(self.verb) else None


def parse(text: str) -> Clause | None:
    """The subject and predicate of a sentence that opens with its subject, adverbials aside; None where not sure."""
    lead = LEAD.match(text)
    start = lead.end() if lead else 0
    match = SUBJECT.match(text[start : start + 1].upper() + text[start + 1 :])
    if not match:
        return None
    subject, verb = match["subject"], match["verb"]
    words = subject.split()
    if words[-1] in ("The", "A", "An") or words[-1] in FUNCTION_WORDS:
        return None
    if words[0].lower() in FUNCTION_WORDS and words[0] not in (*OPENING, *PRONOUNS, *OWNED):
        return None
    if words[0] in MONTHS or words[0] in WEEKDAYS or words[0].endswith(("ly", "ing")):
        return None
    last = verb.split()[-1]
    if last.endswith("ed") or last in BASE:
        rest = REDUCED.match(text[start + match.end() : start + match.end() + 120])
        if rest and re.search(r"\b(?:is|was|were|are|has|had)$", rest.group()):
            return None
    return Clause(subject, _kind(words), start, start + match.start("verb"), verb)


OPENING = ("The", "A", "An", "This", "These")
PRONOUNS = ("He", "She", "It", "They")
OWNED = ("His", "Her", "Its", "Their")


def _kind(words: list[str]) -> str:
    if len(words) == 1 and words[0] in PRONOUNS:
        return "pronoun"
    if words[0] in OWNED or words[0] in ("This", "These"):
        return "anaphor"
    return "name" if words[-1][:1].isupper() else "noun"


def person_like(name: str) -> bool:
    """Whether a name may well be a person's: one to three capitalised words, none that names an organisation."""
    words = name.removesuffix("'s").removesuffix("’s").split()
    return (
        1 <= len(words) <= 3
        and words[0] != "The"
        and all(w[:1].isupper() and not w.isupper() for w in words if len(w) > 2)
        and not any(w[0].isdigit() or w in ("of", "and", "the", "&") for w in words)
        and not ORGANISATION.search(name)
    )


def fit(sentence: str) -> bool:
    """Whether a sentence, or one that opens with a quote, can stand as a claim."""
    return usable(sentence.lstrip('"“'))


def sound(text: str) -> bool:
    """Whether a shortened sentence still stands: long enough, quotes and brackets whole, no loose end."""
    words = text.rstrip(" .").split()
    return (
        len(words) >= 5
        and text.count('"') % 2 == 0
        and text.count("“") == text.count("”")
        and text.count("(") == text.count(")")
        and not re.search(r",,| ,|, ?\.|\band\.|^[^\w\"“]|\.\.$", text)
        and words[-1].lower() not in LOOSE
    )


LOOSE = frozenset(
    "a an the of in at by for to with from on and or but as is was were are has had have be been his her its their this "
    "that which who not very more most such than including between into".split()
)

_DATED = rf"(?:\d{{4}}|{'|'.join(MONTHS)}|{'|'.join(WEEKDAYS)}|season|year|war|century|week|month|day)"
_JOINED = (
    r"(?:which|who|where|whose|while|although|though|whereas|because|including|such as|as well as|along with|with|after|"
    r"before|following|despite|becoming|but|so|thus|when|[a-z]{3,}ing|[a-z]{3,}ed by|"
    rf"and (?:he|she|it|they|there|the [a-z]+ (?:was|were|is|are|had)|{PREDICATE}))"
)
_TIME = (
    rf" (?:(?:in|during|on|around) (?:early |late |mid-|the )*(?:(?:{'|'.join(MONTHS)}) )?(?:\d{{1,2}},? )?"
    rf"(?:(?:{'|'.join(MONTHS)}),? )?\d{{4}}s?|on (?:{'|'.join(WEEKDAYS)})|(?:from|between) \d{{4}} (?:to|until|and) \d{{4}})"
)


@dataclass(frozen=True, slots=True)
class Cut:
    """A part that may go: what it looks like, what stays for it, and whether it may go under a negation or an "only".

    `clause` asks for what else must still be a clause: what comes "before" the part, what comes "after" it, or "".
    """

    pattern: re.Pattern[str]
    new: str = ""
    free: bool = True
    clause: str = ""


CUTS = (
    Cut(
        re.compile(r"^(?:However|Moreover|Furthermore|Additionally|In addition|Therefore|Thus|Also|Meanwhile|Indeed), ")
    ),
    Cut(
        re.compile(rf"^(?:In|On|By|During|After|Around|Between) [^,.;]*?\b{_DATED}\b[^,.;]{{0,25}}, "),
        "",
        False,
        "after",
    ),
    Cut(
        re.compile(
            r"^(?:After|Following|Despite|Although|While|When|As|Because|Due to|Having|Upon|Once) [^.;]{3,90}?, "
        ),
        "",
        False,
        "after",
    ),
    Cut(re.compile(r"(?<=\w) \([^()]{1,120}\)")),
    Cut(
        re.compile(rf"(?<=[\w.]), (?:an?|the|who|which|formerly|known|born|then) [^,.;()]{{5,90}},(?= {PREDICATE})"),
        "",
        True,
        "name",
    ),
    Cut(re.compile(r", (?:who|which|whose|where) [^,.;()]{5,80},(?! (?:and|or)\b)")),
    Cut(re.compile(rf",? {_JOINED} [^;]*(?=\.$)".replace(",? ", ", ", 1)), "", True, "before"),
    Cut(re.compile(r" (?:because|although|while|whereas|so that) [^;]*(?=\.$)"), "", False, "before"),
    Cut(re.compile(rf" and {PREDICATE} [^;]*(?=\.$)"), "", True, "before"),
    Cut(re.compile(rf"{_TIME}(?=\.$)"), "", False, "before"),
    Cut(re.compile(rf",(?:{_TIME}|(?: however| in fact| in turn| in particular| of course)),"), "", False),
    Cut(
        re.compile(
            r" (?:also|eventually|finally|currently|actually|further|thereafter|quite|very|really|simply|newly|"
            r"widely|particularly|generally|subsequently)(?= [a-z])"
        ),
        "",
        False,
    ),
)
"""What a compressed sentence leaves out, in the order in which it is tried."""  # fmt: skip


def compress(text: Marked, rng: Random, share: float = 0.8) -> Marked:
    """The sentence without parts that it can lose and stay true; each part goes with probability `share`.

    Parts that hold a marked stretch stay. A cut that leaves no sound sentence is not made.
    """
    for cut in CUTS:
        if rng.random() > share or (not cut.free and SCOPE.search(text.text)):
            continue
        text = _without(text, cut)
    return text


def _without(text: Marked, cut: Cut) -> Marked:
    match = cut.pattern.search(text.text)
    if not match or any(s < match.end() and e > match.start() for s, e in text.spans):
        return text
    before, after = text.text[: match.start()], text.text[match.end() :]
    if cut.clause == "before" and (TIED.search(before) or not states(before + ".")):
        return text
    if re.match(_TIME, match.group()) and re.search(
        r"(?:ed|born|held|taken|built|made|won|later|earlier|and|or)$", before
    ):
        return text
    if match.group().startswith((", and", " and")) and LISTED.search(before):
        return text
    if cut.clause == "after" and not states(after):
        return text
    if cut.clause == "name" and not re.fullmatch(_NAME, before):
        return text
    shorter = capital(text.splice(*match.span(), cut.new))
    return shorter if sound(shorter.text) else text


TIED = re.compile(r"\b(?:between|both|either|whether|neither|if|unless|said|says|that|such|so) [^,]*$|[\"“][^\"”]*$")
"""What ties the words after it to what follows."""
LISTED = re.compile(rf", (?:[a-z]+ly )?(?:{PREDICATE}|[a-z]+(?:ing|ed)\b)")
"""A list of predicates, whose last one may not go alone."""


def states(text: str) -> bool:
    """Whether a text opens with its subject and predicate, adverbials in front left aside."""
    return len(text.split()) >= 5 and parse(capital(Marked(text)).text) is not None


def capital(text: Marked) -> Marked:
    """The text with a capital first letter."""
    first = text.text[:1]
    return text.splice(0, 1, first.upper()) if first.islower() else text


def small(text: Marked) -> Marked:
    """The text with a small first letter where the first word is a common one, not a name."""
    first = text.text.split(" ", 1)[0]
    common = first.lower() in FUNCTION_WORDS and first not in ("I", "US", "May")
    return text.splice(0, 1, first[0].lower()) if common else text


def cut_out(text: Marked, start: int, end: int) -> Marked:
    """The stretch [start, end) of a marked text, with the marks that lie in it."""
    return text.splice(end, len(text.text), "").splice(0, start, "")


def joined(first: Marked, link: str, second: Marked) -> Marked:
    """Two marked texts and what stands between them."""
    shift = len(first.text) + len(link)
    spans = (*first.spans, *((s + shift, e + shift) for s, e in second.spans))
    return Marked(first.text + link + second.text, spans)
