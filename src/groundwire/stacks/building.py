"""From a stack's tree to a retriever: which names there are, and what they are made of.

Left out: the grammar, and opening the index.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, get_args

from groundwire import models
from groundwire.errors import Unavailable, UnknownName, UsageError
from groundwire.protocols import Reranker, Retriever
from groundwire.rerank import DUO_K, PairReranker, PairwiseReranker
from groundwire.retrieve import DEFAULT, Cut, Fuse, Named, Pool, Stacked
from groundwire.stacks.grammar import Chain, Group, Node, Part, parse

Lengths = Literal["accurate", "lucene"]

STACKS: Mapping[str, str] = {"neural": "(splade|ance)+monot5-10k+duot5:50"}
"""Stacks with a name of their own. `neural` is that of Huo et al. (arXiv 2306.13781), section 3.2."""

SPARSE: Mapping[str, str] = {"splade": "splade-cocondenser-ensembledistil"}
DENSE: Mapping[str, str] = {
    "ance": "ance-msmarco-passage",
    "minilm": "all-minilm-l6-v2",
    "uae": "uae-large-v1",
}
"""Short names of encoders. `sparse` and `dense` alone are whatever the index was encoded with; `dense(model=NAME)` is any."""
SCORERS: Mapping[str, str] = {
    "mini": "mini:cosine",
    "monot5": "monot5-base-msmarco",
    "monot5-10k": "monot5-base-msmarco-10k",
    "duot5": "duot5-base-msmarco",
}
"""Short names of rerankers; every other model that ranks goes by its own name. The built-in model ranks by its vectors: they
keep what all-MiniLM learned from a billion pairs, which its relevance logit does not.
"""
FIRST: Mapping[str, float] = {"mini": 0.3}
"""What the score of the stage below counts when nobody says; 0 with every other reranker. Chosen by `benchmarks/joined.py` on
sets that may be tuned on, of which the built-in model has seen neither queries nor passages; a wide range is as good.
"""

_PAIRWISE = "duot5"
"""How the names of models begin that compare two passages."""
_FUSIONS = ("rrf", "weighted")
_RETRIEVERS = ("bm25", "sparse", "dense", *SPARSE, *DENSE)


class SearchedIndex(Protocol):
    """What a stack needs of an index. One that holds vectors offers `sparse(model)` and `dense(model)` too."""

    def bm25(self, *, k1: float = 0.9, b: float = 0.4, lengths: Lengths = "accurate") -> Retriever:
        """Return the retriever that scores by BM25."""
        ...


def names() -> list[str]:
    """Return the stacks that are worth naming in a help text."""
    return ["bm25", DEFAULT, *STACKS]


def build(spec: str, index: SearchedIndex) -> Retriever:
    """Build the retriever of a stack; its `name` is a spec that builds the same.

    Raises UsageError where the string cannot be read, UnknownName, MissingModel where a model is not on this machine, and
    Unavailable where the index lacks what a part needs.
    """
    return _retriever(parse(spec), index)


def _retriever(node: Node, index: SearchedIndex) -> Retriever:
    match node:
        case Chain(first=first, rerankers=rerankers):
            stack = _retriever(first, index)
            for part in rerankers:
                stack = _stacked(stack, part)
            return stack
        case Group(parts=parts, depth=depth):
            made = [_retriever(part, index) for part in parts]
            return _cut(made[0] if len(made) == 1 else Pool(made), depth)
        case Part():
            return _cut(_part(node, index), node.depth)


def _cut(retriever: Retriever, depth: int | None) -> Retriever:
    return retriever if depth is None else Cut(retriever, depth)


def _part(part: Part, index: SearchedIndex) -> Retriever:
    if part.name in _FUSIONS:
        return _fusion(part, [_retriever(inner, index) for inner in part.parts])
    if part.parts:
        raise UsageError(f"{part.name} takes no parts", f"{' and '.join(_FUSIONS)} do: rrf(bm25,dense)")
    if part.name in STACKS:
        _known(part, {})
        return Named(part.name, build(STACKS[part.name], index))
    if part.name == "bm25":
        known: dict[str, Read] = {"k1": _number, "b": _number, "lengths": _lengths}
        return index.bm25(**_known(part, known))
    if part.name not in _RETRIEVERS:
        raise UnknownName("retriever", part.name, (*_RETRIEVERS, *_FUSIONS, *STACKS))
    return _encoded(part, index)


def _encoded(part: Part, index: SearchedIndex) -> Retriever:
    """Return the retriever over the index's vectors."""
    kind = "sparse" if part.name == "sparse" or part.name in SPARSE else "dense"
    known: dict[str, Read] = {"model": _text} if part.name == kind else {}
    if kind == "dense":
        known["exact"] = _yes
    given = _known(part, known)
    model = {**SPARSE, **DENSE}.get(part.name, given.get("model"))
    exact = bool(given.get("exact"))
    told = [f"model={model}"] * ("model" in given) + ["exact=yes"] * exact
    name = part.name + (f"({','.join(told)})" if told else "")
    make = getattr(index, kind, None)
    if make is None:
        raise Unavailable(f"this index holds no {kind} vectors, which {name!r} needs", "it can be searched by bm25")
    return Named(name, make(model, exact=True) if exact else make(model))


def _fusion(part: Part, parts: list[Retriever]) -> Retriever:
    if part.name == "rrf":
        return Fuse(parts, "rrf", **_known(part, {"k": _whole}, {"k": "constant"}))
    return Fuse(parts, "weighted", **_known(part, {"alpha": _number, "normalise": _yes}))


def _stacked(below: Retriever, part: Part) -> Retriever:
    if part.parts:
        raise UsageError(f"the reranker {part.name} takes no parts", "bm25+mini")
    if part.name in (*_RETRIEVERS, *_FUSIONS, *STACKS):
        raise UsageError(
            f"{part.name} finds passages and cannot stand after +", f"pool or fuse it: ({below.name}|{part.name})"
        )
    if part.name.startswith(_PAIRWISE):
        options = _known(part, {"title": _yes})
        model = models.load_duo(SCORERS.get(part.name, part.name))
        pairwise = PairwiseReranker(model, DUO_K if part.depth is None else part.depth, spec=part.name, **options)
        # How many are compared is the reranker's own, and it prints what is not the default.
        return Stacked(below, pairwise, DUO_K if part.depth == DUO_K else None)
    options = _known(part, {"title": _yes, "first": _number})
    pooled = _is_pool(below)
    if pooled and options.get("first"):
        hint = f"fuse it, or leave first away: rrf(...)+{part.name}"
        raise UsageError(f"{below.name} is a pool, whose scores {part.name} cannot join", hint)
    usual = 0.0 if pooled else FIRST.get(part.name, 0.0)
    scorer = models.load_scorer(SCORERS.get(part.name, part.name))
    reranker: Reranker = PairReranker(scorer, spec=part.name, **{"first": usual, **options}, usual=usual)
    return Stacked(below, reranker, part.depth)


def _is_pool(retriever: Retriever) -> bool:
    """Say whether a retriever's scores are those of a pool, which say nothing."""
    return isinstance(retriever, Pool) or (isinstance(retriever, Cut) and _is_pool(retriever.retriever))


Read = Callable[[str, str], Any]


def _known(part: Part, known: Mapping[str, Read], fields: Mapping[str, str] = {}) -> dict[str, Any]:
    """Return a part's parameters as values, by their field. Raises UnknownName for one that it has not."""
    for key in part.parameters:
        if key not in known:
            raise UnknownName(f"parameter of {part.name}", key, known or ("none",))
    return {fields.get(key, key): known[key](key, value) for key, value in part.parameters.items()}


def _number(key: str, value: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise UsageError(f"{key} is a number, got {value!r}", f"{key}=0.4") from error


def _text(key: str, value: str) -> str:
    return value


def _whole(key: str, value: str) -> int:
    if not (value.isascii() and value.isdigit()):
        raise UsageError(f"{key} is a whole number, got {value!r}", f"{key}=60")
    return int(value)


def _yes(key: str, value: str) -> bool:
    if value not in ("yes", "no"):
        raise UsageError(f"{key} is yes or no, got {value!r}", f"{key}=no")
    return value == "yes"


def _lengths(key: str, value: str) -> str:
    if value not in get_args(Lengths):
        raise UnknownName(key, value, get_args(Lengths))
    return value
