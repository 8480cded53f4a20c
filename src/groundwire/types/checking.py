"""What is checked, what was found for it, and the verdict.

Left out: how any of it comes about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from groundwire.types.noun import Noun
from groundwire.types.texts import Passage, Retrieval, Span
from groundwire.visible import one_line


class Label(StrEnum):
    """What the evidence says about a claim or an answer."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_ENOUGH_INFO = "not_enough_info"
    NOT_CHECKABLE = "not_checkable"
    """Could not be scored; always comes with a reason, never with a score of 0 or NaN."""


LABEL_NAMES: Mapping[Label, str] = {
    Label.SUPPORTED: "supported",
    Label.CONTRADICTED: "contradicted",
    Label.NOT_ENOUGH_INFO: "no evidence",
    Label.NOT_CHECKABLE: "not checkable",
}
"""What a person reads for each label."""

MARKS: Mapping[Label, str] = {
    Label.SUPPORTED: "✓",
    Label.CONTRADICTED: "✗",
    Label.NOT_ENOUGH_INFO: "?",
    Label.NOT_CHECKABLE: "–",
}
"""What tells the labels apart without colour."""

PLAIN_MARKS: Mapping[Label, str] = {
    Label.SUPPORTED: "+",
    Label.CONTRADICTED: "x",
    Label.NOT_ENOUGH_INFO: "?",
    Label.NOT_CHECKABLE: "-",
}
"""What tells the labels apart in plain ASCII."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Noun):
    """One checkable statement. `text` may be put in the claim prompt; `span` always points at the answer's own words.

    `idle`, when set, says why there is nothing to check in it ("Yes, of course.", a question). `own` says where in `text`
    the words of `span` stand, from its first one on; None: the text is these words and nothing else.
    """

    id: str
    text: str
    span: Span
    question: str | None = None
    idle: str | None = None
    own: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entailment(Noun):
    """Probabilities that a source supports, refutes or leaves open a claim. A two-way model says `refutes = None`."""

    supports: float
    refutes: float | None = None
    neutral: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Noun):
    """One judged (claim, window of a source) pair. `index` is the position of the source among the given contexts."""

    claim_id: str
    index: int
    span: Span
    entailment: Entailment
    relevance: float | None = None
    weight: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(Noun):
    """A piece of a given context that is judged as one: a sentence, a window of sentences, or the whole of it.

    `index` is the context's position in the case; `span` points into that context and `text` is what it covers.
    `relevance` is the raw logit that ranked it, where it was ranked. `before` is the white space that parts it from
    what stands before it in its context; empty where it overlaps with the source before it.
    """

    index: int
    span: Span
    text: str
    relevance: float | None = None
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Premise(Noun):
    """A text that a claim is judged against, and the sources that it was made of (several when they were joined)."""

    text: str
    sources: tuple[Source, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLogits(Noun):
    """The tokens of a claim's text, one logit each: over 0, the premise does not back the token.

    `bounds` are (start, end) in the text, in code points. Tokens that the model did not read (a claim that is too long is
    cut at its end) are in neither.
    """

    bounds: tuple[tuple[int, int], ...]
    logits: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Noun):
    """All that a model says of one (premise, claim) pair in one run; None for what it does not read.

    `relevance` is the raw logit that the premise has to do with the claim, over 0: more likely than not.
    """

    entailment: Entailment
    relevance: float | None = None
    tokens: TokenLogits | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Noun):
    """One judged (premise, claim) pair; the fields of its `Reading`."""

    premise: Premise
    entailment: Entailment
    relevance: float | None = None
    tokens: TokenLogits | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case(Noun):
    """A question (optional), an answer and its contexts; for evaluation also the gold label and spans.

    `reason`, when set, says why a row that was read from a file cannot be checked; it then yields NOT_CHECKABLE. `evidence`
    are the gold places in the contexts (their `source` is the context's id), `slice` the part of a data set that the row is
    reported with, `group` what it is resampled with.
    """

    id: str
    answer: str
    contexts: tuple[Passage, ...]
    question: str | None = None
    label: Label | None = None
    spans: tuple[Span, ...] = ()
    group: str | None = None
    reason: str | None = None
    evidence: tuple[Span, ...] = ()
    slice: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimVerdict(Noun):
    """The verdict on one claim. `score` is None exactly when `label` is NOT_CHECKABLE, and then `reason` says why.

    `evidence` is best first. `spans` are the words of the answer that no evidence backs, in their order and disjoint; of a
    claim that is not supported and has none, no part is known to be better backed than another. `signals` are the named
    numbers that the score was made of, for those who ask why.
    """

    claim: Claim
    label: Label
    score: float | None
    evidence: tuple[Evidence, ...] = ()
    reason: str | None = None
    signals: Mapping[str, float] = field(default_factory=dict)
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage(Noun):
    """One step of a path: what ran, on how many items, for how long."""

    name: str
    items: int
    seconds: float
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace(Noun):
    """What ran to make a result. Seconds are those of the whole batch that the case was part of."""

    recipe: str
    model: str
    stages: tuple[Stage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Noun):
    """The product: is this answer grounded in these contexts, claim by claim, and where does it say so?

    Where the contexts were found in a corpus, `retrieval` says how, and `reading` is the answer that a reader took from
    them, when there was one.
    """

    case: Case
    label: Label
    score: float | None
    threshold: float
    claims: tuple[ClaimVerdict, ...] = ()
    warnings: tuple[str, ...] = ()
    reason: str | None = None
    trace: Trace | None = None
    retrieval: Retrieval | None = None
    reading: str | None = None

    @property
    def grounded(self) -> bool:
        """True when the whole answer is supported."""
        return self.label is Label.SUPPORTED

    def text_of(self, evidence: Evidence) -> str:
        """Return the words of the given contexts that this evidence points at."""
        return evidence.span.of(self.case.contexts[evidence.index].text)

    def __str__(self) -> str:
        score = "" if self.score is None else f" {self.score:.2f}"
        lines = [f"{self.label}{score}" + (f" ({one_line(self.reason)})" if self.reason else "")]
        for verdict in self.claims:
            number = "" if verdict.score is None else f"{verdict.score:.2f} "
            lines.append(f"  {PLAIN_MARKS[verdict.label]} {number}{one_line(verdict.claim.span.of(self.case.answer))}")
            if verdict.spans:
                unbacked = ", ".join(f'"{one_line(span.of(self.case.answer))}"' for span in verdict.spans)
                lines.append(f"      not backed: {unbacked}")
            lines.extend(f"      [{e.index + 1}] {one_line(self.text_of(e))}" for e in verdict.evidence[:1])
        lines.extend(f"  warning: {one_line(warning)}" for warning in self.warnings)
        return "\n".join(lines)
