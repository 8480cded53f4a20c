"""Breeding without an LLM: offspring put together out of the sentences of the sources.

The loop is that of GAuGE (arXiv 2409.00085); its operators are ours, and call no model. An offspring says nothing that no
source says: each of its sentences is a sentence of a source (or of the parent, where that is a model's), whole or without
a part that it can lose and stay true. Everything is drawn from the mating's seed.

Left out: the loop (`generate.py`) and the fitness, which does the real selection.
"""

from groundwire.evolve.extractive.breeder import ExtractiveBreeder

__all__ = ["ExtractiveBreeder"]
