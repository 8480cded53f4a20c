"""The rows of a data set, looked through before anything is scored: labels, ids that come twice, the sample, a digest.

What stays in memory of a row is a digest of its id. Left out: opening files and data sets, which the caller does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from groundwire.errors import InputError
from groundwire.evals.run import labelled, sample
from groundwire.evals.runs.config import Config, Data
from groundwire.evals.runs.rows import digest_of
from groundwire.types import Case

Opened = Callable[[Data], Iterable[Case]]
"""Opens a data set anew at each call; every row has its gold label read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A data set that was looked through: how many rows it has, which of them are run (None: all), and their sha256.

    The digest is that of what is run, so a sample's differs from the whole set's.
    """

    data: Data
    rows: int
    chosen: frozenset[int] | None
    sha256: str

    @property
    def n(self) -> int:
        """Return how many rows are run."""
        return self.rows if self.chosen is None else len(self.chosen)

    def cases(self, opened: Opened) -> Iterator[tuple[Case, str]]:
        """Yield the rows that are run, each with its digest."""
        for n, case in enumerate(opened(self.data)):
            if self.chosen is None or n in self.chosen:
                yield case, digest_of(case)


def look_through(config: Config, data: Data, opened: Opened) -> Looked:
    """Read a data set once. Raises InputError for a row without a label, an id that comes twice, and a set without rows."""
    seen: dict[bytes, int] = {}
    digests: list[bytes] = []
    for n, case in enumerate(labelled(opened(data)), 1):
        key = hashlib.blake2b(case.id.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if (first := seen.setdefault(key, n)) != n:
            raise InputError(
                f"{data.name}: the id {case.id!r} comes twice, in rows {first} and {n}", "every row needs its own id"
            )
        digests.append(bytes.fromhex(digest_of(case)))
    if not digests:
        raise InputError(
            f"{data.name} has no rows", "a row is a JSON object on a line, with answer, contexts and label"
        )
    chosen = None
    if config.limit is not None and config.limit < len(digests):
        chosen = frozenset(sample(range(len(digests)), config.limit, config.seed))
    run = hashlib.sha256()
    for n, digest in enumerate(digests):
        if chosen is None or n in chosen:
            run.update(digest)
    return Looked(data=data, rows=len(digests), chosen=chosen, sha256=run.hexdigest())
