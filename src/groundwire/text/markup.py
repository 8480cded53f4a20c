"""Markup: the signs in a text that are no words of it, blanked out where they stand.

Language models write for a page: **bold**, `code`, [links](https://…), citation marks [1]. A small model that was trained on
prose reads such signs as part of what is said, and a number in brackets as a figure that no source has. Every sign becomes as
many blanks, so a place in the plain text is the same place in the text as written.

Left out: signs that part or order what is said (items, headings, cells of a table, quotation marks), text struck through,
formulas (m<sup>2</sup> too), and tags other than those of inline HTML.
"""

from __future__ import annotations

import re
from html import unescape

from groundwire.text.braces import entries

_NOTE = r"\d{1,3}(?!\d)"
_KINDS = "source|document|doc|context|passage|reference|ref|cite|citation|chunk|snippet|footnote"
_KIND = rf"(?:{_KINDS})s?[ _-]?[:#]?[ ]?"
_NUMBERS = r"[1-9]\d{0,2}(?:[ ]?[,;–-][ ]?[1-9]\d{0,2}){1,8}+"
_AUTHOR = r"[A-Z][\w'’-]{1,40}+"
_AUTHORS = rf"(?-i:{_AUTHOR}(?:[ ]et[ ]al\.?|,?[ ]&[ ]{_AUTHOR})?,[ ](?:1[89]|20)\d\d[a-z]?)"
"""Who wrote what is cited, and when: "Hale et al., 2019; Stern & Moss, 2020". A lone name and a year may be anything."""
_POINTED = r"[A-Z]?\d[\w.]{0,5}"
_POINTER = (
    r"(?:cf\.?|see(?:[ ]also)?:?)[ ](?!(?:you|it|that|this|him|her|them|me|us|how|why|what|if|whether)\b)[^()\[\]\n]{1,60}+"
    rf"|(?:pp?\.|pages?|tables?|figs?\.|figures?)[ ]?{_POINTED}(?:(?:[ ]?[,;–-][ ]?|[ ]and[ ]){_POINTED}){{0,4}}+"
    r"|ibid\.?(?:,[ ]pp?\.[ ]?\d[\d–-]{0,9})?"
)
"""Where to look: "cf. item 4", "see the annual report", "p. 12", "Tables 2 and 3". Sections are also those of laws, chapters
those of bankruptcy: without "see" before them they may be what is said."""
_CLOSES = r"(?=[ \t]{0,3}(?:[.,;:!?)\]\"”’\n]|$)|[ \t]{0,3}\[)"
"""What follows a mark that closes a sentence or a part of one; another mark may."""
_SAID = re.compile(
    r"(?:\b(?:is|are|was|were|equals|code|press|type|section|clause|option|step|key|array|arr|list)|[=<>∈])[ \t]?$",
    re.IGNORECASE,
)
"""What stands before a number in brackets that is said ("press [5]"), not cited."""
_BETWEEN = re.compile(
    r"(?:\b(?:and|at|between|by|for|from|in|of|on|or|over|to|with|set|vector|shape|size|tensor|ranges?|intervals?|score|ratio|"
    r"CI|IQR|median|mean)[ \t]|\w:[ \t]|\w\(|\d[ ]?(?:years|days|weeks|months|hours|mg|cm|mm|%)[ \t])$",
    re.IGNORECASE,
)
"""What else stands before several numbers that are said ("on [1, 2]", "56 years [46-67]")."""
_COUNTED = r"[ \t]{0,2}(?:[=+/]|[*](?![*][^\W\d_])|<(?!/?[a-z][a-z\d]{0,9}[ />]))"
"""What follows a number in brackets that is reckoned with ("[1] * 2"): on its line, and no emphasis or tag."""
_WIDE = 10
"""A range at least so wide is none of citations."""

# Every repetition is bounded or possessive, and none can begin inside of what another try went over in vain but once.
_MARKUP = re.compile(
    rf"""
      <!--(?:[^-<]|-(?!->)|<(?!!--)){{0,5000}}+-->
    | (?P<fence>```[^`]{{1,20000}}+```)
    | (?P<code>`{{1,3}}+[^`\n]{{1,200}}+`{{1,3}}+)
    | !?\[(?P<link>[^\[\]\n]{{1,300}}+)\]
        \([^()\s]{{0,500}}+(?:\([^()\s]{{0,100}}+\)[^()\s]{{0,100}}+)?(?:[ ]"[^"\n]{{0,100}}+")?\)
    | [\[(](?:(?:see|from)[ ]){{0,1}}(?:source[ ]?:[ ]?)?{_KIND}{_NOTE}(?:[ ]?[,;–-][ ]?(?:{_KIND})?{_NOTE}){{0,8}}+[\])]
    | [\[(](?:sources?|references?|citations?|retrieved[ ]from)[ ]?:(?![ ]?[\d<>≤≥])[^()\[\]\n]{{1,200}}+[\])]
    | 【\d[^【】\n]{{0,40}}+】
    | \[\d{{1,3}}†[^\[\]\n]{{0,40}}+\]
    | \[\^[\w-]{{1,20}}+\]
    | \[[1-9]\d{{0,2}},[ ]pp?\.[ ]?\d[\d–-]{{0,9}}\]
    | (?P<mark>(?<!(?<!\w)[A-Za-z])\[[1-9]\d{{0,2}}\](?!{_COUNTED}|[A-Za-z]|-[A-Z]))
    | (?P<group>\[{_NUMBERS}\]){_CLOSES}
    | \[citation[ ]needed\]
    | \((?=[^()]{{0,200}}(?:et[ ]al|&))(?:{_AUTHORS}(?:;[ ])?){{1,6}}+\)
    | \(https?://[^\s()]{{1,500}}+\)
    | \((?:{_POINTER})\)
    | (?<=[^\W\d_]{{3}}|..[.,;:!?)"”])<sup>[\[(]?{_NOTE}[\])]?</sup>
    | (?:^|(?<=\n))[ ]{{0,3}}>(?=[ ](?![ ]?\d))
    | (?<=\d{{4}}-\d\d-\d\d)T(?=\d\d:\d\d)
    | (?<=[.!?,;:"”])[¹²³⁰⁴-⁹]{{1,3}}(?=\s|$)
    | </?(?:b|i|em|strong|u|mark|code|cite|span|p|br|small|ul|ol|li|div|h[1-6])(?:[ ][^<>]{{0,200}}+)?/?>
    | (?<![*])[*]{{1,3}}+(?![*])
    | (?<![\w_])_{{1,3}}+(?=[^\s_])
    | (?<=[^\s_])(?<!_)_{{1,3}}+(?![\w_])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SIGNS = re.compile(
    r"[*_`<>【\[¹²³⁰⁴-⁹]|\dT\d"
    rf"|\((?:see |cf|pp?\.|page|table|fig|ibid|from |retrieved|https?:|[^()]{{0,80}}\d\d[a-z]?\)|{_KINDS})",
    re.IGNORECASE,
)
"""What a text without markup has none of."""

_ENTITY = re.compile(r"&(?![lg]t;)(?:[a-z]{2,8}|#\d{2,6}|#x[\da-f]{2,5});", re.IGNORECASE)
"""How HTML spells a sign: "&euro;", "&#8364;"."""


def unmarked(text: str) -> str:
    """Return the text, of the same length, with blanks for the signs of its markup; what they mark stays where it is.

    Blanked are emphasis, the ticks of code, a link's brackets and address, inline HTML, the sign of a quoted line, and marks
    that cite or point: [1], [2, 3], [^1], 【4†source】, (source 2), (Source: annual report), (Hale et al., 2019), (cf. item 4);
    of records in JSON the signs around keys and values, with a stop and a line break behind each entry (`braces`). What HTML
    spells by name (&euro;) is read as the sign, behind as many blanks; so is the T between a date and a time
    (2024-02-29T18:05), as one. Linear in the text.
    """
    text = _ENTITY.sub(_sign, text) if "&" in text else text
    text = entries(text)
    return _MARKUP.sub(_blanks, text) if _SIGNS.search(text) else text


def _sign(match: re.Match[str]) -> str:
    read = unescape(match[0])
    return read.rjust(len(match[0])) if read.isprintable() or read.isspace() else match[0]


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _blanks(match: re.Match[str]) -> str:
    whole = match[0]
    if match["code"]:
        return _around(whole, whole.strip("`"))
    if match["link"]:
        return _around(whole, match["link"])
    if match["fence"] or ((match["mark"] or match["group"]) and _is_said(match)):
        return whole
    if whole[0] == "*" and not _emphasises(match.string, match.start(), match.end()):
        return whole
    return _blank(match)


def _is_said(match: re.Match[str]) -> bool:
    """Say whether numbers in brackets belong to what is said: an interval, an index, a key to press."""
    before = max(0, match.start() - 12), match.start()
    if _SAID.search(match.string, *before) or (match["group"] and _BETWEEN.search(match.string, *before)):
        return True
    ends = [int(number) for number in re.findall(r"\d+", match["group"] or "")]
    return len(ends) == 2 and "," not in match[0] and ends[1] - ends[0] >= _WIDE


def _around(whole: str, words: str) -> str:
    """Return the words where they stand in the whole, in blanks."""
    start = whole.index(words)
    return " " * start + words + " " * (len(whole) - start - len(words))


def _emphasises(text: str, start: int, end: int) -> bool:
    """Say whether asterisks open or close: those inside of a word or between blanks (2 * 3) do neither."""
    before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
    if before.isspace() or after.isspace():
        return not (before.isspace() and after.isspace())
    return not (before.isalnum() and after.isalnum())
