"""What an English sentence can lose and stay grammatical and true: asides, loose clauses behind a comma, attribution.

Patterns, not a parser, and all of them shy: where it is not sure that a sentence stays, nothing goes. A part that holds a
negation, a condition, an exception, a hedge or what qualifies a quantity never goes, nor does a place or a time in front
("In the United States, ..."), under which alone the rest may hold. Sentences that are not English are left alone.

Left out: whether the part is missed (the fitness knows), and cuts that make a claim of a training set (`training/clauses`),
which may take away a year or a place because both twins lose it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundwire.evolve.extractive.openings import capital, link_end
from groundwire.text import is_stop_word

_LONGEST = 1000
"""Characters of the longest sentence that is looked at: no sentence of prose is longer, and hostile ones are."""

GUARD = re.compile(
    r"""\b(?: not|no|never|none|neither|nor|nobody|nothing|nowhere|cannot|without|hardly|barely|scarcely|rarely|seldom|lacks?
          | if|unless|whether|until|till|except|excluding|excepting|only|solely|provided|providing\ that|assuming|given|
            depend(?:s|ing|ent)?|otherwise|as\ long\ as|when(?:ever)?|once|subject\ to|even
          | about|approximately|approx|roughly|around|nearly|almost|circa|up\ to|at\ (?:least|most)
          | (?:more|less|fewer|greater|higher|lower|over)\ than
          | minimum|maximum|average|per|each|every
          | may|might|could|would|should|must|probably|possibly|perhaps|likely|unlikely|maybe|potential(?:ly)?
          | apparently|allegedly|reportedly
          | suspect(?:s|ed)?|believed?|claim(?:s|ed)?|alleged|thought|estimated?|suggest(?:s|ed|ing)?|suppos\w{1,8}
          | usually|generally|typically|normally|often|sometimes|mostly|mainly|largely|partly|partially|occasionally
          | but|although|though|while|whereas|because|since|so|yet|however|instead|rather|unlike
        )\b | n['’]t\b | [<>≤≥±~] """,
    re.I | re.X,
)
"""Words that what goes may not hold: the rest could say more, or less, without them."""

_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|may|might|must|should|do|does|did|became|began|begins?|"
    r"become|becomes|causes?|caused|contains?|contained|consists?|consisted|includes?|included|occurs?|occurred|means|meant|"
    r"refers?|makes?|made|uses?|used|takes?|took|gives?|gave|provides?|provided|requires?|required|helps?|helped|shows?|"
    r"showed|serves?|served|plays?|played|remains?|remained|produces?|produced|allows?|allowed|affects?|affected|involves?|"
    r"involved|lies|lay|lives?|lived|grows?|grew|came|comes?|went|goes|gets?|got|earns?|earned|"
    r"costs?|ranges?|ranged|lays|laid|finds|found|keeps?|kept|leads|led|needs?|needed|works|worked|forms|formed|moves|moved|"
    r"carries|carried|brings|brought|turns|turned|says|said|stands|stood|holds|held|runs|ran|won|wins|feeds|fed)\b"
)
_SUBORDINATE = re.compile(
    r"(?:if|when|whenever|while|although|though|because|since|as|after|before|once|unless|until|whether|where|in|on|at|by|"
    r"for|to|with|without|from|during|under|over|between|among|through|upon|due|despite|given|unlike|like|along|according|"
    r"\w+ing|what|how|that|which|who|whose)\b",
    re.I,
)
_ENGLISH = frozenset("the and with that which from are their was were an is of to or its this by for".split())
_SURELY = frozenset("the and with that which from their".split())
_LETTERS = re.compile(r"[a-z]+")

_VERB = (
    r"(?:is|are|was|were|has|have|had|can|will|does|do|did|became|becomes?|causes?|contains?|consists?|includes?|occurs?|"
    r"means|refers?)"
)
_ASIDE = re.compile(
    r" \((?!(?:in|at|by|for|with|on|under|from|during|after|before|to|of|as|within|net|gross|see)\b|or (?:\d|\w{1,9}-))"
    r"[^()]{3,160}\)(?=[ .,;:])",
    re.I,
)
"""One that begins with a preposition says for whom or where the rest holds; "(or two-year)" is an alternative."""
_MIDDLE = re.compile(rf", (?:who|which|whose|also known as|also called) [^,.;:()\"“”]{{4,90}},(?= {_VERB}\b)")
_TAIL = re.compile(
    r", (?:(?:which|who|whose) "
    r"|(?:making|causing|allowing|leaving|giving|creating|helping|meaning|becoming|producing|forcing|bringing|"
    r"leading to|resulting in|including|such as|especially|particularly|as well as|along with|according to) )"
    r"[^;:\"“”()]{4,200}(?=[.!]$)"
)
_SAID = re.compile(
    r", (?:(?:said|says|reports|reported|notes|noted|explains|explained) [A-Z][^,;:\"“”()]{2,60}"
    r"|(?:he|she|they|[A-Z][\w.’'-]{1,20}(?: [A-Z][\w.’'-]{1,20}){0,3}) (?:said|says|notes|noted|explains|explained))(?=[.]$)"
)
_SOURCE = re.compile(
    r"According to (?![^,]{0,80}\b(?:some|many|this|these|that|its?|their|laws?|rules?|polic\w{1,3}|plans?|agreements?|"
    r"theor\w{1,3}|legends?|myths?|tradition\w{0,3}|hypothes[ie]s|models?|critics|opponents|supporters|definitions?|"
    r"viewpoints?|rumou?rs)\b)[^,;:\"“”()]{2,80}, (?=\w)"
)
"""Who says it, where that is no rule under which it holds and no voice among others."""
_LISTS = re.compile(
    r"\b(?:includes?|including|included|such as|are|were|between|both|either|neither|whether|like)\b[^,]*+$|:"
)
_LETTERED = re.compile(r"[^\W\d_]{3}")

Place = tuple[int, int]


def cuts(sentence: str) -> list[Place]:
    """Return (start, end) of each part that the sentence can lose, in order of place; each alone, not all together."""
    if len(sentence) > _LONGEST:
        return []
    places = set(_places(sentence)) if _is_english(sentence) else set()
    return sorted(place for place in places | {(0, link_end(sentence))} if _may_go(sentence, *place))


def without(sentence: str, place: Place) -> str:
    """Return the sentence without one of its `cuts`."""
    return capital(sentence[: place[0]] + sentence[place[1] :])


def _places(sentence: str) -> Iterator[Place]:
    for aside in _ASIDE.finditer(sentence):
        # "15 (mm)" is a unit and "(a)" a mark; "a group (or herd) is" is an aside.
        unit = sentence[aside.start() - 1].isdigit() and not any(c.isdigit() for c in aside[0])
        own = is_stop_word(sentence[: aside.start()].rpartition(" ")[2])  # "and (net) profit": part of the noun
        if not unit and not own and _LETTERED.search(aside[0]) and not re.search(r"[.!?]", aside[0][:-1].rstrip(")")):
            yield aside.span()
    middle = _MIDDLE.search(sentence)
    if middle and _is_subject(sentence[: middle.start()]):
        yield middle.span()
    for pattern in (_TAIL, _SAID):
        tail = pattern.search(sentence)
        if tail and _states(sentence[: tail.start()]) and not _splits_list(sentence, tail):
            yield tail.span()
    source = _SOURCE.match(sentence)
    if source and _states(sentence[source.end() :].partition(",")[0]):
        yield source.span()


def _may_go(sentence: str, start: int, end: int) -> bool:
    """Say whether a part may go: a mere connective, or what takes no guarded word with it; quotes and brackets stay whole."""
    if start == end:
        return False
    rest = sentence[:start] + sentence[end:]
    whole = rest.count("(") == rest.count(")") and rest.count('"') % 2 == 0 and rest.count("“") == rest.count("”")
    bare = end == link_end(sentence) or GUARD.search(sentence[start:end]) is None
    return whole and bare and len(rest.split()) >= 4


def _splits_list(sentence: str, tail: re.Match[str]) -> bool:
    """Say whether a clause at the end may hold more than itself: items of a list that began before it, or the main verb.

    With a comma in it, only a list of its own that ends in "and" or "or" is sure to be all there is.
    """
    first, comma, last = tail[0][2:].rpartition(", ")
    if not comma:
        return False
    before = sentence[: tail.start()]
    relative = first.startswith(("which ", "who ", "whose "))
    return relative or "," in before or not last.startswith(("and ", "or ")) or _LISTS.search(before) is not None


def _states(text: str) -> bool:
    """Say whether a text can stand as a sentence: it opens with no subordinate clause of its own, and has a verb."""
    if _SUBORDINATE.match(text):
        text = text.partition(", ")[2]
    return len(text.split()) >= 4 and _FINITE.search(text) is not None


def _is_subject(text: str) -> bool:
    """Say whether a text in front of a clause is a bare subject, so that the verb behind the clause is its own."""
    return len(text.split()) <= 8 and "," not in text and not _FINITE.search(text) and not _SUBORDINATE.match(text)


def _is_english(sentence: str) -> bool:
    words = {word for word in _LETTERS.findall(sentence.lower()) if word in _ENGLISH}
    return len(words) > 1 and not words.isdisjoint(_SURELY)
