"""The pool: the passages that an answer is grown from, most relevant first.

    question → hits (retrieve, or given passages) → the first `depth` ranked by relevance → distinct

Left out: the choice of the seeds among them, which is the path's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.errors import InputError, UsageError
from groundwire.protocols import Checker, Reranker, Retriever
from groundwire.types import Answer, Case, Hit, Label, Passage, Ranking, Retrieval, Trace, Verdict

NO_EVIDENCE = "no evidence"
"""How the reason of an answer begins that was not given because no passage was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Ranked hits, best first, and how they were found."""

    hits: tuple[Hit, ...] = ()
    retrieval: Retrieval | None = None

    def passages(self, count: int | None = None) -> tuple[Passage, ...]:
        """Return the first `count` passages, or all."""
        return tuple(hit.passage for hit in self.hits[:count])


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooling:
    """How a pool is made: named parts.

    `retriever` may be None where passages are always given. `relevance` orders the first `depth` hits; the others are
    dropped, so that a cheap search cuts before an expensive model reads. Given passages have no order to be cut by: all of
    them are ranked. `distinct` keeps one passage of each text.
    """

    retriever: Retriever | None
    relevance: Reranker
    depth: int = 1000
    distinct: bool = True

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise UsageError(f"at least one passage must be ranked, got depth={self.depth}", "depth=100")

    def find(self, question: str, passages: Sequence[Passage] | None = None) -> Pool:
        """Return the pool of a question: of the given passages, or of what the retriever finds; it may be empty."""
        hits, rankings = self._hits(question, passages)
        hits = [hit for hit in hits if hit.passage.text.strip()]
        ranked = self.relevance.rerank([question], [hits])[0] if hits else []
        if self.distinct:  # of equal texts the first stays
            ranked = list({hit.passage.text: hit for hit in reversed(ranked)}.values())[::-1]
        whole = Ranking(by=self.relevance.name, hits=tuple(ranked))
        return Pool(hits=tuple(ranked), retrieval=Retrieval(query=question, rankings=(*rankings, whole)))

    def _hits(self, question: str, passages: Sequence[Passage] | None) -> tuple[list[Hit], tuple[Ranking, ...]]:
        if passages is not None:
            return [Hit(passage=passage, score=0.0, by="given") for passage in passages], ()
        if self.retriever is None:
            raise InputError("there is neither an index nor a passage", "generate(question, index) or passages=[...]")
        from groundwire.retrieve import explained

        found = explained(self.retriever, [question], self.depth)[0]
        return list(found.rankings[-1].hits[: self.depth]) if found.rankings else [], found.rankings


def asked(question: str) -> str:
    """Return the question without the white space around it. Raises InputError where nothing is left."""
    if not question.strip():
        raise InputError("the question is empty", "ask something")
    return question.strip()


def judged(checker: Checker, question: str, text: str, sources: Sequence[Passage]) -> Verdict:
    """Return the verdict on an answer by the passages that it was grown from."""
    return checker.check([Case(id="0", question=question, answer=text, contexts=tuple(sources))])[0]


def unanswered(
    question: str, pool: Pool, threshold: float, trace: Trace, reason: str, *, broken: bool = False
) -> Answer:
    """Return the answer that is none, with the reason: an invention would not be better. `broken` as in Answer."""
    case = Case(id="0", question=question, answer="", contexts=())
    verdict = Verdict(case=case, label=Label.NOT_CHECKABLE, score=None, threshold=threshold, reason=reason, trace=trace)
    return Answer(
        question=question,
        text="",
        sources=(),
        verdict=verdict,
        reason=reason,
        broken=broken,
        retrieval=pool.retrieval,
        trace=trace,
    )
