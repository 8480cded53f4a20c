"""The nouns of Groundwire: frozen, slotted, keyword-only, and the only things that travel between parts.

Offsets are Unicode code points, half-open, into the text that the noun names. Probabilities and scores lie in [0, 1],
higher means more grounded. `to_dict` and `from_dict` of every noun are lossless and JSON-stable; the shorter record that
the command line and the server publish is made in `groundwire.render`.

Left out on purpose: anything that computes. A noun knows its fields and how to show itself, no more.
"""

from __future__ import annotations

import types as _types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Self

from groundwire.visible import one_line


class Label(StrEnum):
    """What the evidence says about a claim or an answer."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_ENOUGH_INFO = "not_enough_info"
    NOT_CHECKABLE = "not_checkable"
    """Could not be scored; always comes with a reason, never with a score of 0 or NaN."""


PLAIN_MARKS: Mapping[Label, str] = {
    Label.SUPPORTED: "+",
    Label.CONTRADICTED: "x",
    Label.NOT_ENOUGH_INFO: "?",
    Label.NOT_CHECKABLE: "-",
}
"""What tells the labels apart in plain ASCII."""


class Noun:
    """Gives every noun below its two lossless dictionary forms."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the noun as JSON values (dicts, lists, strings, numbers, None)."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(typing.cast("Any", self))}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rebuild the noun that `to_dict` wrote. Unknown keys raise TypeError, missing optional ones take their default."""
        hints = typing.get_type_hints(cls)
        return cls(**{name: _typed(hints.get(name, Any), value) for name, value in data.items()})


def _plain(value: Any) -> Any:
    if isinstance(value, Noun):
        return value.to_dict()
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(v) for v in value]
    return value


def _typed(hint: Any, value: Any) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if value is None:
        return None
    if origin in (typing.Union, _types.UnionType):
        return _typed(next(a for a in args if a is not type(None)), value)
    if origin is tuple:
        return tuple(_typed(args[0], v) for v in value)
    if isinstance(hint, type) and issubclass(hint, Noun):
        return hint.from_dict(value)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint(value)
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Span(Noun):
    """A view into a text, never a copy: `span.of(text)` gives the words.

    `source` is the id of the passage, or "answer", or any other text's name.
    """

    source: str
    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the part of `text` that this span covers."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage(Noun):
    """A piece of evidence text. `origin` says where in its source document it sits, when it was cut from one."""

    id: str
    text: str
    title: str | None = None
    origin: Span | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(Noun):
    """A text as a corpus holds it, before it is cut into passages."""

    id: str
    text: str
    title: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(Noun):
    """A passage with the score that `by` gave it. Rerankers return new hits; nothing is changed in place."""

    passage: Passage
    score: float
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking(Noun):
    """What one part of a retrieval stack ranked, best first. `by` is the part as its spec string."""

    by: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval(Noun):
    """How the evidence for an answer was found: the query as sent, and every part's ranking, the last one's at the end."""

    query: str
    rankings: tuple[Ranking, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion(Noun):
    """One reply of an LLM. `text` is None exactly when `status` is "error", and then `reason` says why.

    `status` is "ok", "refused" (the model declined) or "error". Token counts are those of the endpoint, 0 when it gives
    none or the reply came from the cache.
    """

    text: str | None
    status: str = "ok"
    reason: str | None = None
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cached: bool = False


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
    `relevance` is the raw logit that ranked it, where it was ranked.
    """

    index: int
    span: Span
    text: str
    relevance: float | None = None


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
class Finding(Noun):
    """One judged (premise, claim) pair. `tokens` is None where the model reads no tokens."""

    premise: Premise
    entailment: Entailment
    tokens: TokenLogits | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case(Noun):
    """A question (optional), an answer and its contexts; for evaluation also the gold label and spans.

    `reason`, when set, says why a row that was read from a file cannot be checked; it then yields NOT_CHECKABLE.
    """

    id: str
    answer: str
    contexts: tuple[Passage, ...]
    question: str | None = None
    label: Label | None = None
    spans: tuple[Span, ...] = ()
    group: str | None = None
    reason: str | None = None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(Noun):
    """One individual of a generation. `id` is the hash of `text`; `fitness` holds each term by name: lineage is data."""

    id: str
    text: str
    parents: tuple[str, ...] = ()
    operator: str = "seed"
    generation: int = 0
    fitness: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Noun):
    """A generated answer with its sources, its lineage and its verdict: no generated answer leaves unchecked."""

    text: str
    sources: tuple[Passage, ...]
    verdict: Verdict
    lineage: tuple[Candidate, ...] = ()
    trace: Trace | None = None
