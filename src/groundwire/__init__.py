"""Groundwire: is this answer grounded in these contexts, sentence by sentence, and where does it say so?

    from groundwire import check

    verdict = check("When was the bridge opened?", "In 1932.", ["The bridge was opened in March 1932."])
    print(verdict)

Importing this is cheap: models, their runtime and numpy load when the first checker is built.
"""

# The path's module is loaded first: a submodule sets its name on the package, and `check` here is the function.
from groundwire import check as _path  # noqa: F401
from groundwire.api import Checker, check
from groundwire.errors import GroundwireError
from groundwire.types import Case, Label, Passage, Verdict

__version__ = "0.1.0"

__all__ = ["Case", "Checker", "GroundwireError", "Label", "Passage", "Verdict", "__version__", "check"]
