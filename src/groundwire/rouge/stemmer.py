"""The stemmer of ROUGE: Porter's of 1980 with the extensions that NLTK has switched on unless told otherwise.

Porter, "An algorithm for suffix stripping", Program 14(3), 1980. What the extended mode does otherwise:

- A few irregular words have their stem in a table; words of one or two letters stay as they are.
- `ies` and `ied` keep their e in words of four letters (dies, died: die), and lose `es`, `ed` in longer ones (flies: fli).
- y becomes i after a consonant that is not the whole rest (try: tri), and nowhere else (enjoy, by).
- Step 2 has `bli` for `abli`, `fulli` and `logi` besides, and `logi` counts its l into the stem (geology: geolog). What
  `alli` leaves goes through step 2 again (relationally: relat).
- A rest of two letters, vowel and consonant, is short like one that ends consonant, vowel, consonant (using, used: use).

Left out: NLTK's other two modes, capitals (words come in lower case), and Lucene's stemmer, which is `groundwire.analysis`'s.
"""

from __future__ import annotations

_IRREGULAR = {
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "innings": "inning",
    "outings": "outing",
    "cannings": "canning",
    **{word: word for word in ("sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed")},
}

_ENDINGS = frozenset("cdegilmnrstuyz")
"""The last letters of all suffixes; a word that ends otherwise is its own stem."""
_LONGEST_UNTOUCHED = 2
_SHORT = 4
"""Words of this many letters keep the e of `ies` and `ied`."""

_Rules = dict[str, tuple[tuple[str, str], ...]]
_STEP_2: _Rules = {
    "a": (("ational", "ate"), ("tional", "tion")),
    "c": (("enci", "ence"), ("anci", "ance")),
    "e": (("izer", "ize"),),
    "l": (("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("fulli", "ful")),
    "o": (("ization", "ize"), ("ation", "ate"), ("ator", "ate")),
    "s": (("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")),
    "t": (("aliti", "al"), ("iviti", "ive"), ("biliti", "ble")),
    "g": (("ogi", "og"),),  # of logi; that an l stands before it is asked for in `_second`
}
_STEP_3: _Rules = {
    "t": (("icate", "ic"), ("iciti", "ic")),
    "v": (("ative", ""),),
    "z": (("alize", "al"),),
    "a": (("ical", "ic"),),
    "u": (("ful", ""),),
    "s": (("ness", ""),),
}
_STEP_4: _Rules = {
    "a": (("al", ""),),
    "c": (("ance", ""), ("ence", "")),
    "e": (("er", ""),),
    "i": (("ic", ""),),
    "l": (("able", ""), ("ible", "")),
    "n": (("ant", ""), ("ement", ""), ("ment", ""), ("ent", "")),
    "o": (("sion", "s"), ("tion", "t"), ("ou", "")),
    "s": (("ism", ""),),
    "t": (("ate", ""), ("iti", "")),
    "u": (("ous", ""),),
    "v": (("ive", ""),),
    "z": (("ize", ""),),
}
"""Suffix and replacement, under the suffix's last letter but one. Of two that fit a word the longer one stands first."""


class _Kinds(dict[int, str]):
    """Code point to `v` (vowel), `c` (anything else) or `y`, which is one or the other by what stands before it."""

    def __missing__(self, code: int) -> str:
        return "c"


_KINDS = _Kinds({ord(letter): "v" for letter in "aeiou"} | {ord("y"): "y"})


def stem(word: str) -> str:
    """Return the stem of a lower-cased word; never empty for a word that is not. Any characters, time linear."""
    irregular = _IRREGULAR.get(word)
    if irregular is not None or len(word) <= _LONGEST_UNTOUCHED or word[-1] not in _ENDINGS:
        return irregular or word
    word = _participle(_plural(word))
    if word[-1] == "y" and len(word) > _LONGEST_UNTOUCHED and _shape(word)[-2] == "c":
        word = word[:-1] + "i"
    word = _second(word)
    word = _replaced(word, _STEP_3, above=0)
    word = _replaced(word, _STEP_4, above=1)
    return _tidied(word)


def _shape(word: str) -> str:
    """Return the word with every letter as `v` or `c`; `y` is a vowel where a consonant stands before it."""
    shape = word.translate(_KINDS)
    if "y" not in shape:
        return shape
    kinds: list[str] = []
    before = "v"
    for kind in shape:
        before = kind if kind != "y" else "v" if before == "c" else "c"
        kinds.append(before)
    return "".join(kinds)


def _measure(word: str) -> int:
    """Porter's m: how many times a consonant follows a vowel."""
    return _shape(word).count("vc")


def _is_short(word: str) -> bool:
    """Porter's *o (ends consonant, vowel, consonant, the last none of w, x, y), and any word of vowel, consonant."""
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")


def _plural(word: str) -> str:
    """Step 1a."""
    if word.endswith("ies"):
        return word[:-1] if len(word) == _SHORT else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _participle(word: str) -> str:
    """Step 1b."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == _SHORT else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    cut = 2 if word.endswith("ed") else 3 if word.endswith("ing") else 0
    rest = word[:-cut] if cut else ""
    shape = _shape(rest)
    if "v" not in shape:
        return word
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if shape[-1] == "c" and rest[-2:-1] == rest[-1]:
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if shape.count("vc") == 1 and _is_short(rest) else rest


def _second(word: str) -> str:
    """Step 2."""
    if word.endswith("ogi") and not word.endswith("logi"):
        return word
    done = _replaced(word, _STEP_2, above=0)
    return _second(done) if done != word and word.endswith("alli") else done


def _replaced(word: str, rules: _Rules, *, above: int) -> str:
    """Replace the first suffix that fits, if m of what stands before it is greater than `above`."""
    for suffix, instead in rules.get(word[-2:-1], ()):
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            # Of `sion` and `tion` the letter that stays counts: the suffix is `ion`.
            counted = rest + instead if instead in ("s", "t") else rest
            return rest + instead if _measure(counted) > above else word
    return word


def _tidied(word: str) -> str:
    """Step 5: a last e, and one of two last l."""
    if word[-1] == "e":
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _is_short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
