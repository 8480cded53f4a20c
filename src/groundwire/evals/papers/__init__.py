"""The experiments of the papers, run again: a folder a paper, and what all of them share.

`table` compares with published counts, `stand_in` says which model really judged, `kept` pays for nothing twice, `folder` is
a run's directory.
"""
