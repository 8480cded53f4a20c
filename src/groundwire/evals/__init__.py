"""Evaluation: how often a checker is right, how sure one can be of that, and what it cost.

`metrics` measures, `bootstrap` puts an interval around what was measured, `run` drives any `Checker` over any `Case`s.
"""
