"""Porter's stemmer of 1980, with the two departures that Porter made in his own program, as Lucene has it.

Porter, "An algorithm for suffix stripping", Program 14(3), 1980. The departures: step 2 turns `bli` into `ble` where the
paper turns `abli` into `able`, and `logi` into `log`. Words of one or two letters stay as they are.

Left out: Porter 2 (Snowball's `english`) and the extensions with irregular forms that other libraries made.
"""

from __future__ import annotations

_SHORTEST = 3
_LAST_OF_ONE_UNIT = "\uffff"
"""Lucene sees UTF-16: a letter beyond the first plane counts for two, which differ."""

_ENDINGS = frozenset("cdegilmnrstuyz")
"""The last letters of all suffixes; a word that ends otherwise is its own stem."""

_VOWELS = "aeiou"


class _Shapes(dict[int, str]):
    """Code point to `v` (vowel), `c` (anything else) or `y`, which is one or the other by what stands before it."""

    def __missing__(self, code: int) -> str:
        return "c"


_SHAPES = _Shapes(dict.fromkeys(range(128), "c") | {ord(letter): "v" for letter in _VOWELS} | {ord("y"): "y"})

_STEP_2 = {
    "a": (("ational", "ate"), ("tional", "tion")),
    "c": (("enci", "ence"), ("anci", "ance")),
    "e": (("izer", "ize"),),
    "l": (("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous")),
    "o": (("ization", "ize"), ("ation", "ate"), ("ator", "ate")),
    "s": (("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")),
    "t": (("aliti", "al"), ("iviti", "ive"), ("biliti", "ble")),
    "g": (("logi", "log"),),
}
_STEP_3 = {
    "t": (("icate", "ic"), ("iciti", "ic")),
    "v": (("ative", ""),),
    "z": (("alize", "al"),),
    "a": (("ical", "ic"),),
    "u": (("ful", ""),),
    "s": (("ness", ""),),
}
_STEP_4 = {
    "a": ("al",),
    "c": ("ance", "ence"),
    "e": ("er",),
    "i": ("ic",),
    "l": ("able", "ible"),
    "n": ("ant", "ement", "ment", "ent"),
    "o": ("sion", "tion", "ou"),
    "s": ("ism",),
    "t": ("ate", "iti"),
    "u": ("ous",),
    "v": ("ive",),
    "z": ("ize",),
}
"""Each step's suffixes under their last letter but one, those that end in another suffix of the step first."""


def stem(word: str) -> str:
    """Return the stem of a lower-cased word; never empty for a word that is not. Any characters, time linear."""
    if word[-1:] not in _ENDINGS or (len(word) < _SHORTEST and word[0] <= _LAST_OF_ONE_UNIT):
        return word
    shape = _shape(word)
    word, shape = _participle(*_plural(word, shape))
    if word[-1] == "y" and "v" in shape[:-1]:
        word, shape = word[:-1] + "i", shape[:-1] + "v"
    word, shape = _replaced(word, shape, _STEP_2)
    word, shape = _replaced(word, shape, _STEP_3)
    word, shape = _removed(word, shape)
    return _tidied(word, shape)


def _shape(word: str) -> str:
    """Return the word with every letter as `v` or `c`; `y` is a vowel where a consonant stands before it."""
    shape = word.translate(_SHAPES)
    if "y" not in shape:
        return shape
    letters: list[str] = []
    before = "v"
    for letter in shape:
        before = letter if letter != "y" else "v" if before == "c" else "c"
        letters.append(before)
    return "".join(letters)


def _measure(shape: str) -> int:
    """Porter's m: how many times a consonant follows a vowel."""
    return shape.count("vc")


def _is_short(word: str, shape: str) -> bool:
    """Porter's *o: ends consonant, vowel, consonant, and the last is none of w, x, y."""
    return shape[-3:] == "cvc" and word[-1] not in "wxy" and word[-1] <= _LAST_OF_ONE_UNIT


def _plural(word: str, shape: str) -> tuple[str, str]:
    """Step 1a."""
    if word[-1] != "s" or (word.endswith("ss") and not word.endswith("sses")):
        return word, shape
    cut = 2 if word.endswith(("sses", "ies")) else 1
    return word[:-cut], shape[:-cut]


def _participle(word: str, shape: str) -> tuple[str, str]:
    """Step 1b."""
    if word.endswith("eed"):
        return (word[:-1], shape[:-1]) if _measure(shape[:-3]) else (word, shape)
    cut = 2 if word.endswith("ed") else 3 if word.endswith("ing") else 0
    if not cut or "v" not in shape[:-cut]:
        return word, shape
    word, shape = word[:-cut], shape[:-cut]
    if word.endswith(("at", "bl", "iz")):
        return word + "e", shape + "v"
    if shape[-1] == "c" and word[-2:-1] == word[-1] <= _LAST_OF_ONE_UNIT:
        return (word, shape) if word[-1] in "lsz" else (word[:-1], shape[:-1])
    return (word + "e", shape + "v") if _measure(shape) == 1 and _is_short(word, shape) else (word, shape)


def _replaced(word: str, shape: str, step: dict[str, tuple[tuple[str, str], ...]]) -> tuple[str, str]:
    """Steps 2 and 3: the first suffix that fits is replaced if the stem before it has m > 0."""
    for suffix, instead in step.get(word[-2:-1], ()):
        if word.endswith(suffix):
            if _measure(shape[: -len(suffix)]):
                return word[: -len(suffix)] + instead, shape[: -len(suffix)] + instead.translate(_SHAPES)
            break
    return word, shape


def _removed(word: str, shape: str) -> tuple[str, str]:
    """Step 4: the first suffix that fits goes if the stem before it has m > 1; of `sion` and `tion` a letter stays."""
    for suffix in _STEP_4.get(word[-2:-1], ()):
        if word.endswith(suffix):
            cut = 3 if suffix in ("sion", "tion") else len(suffix)
            return (word[:-cut], shape[:-cut]) if _measure(shape[:-cut]) > 1 else (word, shape)
    return word, shape


def _tidied(word: str, shape: str) -> str:
    """Step 5: a last e, and one of two last l."""
    if word[-1] == "e":
        measure = _measure(shape[:-1])
        if measure > 1 or (measure == 1 and not _is_short(word[:-1], shape[:-1])):
            word, shape = word[:-1], shape[:-1]
    return word[:-1] if word.endswith("ll") and _measure(shape) > 1 else word
