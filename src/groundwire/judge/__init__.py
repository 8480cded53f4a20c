"""Judges: from what was found for a claim to its label and score, and from the claims to the answer's.

`ThresholdJudge` is the paper's rule; `FusedJudge` reads the model together with plain lexical evidence.
"""

from groundwire.judge.fused import FusedJudge
from groundwire.judge.threshold import ThresholdJudge

__all__ = ["FusedJudge", "ThresholdJudge"]
