"""Porter's paper, step by step, and his two departures from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.analysis.porter import stem

EXAMPLES = """
caresses caress  ponies poni  ties ti  caress caress  cats cat  feed feed  agreed agre  plastered plaster  bled bled
motoring motor  sing sing  conflated conflat  troubled troubl  sized size  hopping hop  tanned tan  falling fall
hissing hiss  fizzed fizz  failing fail  filing file  happy happi  sky sky  relational relat  conditional condit
rational ration  valenci valenc  hesitanci hesit  digitizer digit  radicalli radic  differentli differ  vileli vile
analogousli analog  vietnamization vietnam  predication predic  operator oper  feudalism feudal  decisiveness decis
hopefulness hope  callousness callous  formaliti formal  sensitiviti sensit  sensibiliti sensibl  triplicate triplic
formative form  formalize formal  electriciti electr  electrical electr  hopeful hope  goodness good  revival reviv
allowance allow  inference infer  airliner airlin  gyroscopic gyroscop  adjustable adjust  defensible defens
irritant irrit  replacement replac  adjustment adjust  dependent depend  adoption adopt  homologou homolog
communism commun  activate activ  angulariti angular  homologous homolog  effective effect  bowdlerize bowdler
probate probat  rate rate  cease ceas  controll control  roll roll  generalizations gener  oscillators oscil
running run  flies fli  dies di  dying dy  skies ski  yes ye  say sai  enjoy enjoi  try try  crying cry  news new
toy toi  syzygy syzygi  eating eat  ease eas  ion ion  lion lion  union union  nation nation  passion passion
ies i  sss sss  eed eed
""".split()


@pytest.mark.parametrize(("word", "expected"), list(zip(EXAMPLES[::2], EXAMPLES[1::2], strict=True)))
def test_the_examples_of_the_paper_and_others(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("possibly", "possibl"),  # bli -> ble; the paper's abli would leave possibli
        ("conformabli", "conform"),
        ("sensibly", "sensibl"),
        ("archaeology", "archaeolog"),  # logi -> log; the paper would leave archaeologi
        ("technologies", "technolog"),
        ("biology", "biologi"),  # but only where the stem before it has m > 0
        ("apology", "apolog"),
    ],
)
def test_the_two_departures(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize("word", ["", "a", "s", "as", "is", "us", "ed", "y", "ly", "é", "és"])
def test_words_of_two_letters_stay(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize("word", ["x86", "1990", "foo_b", "漢", "абв", "naïf", "\ud800x", "a.b"])
def test_what_has_no_suffix_stays(word: str) -> None:
    assert stem(word) == word


def test_other_letters_are_consonants() -> None:
    assert stem("naïves") == "naïv"
    assert stem("cafés") == "café"
    assert stem("übung") == "übung"
    assert stem("o'neils") == "o'neil"
    assert stem("1990s") == "1990"
    assert stem("\U0001d400s") == "\U0001d400"  # three units in UTF-16


LETTERS = st.text(st.sampled_from("aeiouybcdlnrstz"), max_size=6)
SUFFIXES = st.sampled_from("s es ed ing y ational bli logi ization ness ful ement ion ll e ized ally".split())


@given(LETTERS, SUFFIXES)
def test_a_stem_is_the_word_s_beginning_but_for_its_last_letter(beginning: str, suffix: str) -> None:
    word = beginning + suffix
    found = stem(word)
    assert 0 < len(found) <= len(word)
    assert word.startswith(found[:-1])


@given(st.text())
def test_no_word_makes_it_fail(word: str) -> None:
    assert bool(stem(word)) == bool(word)
