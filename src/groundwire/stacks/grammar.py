"""The grammar of stacks: from a string to a tree. Left out: which names there are (`building`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from groundwire.errors import UsageError

EXAMPLE = "bm25+mini, or rrf(bm25,dense)+mini:100"
DEEPEST = 20
"""Brackets within brackets that are read: more is no stack but an attack on the reader."""

_WORD = re.compile(r"[^()|,+=]*")
_DEPTH = re.compile(r":\s*([0-9]{1,9})\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A retriever, a named stack, a fusion (with `parts`) or a reranker, as it is written."""

    name: str
    parts: tuple[Node, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    depth: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What stands in brackets: a pool of several stacks, or one stack whose first hits are wanted."""

    parts: tuple[Node, ...]
    depth: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A part and the rerankers on it, in the order in which they run."""

    first: Node
    rerankers: tuple[Part, ...]


Node = Part | Group | Chain


def parse(spec: str) -> Node:
    """Read a stack. Raises UsageError that says where it cannot be read."""
    reader = _Reader(spec)
    node = reader.stack(0)
    if reader.next():
        raise reader.error(f"nothing can follow at {spec[reader.at :].strip()!r}")
    return node


class _Reader:
    """Reads from the left; `at` is the place of the next character."""

    def __init__(self, spec: str) -> None:
        self.spec, self.at = spec, 0

    def stack(self, level: int) -> Node:
        if level > DEEPEST:
            raise self.error(f"more than {DEEPEST} brackets within one another")
        first = self.group(level) if self.next() == "(" else self.part(level)
        rerankers = []
        while self.took("+"):
            rerankers.append(self.part(level))
        return Chain(first=first, rerankers=tuple(rerankers)) if rerankers else first

    def group(self, level: int) -> Node:
        self.took("(")
        parts = [self.stack(level + 1)]
        while self.took("|"):
            parts.append(self.stack(level + 1))
        self.close()
        depth = self.depth_after()
        return parts[0] if len(parts) == 1 and depth is None else Group(parts=tuple(parts), depth=depth)

    def part(self, level: int) -> Part:
        name, depth = _split(self.word())
        if not name:
            raise self.error("a name is missing" + (f" before {self.next()!r}" if self.next() else " at the end"))
        parts: list[Node] = []
        parameters: dict[str, str] = {}
        if depth is None and self.took("("):
            if self.next() != ")":
                self.argument(level, parts, parameters)
            while self.took(","):
                self.argument(level, parts, parameters)
            self.close()
            depth = self.depth_after()
        return Part(name=name, parts=tuple(parts), parameters=parameters, depth=depth)

    def argument(self, level: int, parts: list[Node], parameters: dict[str, str]) -> None:
        """Read `key=value`, or a stack."""
        start, key = self.at, self.word()
        if not self.took("="):
            self.at = start
            parts.append(self.stack(level + 1))
            return
        value = self.word()
        if not key or not value or key in parameters:
            raise self.error(f"a parameter is written once, as name=value, not {f'{key}={value}'!r}")
        parameters[key] = value

    def depth_after(self) -> int | None:
        """Read the `:n` that may follow a bracket."""
        word = self.word()
        if not word:
            return None
        name, depth = _split(word)
        if name or depth is None:
            raise self.error(f"after a bracket comes +, | or a depth like :100, not {word!r}")
        return depth

    def word(self) -> str:
        match = _WORD.match(self.spec, self.at)
        self.at = match.end() if match else self.at
        return match[0].strip() if match else ""

    def next(self) -> str:
        """Return the next character that is no blank, "" at the end."""
        while self.at < len(self.spec) and self.spec[self.at].isspace():
            self.at += 1
        return self.spec[self.at : self.at + 1]

    def took(self, mark: str) -> bool:
        """Go past `mark` if it comes next."""
        if self.next() != mark:
            return False
        self.at += 1
        return True

    def close(self) -> None:
        if not self.took(")"):
            what = f"{self.next()!r} stands where" if self.next() else "it ends before"
            raise self.error(f"{what} a bracket should close")

    def error(self, message: str) -> UsageError:
        return UsageError(f"cannot read the stack {self.spec!r}: {message}", EXAMPLE)


def _split(word: str) -> tuple[str, int | None]:
    """Return a name and the depth after its last colon; names may hold colons themselves (`nli:ORG/NAME`)."""
    match = _DEPTH.search(word)
    return (word[: match.start()].strip(), int(match[1])) if match else (word, None)
