"""Announcing: sentences that only say that something follows ("Here is a comparison of the two types:").

A figure in it, or a verb in what it speaks of, says more than that: "Below are the reasons why Ann was dismissed." English;
every pattern is bounded.
"""

from __future__ import annotations

import re

from groundwire.idle.headings import COLONS
from groundwire.idle.stating import has_clause
from groundwire.quantities import quantities

LONGEST = 150
"""Characters: a longer sentence says something."""
_THING = (
    r"(?:(?:summar(?:y|ies)|overview|comparison|list|breakdown|table|timeline|explanation|answer|look|guide|outline|recap|"
    r"rundown|example|step|point|fact|detail|option|tip|way|difference|result|takeaway|highlight|finding|section|provision|"
    r"information|response|chart|review|description|instruction|figure|number)s?)"
)
_THE = r"(?:(?:a|an|the|your|my|our|some|all) )?"
_KIND = r"(?:[^\W\d_][\w-]{0,20} ){0,3}?"
_REST = r"(?P<rest{}>(?: (?:of|from|on|about|for|between|in|regarding)(?: [\w'’,/&-]{{1,30}}){{1,12}}?)?)"
_ANNOUNCING = tuple(
    re.compile(pattern + r" ?[:.]", re.IGNORECASE)
    for pattern in (
        rf"(?:here|below)(?:['’]s| is| are|,? you(?:['’]ll| will| can) find) {_THE}{_KIND}{_THING}{_REST.format('')}"
        r"(?: below)?",
        rf"{_THE}{_KIND}{_THING}{_REST.format('')} (?:is|are) (?:(?:given|listed|shown|set out|summari[sz]ed|outlined) )?"
        r"(?:below|as follows)",
        r"there are (?:a few|a couple of|a number of|several|some|various|many|two|three|four|five) (?:[\w-]{1,20} ){0,2}"
        r"(?:things|points|notes|considerations|caveats) to (?:keep in mind|bear in mind|consider|note|remember|know|mention|"
        r"think about|watch out for|look out for|be aware of)",
        rf"the (?:table|list|chart|summary|section)s? below (?:shows?|lists?|summari[sz]es?|compares?|gives?) {_THE}{_KIND}"
        rf"{_THING}{_REST.format('')}",
    )
)
_ASKED = re.compile(
    r"here(?:['’]s| is| are) (?:how|what|where|which|when)(?: [\w'’,/-]{1,30}){1,12} ?[:：]", re.IGNORECASE
)
"""What follows answers a question."""
_COUNTED = re.compile(r"\b(?:the|these|both) (?:two|three|four|five|six)\b", re.IGNORECASE)
"""A number that the words before have told."""
_SIGNS = re.compile(r"\A[^\w\"'“‘(\[]{0,40}")


def announces(sentence: str) -> bool:
    """Say whether a sentence does no more than to say that something follows; whether it does is not asked."""
    words = " ".join(_SIGNS.sub("", sentence, count=1).split())
    if len(words) > LONGEST or any(map(str.isdigit, words)):
        return False
    if words.endswith(COLONS) and _ASKED.fullmatch(words):
        return True
    found = next(filter(None, (pattern.fullmatch(words) for pattern in _ANNOUNCING)), None)
    rest = found.groupdict().get("rest") or "" if found else ""
    return found is not None and not quantities(_COUNTED.sub(" ", rest)) and not has_clause(rest)
