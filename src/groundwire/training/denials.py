"""Fits from where on a claim that is not supported counts as contradicted, on claims known to be denied or only left open.

Claims that the fusion holds for supported are left aside: they are called neither. To be told that a source says otherwise
where it says nothing is the worse mistake, so the threshold is set by that: the lowest at which, on the mean over the groups
that have enough of both kinds, no more than `ALARMS` of those that are left open are called denied.
Left out: the signal itself (`groundwire.judge.fused`), and anything from an evaluation set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from groundwire.errors import InputError
from groundwire.judge.fused import Fusion
from groundwire.training.fusion import Row

ALARMS = 0.08
FEWEST = 20
"""Claims of each kind that a group needs to count: fewer tell no share from another."""
HALF = 0.5
GRID = tuple(float(x) for x in np.arange(-3.0, 5.01, 0.05).round(2))


def fit(rows: Sequence[Row], fusion: Fusion) -> tuple[float, dict[str, float]]:
    """Return the threshold, and by group the share of denied claims that it finds (`caught`) and of open ones (`alarms`).

    Raises InputError where no group has unsupported claims enough of both kinds, or no threshold has so few alarms.
    """
    groups = _groups(rows, fusion)
    if not groups:
        raise InputError("the threshold of denials needs claims that are denied and others that are left open")
    alarms = [np.mean([_over(of[False], t) for of in groups.values()]) for t in GRID]
    best = next((t for t, share in zip(GRID, alarms, strict=True) if share <= ALARMS), None)
    if best is None:
        raise InputError(
            f"of the claims left open {alarms[-1]:.0%} are called denied at {GRID[-1]}", "train the model on"
        )
    report = {f"caught/{name}": _over(of[True], best) for name, of in groups.items()}
    return best, report | {f"alarms/{name}": _over(of[False], best) for name, of in groups.items()}


def _groups(rows: Sequence[Row], fusion: Fusion) -> dict[str, Mapping[bool, list[float]]]:
    """Return the signal by group and by whether the claim is denied, of the groups that have both."""
    found: dict[str, dict[bool, list[float]]] = {}
    for row in rows:
        if row.denied is not None and fusion.probability(row.signals) < HALF:
            found.setdefault(row.source, {True: [], False: []})[row.denied].append(row.signals["denied"])
    return {name: of for name, of in found.items() if min(map(len, of.values())) >= FEWEST}


def _over(values: Sequence[float], threshold: float) -> float:
    return float(np.mean(np.array(values) >= threshold))
