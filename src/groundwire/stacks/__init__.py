"""Stacks as strings: `bm25`, `bm25(k1=0.82,b=0.68)`, `bm25:1000+mini:100`, `rrf(bm25,dense)`, `(splade|ance)+monot5-10k`.

    stack     a part, and each reranker of it after a +      bm25+mini
    part      a retriever, a named stack, a fusion or a pool bm25 · neural · rrf(bm25,dense) · (splade|ance)
    (k=v,...) parameters of a retriever, fusion or reranker  bm25(k1=0.82,b=0.68) · weighted(bm25,ance,alpha=0.5)
    :n        of a part: its first n hits; of a reranker:    bm25:1000+mini:100
              how many hits it orders, the others stay behind

`build` makes the retriever, whose name is the string that makes it again. Left out: what the parts do.
"""

from groundwire.retrieve import DEFAULT
from groundwire.stacks.building import STACKS, SearchedIndex, build, names
from groundwire.stacks.grammar import parse

__all__ = ["DEFAULT", "STACKS", "SearchedIndex", "build", "names", "parse"]
