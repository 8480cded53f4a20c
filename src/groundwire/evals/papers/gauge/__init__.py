"""The evaluation of GAuGE (Kulkarni, Goharian, Frieder, MacAvaney; Gen-IR@SIGIR 2024, arXiv 2409.00085).

`published` has the paper's numbers, `systems` says which recipe is which row, `making` generates the answers, `measuring`
judges them, `tables` and `picture` put ours beside the paper's, `experiment` is all of it from first to last.
"""
