"""Groundwire: is this answer grounded in these contexts, sentence by sentence, and where does it say so?

    from groundwire import check, generate, verify

    print(check("When was the bridge opened?", "In 1932.", ["The bridge was opened in March 1932."]))
    print(verify("When was the bridge opened?", "In 1932.", "bridges.index"))
    print(generate("When was the bridge opened?", "bridges.index").text)

Importing this is cheap: models, their runtime and numpy load when the first checker is built.
"""

# The paths' modules are loaded first: a submodule sets its name on the package, and `check`, `generate` and `verify` are
# functions here.
from groundwire import check as _check  # noqa: F401
from groundwire import generate as _generate  # noqa: F401
from groundwire import verify as _verify  # noqa: F401
from groundwire.api import Checker, Generator, Verifier, check, generate, verify
from groundwire.errors import GroundwireError
from groundwire.types import Answer, Case, Label, Passage, Verdict

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Case",
    "Checker",
    "Generator",
    "GroundwireError",
    "Label",
    "Passage",
    "Verdict",
    "Verifier",
    "__version__",
    "check",
    "generate",
    "verify",
]
