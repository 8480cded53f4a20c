"""Published ROC AUCs, by data set: table 3 of Provenance (Sankararaman et al. 2024, arXiv 2411.01022).

They are of the paper's whole system on the whole sets; a run's own rows may be others. Left out: other systems, and figures
at a threshold, which the paper does not give.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

SOURCE = "Provenance, table 3"
AUC: Mapping[str, float] = {
    "paws": 0.94,
    "begin": 0.80,
    "dialfact": 0.92,
    "q2": 0.86,
    "halueval-dialogue": 0.69,
    "frank": 0.89,
    "mnbm": 0.79,
    "qags-cnndm": 0.763,
    "qags-xsum": 0.804,
    "summeval": 0.701,
    "halueval-summarization": 0.66,
    "vitaminc": 0.958,
    "fever": 0.92,
    "truthfulqa": 0.59,
    "msmarco": 0.84,
    "halubench": 0.71,
    "halueval-qa": 0.74,
    "halueval-general": 0.54,
}
_OTHER_NAMES = {"vitc": "vitaminc", "ms-marco": "msmarco"}


def auc(data: str) -> float | None:
    """Return the published AUC of a data set by its name in a run (`true:qags-cnndm`, `QAGS_CNNDM`), or None."""
    name = re.sub(r"[^a-z0-9]+", "-", data.lower()).strip("-").removeprefix("true-")
    return AUC.get(_OTHER_NAMES.get(name, name))
