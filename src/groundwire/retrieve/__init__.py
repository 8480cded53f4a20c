"""Stacks of retrievers: pooled, fused and ranked again, each a retriever itself that prints as the string that makes it.

What is stacked is handed in, so nothing here knows an index or a model; `groundwire.stacks` builds stacks from strings.
"""

from groundwire.retrieve.cut import Cut
from groundwire.retrieve.explained import Composite, Named, explained, most
from groundwire.retrieve.fuse import Fuse
from groundwire.retrieve.pool import Pool
from groundwire.retrieve.stacked import Stacked

DEFAULT = "bm25+mini"
"""What finds when nobody says how, for `search` and `verify` alike; `groundwire.stacks` reads it."""

__all__ = ["DEFAULT", "Composite", "Cut", "Fuse", "Named", "Pool", "Stacked", "explained", "most"]
