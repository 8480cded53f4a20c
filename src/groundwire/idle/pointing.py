"""Pointing: sentences that only say what an answer is not ("This is not legal advice."), or where to turn to.

"Please consult your doctor before you change anything." and "For more details, see section 4.2." are of the answer, not of what
its texts tell. What somebody shall do is a claim: "Patients should consult a doctor before taking it.", "See section 4 for side
effects.". English; every pattern is bounded.
"""

from __future__ import annotations

import re

LONGEST = 250
"""Characters: a longer sentence says something."""

_KINDS = (
    "professional|personal|personali[sz]ed|individual|financial|medical|legal|tax|investment|health|veterinary|official|formal|"
    "qualified|licensed|local|trusted|independent|appropriate|relevant|registered|certified|healthcare|care|primary|insurance|"
    "mental|or|and|/|,"
)
"""What advice and those who give it are called."""
_ADVICE = (
    rf"(?:(?:an? |any )?(?:(?:substitute|replacement) for |form of )?(?:(?:{_KINDS}) ?){{1,5}}"
    r"(?:advice|guidance|recommendations?|consultation|opinion)(?: or (?:treatment|diagnosis))?)"
)
_SELF = (
    r"(?:this(?: (?:answer|response|summary|information|overview|content|material|message|reply))?|the above"
    r"|(?:the )?(?:information|content) (?:provided|given|above|here)(?: (?:above|here|in this (?:answer|response|summary)))?)"
)
"""The answer, as it calls itself."""
_PURPOSE = r"for (?:(?:general|educational|informational|information|reference|and) ){1,4}(?:purposes )?(?:only)?"
_GENERAL = (
    r"(?:(?:only |just )?(?:an? )?(?:general|brief|simplified|rough) (?:summary|overview|information|guide|guidance)"
    r"(?: only)?)"
)
_NO = (
    r"(?:(?:does not|doesn['’]t|should not|shouldn['’]t|is not (?:intended|meant) to) (?:constitute|replace|substitute for|be"
    r"(?: (?:taken|considered|construed|relied (?:up)?on|treated|used|seen) as)?))"
)
_CAVEATS = (
    rf"{_SELF} (?:is|are) (?:{_GENERAL}(?: and|,) )?(?:is )?not (?:intended (?:as|to be) )?{_ADVICE}",
    rf"{_SELF} (?:(?:is|are) {_GENERAL}(?: and|,) )?{_NO} {_ADVICE}",
    rf"{_SELF} (?:is|are) (?:provided |intended |meant )?{_PURPOSE}",
    rf"{_SELF} (?:is|are) (?:provided |intended |meant )?{_PURPOSE},? (?:and|but) (?:(?:is|are) )?(?:not|{_NO}) {_ADVICE}",
)
_EXPERT = (
    rf"(?:(?:an? |your (?:own )?|the )?(?:(?:{_KINDS}) ?){{0,4}}(?:doctor|physician|pharmacist|gp|lawyer|attorney|solicitor|"
    r"advis[eo]r|accountant|professional|provider|expert|specialist|vet|veterinarian|dentist|nurse|practitioner)s?"
    rf"(?: or (?:an? |your )?(?:(?:{_KINDS}) )?(?:pharmacist|nurse|lawyer|attorney|accountant|provider|professional))?)"
)
_TURN = (
    r"(?:consult(?: with)?|see|speak (?:to|with)|talk (?:to|with)|contact|ask|check with|seek (?:advice|guidance) from)"
)
_SEEK = rf"(?:{_TURN} {_EXPERT}|seek (?:{_ADVICE}|professional help))"
_BEST = r"(?:it(?: is|['’]s) (?:always )?(?:best|advisable|recommended|a good idea|important|wise) to )"
_SHOULD = rf"(?:please (?:always )?|you should (?:always )?|always |{_BEST})?"
_FOR = (
    r"(?: (?:for|about|regarding) (?:[\w'’-]{1,20} ){0,5}(?:advice|guidance|information|help|questions|concerns|options|"
    r"situation|circumstances|case|needs))?"
)
_UNSURE = (
    r"(?:if you (?:are (?:unsure|in doubt|not sure|uncertain)|have (?:any |further |more )?(?:questions|concerns|doubts))"
    r"(?: (?:about|on|regarding) [\w'’ -]{1,60})?)"
)
_MORE = r"(?:(?:(?:more|further|additional|full|complete) )?(?:details?|information|info|explanation|guidance)|more)"
_PARTS = r"(?:sections?|clauses?|articles?|chapters?|appendix|annex|pages?|paragraphs?|tables?|passages?|sources?|documents?)"
_TEXT = (
    r"(?:(?:the |your |our |this )?(?:(?:full|complete|original|official|relevant|entire|source|product|policy|patient|user|"
    r"above|linked|actual|applicable|current|latest) ){0,3}"
    rf"(?:{_PARTS} (?:[\d.()]{{1,10}}+|[a-z]\b|and\b|,| |\[\d{{1,3}}\]){{1,20}}"
    r"|(?:wording|terms(?: and conditions)?|policy|policies|documents?|documentation|text|manual|guide|leaflet|label|contract|"
    r"agreement|website|page|article|report|handbook|faqs?|instructions|notice|sources?|sections?|links?)"
    r"(?: (?:wording|document|text|itself|above|below))?))"
)
_ON_IT = r"(?: (?:on|about) (?:this|that|it))?"
_POINTERS = (
    rf"{_SHOULD}{_SEEK}{_FOR}(?:,? {_UNSURE})?",
    rf"please (?:always )?{_SEEK} before [^.;:\d]{{1,100}}",
    rf"{_UNSURE},? {_SHOULD}{_SEEK}{_FOR}",
    rf"please (?:refer to|see|consult|check|read|review) {_TEXT}(?: for {_MORE}{_ON_IT})?",
    rf"(?:see|refer to|check|consult) {_TEXT} for {_MORE}{_ON_IT}",
    rf"for {_MORE}{_ON_IT},? (?:please |you can )?(?:see|refer to|check|consult|read|visit) {_TEXT}",
    rf"see (?:also )?(?:(?:{_PARTS}|p\.) [\d.()\[\]]{{1,10}}+|above|below)",
)
_LEAD = (
    r"\W{0,10}(?:(?:(?:important |please )?note|disclaimer|important|caution|n\.?b\.?|caveat)\W{1,6})?"
    r"(?:(?:(?:please )?(?:note|remember|keep in mind) that|however|also|remember|as always),? )?"
)
_POINTING = re.compile(rf"{_LEAD}(?:{'|'.join((*_CAVEATS, *_POINTERS))})[\s.!*_)]{{0,10}}", re.IGNORECASE)


def points(sentence: str) -> bool:
    """Say whether a sentence is a caveat or a pointer and nothing more."""
    words = " ".join(sentence[: 2 * LONGEST].split())
    return len(words) <= LONGEST and len(sentence) <= 2 * LONGEST and _POINTING.fullmatch(words) is not None
