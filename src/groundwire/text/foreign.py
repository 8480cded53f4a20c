"""Whether a text is plainly not English: by the script of its letters, then by the small words that every sentence needs.

English prose is for a third or more made of words like "the", "of" and "is"; other languages have their own. What tells
nothing is left alone: names and titles, code, tables, lists, a word or two. Of 190 000 texts of English data sets 11 are
called foreign, and most of these do hold another language; of single sentences in German, French, Spanish, Italian, Dutch,
Polish, Turkish and Vietnamese three in four are seen, of short paragraphs 15 of 16 (`benchmarks/results/foreign.json`).

Left out: which language it is, and texts that are English for the greater part.
"""

from __future__ import annotations

import re

LONGEST = 2000
"""Characters of a text that are looked at, its first ones."""

FEW, SHARE = 2, 0.2
"""Different words of other languages, and their share of all plain words, from which a text is called foreign."""
ACCENTED = 3
"""Different accented words that say as much where none of the small words is known."""
LONG, BARE = 25, 0.03
"""Plain words in running text, and the share of English ones under which such a text is foreign without any that is known."""
ENOUGH = 0.15
"""The share of English words, of those that no other language has, from which a text is English. Prose has about 0.3."""
PHRASE, SENTENCE = 4, 6
"""Words between two marks from which they are no cell of a table, and from which they are running text."""

_ENGLISH = frozenset(
    (
        "the of and to a in is that it was for on as with be by he at are this have from or had not but what all were we when "
        "there can an your which their said if do will each about how up out them then she many some so these would other "
        "into has more her two like him see could no than first been who its now did my over such our may also they i you "
        "his me us most after before where why between during only very same both any while because through being under "
        "against until off again here those does should must much too just one"
    ).split()
)
_SHARED = frozenset("a an as at am by do had he her i in is me my no on over so to under was we".split())
"""English words that are frequent words of other languages, too."""
_ONLY_ENGLISH = _ENGLISH - _SHARED

# No word of English, and none that names are made of; those of names (de, van, la) stand below.
_FOREIGN = (
    frozenset(
        (
            # German, Dutch
            "das ist und nicht ein eine einen einem einer auf mit sich nach bei nur noch wie wird wurde wurden werden aus zum "
            "zur für über durch oder aber sind sein als auch wenn kann keine vor im zu es sie dass seit "
            "een niet zijn dat voor met ook maar werd naar bij uit nog wordt hij heeft deze wel zich wat wanneer omdat moet "
            "op aan dan geen "
            # French, Spanish, Portuguese, Catalan, Italian, Romanian
            "une dans qui que avec pas sont est ce cette il elle nous vous mais aux ses leur ont été très fait comme depuis où "
            "après avant quand deux una con se su para como pero sus esta más muy fue hay desde también cuando entre hasta "
            "donde por lo es han ya después antes uma com os ao à foi mais pelo pela seu sua mas num não também els amb és "
            "però che non è gli nel nella alla sono anche dal dei delle si più questo stato stata suo quando perché dopo due "
            "și nu este sunt din cu mai pentru fost dar sau "
            # Swedish, Danish, Norwegian, Finnish, Hungarian
            "och att det som är av för till har om ett jag eller från inte ska ikke af blev være også og "
            "ei ole oli että hän mutta kun myös joka ovat niin kuin vain az hogy nem egy volt csak még ez vagy mint "
            # Polish, Czech, Turkish
            "jest nie się że są oraz przez dla jak ale od tego który która po był była było został już tylko czy jego lub "
            "že jsou není byl byla nebo jen ještě bir bu için ile daha çok olarak olan değil ama gibi kadar sonra önce veya "
            # Vietnamese, Indonesian, Swahili
            "là của và các được không cho trong một với này khi đã có những vào ở ra "
            "dan ini itu dengan untuk dari tidak pada adalah oleh dalam atau juga akan karena kwa katika lakini kuwa hiyo"
        ).split()
    )
    - _ENGLISH
)
_OF_NAMES = frozenset(
    "de la le les el los las di da del della du des van von der den dem het die e y en et al dos das un em ca são".split()
)

_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile("[A-Za-zªºÀ-ÖØ-öø-ɏḀ-ỿꜢ-ꟿＡ-Ｚａ-ｚ]")
_ACCENT = re.compile("[À-ÖØ-öø-ɏḀ-ỿ]")
_PLAIN = re.compile(r"(?<!\S)[\"'“‘«(\[]*+([^\W\d_]++(?:['’\-][^\W\d_]++)*+)(?=[\"'”’»)\],.;:!?…]*+(?!\S))")
"""A word of letters alone between blanks and marks: no part of code, an address or a number."""
_MARKS = re.compile(r"[.,;:!?()\[\]{}|\n\t]")


def is_foreign(text: str) -> bool:
    """Say whether a text is plainly no English; False too where that cannot be told. Linear, and only of its beginning."""
    text = text[:LONGEST]
    return _in_another_script(text) or (not _plainly_english(text) and _by_words(text))


def _in_another_script(text: str) -> bool:
    """Say whether most letters, and two at least, are of another script than Latin."""
    if text.isascii():
        return False
    letters = len(_LETTER.findall(text))
    others = letters - len(_LATIN.findall(text))
    return others >= FEW and 2 * others > letters


def _plainly_english(text: str) -> bool:
    """Say whether that many words are English alone that nothing else has to be looked at: most texts end here."""
    words = text.split()
    return len(words) >= SENTENCE and sum(map(_ONLY_ENGLISH.__contains__, words)) >= ENOUGH * len(words)


def _by_words(text: str) -> bool:
    words = _plain(text)
    english = [word for word in words if _is_english(word)]
    known = [word for word in words if word in _FOREIGN]
    signs = [word for word in words if word in _FOREIGN or word in _OF_NAMES or _ACCENT.search(word)]
    if len(set(signs)) >= FEW and len(signs) >= SHARE * len(words):
        only_english = sum(word not in _SHARED for word in english)
        told = len(set(known)) >= FEW or (bool(known) and len(words) > ACCENTED)
        if told and len(signs) > only_english and len(signs) >= len(english):
            return True
        accented = [word for word in _running(text, PHRASE) if _ACCENT.search(word)]
        if len(set(accented)) >= ACCENTED and len(accented) > ACCENTED * len(english):
            return True
    return len(words) >= LONG and len(english) < BARE * len(words) and len(_running(text, SENTENCE)) >= LONG


def _plain(text: str) -> list[str]:
    """Return the words without a capital: a capital is mostly a name's."""
    return [word.replace("’", "'") for word in _PLAIN.findall(text) if word == word.lower()]


def _is_english(word: str) -> bool:
    """Say whether a word is an English small word, also with its ending: "it's", "don't"."""
    return word in _ENGLISH or word.partition("'")[0] in _ENGLISH


def _running(text: str, least: int) -> list[str]:
    """Return the plain words that stand among `least` words or more between two marks: not those of cells and short items."""
    return [word for part in _MARKS.split(text) if len(part.split()) >= least for word in _plain(part)]
