"""How labels and numbers look on a page: one sign, one name and one class a label, so that colour is never alone.

Names and signs are those of `groundwire.types`. Left out: the colours (`base.css`).
"""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.pages.markup import Html, element
from groundwire.types import LABEL_NAMES, MARKS, Label

CLASSES: Mapping[Label, str] = {
    Label.SUPPORTED: "supported",
    Label.CONTRADICTED: "contradicted",
    Label.NOT_ENOUGH_INFO: "open",
    Label.NOT_CHECKABLE: "unchecked",
}
"""The class of everything that is coloured by a label."""


def sign(label: Label) -> Html:
    """Return the sign alone, which is read out as its name."""
    return element("span", MARKS[label], class_=f"sign {CLASSES[label]}", role="img", aria_label=LABEL_NAMES[label])


def badge(label: Label) -> Html:
    """Return the sign and the name."""
    hidden = element("span", MARKS[label], aria_hidden="true")
    return element("span", hidden, f" {LABEL_NAMES[label]}", class_=f"badge {CLASSES[label]}")


def number(value: float | None, digits: int = 2) -> str:
    """Return a number for people: thousands apart, a true minus, a dash for none."""
    if value is None:
        return "–"
    rounded = round(value, digits) + 0.0  # and no minus before a zero
    return f"{rounded:,.{digits}f}".replace("-", "−").replace(",", " ")


def plural(count: int, name: str, many: str = "") -> str:
    """Return a count with the name of what is counted."""
    return f"{number(count, 0)} {name if count == 1 else many or name + 's'}"
