"""Sentences, words, windows and terms: fixed cases, then properties that hold for any text."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.errors import UsageError
from groundwire.text import content_terms, folded_words, sentence_bounds, term, windows, word_bounds

CUT = "‖"  # where a sentence is to end; not part of the text

SENTENCES = {
    "plain": ["One. ‖Two! ‖Three?", "No stop at the end", "One.‖\n\nTwo."],
    "titles": [
        "Dr. Smith met Mrs. Jones. ‖Prof. X left.",
        "He saw Gen. Lee and Sen. Warren in St. Louis. ‖Then he left.",
        "Mr. and Mrs. Brown moved to Mt. Vernon. ‖They liked it.",
        "Smith vs. Jones was heard. ‖Roe v. Wade was not.",
        "Messrs. Marks and Spencer sold it.",
    ],
    "initials": [
        "J. R. R. Tolkien wrote it. ‖C. S. Lewis did not.",
        "George W. Bush spoke. ‖He left.",
        "J.K. Rowling and J.-P. Sartre met.",
        "It contains vitamin C. ‖The rest is water.",
        "It is plan B. ‖However, it works.",
    ],
    "acronyms": [
        "The U.S. Senate voted. ‖It passed.",
        "He lives in the U.S. ‖He works in the U.K. office.",
        "She has a Ph.D. in physics. ‖She has an M.D. ‖The end.",
        "They met at 5 p.m. on Friday. ‖It rained.",
        "They met at 5 p.m. ‖The talk began at 6 a.m. Saturday.",
        "From Washington, D.C. ‖They flew at 3 p.m. EST.",
    ],
    "abbreviations": [
        "Fruit, e.g. apples, is good. ‖I.e. healthy food.",
        "Some, i.e. Anna and Bo, came.",
        "See No. 5 and Nos. 6 to 8. ‖The answer is No. ‖He left.",
        "See Fig. 3 and Eq. 2 on pp. 10. ‖Then stop.",
        "Sept. 11, 2001 was a Tuesday. ‖It was in Jan. ‖Then came Feb. 3.",
        "Apple Inc. CEO Tim Cook spoke. ‖He works for Apple Inc. ‖The firm is big.",
        "Smith et al. 2010 show it. ‖So do Lee et al. (2011).",
        "Sammy Davis Jr. sang. ‖So did Martin Luther King Jr. ‖They sang.",
        "He lives on Main St. ‖The house is red.",
        "Bread, milk, etc. were sold. ‖Bread, milk, etc. ‖Nothing else was.",
        "It weighs approx. 5 kg. ‖It is red.",
        "Vol. II and Ch. IV are lost.",
        "Under Art. 33(1) and Reg. 7 it may. ‖He likes art. ‖I paint modern art. ‖A museum is near. ‖See Art. IV.",
        "It costs 9 incl. VAT and Rubus spp. grow there.",
    ],
    "units and names": [
        "It went from 10 s to 30 s. ‖Dark mode came later.",
        "It closes at 7 p.m. Delivery is free.",
        "LX1 leaves at 9 p.m. ‖\nLX2 leaves at 8 p.m.\nEastern time. ‖Open 9 a.m. - 5 p.m. daily, 7 p.m. AEDT on Friday.",
        "Pass `--force`. ‖`-q` prints the version. ‖--quiet is the same. ‖**limit** sets the size, etc. ‖It is e.g. `a`.",
        "In 1990 J. Smith joined. ‖Use `<div>` for it. ‖The <br> tag breaks a line.",
        "See Fig. s1 for it. ‖The debate starts at 8 p.m. ET on Tuesday.",
        "Those elected in May of this year, by a large majority, are as\nfollows: Smith, Jones and Lee.",
        "The limit is 100. ‖max_workers is 4. ‖worker-3 failed. ‖v3.9.1 is out.",
        "Wind gave 20%.² ‖Solar gave 18%.³",
        "The rope is 3 m. long.",
    ],
    "lines that nobody wrapped": [
        "All 24 crew members were rescued off the coast\n‖Its engine failed in waves of 30 metres",
        "Storm closes the harbour road for the third time\n‖Mayor promises a new wall before the winter comes",
        "Anna: I will bring the sandwiches for all of us on Saturday\n‖Bob: OK then I bring the tickets and the map",
        "agent: Thank you for calling the service line of the bank\n‖customer: Hi my card was blocked",
        "He was born in the small town of Bremerhaven and moved to\nNew York, where he lived.",
        "Adults pay £14.50.<br>‖Students pay £13.",
        "<ul><li>One is red</li>‖<li>Two is blue</li>‖</ul>",
    ],
    "numbers": [
        "Pi is 3.14. ‖It is 1.5 times two.",
        "It cost $1.50. ‖That is 1,000.50 yen.",
        "He was born in 1990. ‖He died in 2015. ‖20 people came.",
        "Version 1.2.3 is out. ‖Use v2.0.",
        "It grew by .5 percent. ‖It fell by .3 percent.",
        "Section 3.2.1. ‖The rest follows.",
    ],
    "ellipses": [
        "Well... maybe. ‖Yes.",
        "He stopped... ‖Then he left.",
        "Wait… what? ‖No… ‖Yes.",
        "He said . . . nothing. ‖Then went.",
    ],
    "quotes": [
        'He said "Go." ‖Then he left.',
        "He said “Go.” ‖Then he left.",
        '"Really?" he asked. ‖"Yes."',
        '"Come!" she cried. ‖They came.',
        "‘It is.’ ‖‘It is not.’",
        "«Oui.» ‖«Non.»",
        "(He was late.) ‖She was not.",
        "It works (see the docs). ‖It does.",
        "[It works.] ‖Yes.",
        'He asked "Why?". ‖She knew.',
        "She is ill (why?), he said.",
        'He left. ‖"Why?" ‖No one knew.',
    ],
    "marks": [
        "What?! ‖No way!!! ‖Yes.",
        "Is it good? ‖yes it is, Bob.",
        "He searched on Yahoo! and Bing. ‖He won.",
        "Great! 🎉",
        "Great! ‖🎉 Next one.",
        "Great. ‖:) Next one.",
        "It fell in 2010.[3] ‖He rose in 2011.[4][5] ‖Then he fell.",
    ],
    "capitals": [
        "He bought it. ‖iPhone sales rose.",
        "the text has no capitals. ‖it is cut all the same. ‖really",
        "He left. then came back. ‖So it is.",
        "É verdade. ‖Ótimo. ‖Ça va.",
    ],
    "glued": [
        "This is the place for you!‖How do planes fly?‖Find out here.",
        "It was the end.‖The next day came.",
        "Use Node.js or ASP.NET or Socket.IO here.",
        "The os.Path module and foo.Bar.baz are names.",
        "Call obj.method() now. ‖Then rest.",
    ],
    "lists": [
        "Steps:‖\n- one‖\n- two‖\n* three",
        "1. First. ‖Then more.‖\n2. Second",
        "1) First‖\n2) Second‖\n(a) Third",
        "• one thing‖\n• another thing",
        "I. Introduction‖\nII. Methods",
        "a. First‖\nb. Second",
        "- One item that goes on\n  in the next line‖\n- another",
    ],
    "markdown": [
        "# Title‖\nText follows. ‖More.",
        "## A heading that is rather long, longer than most lines in fact‖\nText follows.",
        "### 1. Metro‖\n- 20 minutes‖\n### 2. Bus‖\n- 30 minutes",
        "Title\n=====‖\nText.",
        "One.‖\n\n---‖\n\nTwo.",
        "| a | b |\n|---|---|‖\n| 1.5 | Dr. X |‖\n| 2 | 3 |",
        "> quoted words‖\n> more of them",
        "This is **bold.** ‖This is *not.* ‖_Next._",
        "See [the docs](http://x.org/a.b?c=d). ‖Then go.",
        "Run this:‖\n```python\nx = 1. + y\n\nprint('Hi. There')\n```‖\nDone.",
        "Open fence:\n```‖\nOne. ‖Two.",
        "Use `a.b.` now. ‖Then `c`. ‖Done.",
    ],
    "lines": [
        "Name: John Smith‖\nAge: 42‖\nCity: Paris",
        "The quick brown fox jumps over the lazy dog and\nthen it sleeps. ‖Yes.",
        "The quick brown fox jumps over the lazy dog near\nParis and sleeps.",
        "Roses are red,\nViolets are blue.",
        "One‖\r\n\r\nTwo‖\r\n \r\nThree",
        "The committee heard from Dr.\nSmith.",
        "One sentence.‖\nanother one, small.",
        "One‖\u2028\u2028Two",
    ],
    "addresses": [
        "See https://example.com/a.b?c=d. ‖Then leave.",
        "Mail bob.jones@example.org. ‖He answers.",
        "Visit www.example.com! ‖It is free.",
        "The file is at /usr/lib/x.so.1. ‖It is big.",
    ],
    "chinese and japanese": [
        "你好。‖世界！‖真的吗？‖是。",
        "他说：“你好。”‖然后走了。",
        "これはペンです。‖それは本です。",
        "真的?‖好!‖行",
        "圆周率是3.14左右。‖对。",
        "「はい。」‖「いいえ。」",
    ],
    "other scripts": [
        "هل هذا صحيح؟ ‖نعم.",
        "یہ سچ ہے۔ ‖وہ نہیں۔",
        "यह सच है। ‖वह नहीं है।",
        "Это верно. ‖Это нет, т. е. так.",
        "Αυτό είναι\u037e ‖Ναι.",
        "Սա ճիշտ է։ ‖Այո։",
        "ይህ እውነት ነው። ‖አይ።",
        "สวัสดีครับ ผมชื่อสมชาย",
        "정말입니까? ‖네. ‖좋습니다.",
    ],
    "tokenised": [
        "He left . ‖She stayed . ‖Why ?",
        "`` Go . '' ‖He went .",
        '" Go . " ‖He went . ‖" Stop . "',
        "-LRB- He left . -RRB- ‖She stayed .",
        "the dog barked . ‖the cat did not . ‖Bob slept .",
        "Mr. Smith left . ‖U.S. troops stayed .",
        "He paid $ 1.5 million . ‖She did not ! ‖",
        "it costs ... nothing . ‖Good .",
    ],
    "odd": ["", " ", "\n\n\n", ".", "...", "?!", "\x00", "a\x00. ‖B\x00.", "\ud800. \udfff.", "‮abc. ‖Def.", "---‖\n\n***"],
}  # fmt: skip


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_bounds(text)]


@pytest.mark.parametrize("case", [case for cases in SENTENCES.values() for case in cases])
def test_sentences(case: str) -> None:
    wanted = [part.strip() for part in case.split(CUT) if part.strip()]
    assert pieces(case.replace(CUT, "")) == wanted


def test_there_are_many_cases() -> None:
    assert sum(map(len, SENTENCES.values())) >= 130


def test_thai_is_cut_at_spaces_only_when_long() -> None:
    text = " ".join(["สวัสดีครับผมชื่อสมชาย"] * 30)
    found = pieces(text)
    assert 3 <= len(found) <= 10
    assert " ".join(found) == text
    assert max(map(len, found)) <= 160


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("One two, three.", ["One", "two", "three"]),
        ("don’t mother-in-law's O'Neil", ["don’t", "mother-in-law's", "O'Neil"]),
        ("1,000.5 and 3.14. End", ["1,000.5", "and", "3.14", "End"]),
        ("snake_case x.y a--b 'quoted'", ["snake", "case", "x", "y", "a", "b", "quoted"]),
        ("你好 world。", ["你", "好", "world"]),
        ("がんばる", ["が", "ん", "ば", "る"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("यह सच है।", ["यह", "सच", "है"]),
        ("cafe\u0301 naïve", ["cafe\u0301", "naïve"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("١٢٣ مرحبا", ["١٢٣", "مرحبا"]),
        ("… — !", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert [text[start:end] for start, end in word_bounds(text)] == words


def test_windows_share_whole_sentences() -> None:
    a, b, c, d = "Ann saw it.", "Bob was ill.", "Cora met Dan.", "Dan sat up."
    text = " ".join([a, b, c, d])

    def cut(size: int, overlap: int) -> list[str]:
        return [text[start:end] for start, end in windows(text, size=size, overlap=overlap)]

    assert cut(6, 3) == [f"{a} {b}", f"{b} {c}", f"{c} {d}"]
    assert cut(6, 2) == cut(6, 0) == [f"{a} {b}", f"{c} {d}"]
    assert cut(99, 9) == [text]


def test_a_window_drops_shared_sentences_that_leave_no_room() -> None:
    text = "Ann saw it. Bob left. Cora met Dan and then sat up all night."
    assert [text[s:e] for s, e in windows(text, size=10, overlap=4)] == [
        "Ann saw it. Bob left.",
        "Cora met Dan and then sat up all night.",
    ]


def test_a_long_sentence_is_cut_at_words() -> None:
    text = "One two, three (four) five six seven."
    assert [text[s:e] for s, e in windows(text, size=3, overlap=0)] == ["One two, three (", "four) five six", "seven."]


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (5, 5), (5, -1)])
def test_impossible_windows(size: int, overlap: int) -> None:
    with pytest.raises(UsageError):
        windows("One.", size=size, overlap=overlap)


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("shares", "share"),
        ("companies", "company"),
        ("boxes", "box"),
        ("bosses", "boss"),
        ("churches", "church"),
        ("class", "class"),
        ("virus", "virus"),
        ("analysis", "analysis"),
        ("bus", "bus"),
        ("ties", "tie"),
        ("1990s", "1990"),
    ],
)
def test_term(word: str, wanted: str) -> None:
    assert term(word) == wanted


def test_content_terms() -> None:
    assert content_terms("The shares of the Company's rivals did not fall.") == [
        "share",
        "company",
        "rival",
        "not",
        "fall",
    ]
    assert content_terms("ＡＢＣ Straße") == ["abc", "strasse"]
    assert content_terms("我爱北京 and 猫") == ["我爱", "爱北", "北京", "猫"]
    assert content_terms("it was") == []


def test_folded_words() -> None:
    assert folded_words("Mother-in-law’s 1,000.5 STOPS") == ["mother", "in", "law", "s", "1", "000", "5", "stops"]


awkward = st.text(
    alphabet=st.one_of(
        st.sampled_from(
            list(" \t\n\r\x00.!?…,;:'\"()[]{}*_`#>|-–•0123456789aAbBzZ。！你好ก่ขअी؟\u0301\u200d😀\ud800\u2029")
        ),
        st.characters(),
    ),
    max_size=400,
)


@settings(max_examples=300)
@given(awkward)
def test_sentences_cover_any_text(text: str) -> None:
    bounds = sentence_bounds(text)
    assert all(0 <= start < end <= len(text) for start, end in bounds)
    assert all(a[1] <= b[0] for a, b in pairwise(bounds))
    assert all(text[s:e] == text[s:e].strip() for s, e in bounds)
    assert "".join("".join(text[s:e] for s, e in bounds).split()) == "".join(text.split())


@given(awkward)
def test_words_of_any_text(text: str) -> None:
    bounds = word_bounds(text)
    assert all(a[1] <= b[0] for a, b in pairwise(bounds))
    inside = "".join(text[s:e] for s, e in bounds)
    assert not any(c.isspace() for c in inside)
    assert [c for c in inside if c.isalnum()] == [c for c in text if c.isalnum()]


@given(awkward, st.integers(1, 30), st.integers(0, 29))
def test_windows_of_any_text(text: str, size: int, overlap: int) -> None:
    overlap = min(overlap, size - 1)
    bounds = windows(text, size=size, overlap=overlap)
    assert all(len(word_bounds(text[s:e])) <= size for s, e in bounds)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(bounds))
    covered: set[int] = set()
    covered.update(*(range(s, e) for s, e in bounds))
    assert all(i in covered for i, c in enumerate(text) if not c.isspace())
    shared = [len(word_bounds(text[b[0] : a[1]])) for a, b in pairwise(bounds) if b[0] < a[1]]
    assert all(n <= overlap for n in shared)


@given(awkward)
def test_terms_of_any_text(text: str) -> None:
    assert all(content_terms(text))
    assert len(folded_words(text)) >= len(word_bounds(text))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("I like mustard.  some people put other things on them, but i don't.", 2),
        ("i've heard good things! you can put anything on a hot dog.", 2),
        ("He lives in the u.s. and i do too, in approx. five dept. offices.", 1),
        ("For each i in the list. see the note", 1),
        ("Jedź do Łodzi i do Krakowa. tam jest ładnie", 1),
        ("wow... i'm here... and there. Bob's ok? yes", 3),
    ],
)
def test_who_writes_a_small_i_begins_sentences_small(text, count):
    assert len(sentence_bounds(text)) == count
