"""Data sets by name, in the formats that their makers publish: a lazy table of names, and one file a family.

    for case in datasets.open("true:qags-cnndm", Path("mturk_cnndm.jsonl")): …

Left out: collections that are searched (`groundwire.corpus`, `groundwire.evals.trec`), and any data.
"""

from groundwire.evals.datasets.catalogue import info, names
from groundwire.evals.datasets.described import DatasetInfo
from groundwire.evals.datasets.opening import Asked, named, open  # noqa: A004

__all__ = ["Asked", "DatasetInfo", "info", "named", "names", "open"]
