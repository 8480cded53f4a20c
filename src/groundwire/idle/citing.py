"""Citing: lines and sentences that only name where something stands ("Source: annual report, p. 3", "(Section 4.2)").

Left out: which lines stand in a list of sources (`groundwire.claims`). English; every pattern is bounded.
"""

from __future__ import annotations

import re

from groundwire.idle.headings import STATES, STOPS

CITING = re.compile(
    r"[\s#>-]{0,20}(?:sources?(?:\(s\))?|references?|citations?|works cited|bibliography|further reading|links|footnotes)"
    r"(?: used)?\s{0,20}[:：]?\s{0,20}",
    re.IGNORECASE,
)
"""A line that a list of sources stands under."""
_ENDINGS = r"(?:pdf|docx?|html?|md|txt|csv|xlsx?|pptx?)"
_PLACE = rf"https?://|\bpp?\.\s?\d|\w\.{_ENDINGS}\b"
SOURCED = re.compile(
    r"[\s#>-]{0,20}(?:sources?|references?|citations?|evidence|relevant passages?|footnotes?)(?:\(s\)| used)?\s{0,5}[:：]"
    r"(?:(?:[\s\d\[\](),;&.–-]|and|passages?|documents?|docs?|contexts?|chunks?|texts?|articles?){0,200}"
    rf"|.{{0,300}}(?:{_PLACE}).{{0,300}})",
    re.IGNORECASE,
)
"""A sentence that names its source: an address, a file, a page, a passage by its number."""
_TEXT = r"(?:passage|document|doc|context|chunk|source|excerpt|snippet|reference|ref)s?\.?"
_PART = r"(?:section|sec|clause|article|art|paragraph|para|chapter|page|pp?|line|appendix|annex|table|figure|fig)s?\.?"
_NUMBERS = r"\s{0,3}#?\d[\w.]{0,8}+(?:\([\w]{1,4}\)){0,3}(?:\s{0,3}(?:,|and|&|–|-|to)\s{0,3}\d[\w.]{0,8}+){0,8}"
_PLACES = rf"(?:{_TEXT}|{_PART}|§§?){_NUMBERS}"
NOTED = re.compile(
    r"(?:\s{3,20}|\s{0,20}(?:[¹²³⁰⁴-⁹†‡]{1,3}|\[\^?\d{1,3}\]))[:.]?\s{0,5}"
    rf"(?:{_TEXT}{_NUMBERS}(?:\s?,\s?{_PLACES}){{0,3}}|[\w%+-][\w%+./-]{{0,120}}\.{_ENDINGS})"
    r"[\s.\]]{0,10}",
    re.IGNORECASE,
)
"""A passage by its number, or a file, behind the mark of a footnote, which may be blanked: "Passage 2" alone may answer."""
BRACKETED = re.compile(
    rf"[\s*_]{{0,10}}[(\[](?:(?:see(?: also)?|cf\.?|source:|per|from|ref:)\s{{1,3}})?(?:the )?{_PLACES}"
    rf"(?:\s{{0,3}}[,;]\s{{0,3}}{_PLACES}){{0,6}}[)\]][\s.*_]{{0,10}}",
    re.IGNORECASE,
)
"""Where something stands, in brackets: "(Doc 1, p. 3)"."""
BASED = re.compile(
    rf"[\s*_(]{{0,10}}(?:(?:this|the) (?:answer|response|summary|information) (?:is|was) )?"
    rf"(?:based (?:solely |only )?on|from|according to|drawn from|taken from|adapted from) (?:the )?"
    rf"(?:(?:provided|given|above) )?{_TEXT}(?:[\s\d,;&.\[\]()–-]|and){{0,80}}[\s.*_)]{{0,10}}",
    re.IGNORECASE,
)
"""A sentence that says what an answer is based on, and nothing of it."""
FILED = re.compile(
    r"\w\.[a-z]{2,4}[\"'”’)]{0,2} (?:is|was|are|were|has|had|have|does|did|will|can|could|must)\b", re.IGNORECASE
)
"""A file that something is said of."""
ADDRESSED = re.compile(rf"{_PLACE}|\w\.(?:com|org|gov)\b|\((?:19|20)\d\d\)", re.IGNORECASE)
"""What names a source: an address, a page, a file, a year in brackets."""
SHARED = re.compile(
    r"[\s*+•-]{0,5}[^:\n]{1,80}:\s{0,5}[$€£]?\d[\d.,]{0,20}\s?(?:%|percent|per cent)?\s{0,5}\.?", re.IGNORECASE
)
"""A name and its figure, as in a list of what something is made of."""
ADDRESS = re.compile(r"[\s:.)–-]{0,40}https?://\S{1,2000}\s{0,40}", re.IGNORECASE)
LONGEST = 400
"""Characters: what only names where something stands is shorter."""


def lists_sources(line: str) -> bool:
    """Say whether a line only stands over a list of sources: "## References", "Sources:"."""
    return CITING.fullmatch(line) is not None


def cites(sentence: str) -> bool:
    """Say whether a sentence only names its source: "Source: annual report, p. 3", an address, "(Section 4.2)"."""
    if ADDRESS.fullmatch(sentence):
        return True
    if len(sentence) <= LONGEST and any(pattern.fullmatch(sentence) for pattern in (NOTED, BRACKETED, BASED)):
        return True
    return SOURCED.fullmatch(sentence) is not None and not FILED.search(sentence)


def is_source(line: str) -> bool:
    """Say whether a line of a list of sources may be one: no statement, no share of a whole ("Solar: 40%")."""
    stated = line.rstrip()[-1:] in STOPS and STATES.search(line) is not None
    return bool(ADDRESSED.search(line)) or not (stated or SHARED.fullmatch(line))
