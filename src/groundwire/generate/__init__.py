"""The generate paths: a question in, an answer out that was grown from passages and checked against them.

`path` evolves it, `direct` asks a language model once; both begin with the same pool. Left out: the parts that they are
made of (`groundwire.evolve`), and which parts make which system (`groundwire.recipes.generating`).
"""

from groundwire.generate.breeding import Breeding
from groundwire.generate.direct import DirectPath
from groundwire.generate.path import GeneratePath
from groundwire.generate.pool import NO_EVIDENCE, Pool

__all__ = ["NO_EVIDENCE", "Breeding", "DirectPath", "GeneratePath", "Pool"]
