"""An answer that is still being written, judged sentence by sentence as it comes.

    growing = Growing(engine, question, contexts, ticket)
    await growing.feed("Jane Austen wrote Emma. She ")   → verdicts on the claims that are finished by now
    await growing.close()                                → the verdict on the whole, equal to a check of the whole

A sentence is finished when the next one has begun. What a later sentence may still change (a heading, the line that leads
into a list, a first sentence of a few words, open code) waits for it. Each claim is judged once: at the end everything is
split anew, what is still the same claim keeps its verdict, and what is not is judged again. A recipe that judges an answer
as one claim has nothing to say before the end.

Left out: what is done with a verdict (`groundwire.server.proxy`), and how the claims are judged (the engine).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from time import monotonic
from typing import Protocol

from groundwire.idle import COLONS
from groundwire.models.batcher.ticket import Ticket
from groundwire.text import sentence_bounds, word_bounds
from groundwire.types import Case, ClaimVerdict, Passage, Verdict

FEW_WORDS = 8
"""A first sentence of no more words may be the whole answer to the question, and is then read as one."""
BEGUN = 12
"""Characters after which a sentence has begun, where it has no white space that would show its first word."""
STEP = 16
"""A tail is looked through again when it has grown by one part in so many: all looks together stay linear in the text."""
SHARE = 32
"""What is finished is judged when it is one part in so many of what was before, since all of it is split anew."""
_FENCES = ("```", "~~~")


class Engine(Protocol):
    """What is needed of the server's engine."""

    def unfold(
        self, case: Case, ticket: Ticket, *, threshold: float | None = None, known: Sequence[ClaimVerdict] = ()
    ) -> AsyncIterator[ClaimVerdict | Verdict]:
        """Give each claim's verdict, then the whole one's; a claim of `known` keeps its verdict."""
        ...


class Growing:
    """One answer that grows; used by one task at a time.

    `threshold` is the engine's where None. Every check has `seconds`, and ends when `ticket` is cancelled. Both methods
    raise what the engine raises; after an error nothing is lost: `close` judges what was not judged.
    """

    def __init__(
        self,
        engine: Engine,
        question: str | None,
        contexts: Sequence[Passage],
        ticket: Ticket,
        *,
        threshold: float | None = None,
        seconds: float = 30.0,
        name: str = "0",
    ) -> None:
        self._engine, self._ticket, self._threshold, self._seconds = engine, ticket, threshold, seconds
        self._empty = Case(id=name, question=question, answer="", contexts=tuple(contexts))
        self._known: list[ClaimVerdict] = []
        self._settled = ""
        self._tail = ""
        self._look_at = 0
        self._whole = False
        self.standing: Verdict | None = None
        """The verdict on the settled text alone; None before there is any, and for a recipe that judges only whole answers."""

    @property
    def text(self) -> str:
        """All that was fed."""
        return self._settled + self._tail

    @property
    def length(self) -> int:
        """How many characters were fed."""
        return len(self._settled) + len(self._tail)

    @property
    def settled(self) -> int:
        """How many characters of the text are judged; a prefix that ends with a sentence."""
        return len(self._settled)

    @property
    def case(self) -> Case:
        """The case as it is now."""
        return self._of(self.text)

    async def feed(self, delta: str) -> list[ClaimVerdict]:
        """Take more of the answer; return the verdicts on the claims that it finishes, in their order."""
        self._tail += delta
        if self._whole or len(self._tail) < self._look_at:
            return []
        end = _finished(self._tail, first=not self._settled)
        # Also when the check below fails: an engine that is full must not cost a look at every word that comes.
        self._look_at = len(self._tail) + len(self._tail) // STEP
        if end * SHARE <= len(self._settled):
            return []
        settled, judged = self._settled + self._tail[:end], list[ClaimVerdict]()
        standing: Verdict | None = None
        # Engines that count verdicts have one inside that does not: this is no answer yet.
        async for one in self._judged(settled, getattr(self._engine, "inner", self._engine)):
            if isinstance(one, ClaimVerdict):
                judged.append(one)
            else:
                standing = one
        before = {verdict.claim for verdict in self._known}
        self._known, self._settled, self._tail, self._look_at = judged, settled, self._tail[end:], 0
        self._whole = len(judged) == 1 and len(sentence_bounds(settled)) > 1
        self.standing = None if self._whole else standing
        return [] if self._whole else [verdict for verdict in judged if verdict.claim not in before]

    async def close(self) -> Verdict:
        """Return the verdict on all that was fed."""
        verdict: Verdict | None = None
        async for one in self._judged(self.text, self._engine):
            if isinstance(one, Verdict):
                verdict = one
        if verdict is None:
            raise RuntimeError("a check ended without a verdict")
        return verdict

    def add(self, text: str) -> None:
        """Take more of the answer without judging it: `close` will."""
        self._tail += text

    def cut(self) -> None:
        """Forget what is not judged yet: the answer ends with the last finished sentence."""
        self._tail = ""

    async def _judged(self, answer: str, engine: Engine) -> AsyncIterator[ClaimVerdict | Verdict]:
        lent = Ticket(self._ticket.id, self._ticket.client, monotonic() + self._seconds)
        with self._ticket.watched(lent.cancel):
            async for one in engine.unfold(self._of(answer), lent, threshold=self._threshold, known=tuple(self._known)):
                yield one

    def _of(self, answer: str) -> Case:
        empty = self._empty
        return Case(id=empty.id, question=empty.question, answer=answer, contexts=empty.contexts)


def _finished(tail: str, *, first: bool) -> int:
    """Return where the last finished sentence of a tail ends, 0 where none does. `first`: the tail begins the answer."""
    bounds = sentence_bounds(tail)
    if len(bounds) < 2 or not _begun(tail[bounds[-1][0] :]):
        return 0
    done = bounds[:-1]
    fence = max((tail.rfind(fence) for fence in _FENCES if tail.count(fence) % 2), default=-1)
    while done and (_leads(tail[slice(*done[-1])]) or -1 < fence < done[-1][1]):
        done.pop()
    if first and len(done) == 1 and len(word_bounds(tail[slice(*done[0])])) <= FEW_WORDS:
        return 0
    return done[-1][1] if done else 0


def _begun(sentence: str) -> bool:
    """Say whether enough of a sentence is there to know that it is one: its first word, whatever marks stand before it."""
    first = next((n for n, character in enumerate(sentence) if character.isalnum()), None)
    if first is None:
        return False
    return len(sentence) - first >= BEGUN or any(character.isspace() for character in sentence[first:])


def _leads(sentence: str) -> bool:
    """Say whether what follows may decide how a sentence is read: a heading, or a line that leads into a list."""
    return sentence.startswith(("#", "**")) or sentence.rstrip("*_ ").endswith(COLONS)
