"""Fitting the regression that tells chatter: the form of its sentences, and that it learns from them."""

import json

import pytest

from groundwire.errors import InputError
from groundwire.idle import Voices
from groundwire.idle.chatter import by_word
from groundwire.training import chatter
from groundwire.training.chatter import SEEN, Told, fit, in_lines, kinds_of, read_told, save, statements
from groundwire.training.written.documents import load_documents


def test_the_form_of_a_file(tmp_path):
    (tmp_path / "a.txt").write_text("F It opened in 1998.\nO That's so cool!\n\nO Thanks.\n", encoding="utf-8")
    first, second, third = read_told(tmp_path)
    assert (first.text, first.chatter) == ("It opened in 1998.", False)
    assert (second.text, second.chatter) == ("That's so cool!", True)
    assert first.reply == second.reply != third.reply


def test_another_form_is_an_error(tmp_path):
    (tmp_path / "a.txt").write_text("X It opened in 1998.\n", encoding="utf-8")
    with pytest.raises(InputError, match="labelled sentence"):
        read_told(tmp_path)


def test_every_written_sentence_has_the_form_and_one_label():
    told = read_told()
    assert len(told) > 18000
    assert 0.3 < sum(one.chatter for one in told) / len(told) < 0.6
    labels = {one.text: one.chatter for one in told}
    assert all(labels[one.text] == one.chatter for one in told)


def test_statements_are_single_sentences_drawn_by_a_seed():
    found = statements(50)
    assert found == statements(50)
    assert len(set(found)) == 50


def test_a_claim_that_its_own_document_guards_is_no_statement_to_learn_from():
    """ "My brother joined as a volunteer." is chatter, but for whoever told of that brother."""
    free = set(statements(10**6))
    guarded = [
        one.text.text
        for document in load_documents()
        for one in document.said
        if one.question is None and Voices([" ".join(document.sentences)]).share(one.text.text)
    ]
    assert len(guarded) > 100
    assert len(free.intersection(guarded)) < 0.05 * len(guarded)  # the same words may stand beside another document


def test_words_of_one_kind_lie_together(monkeypatch):
    monkeypatch.setattr(chatter, "KINDS", 2)
    kinds = kinds_of(["Monday Tuesday Wednesday Thursday", "lion tiger leopard panther", "once"] * SEEN)
    days, cats = (
        {kinds[word] for word in words.split()} for words in ("monday tuesday thursday", "lion tiger leopard")
    )
    assert len(days) == len(cats) == 1
    assert days != cats
    assert by_word(in_lines(kinds)) == kinds


def test_words_that_stand_once_are_of_no_kind():
    with pytest.raises(InputError, match="no 50 kinds"):
        kinds_of(["Every word stands here but once."])


def test_it_learns_from_few_sentences(tmp_path):
    remarks = [
        Told(f"I really love {thing}!", True, n) for n, thing in enumerate("it them that these those this".split() * 5)
    ]
    facts = [Told(f"The {thing} was built there.", False, 100 + n) for n, thing in enumerate(("mill", "bridge") * 15)]
    words = "i really love it them that these those this the was built there".split()
    kinds = {word: n % 2 for n, word in enumerate(words)}
    fitted, report = fit(remarks + facts, [f"The king sold {n} ships." for n in range(40)], kinds)
    assert fitted.is_chatter("I really love it!")
    assert not fitted.is_chatter("The mill was built there.")
    assert report["chatter_found"] == 1.0
    save(fitted, report, remarks, tmp_path / "chatter.json")
    written = json.loads((tmp_path / "chatter.json").read_text(encoding="utf-8"))
    assert written["sentences_sha256"] == chatter.digest(remarks)
    assert by_word(written["kinds"]) == kinds


def test_the_shipped_one_is_of_these_sentences():
    """Whoever changes sentences fits it anew: `python -m groundwire.training chatter`."""
    shipped = json.loads(chatter.SHIPPED.read_text(encoding="utf-8"))
    assert shipped["sentences_sha256"] == chatter.digest(read_told())
