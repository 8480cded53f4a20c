"""Questions of a source for a yes or a no, as what they state.

"Is parking available? No." says that it is not, and a small model, trained on statements, reads the first half of it as one.
With "not" in front it reads the question as denied, with "whether" as asked only; behind a yes it may stay as it is. So it is
handed questions in that form.

Left out: other questions (their answer says little without them), those of two choices or with a "not", and who asks. English.
"""

from __future__ import annotations

import re

from groundwire.text.sentences import sentence_bounds

_LEAD = (
    r"(?:[\s\"'“‘*_#>|•-]{0,10}(?:(?:[A-Z][\w .'-]{0,30}|q\d{0,3}|a\d{0,3}|\(?\d{1,3})[:.)][\s*_]{1,5})?"
    r"(?:and|but|so|then|also)?,?\s?)"
)
"""What may stand before a question or its answer: quotes, an item's mark, who speaks."""
_AUX = "is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must"
_WHO = "i|we|you|he|she|it|they|there|that|this|these|those"
_POLAR = re.compile(
    rf"{_LEAD}(?P<asked>(?:{_AUX})\s(?!not\b|you\s(?:know|believe|heard|imagine|aware|seen|noticed)\b)(?!.*\bnot\b).*)\?[\s\"'”’)*_]*",
    re.IGNORECASE | re.DOTALL,
)
_ENDS = r"(?=[\s\"*_”’]{0,4}(?:[.,;:!—|]|$))"
"""Nothing but a pause: "No charge applies." and "We couldn't be happier." are no noes."""
_NO = re.compile(
    rf"{_LEAD}(?:(?:sorry|unfortunately|i['’]m afraid|actually|well|oh|hmm)[,.!]?\s)?"
    rf"(?:(?:no|nope|nah|not|never){_ENDS}|no(?=\s(?:{_WHO})\s)"
    r"|not\s(?:yet|at\sall|really|any\s?more|currently|at\sthis\stime|possible|available|on|until)\b"
    rf"|(?:{_WHO})\s(?:(?:{_AUX})(?:\snot|n['’]t)|cannot|can['’]t|won['’]t){_ENDS})",
    re.IGNORECASE,
)
_YES = re.compile(
    rf"{_LEAD}(?:(?:actually|well|oh|usually|mostly)[,.!]?\s)?(?:ye[as]+h?|ya|yep|yup|np|sure|of\scourse|absolutely|certainly|"
    r"definitely|indeed|correct|right|exactly|true|ok|okay|no\s(?:worries|prob\w*|sweat|doubt)|i\sthink\sso|👍"
    rf"|that(?:['’]s|\sis)\s(?:right|correct)|(?:{_WHO})\s(?:{_AUX})(?=[.,;!]|$))(?!\w)",
    re.IGNORECASE,
)


def stated(text: str) -> str:
    """Return the text with its questions for a yes or a no as what they and their answers state.

    One that a no follows is led by "Not", one that nothing decides by "Whether". Linear in the text.
    """
    if "?" not in text:
        return text
    bounds, parts, last = sentence_bounds(text), [], 0
    for (start, end), after in zip(bounds, [*bounds[1:], (len(text), len(text))], strict=True):
        asked = _POLAR.fullmatch(text, start, end)
        reply = text[after[0] : after[1]]
        if asked is None or _YES.match(reply):
            continue
        first = asked.start("asked")
        word = "Not" if _NO.match(reply) and " or " not in asked["asked"] else "Whether"
        parts += [
            text[last:first],
            word,
            " ",
            text[first : asked.end("asked")],
            ".",
            text[asked.end("asked") + 1 : end],
        ]
        last = end
    return "".join([*parts, text[last:]])
