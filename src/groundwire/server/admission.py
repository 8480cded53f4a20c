"""What may wait: a bound on the tokens of all work that was taken on and is not done.

A request's cost in tokens has to be known before anything is cut, so it is estimated from lengths alone, in a time that does
not depend on the text: what the default path would read of it. A claim (about `CLAIM` characters) is read against
`PREMISES` premises of `WINDOW` tokens, or what there is; a path that ranks its sources reads each of them for the question
and for the claim. On answers of seven public sets (10 to 25 each) the estimate is .7 to 2.6 times what the built-in recipe
reads, by the sets' medians, and .2 to 7 times in single cases. What was estimated is given back when the work is done, so
errors do not add up.

The limit is less than what was told where the models are so slow that the last in the queue would wait for longer than
`patience`: what waits longer than its deadline is work for nothing. A client may fill it while it is alone, and otherwise
holds its share of it (`shares`): whoever holds most is refused first, there is a reserve for who comes next, and all
together hold no more than `bound`. One request counts for half of what its client may hold at most, since whoever is next
to it in the queue has turns of its own. So whatever its size it shuts nobody out, and who holds nothing is refused only
where there is no room for the least that work costs. Left out: whose turn it is (`workers`, `batcher`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from threading import Lock

from groundwire.errors import Busy
from groundwire.protocols import Pair
from groundwire.server.shares import PARTS, Shares
from groundwire.types import Case, Passage

CLAIM, STEP, PREMISES, WINDOW = 100, 240, 5, 80
"""Characters of a claim, characters from one window to the next, premises of a claim, tokens of a premise."""
OFTEN = 3
"""How often a claim reads what there is, at most: its windows, these with what stands around them, and what is gathered."""
LEAST = 64
"""Tokens that any work costs: it is not free to take on."""
FLOOR = 1 << 10
"""Tokens that may always wait, however slow the models seem: a batch, and so two requests of any size."""
LONGEST_WAIT = 600
"""The most seconds that anybody is told to wait."""


class Admission:
    """Counts what waits, by client. Safe for any number of threads.

    `limit` in tokens is what one client may hold alone; `rate` says how many tokens a second are done, None while nobody
    knows; `patience` in seconds.
    """

    def __init__(self, limit: int, rate: Callable[[], float | None], *, patience: float) -> None:
        self._most, self._rate, self._patience = limit, rate, patience
        self._lock = Lock()
        self._shares = Shares()

    @property
    def held(self) -> int:
        """The tokens that were admitted and not given back."""
        return self._shares.total

    @property
    def bound(self) -> int:
        """The tokens that may wait now, of all clients together."""
        return self.limit * PARTS // (PARTS - 1)

    @property
    def limit(self) -> int:
        """The tokens that may wait now of a client that is alone."""
        rate = self._rate()
        return self._most if rate is None else min(self._most, max(FLOOR, int(rate * self._patience)))

    def full(self, client: str = "") -> int | None:
        """Return in how many seconds there is room for anything of this client's, None where there is room now.

        Where it says a number `admit` refuses whatever is asked, and where it says None `admit` takes the least.
        """
        limit = self.limit
        with self._lock:
            over = self._over(client, LEAST, limit)
            return None if over <= 0 else self._seconds(over)

    def admit(self, tokens: int, client: str = "") -> Callable[[], None]:
        """Count so many tokens of a client's; return what gives them back, once. Raises Busy when there is no room.

        For a client that holds at most half of what it may there is room for anything.
        """
        limit = self.limit
        with self._lock:
            tokens = max(LEAST, min(tokens, self._shares.most(client, limit) // 2))
            over = self._over(client, tokens, limit)
            if over > 0:
                raise Busy("the queue is full", self._seconds(over))
            self._shares.take(client, tokens)
        return _Once(lambda: self._give_back(tokens, client))

    def _over(self, client: str, tokens: int, limit: int) -> int:
        """Return how many tokens too many this would be; 0 where nothing waits, or nothing ever could. The lock is held."""
        shares = self._shares
        return max(0, shares.of(client) + tokens - shares.most(client, limit)) if shares.total else 0

    def _give_back(self, tokens: int, client: str) -> None:
        with self._lock:
            self._shares.take(client, -tokens)

    def _seconds(self, tokens: int) -> int:
        """Return how many whole seconds it takes until so many tokens are done."""
        rate = self._rate()
        return 1 if not rate else max(1, min(LONGEST_WAIT, math.ceil(min(tokens, self.held) / rate)))


class _Once:
    """Does something the first time that it is called."""

    def __init__(self, do: Callable[[], None]) -> None:
        self._todo = [do]

    def __call__(self) -> None:
        try:
            do = self._todo.pop()
        except IndexError:
            return
        do()


def of_cases(cases: Sequence[Case], *, ranked: bool = False) -> int:
    """Return the estimated tokens of checking these cases; `ranked` for a path that scores the sources' relevance."""
    return sum(_of_case(case.answer, [passage.text for passage in case.contexts], ranked) for case in cases)


def of_found(answer: str, passages: int) -> int:
    """Return the estimated tokens of checking an answer against so many passages that are still to be found."""
    return _of_case(answer, ["x" * (4 * WINDOW)] * passages, ranked=False)


def of_passages(question: str, passages: Sequence[Passage]) -> int:
    """Return the estimated tokens of ranking these passages, each alone, and of reading them a few times over."""
    return 4 * (_tokens(question) + sum(_tokens(passage.text) for passage in passages))


def of_pairs(pairs: Sequence[Pair]) -> int:
    """Return the estimated tokens of these pairs; a model reads no more than 512 of one."""
    return sum(min(512, _tokens(a) + _tokens(b)) for a, b in pairs)


def _of_case(answer: str, contexts: Sequence[str], ranked: bool) -> int:
    said = _tokens(answer)
    read = [_tokens(text) for text in contexts]
    windows = sum(1 + len(text) // STEP for text in contexts)
    claims = 1 + len(answer) // CLAIM
    if ranked:
        return 2 * (sum(read) + windows * said)
    premises = min(windows + 1, PREMISES)
    # Cutting what nobody reads is not free either.
    return claims * min(premises * WINDOW, OFTEN * sum(read)) + premises * said + sum(read) // 8


def _tokens(text: str) -> int:
    """Return about how many tokens a text has: four ASCII characters make one, and of other scripts up to one each."""
    return 3 + (len(text) // 4 if text.isascii() else len(text) // 2)
