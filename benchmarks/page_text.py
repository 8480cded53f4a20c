"""How figures and tables are written in the generated pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundwire.evals.bootstrap import Figure


def number(value: float | None, *, sign: bool = False) -> str:
    """Write .123, or with a sign +.123; a dash where there is none."""
    if value is None:
        return "–"
    text = f"{value:+.3f}" if sign else f"{value:.3f}"
    return text.replace("0.", ".", 1).replace("-", "−")


def between(page: str, begin: str, end: str, made: str) -> str:
    """Return the page with this between its two markers. Raises SystemExit where they are missing."""
    before, opened, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not (opened and closed):
        raise SystemExit(f"the page has no {begin.strip()} … {end.strip()}")
    return before + begin + made + end + after


def wide(figure: Figure, *, sign: bool = False) -> str:
    """Write a figure with its interval: **.123** [.100, .150]."""
    if figure.value is None or figure.low is None or figure.high is None:
        return number(figure.value, sign=sign)
    low, high = number(figure.low, sign=sign), number(figure.high, sign=sign)
    return f"**{number(figure.value, sign=sign)}** [{low}, {high}]"


def share(figure: dict[str, Any]) -> str:
    """Write a share with its interval in percent: 84.4 % [82.1, 86.6]."""
    value, low, high = (figure[key] for key in ("value", "low", "high"))
    return "–" if value is None else f"{100 * value:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def figure_of(found: dict[str, Any]) -> Figure:
    """Read a figure from a result, whatever else stands beside it."""
    return Figure(**{key: found[key] for key in ("value", "low", "high")})


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table whose first column holds words and the others figures."""
    rule = "---|" + "--:|" * (len(head) - 1)
    return "".join([f"| {' | '.join(head)} |\n", f"|{rule}\n", *(f"| {' | '.join(row)} |\n" for row in rows)])
