"""What a model finds that says yes to everything, for the tests of what denies for certain."""

from groundwire.types import Entailment, Finding, Premise, Source, Span


def finding(text: str) -> Finding:
    """A model's yes to whatever is asked of this text."""
    source = Source(index=0, span=Span(source="0", start=0, end=len(text)), text=text)
    return Finding(
        premise=Premise(text=text, sources=(source,), weights=(1.0,)),
        entailment=Entailment(supports=0.9, refutes=0.05, neutral=0.05),
        relevance=3.0,
    )
