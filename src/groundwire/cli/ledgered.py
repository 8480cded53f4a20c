"""A long run that may be killed at any moment: every verdict goes to a ledger first, the output is written at its end.

An item's key is made of its question and answer, its id, and everything that may change the verdict (recipe, parts, models,
prompts, what the index holds, the offsets' encoding). What is in the ledger is not done again, a failed call is. The output
holds one line a row, in the rows' order, and appears whole or not at all.

Left out: the ledger itself (`groundwire.ledger`), and the replies of the LLM, which its cache keeps one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.compare import Outcome, outcome_of
from groundwire.ledger import Ledger, key_of
from groundwire.render import OffsetEncoding, record
from groundwire.types import Case
from groundwire.verifier import Verifier

Record = Mapping[str, Any]


@dataclass(slots=True)
class Run:
    """One run over rows. `keys` are those of the rows so far, in their order: two equal rows have one key and one result."""

    verifier: Verifier
    ledger: Ledger
    offset_encoding: OffsetEncoding = "codepoint"
    keys: list[str] = field(default_factory=list)
    resumed: int = 0
    _setup: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._setup = {**self.verifier.identity(), "offsets": self.offset_encoding}

    def advance(self, cases: Sequence[Case]) -> None:
        """Verify those of the cases that are not done, as one batch, and put each result on the disk."""
        waiting: dict[str, Case] = {}
        for case in cases:
            key = self._key(case)
            self.keys.append(key)
            if self.ledger.done(key) is not None:
                self.resumed += 1
            else:
                waiting.setdefault(key, case)
        for key, verdict in zip(waiting, self.verifier.verify(list(waiting.values())), strict=True):
            outcome = outcome_of(verdict)
            kind = "llm" if outcome is Outcome.ERROR else None
            self.ledger.write(key, outcome, record(verdict, offset_encoding=self.offset_encoding), kind=kind)

    def results(self) -> Iterable[tuple[Outcome, Record]]:
        """Yield what is known of every row, in the rows' order."""
        for key in self.keys:
            entry = self.ledger.entry(key)
            if entry is not None:
                yield Outcome(entry.status), entry.record

    def _key(self, case: Case) -> str:
        item = {"id": case.id, "question": case.question, "answer": case.answer}
        return key_of({"item": item, "setup": self._setup})
