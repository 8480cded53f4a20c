import re
from dataclasses import replace

from groundwire.report.citations import MOST_CITED, by_source, citations_of
from groundwire.report.sources import MOST_DRAWN, source_section
from groundwire.types import Answer, Evidence, Label, Passage, Span


def citing(answer: Answer, *places: tuple[int, int, int]) -> Answer:
    """Return the answer whose first sentence cites these (source, start, end)."""
    claim = answer.verdict.claims[0]
    evidence = tuple(
        Evidence(claim_id="0", index=i, span=Span(source="x", start=a, end=b), entailment=claim.evidence[0].entailment)
        for i, a, b in places
    )
    return replace(answer, verdict=replace(answer.verdict, claims=(replace(claim, evidence=evidence),)))


def drawn(answer: Answer) -> str:
    return source_section(answer, citations_of(answer))


def test_the_same_words_have_one_name_and_few_citations_are_drawn(grow) -> None:
    answer = citing(grow(), (0, 0, 8), (1, 0, 8), (0, 0, 8), (0, 4, 8))
    [cited] = citations_of(answer)
    assert [c.anchor for c in cited] == ["s1-1", "s2-2", "s1-1"]
    assert len(cited) == MOST_CITED
    assert [c.index for c in by_source([cited], 0)] == [0, 0]


def test_evidence_that_points_nowhere_is_left_out_or_means_the_whole_source(grow) -> None:
    answer = citing(grow(), (7, 0, 8), (0, 900, 950), (-1, 0, 3))
    [[only]] = citations_of(answer)
    assert (only.anchor, only.start, only.end) == ("s1", 33, 33)
    assert "<mark" not in drawn(answer)


def test_overlapping_citations_are_marked_in_pieces_without_losing_a_letter(grow) -> None:
    answer = citing(grow(), (0, 0, 17), (0, 9, 24))
    html = drawn(answer)
    pieces = re.findall(r'<mark (?:id="(\S+)" )?class="cited supported" data-cites="([^"]*)">([^<]*)</mark>', html)
    assert pieces == [("s1-1", "s1-1", "The door "), ("s1-2", "s1-1 s1-2", "is blue."), ("", "s1-2", " It is ")]
    [text] = re.findall(r'<div class="prose passage" dir="auto">(.*?)</div>', html)[:1]
    assert re.sub(r"<sup>.*?</sup>|<[^>]*>", "", text) == answer.sources[0].text


def test_citations_that_begin_alike_both_have_their_name(grow) -> None:
    html = drawn(citing(grow(), (0, 0, 17), (0, 0, 8)))
    assert html.count('id="s1-1"') == html.count('id="s1-2"') == 1


def test_what_is_only_near_looks_so(grow) -> None:
    answer = citing(grow(), (0, 0, 17))
    claim = replace(answer.verdict.claims[0], label=Label.NOT_ENOUGH_INFO)
    html = drawn(replace(answer, verdict=replace(answer.verdict, claims=(claim,))))
    assert 'class="cited open"' in html
    assert 'title="near sentence 1" class="back">?1</a>' in html


def test_of_many_sources_the_first_and_the_cited_are_drawn(grow) -> None:
    sources = tuple(Passage(id=str(n), text="x" * 20) for n in range(1000))
    html = drawn(citing(replace(grow(), sources=sources), (700, 0, 8)))
    assert html.count("<article") == MOST_DRAWN + 1
    assert f"{1000 - MOST_DRAWN - 1} more sources that no sentence cites" in html


def test_a_source_says_where_it_stands_and_who_ranked_it(grow) -> None:
    origin = Span(source="a.txt", start=1200, end=1234)
    answer = grow()
    answer = replace(answer, sources=(replace(answer.sources[0], origin=origin), *answer.sources[1:]))
    html = drawn(answer)
    assert "<bdi>p0</bdi> · <bdi>a.txt</bdi> 1 200–1 234 · <bdi>bm25</bdi> #1" in html
