"""Sources: how the given contexts are cut into the pieces that are judged.

Provenance (arXiv 2411.01022, section 5) judges sentences; its architecture speaks of retriever chunks, so both are here.
Windows of whole sentences are ours: long enough that a fact and what it refers to stand together, short enough for a
small model. Every source carries its place in the given context, so evidence is always a view.

Left out: choosing among the sources (`select.py`, `premises.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from groundwire.errors import UnknownName, UsageError
from groundwire.protocols import Cutter
from groundwire.text import sentence_bounds, unmarked, windows
from groundwire.types import Case, Source, Span

AS_WRITTEN = ":as-written"
"""Behind the spec of windows that are read with their markup."""

Bounds = Callable[[str], list[tuple[int, int]]]


def _cut(case: Case, bounds: Bounds, read: Callable[[str], str] = str) -> list[Source]:
    """Return what `bounds` cuts the contexts into; `read` gives a context as it is read, every place where it was."""
    found = []
    for index, passage in enumerate(case.contexts):
        last, text = 0, read(passage.text)
        for start, end in bounds(text):
            span = Span(source=passage.id, start=start, end=end)
            found.append(Source(index=index, span=span, text=span.of(text), before=text[last:start]))
            last = end
    return found


@dataclass(frozen=True, slots=True)
class Sentences:
    """Every sentence of every context is a source."""

    def __str__(self) -> str:
        return "sentence"

    def cut(self, case: Case) -> list[Source]:
        """Return the sentences, in order."""
        return _cut(case, sentence_bounds)


@dataclass(frozen=True, slots=True)
class Chunks:
    """Every context is one source, as the retriever gave it; a context of more than `words` words is windowed.

    No context is cut silently: the windows cover all of it. The default stays under 512 tokens of English.
    """

    words: int = 300

    def __str__(self) -> str:
        return f"chunk:{self.words}"

    def cut(self, case: Case) -> list[Source]:
        """Return the contexts that hold any text, in order."""
        return _cut(case, lambda text: windows(text, size=self.words, overlap=0))


@dataclass(frozen=True, slots=True)
class Windows:
    """Runs of whole sentences of at most `words` words; neighbours share up to `overlap` words of whole sentences.

    They are read without the signs of their markup (`groundwire.text.unmarked`), unless `plain` is off.
    """

    words: int = 100
    overlap: int = 30
    plain: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.words:
            raise UsageError(f"windows need 0 <= overlap < words, got {self.words}:{self.overlap}", "window:100:30")

    def __str__(self) -> str:
        return f"window:{self.words}:{self.overlap}{'' if self.plain else AS_WRITTEN}"

    def cut(self, case: Case) -> list[Source]:
        """Return the windows of every context, in order."""
        read = unmarked if self.plain else str
        return _cut(case, lambda text: windows(text, size=self.words, overlap=self.overlap), read)


def parse(spec: str) -> Cutter:
    """Make the cutter that prints as `spec`: `sentence`, `chunk`, `chunk:300`, `window:100:30`, `window:100:30:as-written`."""
    kind, *numbers = spec.removesuffix(AS_WRITTEN).split(":")
    try:
        sizes = [int(n) for n in numbers]
    except ValueError as error:
        raise UsageError(f"cannot read the numbers in {spec!r}", "window:100:30") from error
    window = partial(Windows, plain=not spec.endswith(AS_WRITTEN))
    makers: dict[str, Callable[..., Cutter]] = {"sentence": Sentences, "chunk": Chunks, "window": window}
    if kind not in makers:
        raise UnknownName("granularity", kind, makers)
    try:
        return makers[kind](*sizes)
    except TypeError as error:
        raise UsageError(f"too many numbers in {spec!r}", "window:100:30") from error
