"""The evaluation of Provenance (Sankararaman et al., EMNLP 2024 industry track, arXiv 2411.01022).

`published` has the paper's numbers, `data` finds its data sets in a folder, `systems` builds the rows of its tables, `scoring`
scores every answer once, `measuring` makes figures of the scores, `tables` puts them beside the paper's, `experiment` is all of
it from first to last.
"""
