"""What a tool is asked, read and held to the limits of the HTTP contract. Nothing of a text ever stands in an error.

Left out: doing it (`calls`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from groundwire.cases import read_case
from groundwire.errors import InputError
from groundwire.server.errors import ApiError
from groundwire.server.mcp.described import CHECK, EVIDENCE, FIND, MOST_EVIDENCE, VERIFY
from groundwire.server.own.models import short_id, too_many_contexts
from groundwire.server.settings import Limits
from groundwire.types import Case, Passage

Arguments = Mapping[str, Any]
TAKES: Mapping[str, tuple[str, ...]] = {
    CHECK: ("question", "answer", "contexts"),
    VERIFY: ("question", "answer", "index"),
    FIND: ("query", "claim", "index", "contexts", "k"),
}
"""What every tool takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What `find_evidence` looks for, and where: in `index`, or in `contexts` when that is None. `k` is at least 1."""

    text: str
    is_claim: bool
    index: str | None
    contexts: tuple[Passage, ...]
    k: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Reads arguments. `indexes` are those that may be named. Every method raises InputError."""

    limits: Limits
    indexes: Collection[str]

    def fits(self, tool: str, arguments: Arguments) -> None:
        """Raise InputError for a field that the tool does not have, or more bytes than a request may have."""
        strange = sorted(set(arguments) - set(TAKES[tool]))
        if strange:
            raise InputError(f"{tool} does not take {len(strange)} of the fields", f"it takes {', '.join(TAKES[tool])}")
        size = len(json.dumps(arguments, ensure_ascii=False).encode("utf-8", "surrogatepass"))
        if size > self.limits.body_bytes:
            raise InputError(
                f"the arguments have {size} bytes, and may have {self.limits.body_bytes}", "send less text"
            )

    def case(self, arguments: Arguments) -> Case:
        """Read what `check_answer` is asked."""
        answer = self._text(arguments, "answer")
        question = self._text(arguments, "question", required=False)
        contexts = self._contexts(arguments)
        return read_case({"question": question, "answer": answer, "contexts": contexts}, fallback_id="0")

    def answer(self, arguments: Arguments) -> tuple[Case, str]:
        """Read what `verify_answer` is asked: a case without contexts, and an index."""
        answer = self._text(arguments, "answer")
        question = self._text(arguments, "question", required=False)
        return Case(id="0", question=question, answer=answer or "", contexts=()), self._index(arguments)

    def search(self, arguments: Arguments) -> Search:
        """Read what `find_evidence` is asked."""
        query, claim = (self._text(arguments, name, required=False) for name in ("query", "claim"))
        text = claim if query is None else query
        if text is None or (query is not None and claim is not None):
            raise InputError("give a query or a claim, one of the two", 'query: "when was it opened"')
        if not text.strip():
            raise InputError("there is nothing to look for: the text is empty")
        given = arguments.get("contexts") is not None
        if given and arguments.get("index") is not None:
            raise InputError("give an index or contexts, one of the two")
        return Search(
            text=text,
            is_claim=query is None,
            index=None if given else self._index(arguments),
            contexts=self._contexts(arguments) if given else (),
            k=self._count(arguments),
        )

    def _text(self, arguments: Arguments, name: str, *, required: bool = True) -> str | None:
        value = arguments.get(name)
        if value is None and not required:
            return None
        if not isinstance(value, str):
            raise InputError(f"{name} is missing" if value is None else f"{name} must be a string")
        return self._short(name, value)

    def _short(self, name: str, text: str) -> str:
        if len(text) > self.limits.text_chars:
            raise InputError(
                f"{name} has {len(text)} characters, and a text may have {self.limits.text_chars}",
                "cut it yourself, or split it: nothing is cut silently",
            )
        return text

    def _contexts(self, arguments: Arguments) -> tuple[Passage, ...]:
        value = arguments.get("contexts")
        if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
            raise InputError("contexts is missing" if value is None else "contexts must be a list", 'contexts: ["…"]')
        # Counted before anything is made of them, and held to what the HTTP routes take, in their words.
        with _told():
            too_many_contexts(len(value), "contexts")
        passages = read_case({"contexts": value}, fallback_id="0").contexts
        for n, passage in enumerate(passages):
            self._short(f"contexts[{n}]", passage.text)
            self._short(f"contexts[{n}].title", passage.title or "")
            with _told():
                short_id(passage.id, f"contexts[{n}].id")
        return passages

    def _index(self, arguments: Arguments) -> str:
        name = self._text(arguments, "index", required=False)
        if not self.indexes:
            raise InputError("this server has no index", "it is started with --index NAME=DIR")
        if name is None:
            if len(self.indexes) > 1:
                raise InputError("index is missing", f"known: {', '.join(sorted(self.indexes))}")
            return next(iter(self.indexes))
        if name not in self.indexes:
            raise InputError("there is no such index", f"known: {', '.join(sorted(self.indexes))}")
        return name

    def _count(self, arguments: Arguments) -> int:
        k = arguments.get("k")
        if k is None:
            return EVIDENCE
        if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= MOST_EVIDENCE:
            raise InputError(f"k must be a whole number from 1 to {MOST_EVIDENCE}")
        return k


@contextmanager
def _told() -> Iterator[None]:
    """Turn a refusal of the HTTP routes into one of a tool, which names the field and says the same."""
    try:
        yield
    except ApiError as error:
        raise InputError(f"{error.param}: {error.message}") from None
