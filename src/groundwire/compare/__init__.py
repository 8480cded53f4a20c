"""Comparison: does what was found support the answer? Yes, No or Not Related, by an LLM or by the built-in model.

Source: Huo, Arabzadeh and Clarke (arXiv 2306.13781), section 2: the LLM that gave an answer is shown it together with what
the corpus says, and picks one of three labels. `LlmJudge` asks the paper's question; `NliJudge` needs no LLM. Both take the
same place in the verify path. Left out: finding the passages, and reading an answer out of them (`reader.py`).
"""

from groundwire.compare.labels import LABELS, Outcome, Said, outcome_of, parse
from groundwire.compare.llm import LlmJudge
from groundwire.compare.nli import NliJudge

__all__ = ["LABELS", "LlmJudge", "NliJudge", "Outcome", "Said", "outcome_of", "parse"]
