"""Analysis: what an index takes for a text's words, exactly as Lucene's English chain does, or in other languages.

This is not `groundwire.text`, whose words and terms serve the comparison of two texts: an index must agree with what the
field's toolkits index, digit by digit.

Left out: chains of one's own; character filters; synonyms.
"""

from groundwire.analysis.analyzer import Analyzer, analyzer

__all__ = ["Analyzer", "analyzer"]
