"""Spans of unsupported claims: which words are marked, and that they point into the answer and nowhere else."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.claims import PromptClaim, SentenceClaims
from groundwire.judge.spans import unbacked, words
from groundwire.text import word_bounds
from groundwire.types import Case, Claim, Entailment, Finding, Premise, Source, Span, TokenLogits

PREMISE = "The Ebro is a river."


def claim_of(answer: str, question: str | None = None, splitter: object = None) -> Claim:
    [claims] = (splitter or SentenceClaims()).split([Case(id="c", question=question, answer=answer, contexts=())])  # type: ignore[attr-defined]
    return claims[0]


def finding(
    claim: Claim, wrong: tuple[str, ...], *, supports: float = 0.1, text: str = PREMISE, high: float = 2.0
) -> Finding:
    """A premise that backs every token of the claim but those that lie in one of the `wrong` stretches of its text."""
    bounds = tuple(word_bounds(claim.text))
    places = [(claim.text.find(part), claim.text.find(part) + len(part)) for part in wrong]
    logits = tuple(high if any(s < end and start < e for s, e in places) else -3.0 for start, end in bounds)
    return plain(text, TokenLogits(bounds=bounds, logits=logits), supports)


def plain(text: str, tokens: TokenLogits | None = None, supports: float = 0.1) -> Finding:
    source = Source(index=0, span=Span(source="p", start=0, end=len(text)), text=text)
    premise = Premise(text=text, sources=(source,), weights=(1.0,))
    return Finding(premise=premise, entailment=Entailment(supports=supports), tokens=tokens)


def marked(answer: str, wrong: tuple[str, ...], question: str | None = None, splitter: object = None) -> list[str]:
    claim = claim_of(answer, question, splitter)
    return [span.of(answer) for span in unbacked(claim, [finding(claim, wrong)], 0.0)]


@pytest.mark.parametrize(
    ("answer", "wrong", "expected"),
    [
        ("The Ebro is 420 km long.", ("420 km",), ["420 km"]),
        ("The Ebro rises in the spring of 1932.", ("rises", "1932"), ["rises", "1932"]),
        ("It came in the spring and in 1932 it left.", ("spring", "1932"), ["spring and in 1932"]),
        ("Zoë aß in Köln crème brûlée.", ("Köln", "brûlée"), ["Köln", "brûlée"]),
        ("It is 😀 420 👩\u200d👧 km.", ("420",), ["420"]),
        ("埃布罗河长四百公里。", ("四百",), ["四百"]),
        ("Ann won. ", ("Ann won",), ["Ann won"]),
    ],
)
def test_marked_words_are_joined_and_lie_in_the_answer(
    answer: str, wrong: tuple[str, ...], expected: list[str]
) -> None:
    assert marked(answer, wrong) == expected


def test_a_later_sentence_is_shifted_to_its_place() -> None:
    answer = "😀 The Ebro is a river. It is 420 km long."
    [claims] = SentenceClaims().split([Case(id="c", answer=answer, contexts=())])
    [span] = unbacked(claims[1], [finding(claims[1], ("420",))], 0.0)
    assert (span.source, span.of(answer)) == ("answer", "420")


@pytest.mark.parametrize("splitter", [SentenceClaims(), PromptClaim()])
def test_the_words_of_the_claim_prompt_are_never_marked(splitter: object) -> None:
    everything = ("The answer to question how long is the Ebro is 420 km",)
    assert marked(" 420 km. ", everything, "how long is the Ebro", splitter) == ["420 km"]
    claim = claim_of("420 km", "how long is the Ebro", splitter)
    found = words(claim, [finding(claim, ("how long is the Ebro",))])
    assert [claim.text[word.start : word.end] for word in found if word.logit < 0] == ["420", "km"]


def test_the_answers_words_are_found_where_the_question_has_them_too() -> None:
    question = "is it 420 km or 930 km"
    claim = claim_of("420 km", question)
    at = claim.text.rfind("420")
    tokens = TokenLogits(bounds=((at, at + 3),), logits=(1.0,))
    assert unbacked(claim, [plain(PREMISE, tokens)], 0.0) == (Span(source="answer", start=0, end=3),)


def test_what_one_of_the_best_premises_backs_is_backed() -> None:
    claim = claim_of("The Ebro is 420 km long.")
    one, other = finding(claim, ("Ebro", "420")), finding(claim, ("420", "long"))
    assert [s.of(claim.text) for s in unbacked(claim, [one, other], 0.0)] == ["420"]
    far = [finding(claim, (), supports=0.01)]
    assert [s.of(claim.text) for s in unbacked(claim, [one, other, one, *far], 0.0)] == ["420"]


def test_a_word_is_as_unbacked_as_its_worst_piece() -> None:
    claim = claim_of("unaffable men")
    tokens = TokenLogits(bounds=((0, 2), (2, 5), (5, 9), (10, 13)), logits=(-2.0, 1.5, -1.0, -4.0))
    assert [(w.start, w.end, w.logit) for w in words(claim, [plain(PREMISE, tokens)])] == [(0, 9, 1.5), (10, 13, -4.0)]


def test_the_threshold_is_what_a_word_must_exceed() -> None:
    claim = claim_of("The Ebro is 420 km long.")
    found = [finding(claim, ("420",), high=1.0)]
    text = ("The Ebro is 420 km long.",)
    assert unbacked(claim, found, 0.99)
    assert not unbacked(claim, [plain(text[0], found[0].tokens)], 1.0)


def test_where_the_model_marks_nothing_a_missing_number_or_name_is_marked() -> None:
    claim = claim_of("The Ebro near Reinosa is 420 km long.")
    nothing = finding(claim, ()).tokens
    assert [s.of(claim.text) for s in unbacked(claim, [plain(PREMISE, nothing)], 0.0)] == ["Reinosa is 420"]
    assert [s.of(claim.text) for s in unbacked(claim, [plain(PREMISE)], 0.0)] == ["Reinosa is 420"]
    backed = plain("Reinosa lies on the Ebro, at km 420.", nothing)
    assert unbacked(claim, [backed], 0.0) == ()


def test_a_text_that_is_not_the_answers_words_gives_no_spans() -> None:
    claim = Claim(id="c", text="The Ebro is 420 km long.", span=Span(source="answer", start=0, end=6))
    assert unbacked(claim, [finding(claim, ("420",))], 0.0) == ()


def test_tokens_that_were_cut_off_leave_their_words_unmarked() -> None:
    claim = claim_of("one two three")
    tokens = TokenLogits(bounds=((0, 3),), logits=(2.0,))
    assert [s.of(claim.text) for s in unbacked(claim, [plain(PREMISE, tokens)], 0.0)] == ["one"]


@given(st.text(st.characters(), min_size=1), st.lists(st.floats(-5, 5), max_size=30))
def test_spans_of_any_answer_are_in_order_disjoint_and_inside(answer: str, logits: list[float]) -> None:
    for splitter in (SentenceClaims(), PromptClaim()):
        [claims] = splitter.split([Case(id="c", question="who", answer=answer, contexts=())])
        for claim in claims:
            bounds = tuple(word_bounds(claim.text))[: len(logits)]
            tokens = TokenLogits(bounds=bounds, logits=tuple(logits[: len(bounds)]))
            spans = unbacked(claim, [plain(PREMISE, tokens)], 0.0)
            places = [at for span in spans for at in (span.start, span.end)]
            assert places == sorted(places)
            assert all(claim.span.start <= at <= claim.span.end for at in places)
            assert all(span.start < span.end for span in spans)


@pytest.mark.parametrize(
    ("unit", "size"), [("x", 100_000), ("x ", 20_000), ("中", 20_000), ("1 ", 20_000), ("Xy ", 20_000)]
)
def test_a_long_answer_takes_a_moment(unit: str, size: int) -> None:
    claim = claim_of((unit * size)[:size], None, PromptClaim())
    tokens = TokenLogits(bounds=tuple(word_bounds(claim.text)), logits=(-1.0,) * len(word_bounds(claim.text)))
    start = time.process_time()
    unbacked(claim, [plain(PREMISE, tokens)] * 3, 0.0)
    unbacked(claim, [plain(PREMISE, tokens)] * 3, -2.0)
    assert time.process_time() - start < 3
