"""The evaluation of Huo, Arabzadeh and Clarke, "Retrieving Supporting Evidence for LLMs Generated Answers" (arXiv 2306.13781).

`published` has the paper's numbers, `answering` the answers that are verified, `systems` the three pipelines, `judging` what
they say of each answer, `people` what has to be judged by hand, `tables` puts ours beside the paper's, `experiment` is all of
it from first to last.
"""
