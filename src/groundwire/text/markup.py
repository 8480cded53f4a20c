"""Markup: the signs in a text that are no words of it, blanked out where they stand.

Language models write for a page: **bold**, `code`, [links](https://…), citation marks [1]. A small model that was trained on
prose reads such signs as part of what is said, and a number in brackets as a figure that no source has. Every sign becomes as
many blanks, so a place in the plain text is the same place in the text as written.

Left out: signs that part or order what is said (items, headings, cells of a table, quotation marks), text struck through,
formulas (m<sup>2</sup> too), and tags other than those of inline HTML.
"""

from __future__ import annotations

import re

_NOTE = r"\d{1,3}(?!\d)"
_KINDS = "source|document|doc|context|passage|reference|ref|citation|chunk|article|snippet|result|footnote|note"
_AUTHOR = r"[A-Z][\w'’-]{1,40}+"
_AUTHORS = rf"(?-i:{_AUTHOR}(?:[ ]et[ ]al\.?|,?[ ](?:&|and)[ ]{_AUTHOR})?,[ ](?:1[89]|20)\d\d[a-z]?)"
"""Who wrote what is cited, and when: "(Hale et al., 2019; Stern & Moss, 2020)"."""
_CLOSES = r"(?=[ \t]{0,3}(?:[.,;:!?)\]\"”’\n]|$)|[ \t]{0,3}\[)"
"""What follows a mark that closes a sentence or a part of one; another mark may."""
_NOUN = re.compile(
    r"(?:\b(?:and|at|between|by|for|from|in|is|of|on|or|over|range|ranges|interval|intervals|set|to|vector|with)|[=<>∈])[ \t]$",
    re.IGNORECASE,
)
"""What stands before a pair of numbers that is said ("on the interval [1, 2]"), not cited."""

# Every repetition is bounded or possessive, and none can begin inside of what another try went over in vain but once.
_MARKUP = re.compile(
    rf"""
      (?P<code>`{{1,3}}+[^`\n]{{1,200}}+`{{1,3}}+)
    | !?\[(?P<link>[^\[\]\n]{{1,300}}+)\]
        \([^()\s]{{0,500}}+(?:\([^()\s]{{0,100}}+\)[^()\s]{{0,100}}+)?(?:[ ]"[^"\n]{{0,100}}+")?\)
    | [\[(](?:(?:see|from)[ ]){{0,1}}(?:source[ ]?:[ ]?)?
        (?:{_KINDS})s?[ ]?[:#]?[ ]?{_NOTE}(?:[ ]?[,;–-][ ]?{_NOTE}){{0,8}}+[\])]
    | [\[(](?:sources?|references?|citations?|via|retrieved[ ]from|link)[ ]?:[^()\[\]\n]{{1,200}}+[\])]
    | 【\d[^【】\n]{{0,40}}+】
    | \[\^[\w-]{{1,20}}+\]
    | \[[1-9]\d{{0,2}}\]
    | (?P<group>\[[1-9]\d{{0,2}}(?:[ ]?[,;–-][ ]?[1-9]\d{{0,2}}){{1,8}}+\]){_CLOSES}
    | \[citation[ ]needed\]
    | \((?:{_AUTHORS}(?:;[ ])?){{1,6}}+\)
    | \(https?://[^\s()]{{1,500}}+\)
    | (?<=[^\W\d_]{{3}}|..[.,;:!?)"”])<sup>[\[(]?{_NOTE}[\])]?</sup>
    | (?:^|(?<=\n))[ ]{{0,3}}>(?=[ ])
    | </?(?:b|i|em|strong|u|mark|code|span|p|br|small)(?:[ ][^<>]{{0,200}}+)?/?>
    | (?<![*])[*]{{1,3}}+(?![*])
    | (?<![\w_])_{{1,3}}+(?=[^\s_])
    | (?<=[^\s_])(?<!_)_{{1,3}}+(?![\w_])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SIGNS = re.compile(
    r"[*_`<>【\[]|\((?:see |from |via|link|retrieved|https?:|[^()]{0,80}\d\d[a-z]?\)|" + _KINDS + ")", re.IGNORECASE
)
"""What a text without markup has none of."""

_JSON = re.compile(r"\s{0,80}(?:\{\s{0,80}[\"']|\[\s{0,80}\{)")
_IN_JSON = re.compile(r"""[{}\[\]"]|\\[nrt"]|(?<=[{\[,:\s])'|'(?=\s{0,20}[:,}\]])|(?<=\w)_(?=\w)""")
"""What stands around the keys and values of a record, in JSON or as Python prints one."""


def unmarked(text: str) -> str:
    """Return the text, of the same length, with blanks for the signs of its markup; what they mark stays where it is.

    Blanked are emphasis, the ticks of code, a link's brackets and address, inline HTML, the sign of a quoted line, and marks
    that cite: [1], [2, 3], [^1], 【4†source】, (source 2), (Source: annual report), (Hale et al., 2019); of a text that is one
    record in JSON, the signs around its keys and values. Linear in the text.
    """
    text = _MARKUP.sub(_blanks, text) if _SIGNS.search(text) else text
    return _IN_JSON.sub(_blank, text) if _JSON.match(text) else text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _blanks(match: re.Match[str]) -> str:
    whole = match[0]
    if match["code"]:
        return _around(whole, whole.strip("`"))
    if match["link"]:
        return _around(whole, match["link"])
    if match["group"] and _NOUN.search(match.string, max(0, match.start() - 12), match.start()):
        return whole
    if whole[0] == "*" and not _emphasises(match.string, match.start(), match.end()):
        return whole
    return " " * len(whole)


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
