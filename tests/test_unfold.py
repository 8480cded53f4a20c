"""Real cases, claim by claim and by many callers at once: the verdicts are those of one flat batch.

In fp32, where a score does not depend on the shape of its batch; nothing is remembered between the ways.
"""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from groundwire import recipes
from groundwire.cases import read_case
from groundwire.check import CheckPath
from groundwire.errors import CorruptModel
from groundwire.models import hub, loading
from groundwire.models.batcher import Ticket
from groundwire.models.batcher.batcher import Batcher
from groundwire.models.memory import ScoreMemory
from groundwire.types import Case, Verdict

SETS = ("summeval", "felm-segment-with-refs")


@pytest.fixture(scope="module")
def path() -> CheckPath:
    try:
        folder = hub.resolve("mini")
        model = loading.open_pair_model(folder, precision="fp32", memory=ScoreMemory(0))
    except CorruptModel:
        pytest.skip("the built-in model is not in this copy")
    return replace(recipes.build("default"), model=model)


@pytest.fixture(scope="module")
def cases(shared_data: Path) -> list[Case]:
    found = []
    for name in SETS:
        with gzip.open(shared_data / "check" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            found += [read_case(json.loads(line), fallback_id=f"{name}{n}") for n, line in enumerate(islice(lines, 2))]
    return found


def same(a: Verdict, b: Verdict) -> bool:
    """Say whether two verdicts differ by nothing but the last digits of scores."""
    assert [c.claim for c in a.claims] == [c.claim for c in b.claims]
    assert (a.label, a.warnings, a.reason) == (b.label, b.warnings, b.reason)
    assert a.score == pytest.approx(b.score, abs=1e-5)
    for one, other in zip(a.claims, b.claims, strict=True):
        assert one.label == other.label
        assert one.score == pytest.approx(other.score, abs=1e-5)
        assert one.signals == pytest.approx(dict(other.signals), abs=1e-3)  # log-odds, and tokens in half precision
    return True


def test_one_by_one_jointly_and_flat(path: CheckPath, cases: list[Case]) -> None:
    flat = path.check(cases)
    for case, wanted in zip(cases, flat, strict=True):
        *claims, verdict = path.unfold(case)
        assert tuple(claims) == verdict.claims
        assert same(verdict, wanted)

    def ask(n: int) -> Verdict:
        with Ticket("", f"client {n % 3}").held():
            return path.check([cases[n]])[0]

    with Batcher(2) as batcher, ThreadPoolExecutor(len(cases)) as pool:
        loading.execute_by(batcher)
        try:
            joint = list(pool.map(ask, range(len(cases))))
        finally:
            loading.execute_no_longer_by(batcher)
        assert batcher.load().items > batcher.load().batches
    assert all(same(a, b) for a, b in zip(joint, flat, strict=True))
