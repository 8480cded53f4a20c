"""Modules of the test-suite, loaded by their paths: the full sets run the code of the reduced ones."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

TESTS = Path(__file__).resolve().parents[2] / "tests"
_NAME = "suite_of_tests"


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


def part(path: str) -> ModuleType:
    """Load `path` (below tests/) as a part of its folder, so that it can import what stands beside it."""
    if _NAME not in sys.modules:
        package = ModuleType(_NAME)
        package.__path__ = [str(TESTS)]
        sys.modules[_NAME] = package
    return import_module(".".join([_NAME, *Path(path).with_suffix("").parts]))
