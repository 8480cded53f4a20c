"""ROUGE as the package `rouge_score` computes it, for a loop that scores thousands of texts against one target.

    Target("The cat sat on the mat.").score("1", "A cat sits on the mat.").f

Left out: ROUGE-Lsum, several targets.
"""

from groundwire.rouge.score import KINDS, Score, Target
from groundwire.rouge.words import tokens

__all__ = ["KINDS", "Score", "Target", "tokens"]
