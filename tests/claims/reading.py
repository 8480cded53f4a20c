"""What is read of an answer, for the tests of this folder."""

from groundwire.claims import SentenceClaims
from groundwire.text import unmarked
from groundwire.types import Case, Passage


def case(answer: str, question: str | None = None) -> Case:
    """A case with this answer."""
    return Case(id="c", question=question, answer=answer, contexts=(Passage(id="0", text="A text."),))


def texts(answer: str, question: str | None = None) -> list[tuple[str, str | None]]:
    """What is read of each sentence, and why there is nothing to check; its own words are those of its place."""
    asked = case(answer, question)
    [claims] = SentenceClaims().split([asked])
    for claim in claims:
        own = claim.own.of(claim.text) if claim.own else claim.text
        assert unmarked(claim.span.of(answer)).strip().startswith(own.strip(" .").split("  ")[0])
    return [(claim.text, claim.idle) for claim in claims]
