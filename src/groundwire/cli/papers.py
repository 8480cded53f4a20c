"""`groundwire eval paper`: the evaluations of the papers, run again: of Huo et al., Provenance and GAuGE.

Left out: the commands, one file a paper (`groundwire.cli.gauge`, `huo2023`, `provenance`).
"""

from __future__ import annotations

import click

from groundwire.cli.gauge import gauge
from groundwire.cli.huo2023 import huo2023
from groundwire.cli.provenance import provenance


@click.group("paper")
def paper() -> None:
    """Run a paper's evaluation again, its numbers beside ours."""


for command in (huo2023, provenance, gauge):
    paper.add_command(command)
