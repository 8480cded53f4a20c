"""The nouns: frozen, lossless to JSON and back."""

import dataclasses
import json

import pytest

from groundwire.types import (
    Answer,
    Candidate,
    Case,
    Claim,
    ClaimVerdict,
    Entailment,
    Evidence,
    Hit,
    Label,
    Passage,
    Span,
    Stage,
    TokenLogits,
    Trace,
    Verdict,
)

PASSAGE = Passage(id="p", text="The Ebro rises.", title="Ebro", origin=Span(source="d", start=3, end=18), meta={"n": 1})
CASE = Case(id="c", answer="It rises. 🙂", contexts=(PASSAGE,), question="does it", label=Label.SUPPORTED, group="g")
CLAIM = Claim(id="c#0", text="It rises.", span=Span(source="answer", start=0, end=9), question="does it")
EVIDENCE = Evidence(
    claim_id="c#0",
    index=0,
    span=Span(source="p", start=0, end=15),
    entailment=Entailment(supports=0.9, refutes=0.1, neutral=0.0),
    weight=1.0,
)
VERDICT = Verdict(
    case=CASE,
    label=Label.SUPPORTED,
    score=0.9,
    threshold=0.5,
    claims=(ClaimVerdict(claim=CLAIM, label=Label.SUPPORTED, score=0.9, evidence=(EVIDENCE,), signals={"words": 1.0}),),
    warnings=("one",),
    trace=Trace(recipe="default", model="mini", stages=(Stage(name="entail", items=1, seconds=0.1),)),
)
ANSWER = Answer(
    question="q",
    text="It rises.",
    sources=(PASSAGE,),
    verdict=VERDICT,
    lineage=(Candidate(id="h", text="It rises.", parents=("a", "b"), fitness={"relevance": 1.0}),),
)
UNBACKED = ClaimVerdict(
    claim=Claim(id="c#0", text="So it rises.", span=CLAIM.span, own=Span(source="claim", start=3, end=12)),
    label=Label.NOT_ENOUGH_INFO,
    score=0.2,
    spans=(Span(source="answer", start=3, end=8),),
)
TOKENS = TokenLogits(bounds=((0, 2), (3, 8)), logits=(-1.5, 0.25))
NOUNS = [UNBACKED, TOKENS, PASSAGE, Hit(passage=PASSAGE, score=1.0, by="bm25"), CASE, CLAIM, EVIDENCE, VERDICT, ANSWER]


@pytest.mark.parametrize("noun", NOUNS, ids=lambda n: type(n).__name__)
def test_a_noun_survives_json(noun):
    assert type(noun).from_dict(json.loads(json.dumps(noun.to_dict()))) == noun


@pytest.mark.parametrize("noun", NOUNS, ids=lambda n: type(n).__name__)
def test_a_noun_is_frozen_and_slotted(noun):
    assert not hasattr(noun, "__dict__")
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(noun, dataclasses.fields(noun)[0].name, None)


def test_unknown_keys_are_refused():
    with pytest.raises(TypeError):
        Span.from_dict({"source": "p", "start": 0, "end": 1, "length": 1})


def test_evidence_is_a_view_into_the_given_context():
    assert VERDICT.text_of(EVIDENCE) == "The Ebro rises."


def test_a_verdict_reads_well():
    assert str(VERDICT).splitlines() == [
        "supported 0.90",
        "  + 0.90 It rises.",
        "      [1] The Ebro rises.",
        "  warning: one",
    ]


def test_a_verdict_says_what_is_not_backed():
    verdict = dataclasses.replace(VERDICT, claims=(UNBACKED,), warnings=())
    assert str(verdict).splitlines()[1:] == ["  ? 0.20 It rises.", '      not backed: "rises"']


def test_a_verdict_of_hostile_text_is_shown_as_escapes():
    hostile = "\x1b[2J\ud800\u202e\n."
    case = Case(id="c", answer=hostile, contexts=(Passage(id="p", text=hostile),))
    span = Span(source="answer", start=0, end=len(hostile))
    evidence = Evidence(claim_id="0", index=0, span=span, entailment=Entailment(supports=0.9))
    claim = ClaimVerdict(
        claim=Claim(id="0", text=hostile, span=span), label=Label.SUPPORTED, score=0.9, evidence=(evidence,)
    )
    shown = str(
        Verdict(
            case=case,
            label=Label.SUPPORTED,
            score=0.9,
            threshold=0.5,
            claims=(claim,),
            reason=hostile,
            warnings=(hostile,),
        )
    )
    assert shown.encode()
    assert len(shown.splitlines()) == 4
    assert all(line.isprintable() for line in shown.splitlines())
    assert shown.count(r"\x1b[2J\ud800\u202e .") == 4
