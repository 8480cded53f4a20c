"""A module of the test-suite, loaded by its path: the full sets run the code of the reduced ones."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

TESTS = Path(__file__).resolve().parents[2] / "tests"


def load(path: str) -> ModuleType:
    """Load `path` (below tests/)."""
    name = f"suite_{Path(path).stem}"
    spec = spec_from_file_location(name, TESTS / path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
