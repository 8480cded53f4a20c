"""Windows hold their sentence, distractors come from elsewhere, and long contexts are cut to what matters."""

from random import Random

from groundwire.training.passages import Passage, focus, passages, pool_of, sentences, surround, usable, window

TEXT = "The mill stood by the river for years. It was sold to Carl Weber in 1932. The new owner built a wheel there."
FOUND = Passage("s", tuple(sentences(TEXT)))


def test_sentences_and_usable() -> None:
    assert len(FOUND.sentences) == 3
    assert all(usable(s) for s in FOUND.sentences)
    assert not usable("Too short.")
    assert not usable("the first letter is small, so this is no whole sentence.")
    assert not usable("See https://example.org for what the mill looked like then.")


def test_passages_are_distinct() -> None:
    rows = [{"context": TEXT}, {"contexts": [TEXT]}]
    assert passages(rows, "s", Random(0)) == [FOUND]


def test_window_holds_its_sentence() -> None:
    for seed in range(50):
        start, end = window(FOUND, 1, 2, Random(seed))
        assert 0 <= start <= 1 < end <= 3


def test_surround_keeps_the_evidence() -> None:
    other = Passage("t", ("A bird sang all night in the tall tree.",))
    text = surround(TEXT, [other], Random(0))
    assert TEXT in text
    assert other.sentences[0] in text
    assert surround(TEXT, [FOUND], Random(0)).count("1932") == 1


def test_focus_keeps_the_nearest_sentences_in_order() -> None:
    filler = " ".join(f"Nothing of note happened in place number {i} that day." for i in range(40))
    cut = focus([filler, TEXT, filler], "Carl Weber bought the mill in 1932.", 40)
    assert "sold to Carl Weber in 1932" in cut
    assert len(cut.split()) <= 40
    assert focus([TEXT], "anything") == TEXT


def test_pool_lends_names_and_phrases() -> None:
    pool = pool_of([FOUND])
    assert "Carl Weber" in pool.names
    assert "in 1932" in pool.phrases
