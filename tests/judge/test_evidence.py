"""Evidence: which places are cited, and that none is cited twice."""

from groundwire.judge.evidence import cite
from groundwire.premises import Shortlist
from groundwire.sources import Windows
from groundwire.types import Case, Claim, Entailment, Finding, Passage, Span

TEXT = "The mill is old. Ann Lee sold it in 1931. It burned down later. Nobody was hurt. Rice is grown there now."


def findings(said: str, supports: float) -> tuple[Claim, list[Finding]]:
    cut = Windows(8, 0).cut(Case(id="c", answer=said, contexts=(Passage(id="p", text=TEXT),)))
    asked = Claim(id="c#0", text=said, span=Span(source="answer", start=0, end=len(said)))
    [premises] = Shortlist(2, 2, around=40).build([asked], cut, [0.5] * len(cut))
    read = [Entailment(supports=supports + 0.01 * n, refutes=0.1, neutral=0.1) for n in range(len(premises))]
    return asked, [Finding(premise=p, entailment=e) for p, e in zip(premises, read, strict=True)]


def test_a_sentence_in_a_window_and_in_what_stands_around_it_is_cited_once():
    asked, found = findings("Ann Lee sold it in 1931.", 0.5)
    assert len({f.premise.text for f in found}) == 2
    spans = [TEXT[e.span.start : e.span.end] for e in cite(asked, found, None, narrow=True)]
    assert spans[0] == "Ann Lee sold it in 1931."
    assert len(spans) == len(set(spans))


def test_no_place_is_part_of_another():
    for narrow in (True, False):
        asked, found = findings("Ann Lee sold the old mill, and it burned down.", 0.5)
        spans = [e.span for e in cite(asked, found, None, narrow=narrow)]
        assert spans
        for a in spans:
            assert not any(a.start <= b.start and b.end <= a.end for b in spans if b is not a)


def test_the_finding_that_contradicts_comes_first():
    asked, found = findings("Ann Lee sold it in 1930.", 0.2)
    first = cite(asked, found, found[0], narrow=True)[0]
    assert TEXT[first.span.start : first.span.end] == "Ann Lee sold it in 1931."
    assert first.entailment == found[0].entailment


def test_of_gathered_sentences_the_one_that_shares_most_comes_first():
    text = "Results of the year. The company made a net loss of $14.6 million. Its revenue rose."
    case = Case(id="c", answer="It made a loss.", contexts=(Passage(id="p", text=text),))
    asked = Claim(
        id="c#0",
        text="The company's net loss was $14.6 million over the year.",
        span=Span(source="answer", start=0, end=15),
    )
    [premises] = Shortlist(2, 3).build([asked], Windows(60, 0).cut(case), [1.0])
    found = [Finding(premise=premises[-1], entailment=Entailment(supports=0.9, refutes=0.05, neutral=0.05))]
    spans = [text[e.span.start : e.span.end] for e in cite(asked, found, None, narrow=True)]
    assert spans[:2] == ["The company made a net loss of $14.6 million.", "Results of the year."]
