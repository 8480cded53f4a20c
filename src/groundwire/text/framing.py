"""Framing: the words around a statement that say where it was read or how it follows on, blanked out where they stand.

"According to passage 2, …", "However, …", "…, as mentioned in the document.": evidence can neither back such words nor deny
them, for they speak of the evidence itself or of the answer, and a small model takes "2" for a figure without a source. Every
frame becomes as many blanks, so a place in what is left is the same place in the sentence as written.

Left out: attributions to anybody in the world ("According to the ministry, …"), which are a part of what is said; order
("First, …", "Finally, …"), causes ("Therefore, …") and doubt ("Perhaps …"). English; every pattern is bounded.
"""

from __future__ import annotations

import re
from functools import cache

from groundwire.text.terms import content_terms


def _spaced(pattern: str) -> str:
    """A pattern of words: every space in it stands for one blank or many, as where a mark was blanked."""
    return pattern.replace(" ", r"\s{1,60}+")


_NUMBER = r"(?:(?:#|no\.?|number )?(?:\d{1,3}|[A-F](?![\w'’])))"
_NUMBERS = rf"(?: {_NUMBER}(?:\s?(?:,|and|&|-|–|to) {_NUMBER}){{0,5}})"
_GIVEN = (
    "(?:provided|given|above|following|available|retrieved|supplied|uploaded|reference|relevant|first|second|third)"
)
_NUMBERED = "(?:contexts?|passages?|documents?|texts?|excerpts?|snippets?|chunks?|sources?|search results?)"
_ITSELF = r"(?:articles?|paragraphs?)(?!\s{1,3}\d)"
"""What is the evidence as a whole; with a number it may be of a law."""
_STUFF = "(?:information|data|content|evidence|materials?|facts|details|references?|results?|knowledge)"
_BEHIND = "(?:provided|given|above|below|available|at hand|you (?:have )?(?:provided|shared|gave)(?: me)?)"
_THE = "(?:(?:both|all|each|any) (?:of )?)?(?:the|this|these|that|those|your|our|my)"
_ONE = (
    rf"(?:{_THE} (?:{_GIVEN} ){{0,2}}(?:{_NUMBERED}{_NUMBERS}?|{_ITSELF})(?: {_BEHIND})?"
    rf"|{_THE} (?:{_GIVEN} ){{1,2}}{_STUFF}(?: in {_THE} {_NUMBERED})?|{_THE} {_STUFF} (?:{_BEHIND}|in {_THE} {_NUMBERED})"
    rf"|(?:{_GIVEN}|both|all) {_NUMBERED}{_NUMBERS}?|{_NUMBERED}(?:{_NUMBERS}|(?=\s{{3}})))"
)
_SOURCE = rf"{_ONE}(?: and {_ONE})?"
"""The evidence itself, as an answer calls it: "the given context", "passages 1 and 3", "the information you provided"."""
_PUT = "(?:stated|mentioned|noted|described|explained|shown|seen|indicated|reported|discussed|outlined|written|given)"
_SAYS = (
    "(?:states?|mentions?|says?|notes?|indicates?|explains?|reports?|confirms?|specif(?:y|ies)|shows?|reveals?|adds?|"
    "describes?|points? out|tells? us|makes? (?:it )?clear)"
)
_PER = "(?:according to|on the basis of|based (?:solely |only )?(?:up)?on|as per|per|from|in|judging by|judging from|given)"
_FOLLOWS = (
    "(?:however|additionally|moreover|furthermore|in addition|also|in summary|to (?:sum up|summari[sz]e|conclude)|overall|"
    "in conclusion|in short|in brief|in fact|notably|importantly|interestingly|specifically|for (?:example|instance)|besides|"
    "that said|in other words|on the other hand|to answer your question|nevertheless|nonetheless|indeed|of course|likewise|"
    "in particular|more specifically|by the way|basically|essentially|simply put|as far as i(?: know|'m aware| am aware)|"
    "from what i(?: know|'ve read| have read| understand| can see| can tell)|to my knowledge|if i(?:'m| am) not mistaken|"
    "if i remember (?:correctly|rightly|right)|believe it or not|unfortunately|fortunately|sadly|surprisingly|to be honest|"
    "you see|i mean)"
)
_REMARKS = (
    "(?:it is|it should be|it['’]s) (?:also )?"
    "(?:worth (?:noting|mentioning)|important to (?:note|mention|remember)|noted|interesting to note)"
)
_SPOKEN = "(?:yeah|yep|yup|sure|well|oh|ok|okay|so|actually|absolutely|definitely|certainly|exactly|right|wow|hmm)"
_TITLES = "(?:(?:final )?answer|response|summary|conclusion|key point|note|(?:fun )?fact|claim|tl;dr)"
_SUBJECTS = "(?:he|she|it|they|the|this|these|there|we|you|its|his|their)"
_BLANKED = r"\s{3,60}(?:(?:and|&|,)\s{3,60}){0,3}"
"""Where marks stood that were blanked: "According to [1] and [2], …"."""
_LEADS = (
    rf"(?:{_PER}|as {_PUT} (?:in|by)) {_SOURCE}\s{{0,60}}[,:] (?:it is {_PUT} that )?",
    rf"(?:according to|as per|per|based on|in|as {_PUT} (?:in|by)){_BLANKED}, ",
    rf"(?:as )?{_SOURCE} (?:also |clearly |explicitly )?{_SAYS}(?: that |: )",
    rf"(?<=\s\s\s)(?:(?:and|,)\s{{3,60}}){{0,3}}{_SAYS} that ",
    rf"as {_SOURCE} {_SAYS}, ",
    rf"as {_PUT} (?:above|earlier|before|previously), ",
    rf"it is (?:also )?{_PUT} in {_SOURCE} that ",
    rf"(?:{_FOLLOWS}|{_SPOKEN})\s?, ",
    rf"(?:yes|no), (?={_SUBJECTS}\b|according to |based on |as {_PUT} |in fact,|(?-i:[A-Z]))",
    rf"(?:{_REMARKS}|(?:please )?(?:note|keep in mind|bear in mind)) that ",
    "i (?:think|believe|guess|heard|know|read|see|understand|recall|remember) that ",
    rf"i (?:think|believe|guess|heard) (?={_SUBJECTS}\b)",
    "i(?:'m| am) not (?:sure|certain),? but ",
    "did you know that ",
    rf"{_TITLES}\s{{0,4}}: ",
)
_TAILS = (
    rf",? as (?:(?:was|is|were) )?{_PUT} (?:in|by) {_SOURCE}",
    rf",? (?:according to|as per|per|based on) {_SOURCE}",
    rf", (?:according to|as {_PUT} (?:in|by))\s{{3,60}}",
    rf",? \((?:see |from |source:? |per |according to |as {_PUT} (?:in|by) )?{_SOURCE}\)",
    rf", as {_PUT} (?:above|earlier|before|previously)",
    ", (?:i (?:think|believe|guess)|you know|of course|as far as i know|to my knowledge|if i remember (?:correctly|right))",
    r", right(?=\s{0,3}\?)",
)
_NEGATED = re.compile(r"\b(?:no|not|never|nor|neither|none|differs?|unlike)\b|n['’]t\b", re.IGNORECASE)
"""What a manner at the end of a sentence may belong to: "It was not built as described in the document."."""


@cache
def _lead() -> re.Pattern[str]:
    """What frames begin with; compiled when a sentence is first read, which takes longer than to import all the rest."""
    return re.compile(rf"[\s\"“'‘]{{0,80}}+(?:{'|'.join(map(_spaced, _LEADS))})", re.IGNORECASE)


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(map(_spaced, _TAILS))})(?=[\s.!?…\"”]{{0,80}}+$)", re.IGNORECASE)


FRAMES = 4
"""The most frames that are taken off in a row: "Yes, according to passage 1, …"."""
LEAST = 2
"""Content terms that have to be left: what says no more than its frame is read as it is."""
NEAR = 240
"""The last characters of a sentence, in which a frame at its end begins."""


def unframed(sentence: str, least: int = LEAST) -> str:
    """Return a sentence, of the same length, with blanks for what frames the statement in it.

    What is read is a sentence without markup (`unmarked`). It comes back as it is where fewer than `least` content terms
    would be left.
    """
    start, end = 0, len(sentence)
    for _ in range(FRAMES):
        lead = _lead().match(sentence, start)
        if lead is None:
            break
        start = lead.end()
    tail = _tail().search(sentence, max(start, end - NEAR))
    if tail and tail[0].lstrip()[:1] not in (",", "(") and _NEGATED.search(sentence, start, tail.start()):
        tail = None
    stop = tail.end() if tail else end
    end = tail.start() if tail else end
    if (start == 0 and tail is None) or len(content_terms(sentence[start:end])) < least:
        return sentence
    return " " * start + sentence[start:end] + " " * (stop - end) + sentence[stop:]
