"""What every HTML page of ours is made of: escaped elements, one look, a policy that lets nothing else run.

Left out: the pages themselves (`groundwire.report`, `groundwire.evals.runs`), a folder each.
"""
