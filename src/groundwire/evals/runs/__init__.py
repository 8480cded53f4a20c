"""Runs: checkers over data sets, in a directory that survives every kill, measured, drawn and comparable.

    run = Run.create(folder, config)        config.json; Run.open(folder) for one that is there
    run.execute(opened, built)              every row once: ledger.jsonl, scores.db, metrics.json, report.html
    run.rows()                              what was found, row by row

`config` says what is run, `work` scores, `measuring` measures, `page` draws. Left out: comparing two runs
(`groundwire.evals.compare`), and where data and checkers come from: the caller opens them.
"""

from groundwire.evals.runs.config import Config, Data, read_config
from groundwire.evals.runs.rows import ScoredRow
from groundwire.evals.runs.run import Run

__all__ = ["Config", "Data", "Run", "ScoredRow", "read_config"]
