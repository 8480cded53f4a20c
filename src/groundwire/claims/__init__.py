"""Claims: what in an answer is checked, each with its exact place in the answer.

`PromptClaim` is Provenance's (arXiv 2411.01022, section 3.3): the whole answer, put into one sentence with its question.
`SentenceClaims` is ours: every sentence is a claim of its own, so that the verdict can say which one is not backed.
"""

from groundwire.claims.context import NEAR, ONLY_LEADS
from groundwire.claims.prompt import APPENDIX_TEMPLATE, TEMPLATE, PromptClaim, claim_prompt
from groundwire.claims.sentences import SentenceClaims

__all__ = ["APPENDIX_TEMPLATE", "NEAR", "ONLY_LEADS", "TEMPLATE", "PromptClaim", "SentenceClaims", "claim_prompt"]
