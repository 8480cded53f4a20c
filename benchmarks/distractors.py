"""How many verdicts change when contexts that have nothing to do with the answer are added.

Every case of a few sets is checked with its own contexts, and again with 5 and 20 contexts of the other sets put around
them (not of its own set, whose rows often share their subject). A flip is a changed label, of a claim or of a whole
answer. Writes benchmarks/results/distractors.json.

    python benchmarks/distractors.py [--limit 150] [--recipe default]
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from dataclasses import replace
from itertools import islice, zip_longest
from pathlib import Path

from groundwire import recipes
from groundwire.cases import iter_cases
from groundwire.protocols import Checker
from groundwire.types import Case, Passage, Verdict

SETS = ("qags-cnndm", "dialfact-testsmall", "wice-claim-oracle-dev", "expertqa-claims")
ADDED = (0, 5, 20)
RESULTS = Path(__file__).parent / "results"


def load(path: Path, limit: int, seed: int) -> list[Case]:
    """A seeded sample of the checkable cases of a file."""
    with gzip.open(path, "rb") as handle:
        cases = [c for c in iter_cases(handle) if isinstance(c, Case) and c.reason is None]
    random.Random(seed).shuffle(cases)
    return list(islice(cases, limit))


def with_distractors(case: Case, others: list[Passage], n: int, rng: random.Random) -> Case:
    """The case with n passages of other cases around its own, at random places; its own keep their order."""
    own = {p.text for p in case.contexts}
    added = rng.sample([p for p in others if p.text not in own], n)
    places = sorted(rng.sample(range(n + len(case.contexts)), len(case.contexts)))
    mixed, rest = dict(zip(places, case.contexts, strict=True)), iter(added)
    contexts = [mixed[i] if i in mixed else next(rest) for i in range(n + len(case.contexts))]
    return replace(case, contexts=tuple(replace(p, id=str(i)) for i, p in enumerate(contexts)))


def flips(before: list[Verdict], after: list[Verdict]) -> dict[str, float]:
    """Shares of claims and answers whose label changed, and of answers that changed between grounded and not."""
    claims = [
        (a and a.label, b and b.label)  # an answer with nothing to check has no claims
        for x, y in zip(before, after, strict=True)
        for a, b in zip_longest(x.claims, y.claims)
    ]
    answers = list(zip(before, after, strict=True))
    return {
        "claims": len(claims),
        "claim_flips": sum(a is not b for a, b in claims) / len(claims),
        "answers": len(answers),
        "answer_flips": sum(a.label is not b.label for a, b in answers) / len(answers),
        "grounded_flips": sum(a.grounded is not b.grounded for a, b in answers) / len(answers),
    }


def run(checker: Checker, data: Path, limit: int, seed: int) -> dict[str, dict[str, dict[str, float]]]:
    """Flip rates by set and number of added contexts."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    files = {name: data / "check" / f"{name}.jsonl.gz" for name in SETS}
    for name in SETS:
        cases = load(files[name], limit, seed)
        others = [p for other in SETS if other != name for c in load(files[other], 500, seed) for p in c.contexts]
        before = checker.check(cases)
        found[name] = {}
        for n in ADDED:
            rng = random.Random(f"{seed}/{name}/{n}")
            after = checker.check([with_distractors(c, others, n, rng) for c in cases])
            found[name][str(n)] = flips(before, after)
            print(f"{name:24} +{n:<3} {found[name][str(n)]}", flush=True)
    return found


def main() -> None:
    """Run and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=150)
    parser.add_argument("--recipe", default="default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    options = parser.parse_args()
    checker = recipes.build(options.recipe)
    found = run(checker, options.data, options.limit, options.seed)
    record = {"recipe": options.recipe, "model": checker.model.name, "limit": options.limit, "flips": found}
    (RESULTS / "distractors.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
