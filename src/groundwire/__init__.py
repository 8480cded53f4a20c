"""Groundwire: is this answer grounded in these contexts, sentence by sentence, and where does it say so?

    from groundwire import check, verify

    print(check("When was the bridge opened?", "In 1932.", ["The bridge was opened in March 1932."]))
    print(verify("When was the bridge opened?", "In 1932.", "bridges.index"))

Importing this is cheap: models, their runtime and numpy load when the first checker is built.
"""

# The paths' modules are loaded first: a submodule sets its name on the package, and `check` and `verify` are functions here.
from groundwire import check as _check  # noqa: F401
from groundwire import verify as _verify  # noqa: F401
from groundwire.api import Checker, Verifier, check, verify
from groundwire.errors import GroundwireError
from groundwire.types import Case, Label, Passage, Verdict

__version__ = "0.1.0"

__all__ = [
    "Case",
    "Checker",
    "GroundwireError",
    "Label",
    "Passage",
    "Verdict",
    "Verifier",
    "__version__",
    "check",
    "verify",
]
