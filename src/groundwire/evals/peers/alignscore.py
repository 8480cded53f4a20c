"""AlignScore (Zha, Yang, Li and Hu, ACL 2023, arXiv 2305.16739): how well a claim is aligned with its context.

Its package cuts both texts itself (evaluation mode `nli_sp`, the one of the paper's results). Left out: its other modes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from groundwire._env import keep_hub_offline
from groundwire._optional import require
from groundwire.errors import Unavailable
from groundwire.evals.peers.peer import Opinion, context_of
from groundwire.types import Case

INSTALL = "git clone https://github.com/yuh-zha/AlignScore && pip install ./AlignScore"
WEIGHTS = "AlignScore-base.ckpt or AlignScore-large.ckpt from huggingface.co/yzha/AlignScore"
BATCH = 32


class PackageScorer(Protocol):
    """What we ask of the package's AlignScore."""

    def score(self, *, contexts: list[str], claims: list[str]) -> Sequence[float]:
        """Return one score in [0, 1] a pair."""
        ...


@dataclass(frozen=True, slots=True)
class AlignScore:
    """The package's score of the answer under all contexts."""

    scorer: PackageScorer
    model: str

    def score(self, cases: Sequence[Case]) -> list[Opinion]:
        """Score every case, as one batch."""
        contexts, claims = [context_of(case) for case in cases], [case.answer for case in cases]
        scores = self.scorer.score(contexts=contexts, claims=claims)
        return [Opinion(score=float(score)) for score in scores]


def opened(checkpoint: str, backbone: str = "", device: str = "cpu") -> AlignScore:
    """Load a checkpoint; `backbone` is roberta-base or roberta-large, told by the file's name where it is not given.

    Raises Unavailable where the file or its backbone is not here, MissingExtra where the package is not installed.
    """
    path = Path(checkpoint)
    if not path.is_file():
        raise Unavailable(f"there is no checkpoint {checkpoint!r}", WEIGHTS)
    backbone = backbone or ("roberta-base" if "base" in path.name.lower() else "roberta-large")
    keep_hub_offline()
    package = require("alignscore", install=INSTALL)
    try:
        scorer = package.AlignScore(
            model=backbone, batch_size=BATCH, device=device, ckpt_path=str(path), evaluation_mode="nli_sp"
        )
    except OSError as error:  # how transformers says that it may not fetch what is not here
        raise Unavailable(f"the weights {backbone!r} are not on this machine", f"hf download {backbone}") from error
    return AlignScore(scorer, path.name)
