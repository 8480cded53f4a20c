"""`--junit` and `--sarif`: the outcome of a command once more, in a file that build servers and code hosts read.

Left out: the forms themselves (`groundwire.gates`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from groundwire import __version__
from groundwire.cli.files import atomic_output
from groundwire.cli.sinks import Sink
from groundwire.protocols import Checker
from groundwire.types import Case, Verdict

if TYPE_CHECKING:
    from groundwire.gates.finding import Gate

F = TypeVar("F", bound=Callable[..., Any])
_ASKED = "groundwire.cli.gating"
_FORMS = {"junit": "JUnit XML", "sarif": "SARIF 2.1.0"}


def gate_options(command: F) -> F:
    """Add --junit and --sarif to a command; `gated` reads them."""
    for name, form in reversed(_FORMS.items()):
        told = f"Write the outcome there as {form} too, whole or not at all."
        option = click.option(f"--{name}", metavar="PATH", expose_value=False, callback=_remembered, help=told)
        command = option(command)
    return command


def _remembered(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta.setdefault(_ASKED, {})[parameter.name] = value


@contextmanager
def gated(context: click.Context, gate: Gate) -> Iterator[Sink]:
    """Give what takes verdicts and writes them to the files that were asked for; they appear when the block ends well."""
    from groundwire.gates import JUnit, Sarif

    asked = context.meta.get(_ASKED, {})
    with ExitStack() as opened:
        reports: list[JUnit | Sarif] = []
        if "junit" in asked:
            suite = JUnit(opened.enter_context(atomic_output(asked["junit"])), gate)
            opened.callback(suite.drop)
            reports.append(suite)
        if "sarif" in asked:
            reports.append(Sarif(opened.enter_context(atomic_output(asked["sarif"])), gate, version=__version__))

        def add(verdicts: Sequence[Verdict]) -> None:
            for report in reports:
                report.add(verdicts)

        yield add
        for report in reports:
            report.close()


class Watched:
    """A checker whose verdicts are also handed to a sink. It is called what the other is called."""

    def __init__(self, checker: Checker, sink: Sink) -> None:
        self._checker, self._sink = checker, sink

    @property
    def name(self) -> str:
        """The recipe."""
        return self._checker.name

    @property
    def threshold(self) -> float:
        """The score from which an answer is supported."""
        return self._checker.threshold

    def check(self, cases: Sequence[Case]) -> list[Verdict]:
        """Check every case."""
        verdicts = self._checker.check(cases)
        self._sink(verdicts)
        return verdicts
