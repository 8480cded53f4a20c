"""Optional dependencies: one clear error instead of a traceback when an extra is not installed."""

from __future__ import annotations

import importlib
from types import ModuleType

from groundwire.errors import MissingExtra


def require(module: str, extra: str = "", *, install: str = "") -> ModuleType:
    """Import `module` (dotted names allowed), or raise MissingExtra that names the extra which brings it.

    `install` is the command to name instead for a package that is in no extra of ours.

    Only the absence of the package itself becomes MissingExtra; an import that fails inside it is its own error.
    """
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise MissingExtra(package, extra, install=install) from error
