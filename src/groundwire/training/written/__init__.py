"""Written by hand: short documents of many registers, and what a language model might say of each, rightly or wrongly.

Public sets hold claims about single sentences of encyclopedias. What people check are summaries, answers and replies: several
sentences told in one, in other words, with one thing gone wrong. The texts (`texts/*.txt`) were composed for this purpose and
have the licence of the code; no evaluation set, nor its documents, stood beside them.
"""
