"""Time per byte: every function over text costs the same for a kilobyte of anything, whatever the whole holds."""

import statistics
import time
from collections.abc import Callable

import pytest

from groundwire.judge.lexical import Lexicon
from groundwire.quantities import QuantityIndex, quantities
from groundwire.text import content_terms, folded_words, sentence_bounds, unframed, unmarked, windows, word_bounds
from groundwire.text.records import told

PROSE = "Dr. Smith sold 1,000 shares in the U.S. on May 5, 2015. “Why?” he asked. It is (so to say) done.\n"

HOSTILE = {
    "prose": PROSE,
    "dots": ".",
    "spaces": " ",
    "quotes": '"',
    "letters": "a",
    "newlines": "\n",
    "digits": "1",
    "capitals": "A. ",
    "stops": "a. ",
    "spaced stops": ". ",
    "tokens": ". '' ",
    "open quotes": '. " a ',
    "abbreviations": "U.S. Mr. No. 5 ",
    "brackets": "([{",
    "notes": "a.[1] ",
    "open notes": ".[1, ",
    "fences": "```\n",
    "ticks": "`a",
    "stars": "*a ",
    "links": "[a](",
    "link ends": "[a](b(c",
    "cited": "[1, 2",
    "sources": "(source 1, ",
    "tags": "<b ",
    "underscores": "_a_",
    "frames": "according to the passage, ",
    "numbered frames": "passages 1, 2 and ",
    "quoted lines": "\n> ",
    "tables": "|-|\n",
    "records": '{"a": "b", "is_c": false}\n',
    "lines of records": "is_c: no\n",
    "open records": '{"a": [',
    "spaced keys": "a : b , ",
    "checks": "✗ a\n- [ ] b\n",
    "dashes": "a-",
    "apostrophes": "a'",
    "groups": "111,",
    "spaced groups": "111 ",
    "decimals": "1.",
    "dates": "1/1/",
    "times": "1:11:",
    "number words": "one hundred and ",
    "months": "may ",
    "marks": "a\u0301\u0316",
    "only marks": "\u0301\u0316",
    "chinese": "你好。",
    "thai": "ก่",
    "thai spaced": "กก ",
    "hindi": "है। ",
    "emoji": "😀",
    "surrogates": "\ud800",
    "nul": "\x00",
    "joiners": "\u200d",
    "paragraphs": "\u2029 ",
    "tabs": "\t\r\n",
}

FUNCTIONS: dict[str, Callable[[str], object]] = {
    "sentence_bounds": sentence_bounds,
    "word_bounds": word_bounds,
    "unmarked": unmarked,
    "told": told,
    "unframed": unframed,
    "windows": lambda text: windows(text, size=100, overlap=30),
    "content_terms": content_terms,
    "folded_words": folded_words,
    "quantities": quantities,
    "index": lambda text: QuantityIndex(quantities(text)),
    "lexicon": lambda text: Lexicon([text]).signals(PROSE),
    "claim": lambda text: Lexicon([PROSE]).signals(text),
    "both": lambda text: Lexicon([text, text]).signals(text),
}


def _seconds_per_kb(function: Callable[[str], object], text: str) -> float:
    """Texts under 100 kB are timed three times, and the best counts: what else the machine does must not."""
    times = []
    for _ in range(3 if len(text) < 100_000 else 1):
        begin = time.process_time()
        function(text)
        times.append(time.process_time() - begin)
    return min(times) / len(text.encode("utf-8", "surrogatepass")) * 1024


def _filled(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_time_grows_linearly(name: str) -> None:
    function = FUNCTIONS[name]
    small = {kind: _seconds_per_kb(function, _filled(unit, 1_500)) for kind, unit in HOSTILE.items()}
    large = {kind: _seconds_per_kb(function, _filled(unit, 24_000)) for kind, unit in HOSTILE.items()}
    floor = max(small["prose"], large["prose"])  # noise in what costs next to nothing is no growth
    growth = {kind: cost / max(small[kind], floor) for kind, cost in large.items()}
    assert {kind: round(by, 1) for kind, by in growth.items() if by > 5} == {}  # a quadratic step would make it 16


@pytest.mark.parametrize("name", ["sentence_bounds", "windows", "content_terms", "both"])
def test_a_megabyte_of_one_character(name: str) -> None:
    """Scoreboard R13: the worst costs at most 10 times the median for a kilobyte."""
    function = FUNCTIONS[name]
    costs = {
        (kind, size): _seconds_per_kb(function, _filled(HOSTILE[kind], size))
        for kind in ("dots", "spaces", "quotes", "letters", "digits", "newlines", "only marks")
        for size in (1_000, 1_000_000)
    }
    usual = max(statistics.median(costs.values()), _seconds_per_kb(function, _filled(PROSE, 10_000)))
    assert {key: round(cost / usual, 1) for key, cost in costs.items() if cost > 10 * usual} == {}
