"""Days of the week, as two texts spell them: Tuesday, Tue, Tues. To a small model they are other words.

Those that are words as well, as "sat" and "Sun", count only where they stand as days: among others ("Mon-Fri"), before a
figure or a sign ("Sat 10:00", "Sun: closed") or a date ("Tue Feb 6"). English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FULL = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = r"Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun"
_DAY = re.compile(
    r"(?<!the )(?<!The )(?<!Dr\. )(?<!M[rs]\. )\b"
    r"(?:(?P<full>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)"
    rf"|(?P<short>{_SHORT})(?=\.?\s?(?:[-–—/&]\s?(?:{_SHORT})\b|:|\d|,\s?(?:\d{{1,2}}\s?(?:[A-Z]|:|am\b|pm\b)|(?:{_SHORT})\b)"
    r"|,?\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?\s{1,2}\d"
    rf"|closed\b|open\b|(?:and|to|through|or)\s(?:{_SHORT})\b))"
    rf"|(?<=\bon )(?P<on>{_SHORT})|(?<=(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[-–—/&])(?P<last>{_SHORT})"
    rf"|(?<=(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) and )(?P<joined>{_SHORT}))\b"
)


def weekdays(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, the day's full name in small letters) of the days in a text."""
    for match in _DAY.finditer(text):
        spelled = match[0].lower().rstrip("s") if match["full"] else match[0].lower()
        yield match.start(), match.end(), next(day for day in _FULL if day[:3] == spelled[:3])
